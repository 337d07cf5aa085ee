#include "core/http/access_trail.hpp"

#include <vector>

namespace tideover::http {

void AccessTrail::denied(const usecases::RequestContext& request_context, domain::ErrorCode reason) {
  (void)store_.commit(
      [&](ports::Records& records) -> domain::Status {
        usecases::leave_audit_row(records, request_context, ids_, "", domain::name_of(reason));
        return {};
      },
      ports::Priority::background);
}

void AccessTrail::denied_unknown(const std::string& operation, domain::ErrorCode reason,
                                 const std::string& request_id) {
  const Kind kind{operation, reason};
  Tally before;
  {
    const std::lock_guard held(lock_);
    auto& tally = tallies_[kind];
    if (tally.minute == minute()) {
      ++tally.behind_the_first;
      tally.last_request_id = request_id;
      return;
    }
    before = std::exchange(tally, Tally{minute(), 0, ""});
  }
  if (before.behind_the_first > 0) write(kind, before.last_request_id, before.behind_the_first);
  write(kind, request_id, 1);
}

void AccessTrail::write_counted(bool all) {
  std::vector<std::pair<Kind, Tally>> ended;
  {
    const std::lock_guard held(lock_);
    for (auto& [kind, tally] : tallies_)
      if (tally.behind_the_first > 0 && (all || tally.minute != minute()))
        ended.emplace_back(kind, std::exchange(tally, Tally{tally.minute, 0, ""}));
  }
  for (const auto& [kind, tally] : ended) write(kind, tally.last_request_id, tally.behind_the_first);
}

void AccessTrail::write(const Kind& kind, const std::string& request_id, int times) {
  (void)store_.commit(
      [&](ports::Records& records) -> domain::Status {
        records.audit().append({}, {ids_.next<domain::AuditId>(),
                                    {},
                                    request_id,
                                    kind.first,
                                    "",
                                    std::string(domain::name_of(kind.second)),
                                    clock_.now(),
                                    times});
        return {};
      },
      ports::Priority::background);
}

void AccessTrail::was_read(const usecases::RequestContext& request_context, const std::string& reference,
                           std::string_view outcome) {
  const auto object = digests_.digest("audit-object-v1", request_context.caller.tenant.text() + '\n' + reference);
  (void)store_.commit([&](ports::Records& records) -> domain::Status {
    usecases::leave_audit_row(records, request_context, ids_, object, outcome);
    return {};
  });
}

}  // namespace tideover::http
