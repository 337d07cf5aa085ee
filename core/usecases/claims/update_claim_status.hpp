// Moves a claim's status on behalf of a client or payer (openapi.yaml: PATCH /v1/claims/{claim_id}/status;
// core/docs/contract.md#claim-status).
#pragma once
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

struct StatusUpdate {
  domain::ClaimStatus status = domain::ClaimStatus::received;
  domain::StatusSource source = domain::StatusSource::client;
  std::string reason_code;
  std::string note;
  std::optional<domain::Timestamp> effective_at;
  Expected<domain::ClaimStatusRecord> expected;
};

class UpdateClaimStatus {
 public:
  UpdateClaimStatus(ports::Store& store, ports::IdSource& ids) : store_(store), ids_(ids) {}
  domain::Result<StoredResponse> operator()(const RequestContext& context, const std::string& claim_reference,
                                            const StatusUpdate& update,
                                            const Render<domain::ClaimStatusRecord>& render);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
