#include "core/service/funding_jobs.hpp"

#include "core/node/start.hpp"

namespace tideover::service {
namespace {

/// A small limit, so that a clock that jumps ahead ends few terms before an operator sees it.
constexpr std::size_t kExpireAtOnce = 100;
constexpr std::size_t kWriteOffAtOnce = 100;

}  // namespace

bool ResolveJob::run(const jobs::Periodic& thread) {
  log_failure(log_, "disbursement_trouble", resolve_([&thread] { return thread.stopping(); }));
  return false;
}

bool PostingJob::run(const jobs::Periodic& thread) {
  const auto finished = post_.resume(clock_, [&thread] { return thread.stopping(); });
  log_failure(log_, "posting_trouble", finished);
  if (finished && *finished > 0) log_.warning("postings_resumed", {{"remittances", *finished}});
  return false;
}

bool ReplayJob::run(const jobs::Periodic& thread) {
  if (is_done_) return false;
  const auto report = replay_([&thread] { return thread.stopping(); });
  log_failure(log_, "rail_journal_trouble", report);
  if (!report || thread.stopping()) return false;
  is_done_ = report->undecided == 0;
  const bool found = report->adopted + report->tasks + report->undecided > 0;
  log_.log(found ? ops::LogLevel::warning : ops::LogLevel::info, "rail_journal_replayed",
           {{"entries", report->entries},
            {"adopted", report->adopted},
            {"not_paid", report->not_paid},
            {"tasks", report->tasks},
            {"undecided", report->undecided}});
  return false;
}

bool PayOutJob::run(const jobs::Periodic& thread) {
  if (replay_.has_read()) log_failure(log_, "payout_trouble", pay_([&thread] { return thread.stopping(); }));
  return false;
}

bool FollowUpJob::run(const jobs::Periodic& thread) {
  log_failure(log_, "follow_up_trouble", follow_up_([&thread] { return thread.stopping(); }));
  return false;
}

bool ReconcileRailsJob::run(const jobs::Periodic&) {
  const auto now = std::chrono::steady_clock::now();
  // The replay does the same work in fewer steps.
  if (!replay_.has_read() || (last_ && now - *last_ < every_)) return false;
  const auto ours = shared_ ? shared_->take() : domain::Result<bool>(true);
  log_failure(log_, "rails_reconcile_trouble", ours);
  if (!ours) return false;
  last_ = now;
  const auto to = clock_.now();
  const auto reach = *ours ? usecases::Reach::everything : usecases::Reach::own_journal;
  const auto report = reconcile_(to.plus_days(-node::kReconcileDays), to, reach);
  if (shared_ && *ours && report) (void)shared_->done(every_ - kLease);
  metrics_.rails_reconciled(report && report->unreadable.empty());
  log_failure(log_, "rails_reconcile_trouble", report);
  if (report) log_report(*report, *ours);
  return false;
}

void ReconcileRailsJob::log_report(const usecases::RailReport& report, bool is_whole) {
  for (const auto& problem : report.unreadable) log_.error("rails_reconcile_trouble", {{"problem", problem}});
  for (const auto& finding : report.findings) {
    metrics_.rail_disagreed(finding.rail, name_of(finding.what), finding.adopted);
    log_.log(finding.adopted ? ops::LogLevel::warning : ops::LogLevel::error, "rail_disagreement",
             {{"rail", finding.rail},
              {"kind", name_of(finding.what)},
              {"settlement", finding.subject},
              {"reference", finding.reference},
              {"adopted", finding.adopted}});
  }
  log_.log(report.agrees() ? ops::LogLevel::info : ops::LogLevel::error, "rails_reconciled",
           {{"attempts", report.attempts},
            {"journal_entries", report.journal_entries},
            {"statement_lines", report.statement_lines},
            {"disagreements", report.findings.size()},
            {"whole", is_whole},
            {"agree", report.agrees()}});
}

bool ExpireJob::run(const jobs::Periodic&) {
  // A clock that jumped is not used; a late confirmation is refused anyway.
  if (clock_.is_trusted() && replay_.has_read()) log_failure(log_, "expiry_trouble", expire_(kExpireAtOnce));
  return false;
}

bool WriteOffJob::run(const jobs::Periodic& thread) {
  ports::Overdue last;
  for (bool more = clock_.is_trusted(); more && !thread.stopping();) {
    const auto report = write_off_(last, kWriteOffAtOnce);
    log_failure(log_, "write_off_trouble", report);
    if (!report) return false;
    if (report->tasks + report->written_off + report->proposed > 0)
      log_.warning("receivables_overdue",
                   {{"tasks", report->tasks}, {"written_off", report->written_off}, {"proposed", report->proposed}});
    if (report->failure) log_.error("write_off_trouble", {{"problem", report->failure->message}});
    more = report->more;
    last = report->last;
  }
  if (!clock_.is_trusted() || thread.stopping()) return false;
  const auto tasks = waiting_([&thread] { return thread.stopping(); });
  log_failure(log_, "waiting_trouble", tasks);
  if (tasks && *tasks > 0) log_.warning("payments_waiting", {{"tasks", *tasks}});
  return false;
}

bool ReserveJob::run(const jobs::Periodic&) {
  if (!clock_.is_trusted()) return false;
  constexpr std::size_t kAtOnce = 100;
  const auto released = release_(kAtOnce);
  log_failure(log_, "reserve_trouble", released);
  return released && *released == static_cast<int>(kAtOnce);
}

}  // namespace tideover::service
