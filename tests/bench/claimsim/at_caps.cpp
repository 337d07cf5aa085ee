// What the estimators of a tenant take when they remember all that they may: made-up claims of ever new patients,
// providers and procedures, each answered, until every memory is full. Prints how memory grows and what each call costs
// then: what learning from the start would take.
#include <CLI/CLI.hpp>
#include <deque>
#include <fstream>
#include <random>
#include <string>

#include <fmt/core.h>

#include "core/estimators/published.hpp"
#include "tests/bench/claimsim/processor_time.hpp"

namespace {

using namespace tideover;
using claimsim::processor_time;

long resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (long kib = 0; word == "VmRSS:" && status >> kib) return kib;
  return 0;
}

class Claims {
 public:
  Claims(std::size_t payers, std::size_t providers) : payers_(payers), providers_(providers) {}

  estimators::Submission next(domain::Date day) {
    estimators::Submission claim;
    claim.claim_id = "clm_" + std::to_string(++made_);
    claim.submitted = claim.reviewed = day;
    claim.date_of_service = day.plus(-static_cast<int>(pick(30)));
    claim.payer_id = "PAYER-" + std::to_string(pick(payers_));
    claim.payer_class = estimators::PayerClass::commercial;
    claim.billing_npi = "1" + std::to_string(100'000'000 + pick(providers_));
    claim.servicer_npi = "1" + std::to_string(200'000'000 + pick(2 * providers_));
    claim.facility = "11";
    claim.chart = random_() | 1;
    for (int line = 0; line < 2; ++line) {
      auto& submitted = claim.lines.emplace_back();
      submitted.code = std::to_string(10'000 + pick(8'000));
      submitted.amount = domain::Money::cents(static_cast<std::int64_t>(5'000 + pick(60'000)));
      claim.amount += submitted.amount;
    }
    return claim;
  }
  estimators::Response answer_to(const estimators::Submission& claim, domain::Date day) {
    estimators::Response response;
    response.claim_id = claim.claim_id;
    response.responded = day;
    response.posted = day;
    auto& paid = response.remittance;
    paid.claim_identifier = claim.claim_id;
    paid.status = "1";
    paid.charge_amount = claim.amount;
    for (const auto& submitted : claim.lines) {
      auto& line = paid.lines.emplace_back();
      line.cpt = submitted.code;
      line.units = "1";
      line.charge_amount = submitted.amount;
      const bool denied = pick(10) == 0;
      line.paid_amount = denied ? domain::Money{} : domain::Money::cents(submitted.amount.cents() * 7 / 10);
      line.allowed_amount = line.paid_amount;
      line.adjustments.push_back({"CO", denied ? "197" : "45", submitted.amount - line.paid_amount});
      paid.paid_amount += line.paid_amount;
    }
    return response;
  }

 private:
  std::size_t pick(std::size_t below) { return static_cast<std::size_t>(random_() % below); }

  std::mt19937_64 random_{7};
  std::size_t payers_, providers_, made_ = 0;
};

int run(std::size_t claims, std::size_t per_day) {
  constexpr int kAnswerDays = 20;
  Claims source(6'000, 60'000);
  estimators::Published published;
  const long before = resident_kib();
  std::deque<estimators::Submission> waiting;
  double spent = 0, longest_day = 0;
  fmt::print("{:>10} {:>10} {:>10} {:>10} {:>10} {:>12} {:>12}\n", "claims", "MiB", "it says", "open", "cells",
             "us a claim", "longest day");
  auto day = domain::Date::from_days(20'000);
  for (std::size_t made = 0; made < claims; day = day.plus(1)) {
    std::vector<estimators::Event> today;
    for (std::size_t i = 0; i < per_day; ++i) today.emplace_back(estimators::Submitted{source.next(day), {}});
    const std::size_t submitted = today.size();
    while (!waiting.empty() && day.days() - waiting.front().submitted.days() >= kAnswerDays) {
      today.emplace_back(source.answer_to(waiting.front(), day));
      waiting.pop_front();
    }
    const double from = processor_time();
    published.apply(today, "a day");
    const double closing = processor_time();
    published.apply({estimators::DayClosed{day}}, "its end");
    longest_day = std::max(longest_day, (processor_time() - closing) / 2);
    spent += processor_time() - from;
    for (std::size_t i = 0; i < submitted; ++i)
      waiting.push_back(std::move(std::get<estimators::Submitted>(today[i]).claim));
    made += per_day;
    if (made * 10 / claims != (made - per_day) * 10 / claims) {
      const long idle = static_cast<long>(
          waiting.size() * (sizeof(estimators::Submission) + 2 * sizeof(estimators::SubmittedLine) + 64) / 1024);
      const auto state = published.read();
      fmt::print("{:>10} {:>10} {:>10} {:>10} {:>10} {:>12.1f} {:>9.0f} ms\n", made,
                 (resident_kib() - before - idle) / 1024, published.bytes() / 1'048'576, state->open_claims(),
                 state->cells(), 1e6 * spent / static_cast<double>(made), 1e3 * longest_day);
    }
  }
  fmt::print("learned in {:.0f} s of one processor, by the two states that a tenant has\n", spent);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t claims = 6'000'000, per_day = 15'000;
  CLI::App app{"The estimators at their caps: memory, and the time to learn"};
  app.add_option("--claims", claims, "how many are learned from")->check(CLI::PositiveNumber);
  app.add_option("--per-day", per_day, "claims of a day")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  return run(claims, per_day);
}
