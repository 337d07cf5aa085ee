#include "core/service/sandbox_jobs.hpp"

#include <functional>
#include <thread>

namespace tideover::service {
namespace {

constexpr std::chrono::seconds kMost{20};
constexpr std::chrono::milliseconds kLookAgain{50};
constexpr std::size_t kAtOnce = 100;

class DueJobs {
 public:
  DueJobs(UseCases& uses, Infrastructure& node) : uses_(uses), node_(node) {}

  bool is_over() const { return std::chrono::steady_clock::now() >= ends_; }

  /// One round of each job. Returns how much they did; a job that fails did nothing.
  int round() {
    const auto aged = node_.clock.is_trusted() ? ports::Tenants::all : ports::Tenants::moved;
    const bool has_replayed = uses_.replay_journal.is_through();
    int done = count("disbursement_trouble", uses_.resolve_disbursements(stopping_));
    done += count("posting_trouble", uses_.post_in_chunks.resume(node_.tenant_clock, stopping_));
    done += count("follow_up_trouble", uses_.follow_up_payments(stopping_));
    if (has_replayed) done += count("expire_trouble", uses_.expire_settlements(kAtOnce, aged));
    done += count("sandbox_payment_trouble", uses_.simulate_payments.send_due(stopping_));
    done += write_off(aged);
    done += count("waiting_trouble", uses_.report_waiting(stopping_, aged));
    done += count("reserve_trouble", uses_.release_reserves(kAtOnce, aged));
    if (has_replayed) done += pay_out();
    return done;
  }

 private:
  int pay_out() {
    using settings::ResidualPayouts;
    int done = 0;
    if (node_.settings.funding.residual_payouts == ResidualPayouts::at_once)
      done += count("payout_trouble", uses_.pay_residuals(stopping_));
    if (node_.settings.funding.residual_payouts == ResidualPayouts::daily)
      done += count("payout_trouble", uses_.pay_practices(stopping_));
    return done;
  }
  int count(const char* code, const domain::Result<int>& done) {
    log_failure(node_.log, code, done);
    return done ? *done : 0;
  }
  int write_off(ports::Tenants of) {
    int done = 0;
    ports::Overdue last;
    for (bool more = true; more && !is_over();) {
      const auto report = uses_.write_off_overdue(last, kAtOnce, of);
      log_failure(node_.log, "write_off_trouble", report);
      if (!report) return done;
      done += report->tasks + report->written_off + report->proposed;
      more = report->more;
      last = report->last;
    }
    return done;
  }

  UseCases& uses_;
  Infrastructure& node_;
  const std::chrono::steady_clock::time_point ends_ = std::chrono::steady_clock::now() + kMost;
  const std::function<bool()> stopping_ = [this] { return is_over(); };
};

}  // namespace

bool SandboxClockJob::run(const jobs::Periodic&) {
  log_failure(log_, "sandbox_clock_trouble", clock_.refresh());
  return false;
}

bool SandboxPaymentsJob::run(const jobs::Periodic& thread) {
  log_failure(log_, "sandbox_payment_trouble", payments_.send_due([&thread] { return thread.stopping(); }));
  return false;
}

void run_due_jobs(UseCases& uses, Infrastructure& node) {
  // The rounds are about all tenants: each row has the time of its own.
  const ports::TimeShift real_time(0);
  DueJobs due(uses, node);
  while (!due.is_over()) {
    const bool was_through = uses.replay_journal.is_through();
    if (due.round() > 0) continue;
    if (was_through) break;
    std::this_thread::sleep_for(kLookAgain);
  }
}

}  // namespace tideover::service
