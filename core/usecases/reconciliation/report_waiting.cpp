#include "core/usecases/reconciliation/report_waiting.hpp"

#include <algorithm>

#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

constexpr std::size_t kAtOnce = 100;

bool is_known(const ports::Records& records, const ports::Waiting& waiting) {
  return is_known_to_a_person(records, waiting.tenant, waiting.id, domain::is_about_matching);
}

bool still_waits(const ports::Records& records, const ports::Waiting& waiting) {
  if (const auto id = domain::DepositId::parse(waiting.id)) {
    const auto deposit = records.deposits().find(waiting.tenant, *id);
    return deposit && deposit->status == domain::MatchState::unmatched;
  }
  const auto remittance = records.remittances().find(waiting.tenant, domain::RemittanceId::trusted(waiting.id));
  return remittance && !remittance->deposit;
}

}  // namespace

domain::Result<int> ReportWaiting::operator()(const std::function<bool()>& stopping) {
  const auto of_money =
      tell_of([](const ports::Records& records, domain::Timestamp latest, const ports::Waiting& after,
                 std::size_t limit) { return records.deposits().waiting_since(latest, after, limit); },
              stopping);
  const auto of_notices =
      tell_of([](const ports::Records& records, domain::Timestamp latest, const ports::Waiting& after,
                 std::size_t limit) { return records.remittances().waiting_since(latest, after, limit); },
              stopping);
  if (!of_money) return of_money;
  if (!of_notices) return of_notices;
  return *of_money + *of_notices;
}

domain::Result<int> ReportWaiting::tell_of(Find find, const std::function<bool()>& stopping) {
  const auto latest = clock_.now().plus_days(-rules_.overdue_policy().waiting_days);
  int told = 0;
  std::optional<domain::Error> failure;
  std::vector<ports::Waiting> page;
  do {
    const auto after = page.empty() ? ports::Waiting{} : page.back();
    std::vector<ports::Waiting> unknown;
    const auto read = store_.read([&](const ports::Records& records) {
      page = find(records, latest, after, kAtOnce);
      unknown.clear();
      std::copy_if(page.begin(), page.end(), std::back_inserter(unknown),
                   [&](const auto& waiting) { return !is_known(records, waiting); });
    });
    if (!read) return read.error();
    for (const auto& waiting : unknown) {
      if (stopping()) return told;
      const auto done = tell(waiting);
      if (done) told += *done;
      if (!done && done.error().code != domain::ErrorCode::conflict && !failure)
        failure = done.error();  // it does not hold up the others
    }
  } while (page.size() == kAtOnce && !stopping());
  if (failure) return *failure;
  return told;
}

domain::Result<bool> ReportWaiting::tell(const ports::Waiting& waiting) {
  bool told = false;
  const auto done = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        told = false;
        records.clients().guard_matching(waiting.tenant);
        if (!still_waits(records, waiting) || is_known(records, waiting)) return {};
        const bool is_money = domain::DepositId::parse(waiting.id).has_value();
        const auto since = format_date(waiting.since.utc_date());
        open_task(records, waiting.tenant, ids_, clock_.now(),
                  {is_money ? domain::kDepositUnmatched : domain::kMatchAmbiguous, waiting.id,
                   is_money ? "This money waits since " + since + " for the remittance that announces it."
                            : "This remittance waits since " + since + " for its money."});
        told = true;
        return {};
      },
      ports::Priority::background);
  if (!done) return done.error();
  return told;
}

}  // namespace tideover::usecases
