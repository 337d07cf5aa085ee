// The background jobs that move or trace money: attempts without an answer, payouts, the rail journal, payments in
// progress, statements of the rails, and expired terms and receivables.
#pragma once
#include <atomic>
#include <chrono>
#include <optional>

#include "core/clock/guarded_clock.hpp"
#include "core/ops/metrics.hpp"
#include "core/service/background_job.hpp"
#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/funding/follow_up_payments.hpp"
#include "core/usecases/funding/pay_residual.hpp"
#include "core/usecases/funding/reconcile_rails.hpp"
#include "core/usecases/funding/replay_journal.hpp"
#include "core/usecases/funding/resolve_disbursements.hpp"
#include "core/usecases/nodes/shared_work.hpp"
#include "core/usecases/reconciliation/report_waiting.hpp"
#include "core/usecases/reconciliation/write_off_overdue.hpp"

namespace tideover::main {

/// Queries the rails about attempts without an answer.
class ResolveJob : public BackgroundJob {
 public:
  ResolveJob(usecases::ResolveDisbursements& resolve, ops::Logger& log)
      : BackgroundJob("resolve", std::chrono::seconds(1)), resolve_(resolve), log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  usecases::ResolveDisbursements& resolve_;
  ops::Logger& log_;
};

/// Restores attempts that the rail journal has and the database does not, until none is undecided.
class ReplayJob : public BackgroundJob {
 public:
  ReplayJob(usecases::ReplayJournal& replay, ops::Logger& log)
      : BackgroundJob("replay", std::chrono::seconds(5)), replay_(replay), log_(log) {}
  bool run(const jobs::Periodic& thread) override;
  /// Whether the journal was read to its end once; undecided attempts then wait for a rail or an operator.
  /// Thread-safe.
  bool has_read() const { return has_read_; }

 private:
  usecases::ReplayJournal& replay_;
  ops::Logger& log_;
  bool is_done_ = false;
  std::atomic<bool> has_read_ = false;
};

/// Pays residuals. It waits for the replay, so that a payout that a restored database has lost is found and not sent
/// again.
class PayOutJob : public BackgroundJob {
 public:
  PayOutJob(usecases::PayResiduals& pay, const ReplayJob& replay, ops::Logger& log)
      : BackgroundJob("pay_out", std::chrono::seconds(2)), pay_(pay), replay_(replay), log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  usecases::PayResiduals& pay_;
  const ReplayJob& replay_;
  ops::Logger& log_;
};

/// Follows accepted payments until they have settled or were returned.
class FollowUpJob : public BackgroundJob {
 public:
  FollowUpJob(usecases::FollowUpPayments& follow_up, ops::Logger& log)
      : BackgroundJob("follow_up", std::chrono::seconds(1)), follow_up_(follow_up), log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  usecases::FollowUpPayments& follow_up_;
  ops::Logger& log_;
};

/// Compares database and journal with the statements of the rails, every `every` on the monotonic clock.
class ReconcileRailsJob : public BackgroundJob {
 public:
  /// `shared`: decides which node does it for all; null with a single node.
  ReconcileRailsJob(usecases::ReconcileRails& reconcile, usecases::SharedWork* shared, const ReplayJob& replay,
                    std::chrono::hours every, const ports::Clock& clock, ops::Logger& log, ops::Metrics& metrics)
      : BackgroundJob("reconcile", std::chrono::seconds(5)),
        reconcile_(reconcile),
        shared_(shared),
        replay_(replay),
        every_(every),
        clock_(clock),
        log_(log),
        metrics_(metrics) {}
  bool run(const jobs::Periodic& thread) override;

  /// A node that compares the statements counts as ended after this time without a sign of life.
  static constexpr std::chrono::minutes kLease{15};

 private:
  void log_report(const usecases::RailReport& report, bool is_whole);

  usecases::ReconcileRails& reconcile_;
  usecases::SharedWork* shared_;
  const ReplayJob& replay_;
  const std::chrono::hours every_;
  const ports::Clock& clock_;
  ops::Logger& log_;
  ops::Metrics& metrics_;
  std::optional<std::chrono::steady_clock::time_point> last_;
};

/// Expires terms that were not confirmed in time. It waits for the replay, because a restored database may lack a
/// confirmation.
class ExpireJob : public BackgroundJob {
 public:
  ExpireJob(usecases::ExpireSettlements& expire, const ReplayJob& replay, const clock::GuardedClock& clock,
            ops::Logger& log)
      : BackgroundJob("expire", std::chrono::minutes(1)), expire_(expire), replay_(replay), clock_(clock), log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  usecases::ExpireSettlements& expire_;
  const ReplayJob& replay_;
  const clock::GuardedClock& clock_;
  ops::Logger& log_;
};

/// Opens tasks for receivables and payments that wait too long, and writes receivables off.
class WriteOffJob : public BackgroundJob {
 public:
  WriteOffJob(usecases::WriteOffOverdue& write_off, usecases::ReportWaiting& waiting, const clock::GuardedClock& clock,
              ops::Logger& log)
      : BackgroundJob("write_off", std::chrono::minutes(10)),
        write_off_(write_off),
        waiting_(waiting),
        clock_(clock),
        log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  usecases::WriteOffOverdue& write_off_;
  usecases::ReportWaiting& waiting_;
  const clock::GuardedClock& clock_;
  ops::Logger& log_;
};

}  // namespace tideover::main
