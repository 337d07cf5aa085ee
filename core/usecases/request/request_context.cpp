#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

void leave_audit_row(ports::Records& records, const RequestContext& context, ports::IdSource& ids,
                     std::string_view object_id, std::string_view outcome) {
  records.audit().append(context.caller.tenant,
                         {ids.next<domain::AuditId>(), context.caller.client, context.request_id, context.operation,
                          std::string(object_id), std::string(outcome), context.now});
}

void leave_trace(ports::Records& records, const RequestContext& context, ports::IdSource& ids,
                 std::string_view object_id, const std::string& body, const domain::Error* refusal) {
  const std::string outcome(refusal ? domain::name_of(refusal->code) : "ok");
  leave_audit_row(records, context, ids, object_id, outcome);
  if (!context.idempotency) return;
  const auto now = context.real_now();
  records.answers().insert(context.caller.tenant, context.idempotency->scope,
                           {context.idempotency->fingerprint, outcome, body,
                            now.plus_days(context.idempotency->retention_days), std::string(object_id)},
                           now);
}

domain::Status replace_answer(ports::Store& store, const RequestContext& context, const std::string& body) {
  if (!context.idempotency) return {};
  return store.commit([&](ports::Records& records) -> domain::Status {
    records.answers().replace(context.caller.tenant, context.idempotency->scope, body);
    return {};
  });
}

}  // namespace tideover::usecases
