#include "core/usecases/request/act.hpp"

namespace tideover::usecases {

void leave_audit_row(ports::Records& records, const Act& act, ports::IdSource& ids, std::string_view object_id,
                     std::string_view outcome) {
  records.audit().append(act.caller.tenant, {ids.next<domain::AuditId>(), act.caller.client, act.request_id,
                                             act.operation, std::string(object_id), std::string(outcome), act.now});
}

void leave_trace(ports::Records& records, const Act& act, ports::IdSource& ids, std::string_view object_id,
                 const std::string& body, const domain::Error* refusal) {
  const std::string outcome(refusal ? domain::name_of(refusal->code) : "ok");
  leave_audit_row(records, act, ids, object_id, outcome);
  if (!act.idempotency) return;
  records.answers().insert(
      act.caller.tenant, act.idempotency->scope,
      {act.idempotency->fingerprint, outcome, body, act.now.plus_days(act.idempotency->retention_days)}, act.now);
}

}  // namespace tideover::usecases
