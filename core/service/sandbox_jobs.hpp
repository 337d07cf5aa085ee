// What a service of the sandbox does for the clocks of its tenants (core/docs/sandbox_clock.md).
#pragma once
#include <chrono>

#include "core/service/background_job.hpp"
#include "core/service/infrastructure.hpp"
#include "core/service/use_cases.hpp"

namespace tideover::service {

/// Reads the shifts that other nodes have stored.
class SandboxClockJob : public BackgroundJob {
 public:
  SandboxClockJob(const usecases::MoveClock& clock, ops::Logger& log)
      : BackgroundJob("sandbox_clock", std::chrono::seconds(1)), clock_(clock), log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  const usecases::MoveClock& clock_;
  ops::Logger& log_;
};

/// Sends the remittances and deposits that the cents of a charge select.
class SandboxPaymentsJob : public BackgroundJob {
 public:
  SandboxPaymentsJob(usecases::SimulatePayments& payments, ops::Logger& log)
      : BackgroundJob("sandbox_payments", std::chrono::minutes(10)), payments_(payments), log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  usecases::SimulatePayments& payments_;
  ops::Logger& log_;
};

/// Runs the jobs of payments in turn until nothing is due or 20 s have passed. Harmless while the jobs run themselves.
/// As they do, it waits with expiry and payouts for the replay of the rail journal, and ends nothing by a clock that is
/// not trusted; but the time of a tenant whose clock was moved passes.
void run_due_jobs(UseCases& uses, Infrastructure& node);

}  // namespace tideover::service
