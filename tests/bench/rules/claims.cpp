#include "tests/bench/rules/claims.hpp"

#include <initializer_list>
#include <string>

namespace tideover::bench {
namespace {

class Clinic {
 public:
  explicit Clinic(std::uint32_t seed) : random_(seed) {}

  BenchClaim next(Shape shape, int number) {
    const auto today = domain::Date::from_ymd(2026, 6, 15).value();
    BenchClaim made;
    auto& claim = made.claim;
    claim.claim_identifier = "CLM-" + std::to_string(100'000 + number);
    claim.chart_identifier = domain::Sensitive<std::string>("CHART-" + std::to_string(below(5000)));
    claim.servicer_npi = text({"1234567893", "1000000020", "1000000038"});
    claim.billing_npi = "1999999984";
    made.payer.payer_id = claim.payer_id = "P" + std::to_string(1000 + below(30));
    made.payer.timely_filing_days = below(2) == 0 ? 180 : 365;
    made.duplicates = below(200) == 0 ? 1 : 0;
    claim.submitted_amount = domain::Money::cents(5'000 + below(40'000));
    if (shape == Shape::required_only) return made;

    claim.date_of_submission = today.plus(-below(4));
    claim.date_of_service = claim.date_of_submission->plus(-1 - below(30));
    const int lines = 1 + below(4);
    domain::Money total;
    for (int i = 0; i < lines; ++i) {
      domain::ServiceLine line{
          text({"99213", "99214", "99203", "36415", "80053", "85025", "93000", "J1100", "00010", "00012"}),
          below(6) == 0 ? text({"25", "59", "RT", "GP"}) : "", below(10) == 0 ? 2000 : 1000,
          domain::Money::cents(2'000 + below(20'000))};
      total += *line.amount;
      claim.service_lines.push_back(line);
    }
    if (below(30) != 0) claim.submitted_amount = total;
    if (shape == Shape::with_lines) return made;

    const int age = 10 * below(9);
    claim.details = {{text({"E119", "I10", "Z0000", "J45909", "M545"}), text({"E785", "K219", "ZZ10"})},
                     text({"11", "22", "02"}),
                     domain::AgeBand{age, age + 9},
                     text({"F", "M"}),
                     below(10) == 0 ? std::optional(true) : std::nullopt,
                     "1"};
    made.has_history = true;
    auto& history = made.history;
    history.payer = {1000 + below(5000), 600 + below(900), 500, "16"};
    history.pair_responses = below(400);
    history.pair_paid = history.pair_responses * 9 / 10;
    if (below(3) != 0) {
      history.chart_last_paid_payer = below(15) == 0 ? "P9999" : claim.payer_id;
      history.chart_last_paid_days = below(300);
    }
    history.chart_eligibility_denials = below(60) == 0 ? 1 : 0;
    history.chart_seen_by_servicer = below(2) == 0;
    history.likely_duplicates = below(100) == 0 ? 1 : 0;
    history.distinct_modifier_bps = below(4000);
    history.distinct_modifier_usual_bps = 3800;
    for (std::size_t i = 0; i < claim.service_lines.size(); ++i)
      history.lines.push_back({{below(200), 500 + below(2000), 300 + below(1500), "50"},
                               domain::Money::cents(40'000),
                               domain::Money::cents(8'000)});
    return made;
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint32_t>(bound)); }
  std::string text(std::initializer_list<const char*> choices) {
    return *(choices.begin() + below(static_cast<int>(choices.size())));
  }

  std::mt19937 random_;
};

}  // namespace

std::deque<BenchClaim> bench_claims(Shape shape, int count, std::uint32_t seed) {
  Clinic clinic(seed);
  std::deque<BenchClaim> claims;
  for (int i = 0; i < count; ++i) claims.push_back(clinic.next(shape, i));
  return claims;
}

}  // namespace tideover::bench
