// Ends an import before its end: rows that are done stay, no further one is looked at (POST
// /v1/imports/claims/{job_id}/cancel; core/docs/contract.md#imports). The job becomes failed, since the contract has no
// other end; `canceled_at` tells why.
#pragma once
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

class CancelImport {
 public:
  CancelImport(ports::Store& store, ports::IdSource& ids) : store_(store), ids_(ids) {}
  /// Canceling again changes nothing; a job that ended otherwise is an invalid_state.
  domain::Result<StoredResponse> operator()(const RequestContext& context, const std::string& job_id,
                                            const Render<domain::ImportJob>& render);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
