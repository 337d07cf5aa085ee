// Background jobs for payments: attempts without an answer, payouts, the rail journal, payments in progress, rail
// statements, and terms and receivables that have expired.
#pragma once
#include <chrono>
#include <functional>
#include <optional>

#include "core/clock/guarded_clock.hpp"
#include "core/ops/metrics.hpp"
#include "core/service/background_job.hpp"
#include "core/usecases/allocation/release_reserves.hpp"
#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/funding/follow_up_payments.hpp"
#include "core/usecases/funding/pay_residual.hpp"
#include "core/usecases/funding/reconcile_rails.hpp"
#include "core/usecases/funding/replay_journal.hpp"
#include "core/usecases/funding/resolve_disbursements.hpp"
#include "core/usecases/matching/post_in_chunks.hpp"
#include "core/usecases/nodes/shared_work.hpp"
#include "core/usecases/reconciliation/report_waiting.hpp"
#include "core/usecases/reconciliation/write_off_overdue.hpp"

namespace tideover::service {

/// Asks the rails about attempts without an answer.
class ResolveJob : public BackgroundJob {
 public:
  ResolveJob(usecases::ResolveDisbursements& resolve, ops::Logger& log)
      : BackgroundJob("resolve", std::chrono::seconds(1)), resolve_(resolve), log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  usecases::ResolveDisbursements& resolve_;
  ops::Logger& log_;
};

/// Goes on with remittances whose posting in chunks was interrupted.
class PostingJob : public BackgroundJob {
 public:
  PostingJob(usecases::PostInChunks& post, const ports::Clock& clock, ops::Logger& log)
      : BackgroundJob("posting", std::chrono::seconds(5)), post_(post), clock_(clock), log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  usecases::PostInChunks& post_;
  const ports::Clock& clock_;
  ops::Logger& log_;
};

/// Restores attempts that the rail journal has and the database does not, until none is undecided.
class ReplayJob : public BackgroundJob {
 public:
  ReplayJob(usecases::ReplayJournal& replay, ops::Logger& log)
      : BackgroundJob("replay", std::chrono::seconds(5)), replay_(replay), log_(log) {}
  bool run(const jobs::Periodic& thread) override;
  /// See ReplayJournal::is_through(). From any thread.
  bool has_read() const { return replay_.is_through(); }

 private:
  usecases::ReplayJournal& replay_;
  ops::Logger& log_;
  bool is_done_ = false;
};

/// Pays residuals or practices. Waits for the replay, which finds a payout that the database has lost before it could
/// be sent again.
class PayOutJob : public BackgroundJob {
 public:
  /// A round: claims what is due and returns how many payouts.
  using Pay = std::function<domain::Result<int>(const std::function<bool()>& stopping)>;
  PayOutJob(Pay pay, std::chrono::milliseconds pause, const ReplayJob& replay, ops::Logger& log)
      : BackgroundJob("pay_out", pause), pay_(std::move(pay)), replay_(replay), log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  const Pay pay_;
  const ReplayJob& replay_;
  ops::Logger& log_;
};

/// Follows accepted payments until they are settled or returned.
class FollowUpJob : public BackgroundJob {
 public:
  FollowUpJob(usecases::FollowUpPayments& follow_up, ops::Logger& log)
      : BackgroundJob("follow_up", std::chrono::seconds(1)), follow_up_(follow_up), log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  usecases::FollowUpPayments& follow_up_;
  ops::Logger& log_;
};

/// Compares the database and the journal with the rail statements. The period `every` runs on a clock that an operator
/// cannot set.
class ReconcileRailsJob : public BackgroundJob {
 public:
  /// `shared`: which node does this work for all; null when there is one node.
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

  /// Time without a sign of life after which another node takes over the comparison.
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

/// Cancels terms that were not confirmed in time. Waits for the replay: a restored database may have lost a
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

/// Creates tasks for overdue receivables and payments, and writes receivables off.
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

/// Releases what reserves held long enough.
class ReserveJob : public BackgroundJob {
 public:
  ReserveJob(usecases::ReleaseReserves& release, const clock::GuardedClock& clock, ops::Logger& log)
      : BackgroundJob("reserves", std::chrono::minutes(1)), release_(release), clock_(clock), log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  usecases::ReleaseReserves& release_;
  const clock::GuardedClock& clock_;
  ops::Logger& log_;
};

}  // namespace tideover::service
