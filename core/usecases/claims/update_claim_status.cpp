#include "core/usecases/claims/update_claim_status.hpp"

#include "core/usecases/claims/get_claim.hpp"
#include "core/usecases/claims/move_claim_status.hpp"

namespace tideover::usecases {

using domain::Error;
using domain::ErrorCode;

domain::Result<StoredResponse> UpdateClaimStatus::operator()(const RequestContext& context,
                                                             const std::string& claim_reference,
                                                             const StatusUpdate& update,
                                                             const Render<domain::ClaimStatusRecord>& render) {
  const auto& tenant = context.caller.tenant;
  std::string body;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    const auto stored = records.claims().find(tenant, claim_reference);
    if (!stored) return claim_not_found();
    const auto& from = stored->status;
    if (update.expected && !update.expected(from))
      return Error::of(ErrorCode::version_conflict, "The claim changed after you read it. Read it again.")
          .with("version", "v" + std::to_string(from.version));

    domain::ClaimStatusRecord to = from;
    if (update.status != from.status) {
      to.status = update.status;
      to.previous = from.status;
      to.version = from.version + 1;
      to.source = update.source;
      to.reason_code = update.reason_code;
      to.note = update.note;
      to.effective_at = update.effective_at;
      to.updated_at = context.now;
      if (!domain::may_move(from.status, to.status, to.source))
        return Error::of(ErrorCode::invalid_transition, "A claim that is " + std::string(name_of(from.status)) +
                                                            " cannot become " + std::string(name_of(to.status)) + ".")
            .with("status", std::string(name_of(from.status)))
            .with_list("allowed", allowed_moves(from.status, to.source));
      if (!move_claim_status({records, tenant, context.now, ids_}, from, to))
        return Error::of(ErrorCode::conflict, "The claim changed at the same time. Send the request again.");
    }
    body = render(to);
    leave_trace(records, context, ids_, from.claim.text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{std::move(body)};
}

}  // namespace tideover::usecases
