#include "tests/fault/sweep/confirm_sweep.hpp"

namespace tideover::fault {

constexpr long kMostPoints = 300;  // a confirm passes fewer

Tally& Tally::operator+=(const Tally& other) {
  runs += other.runs;
  kills += other.kills;
  doubles += other.doubles;
  forgotten += other.forgotten;
  violations.insert(violations.end(), other.violations.begin(), other.violations.end());
  return *this;
}

void Tally::judge(Life& life, const std::string& how) {
  const Fate fate = life.judge();
  ++runs;
  kills += life.kills();
  for (const auto& violation : fate.violations) {
    doubles += violation.find("FUNDED TWICE") != std::string::npos;
    forgotten += violation.find("FORGOTTEN") != std::string::npos;
    violations.push_back(violation + " [" + how + ": " + std::to_string(fate.attempts) + " attempts, the last " +
                         fate.state + ", " + std::to_string(fate.payments) + " payments]");
  }
}

Tally kill_sweep(const Site& site, const Scenario& scenario, const SweepOptions& options) {
  Tally tally;
  Banks banks(site);
  Supply supply(site, options.errand);
  bool happened = true;
  for (long point = options.first; happened && point <= kMostPoints; point += options.step) {
    const auto seed = static_cast<std::uint32_t>(options.seed * 1'000'003u + static_cast<std::uint32_t>(point));
    Life life(site, banks, scenario, supply.next().settlement, seed, options.errand);
    happened = (life.*options.mishap)(point);
    life.go_on();
    tally.judge(life, site.recall + " rail that " + scenario.name + ", point " + std::to_string(point) + ", seed " +
                          std::to_string(options.seed));
    if (options.first_violation_is_enough && !tally.violations.empty()) break;
  }
  return tally;
}

}  // namespace tideover::fault
