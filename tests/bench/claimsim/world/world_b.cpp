// World B, the other one: denials by policies of payer and code that switch on and off, by servicing providers that are
// not enrolled yet, by large amounts that want documents; many payers in a long tail, of which the small ones follow
// their class; shares of the charge instead of price lists; payment runs twice a month, speeds that wander by quarter,
// large claims that wait for an operator.
#include <algorithm>
#include <cmath>

#include "tests/bench/claimsim/world/world.hpp"

namespace tideover::claimsim {
namespace {

using domain::Date;

enum : std::uint64_t {
  kPolicy = 200,
  kPolicyLength,
  kPolicyPhase,
  kIgnores,
  kEnrolled,
  kEnrolledOn,
  kServicer,
  kThreshold,
  kKindRate,
  kCaseRate,
  kFacilityTier,
  kWander,
  kShare,
  kReason
};

constexpr Settings kSettings{.first = Date::from_days(20148),  // 2025-03-01
                             .days = 460,
                             .payers = 320,
                             .new_payers = 20,
                             .providers = 900,
                             .charts = 40'000,
                             .codes_per_specialty = 24,
                             .specialties = 14,
                             .payer_tail = 1.2,
                             .class_shares = {0.50, 0.02, 0.22, 0.12, 0.14},
                             .share_of_charge = 0.35,
                             .twice_a_month = 0.12,
                             .midyear_plans = 0.3};
constexpr int kLargePayers = 40;

constexpr std::array<Reason, 5> kPolicyReasons{{{"CO", "50", Family::necessity},
                                                {"CO", "256", Family::coverage},
                                                {"PI", "272", Family::coverage},
                                                {"CO", "226", Family::format},
                                                {"PR", "242", Family::coverage}}};

class WorldB final : public World {
 public:
  explicit WorldB(std::uint64_t seed) : World(kSettings, seed) {}

  double season(Date day) const override {
    const auto month = day.ymd().month;
    return month == 1 ? 1.15 : month >= 6 && month <= 8 ? 0.85 : 1;
  }

  void odds(const Claim& claim, const ChartMemory& chart, Odds& odds) const override {
    const Payer& payer = payer_of(claim);
    odds.silent = payer.silent;
    auto& all = odds.claim;
    const auto looks = [&](std::uint64_t rule) { return attention(claim, rule); };
    if (claim.npi_broken) all.push_back({payer.strict.npi, {"CO", "16", Family::format}});
    if (claim.service_in_future) all.push_back({0.9, {"CO", "110", Family::format}});
    if (claim.lag_days() > payer.timely_filing_days)
      all.push_back({payer.strict.late * looks(1), {"CO", "29", Family::timely}});
    if (claim.duplicate) all.push_back({payer.strict.duplicate, {"CO", "18", Family::duplicate}});
    if (claim.replaces) all.push_back({0.1, {"CO", "129", Family::format}});
    if (claim.unbalanced) all.push_back({payer.strict.balance * looks(2), {"CO", "16", Family::format}});
    // Each payer has a sum above which it wants to see documents.
    const double threshold = 160'000 * std::exp(0.5 * normal_of(seed_, kThreshold, at(claim.payer)));
    if (static_cast<double>(claim.amount) > threshold)
      all.push_back({claim.outlier ? 0.4 : 0.08, {"CO", "252", Family::format}});
    const int month = static_cast<int>(claim.submitted.ymd().month);
    double lapse = month == payer.plan_year_month ? 0.03 : payer.payer_class == PayerClass::exchange ? 0.015 : 0.006;
    if (chart.eligibility_denied && chart.eligibility_payer == claim.payer &&
        days_between(*chart.eligibility_denied, claim.submitted) <= 120 &&
        !(chart.paid && chart.paid_by == claim.payer && *chart.paid > *chart.eligibility_denied))
      lapse = 0.65;
    else if (chart.paid && chart.paid_by != claim.payer && days_between(*chart.paid, claim.submitted) <= 90)
      lapse = 0.3;
    all.push_back({lapse, {"CO", payer.payer_class == PayerClass::medicaid ? "109" : "27", Family::eligibility}});
    // Newly hired: not enrolled with most payers until some day.
    const std::uint64_t servicer = stirred(std::stoull(claim.servicer_npi));
    if (uniform_of(seed_, kEnrolled, servicer) < 0.05 &&
        uniform_of(seed_, kEnrolled, servicer, at(claim.payer) + 1) < 0.75) {
      const int until = static_cast<int>(uniform_of(seed_, kEnrolledOn, servicer) * 1.5 * settings_.days);
      if (days_between(settings_.first, claim.submitted) < until)
        all.push_back(
            {0.7, {"CO", uniform_of(seed_, kReason, at(claim.payer)) < 0.5 ? "B7" : "185", Family::provider}});
    }
    double mood = -4.7 + payer.mood;
    mood += uniform_of(seed_, kServicer, servicer) < 0.05 ? 2.4 : 0.4 * normal_of(seed_, kServicer + 50, servicer);
    all.push_back({logistic(mood), {"CO", "16", Family::format}});
    if ((payer.payer_class == PayerClass::exchange || payer.payer_class == PayerClass::medicaid) && !claim.authorized &&
        uniform_of(seed_, kReason + 1, at(claim.payer)) < 0.3)
      all.push_back({0.05, {"CO", "288", Family::authorization}});

    for (std::size_t i = 0; i < claim.lines.size(); ++i) add_line_causes(claim, claim.lines[i], odds.lines[i]);
  }

  double price(const Claim& claim, const Line& line) const override {
    const Payer& payer = payer_of(claim);
    const Code& code = code_of(line);
    // What a payer gives for a kind of service differs; a facility in a hundred has its own agreement.
    double rate =
        payer.rate * (1 + 0.1 * normal_of(seed_, kKindRate, at(claim.payer), at(static_cast<int>(code.kind))));
    const auto facility = stirred(std::stoull(provider_of(claim).facility.substr(3)));
    if (uniform_of(seed_, kFacilityTier, at(claim.payer), facility) < 0.04) rate *= 1.12;
    if (payer.pays_share_of_charge) return std::round(rate * 1000) / 1000 * static_cast<double>(line.amount);
    // Some pay one sum for any visit.
    if (code.kind == Kind::visit && uniform_of(seed_, kCaseRate, at(claim.payer)) < 0.15)
      return std::round(9'500 * payer.rate) * line.units;
    double unit = code.fee * rate;
    const auto [year, month, number] = claim.service.ymd();
    if (payer.payer_class != PayerClass::medicaid)  // whose list has not changed for years
      for (int period = year - 2025 - (static_cast<int>(month) < payer.step_month ? 1 : 0); period > 0; --period)
        unit *= 1 + payer.step;
    if (line.modifiers.find("26") != std::string::npos) unit *= 0.35;
    return std::round(unit) * line.units;
  }

  PatientShare patient_share(const Claim& claim) const override {
    const Payer& payer = payer_of(claim);
    const double own = uniform_of(seed_, kShare, at(claim.payer));
    const int month = (static_cast<int>(claim.service.ymd().month) - payer.plan_year_month + 12) % 12;
    const double early = std::max(0.0, 1 - month / 6.0);
    switch (payer.payer_class) {
      case PayerClass::commercial:
        return {0.01 + 0.04 * early, 0.05 + 0.08 * early, 0.6 * own, 2'500, 0.7 * (1 - own), 0.1 + 0.25 * own};
      case PayerClass::medicare:
        return {0.01, 0.02, 0, 0, 0.9, 0.20};
      case PayerClass::medicaid:
        return {0, 0, 0.1, 400, 0, 0};
      case PayerClass::exchange:
        return {0.02 + 0.06 * early, 0.06 + 0.12 * early, 0.1, 3'500, 0.6, 0.25 + 0.1 * own};
      case PayerClass::workers_comp:
        return {};
    }
    return {};
  }

  Delay delay(const Claim& claim) const override {
    const Payer& payer = payer_of(claim);
    Delay delay = claim.submitted < payer.slower_from ? payer.delay : payer.later_delay;
    const auto [year, month, day] = claim.submitted.ymd();
    delay.median *= std::exp(
        0.1 * normal_of(seed_, kWander, at(claim.payer), static_cast<std::uint64_t>(year) * 4 + (month - 1) / 3));
    if (month == 12) delay.median *= 1.2;
    if (claim.amount > 150'000) delay.pended += 0.12;
    return delay;
  }

  double rework(const Claim& claim, Family family) const override {
    const double usual = payer_of(claim).rework;
    switch (family) {
      case Family::duplicate:
        return 0;
      case Family::timely:
        return 0.05;
      case Family::format:
        return std::min(0.8, 1.3 * usual);
      case Family::authorization:
        return 1.2 * usual;
      case Family::coverage:
        return 0.5 * usual;
      default:
        return usual;
    }
  }

 private:
  /// One payer in seven hardly looks at a given rule.
  double attention(const Claim& claim, std::uint64_t rule) const {
    return uniform_of(seed_, kIgnores, at(claim.payer), rule) < 0.15 ? 0.25 : 1.0;
  }

  void add_line_causes(const Claim& claim, const Line& line, std::vector<Cause>& causes) const {
    const Payer& payer = payer_of(claim);
    const int month = static_cast<int>(claim.submitted.ymd().month);
    const auto looks = [&](std::uint64_t rule) { return attention(claim, rule); };
    switch (line.fault) {
      case LineFault::none:
        break;
      case LineFault::bundled_hard:
        causes.push_back({payer.strict.bundled * looks(3), {"CO", "236", Family::coding}});
        break;
      case LineFault::bundled_soft:
        causes.push_back({0.8 * payer.strict.bundled * looks(3), {"CO", "234", Family::coding}});
        break;
      case LineFault::bundled_excused:
        causes.push_back({0.12, {"CO", "163", Family::coding}});
        break;
      case LineFault::units:
        causes.push_back({payer.strict.units * looks(4), {"CO", "222", Family::coding}});
        break;
      case LineFault::addon_alone:
        causes.push_back({payer.strict.addon * looks(5), {"CO", "B15", Family::coding}});
        break;
      case LineFault::modifier_unknown:
        causes.push_back({payer.strict.modifier, {"CO", "4", Family::coding}});
        break;
      case LineFault::distinct_visit_unmarked:
        causes.push_back({0.9 * payer.strict.modifier * looks(6), {"CO", "97", Family::coding}});
        break;
    }
    if (line.authorization_listed)
      causes.push_back({claim.authorized ? (*claim.authorized ? 0.02 : 1.3 * payer.strict.authorization * 0.9)
                                         : 0.5 * payer.strict.authorization,
                        {"CO", "197", Family::authorization}});
    // A benefit for the year is used up towards its end.
    if (code_of(line).kind == Kind::therapy && month >= 10)
      causes.push_back({0.04 * (month - 9), {"PR", "119", Family::coverage}});
    causes.push_back({policy(claim, line) ? 0.75 : 0.005,
                      kPolicyReasons[static_cast<std::size_t>(
                          uniform_of(seed_, kReason + 2, rule_maker(claim), at(line.code)) * kPolicyReasons.size())]});
  }

  static std::uint64_t at(int index) { return static_cast<std::uint64_t>(index); }

  /// Large payers make policies of their own, the small ones of a class share theirs.
  std::uint64_t rule_maker(const Claim& claim) const {
    return claim.payer < kLargePayers ? at(claim.payer) : 100'000 + at(static_cast<int>(payer_of(claim).payer_class));
  }

  /// Is the code under a policy on the day of submission? Each (rule maker, code) runs through spells of its own
  /// length, of which a few are hot.
  bool policy(const Claim& claim, const Line& line) const {
    const std::uint64_t maker = rule_maker(claim), code = at(line.code);
    const double length = 200 + 400 * uniform_of(seed_, kPolicyLength, maker, code);
    const double spell =
        (days_between(settings_.first, claim.submitted) + 600 * uniform_of(seed_, kPolicyPhase, maker, code)) / length;
    return uniform_of(seed_, kPolicy + 1'000 + static_cast<std::uint64_t>(spell), maker, code) < 0.015;
  }
};

}  // namespace

std::unique_ptr<World> make_world_b(std::uint64_t seed) {
  return std::make_unique<WorldB>(seed);
}

}  // namespace tideover::claimsim
