// Cancels an import: finished rows stay, further rows are not read (POST /v1/imports/claims/{job_id}/cancel;
// core/docs/contract.md#imports). The job becomes failed, because the contract has no other end; `canceled_at` has the
// reason.
#pragma once
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

class CancelImport {
 public:
  CancelImport(ports::Store& store, ports::IdSource& ids) : store_(store), ids_(ids) {}
  /// Canceling again changes nothing. Error invalid_state for a job that ended otherwise.
  domain::Result<StoredResponse> operator()(const RequestContext& context, const std::string& job_id,
                                            const Render<domain::ImportJob>& render);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
