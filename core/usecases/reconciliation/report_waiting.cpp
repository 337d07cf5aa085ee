#include "core/usecases/reconciliation/report_waiting.hpp"

#include <algorithm>

#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

constexpr std::size_t kAtOnce = 100;

bool is_known(const ports::Records& records, const ports::Waiting& waiting) {
  return is_known_to_reviewers(records, waiting.tenant, waiting.id, domain::is_about_matching);
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

domain::Result<int> ReportWaiting::operator()(const std::function<bool()>& stopping, ports::Tenants of) {
  const auto of_deposits =
      report_all([](const ports::Records& records, domain::Timestamp latest, const ports::Waiting& after,
                    std::size_t limit) { return records.deposits().waiting_since(latest, after, limit); },
                 stopping, of);
  const auto of_remittances =
      report_all([](const ports::Records& records, domain::Timestamp latest, const ports::Waiting& after,
                    std::size_t limit) { return records.remittances().waiting_since(latest, after, limit); },
                 stopping, of);
  if (!of_deposits) return of_deposits;
  if (!of_remittances) return of_remittances;
  return *of_deposits + *of_remittances;
}

domain::Result<int> ReportWaiting::report_all(Find find, const std::function<bool()>& stopping, ports::Tenants of) {
  // Half of a payment usually arrives some days after the other: ask a reviewer only then.
  const auto latest = clock_.now().plus_days(-rules_.overdue_policy().waiting_days);
  int opened = 0;
  std::optional<domain::Error> failure;
  std::vector<ports::Waiting> page;
  do {
    const auto after = page.empty() ? ports::Waiting{} : page.back();
    std::vector<ports::Waiting> unknown;
    const auto read = store_.read([&](const ports::Records& records) {
      page = find(records, latest, after, kAtOnce);
      unknown.clear();
      // Filter in the read, so that known records cost no transaction.
      std::copy_if(page.begin(), page.end(), std::back_inserter(unknown), [&](const auto& waiting) {
        return is_among(of, clock_, waiting.tenant) && !is_known(records, waiting);
      });
    });
    if (!read) return read.error();
    for (const auto& waiting : unknown) {
      if (stopping()) return opened;
      const auto done = report(waiting);
      if (done) opened += *done;
      if (!done && done.error().code != domain::ErrorCode::conflict && !failure)
        failure = done.error();  // does not stop the others
    }
  } while (page.size() == kAtOnce && !stopping());
  if (failure) return *failure;
  return opened;
}

domain::Result<bool> ReportWaiting::report(const ports::Waiting& waiting) {
  bool opened = false;
  const auto now = now_of(clock_, waiting.tenant);
  const auto done = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        opened = false;
        // Check again under the guard: a match may have been made since the page was read.
        records.clients().guard_matching(waiting.tenant);
        if (!still_waits(records, waiting) || is_known(records, waiting)) return {};
        const bool is_money = domain::DepositId::parse(waiting.id).has_value();
        const auto since = format_date(waiting.since.utc_date());
        open_task({records, waiting.tenant, now, ids_},
                  {is_money ? domain::kDepositUnmatched : domain::kMatchAmbiguous, waiting.id,
                   is_money ? "This deposit waits since " + since +
                                  " for its remittance. Ask the payer for it, or assign or release the money."
                            : "This remittance waits since " + since +
                                  " for its deposit. Ask the payer or the bank for the payment."});
        opened = true;
        return {};
      },
      ports::Priority::background);
  if (!done) return done.error();
  return opened;
}

}  // namespace tideover::usecases
