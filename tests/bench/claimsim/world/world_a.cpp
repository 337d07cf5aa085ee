// World A, the ordinary one: denials by logits of payer, provider and code with hot cells, price lists by payer and fee
// period, frequent payment runs.
#include <algorithm>
#include <cmath>

#include "tests/bench/claimsim/world/world.hpp"

namespace tideover::claimsim {
namespace {

using domain::Date;

// What a hidden constant is about.
enum : std::uint64_t { kPair = 100, kCell, kCellKind, kDeviation, kTier, kTierSize, kStepOdd, kReason };

constexpr Settings kSettings{.first = Date::from_days(19997),  // 2024-10-01
                             .days = 547,
                             .payers = 60,
                             .new_payers = 8,
                             .providers = 700,
                             .charts = 30'000,
                             .codes_per_specialty = 26,
                             .payer_tail = 1.15,
                             .class_shares = {0.60, 0.05, 0.13, 0.14, 0.08},
                             .midyear_plans = 0.1};

constexpr std::array<Reason, 5> kClaimReasons{{{"CO", "16", Family::format},
                                               {"CO", "B7", Family::provider},
                                               {"CO", "252", Family::format},
                                               {"PR", "96", Family::coverage},
                                               {"OA", "22", Family::coordination}}};
constexpr std::array<Reason, 5> kLineReasons{{{"CO", "50", Family::necessity},
                                              {"CO", "11", Family::necessity},
                                              {"PR", "204", Family::coverage},
                                              {"CO", "16", Family::format},
                                              {"CO", "272", Family::coverage}}};

class WorldA final : public World {
 public:
  explicit WorldA(std::uint64_t seed) : World(kSettings, seed) {
    // From half of the span on, one large payer denies the code that its claims carry most.
    denying_from_ = settings_.first.plus(settings_.days / 2);
  }

  double season(Date day) const override {
    const auto [year, month, number] = day.ymd();
    return month == 12 && number > 22 ? 0.6 : month == 7 ? 0.9 : 1;
  }

  void odds(const Claim& claim, const ChartMemory& chart, Odds& odds) const override {
    const Payer& payer = payer_of(claim);
    const Provider& provider = provider_of(claim);
    odds.silent = payer.silent;
    auto& all = odds.claim;
    if (claim.npi_broken) all.push_back({payer.strict.npi, {"CO", "207", Family::format}});
    if (claim.service_in_future) all.push_back({0.92, {"CO", "110", Family::format}});
    if (const int left = payer.timely_filing_days - claim.lag_days(); left < 0)
      all.push_back({payer.strict.late, {"CO", "29", Family::timely}});
    else if (left <= 7)
      all.push_back({0.10, {"CO", "29", Family::timely}});
    if (claim.duplicate) all.push_back({payer.strict.duplicate, {"OA", "18", Family::duplicate}});
    if (claim.replaces) all.push_back({0.06, {"OA", "18", Family::duplicate}});
    if (claim.unbalanced) all.push_back({payer.strict.balance, {"CO", "16", Family::format}});
    if (claim.outlier) all.push_back({0.25, {"CO", "16", Family::format}});
    const int month = static_cast<int>(claim.submitted.ymd().month);
    double lapse = month <= 2 ? 0.018 : 0.008;
    if (chart.eligibility_denied && chart.eligibility_payer == claim.payer &&
        days_between(*chart.eligibility_denied, claim.submitted) <= 180 &&
        !(chart.paid && chart.paid_by == claim.payer && *chart.paid > *chart.eligibility_denied))
      lapse = 0.6;
    else if (chart.paid && chart.paid_by != claim.payer && days_between(*chart.paid, claim.submitted) <= 60)
      lapse = 0.25;
    all.push_back({lapse,
                   {"CO", uniform_of(seed_, kReason, static_cast<std::uint64_t>(claim.payer)) < 0.6 ? "27" : "31",
                    Family::eligibility}});

    const auto p = static_cast<std::uint64_t>(claim.payer), who = static_cast<std::uint64_t>(claim.provider);
    double mood = -4.9 + 1.2 * payer.mood + provider.mood + 0.25 * normal_of(seed_, kPair, p, who);
    if (uniform_of(seed_, kPair + 50, p, who) < 0.02) mood += 4.8;  // not enrolled, or a contract in dispute
    all.push_back(
        {logistic(mood),
         kClaimReasons[static_cast<std::size_t>(uniform_of(seed_, kReason + 1, p, who) * kClaimReasons.size())]});

    for (std::size_t i = 0; i < claim.lines.size(); ++i) line_odds(claim, claim.lines[i], payer, odds.lines[i]);
  }

  double price(const Claim& claim, const Line& line) const override {
    const Payer& payer = payer_of(claim);
    const Provider& provider = provider_of(claim);
    const Code& code = code_of(line);
    const auto p = static_cast<std::uint64_t>(claim.payer), c = static_cast<std::uint64_t>(line.code);
    double unit = code.fee * payer.rate *
                  (1 + 0.08 * normal_of(seed_, kDeviation, p, static_cast<std::uint64_t>(code.kind) + 10'000));
    if (uniform_of(seed_, kDeviation, p, c) < 0.15) unit *= 1 + 0.12 * normal_of(seed_, kDeviation + 50, p, c);
    constexpr std::array<double, 3> kLocalities{1.0, 1.046, 0.957};
    if (payer.payer_class == PayerClass::medicare)
      unit *= kLocalities[static_cast<std::size_t>(provider.locality)];
    else if (uniform_of(seed_, kTier, p, static_cast<std::uint64_t>(claim.provider)) < 0.05)
      unit *= 1 + 0.02 + 0.16 * uniform_of(seed_, kTierSize, p, static_cast<std::uint64_t>(claim.provider));
    const auto [year, month, number] = claim.service.ymd();
    for (int period = year - 2024 - (static_cast<int>(month) < payer.step_month ? 1 : 0); period > 0; --period) {
      const auto at = static_cast<std::uint64_t>(period);
      const bool odd = uniform_of(seed_, kStepOdd, c * 50 + at, p) < 0.05;
      unit *= 1 + payer.step + (odd ? 0.04 * normal_of(seed_, kStepOdd + 50, c * 50 + at, p) : 0);
    }
    if (line.modifiers.find("26") != std::string::npos) unit *= 0.4;
    return std::round(unit) * line.units;
  }

  PatientShare patient_share(const Claim& claim) const override {
    const Payer& payer = payer_of(claim);
    const int month =
        (static_cast<int>(claim.service.ymd().month) - payer.plan_year_month + 12) % 12;  // of the plan year
    const double early = std::exp(-month / 4.0);                                          // 1 → .06
    switch (payer.payer_class) {
      case PayerClass::commercial:
        return {0.01 + 0.05 * early, 0.02 + 0.14 * early, 0.40, 3'000, 0.45, 0.20};
      case PayerClass::medicare:
        return {0.005 + 0.03 * early, 0.01 + 0.02 * early, 0, 0, 0.93, 0.20};
      case PayerClass::medicaid:
        return {0, 0, 0.15, 300, 0, 0};
      case PayerClass::exchange:
        return {0.02 + 0.09 * early, 0.05 + 0.15 * early, 0.20, 4'000, 0.50, 0.30};
      case PayerClass::workers_comp:
        return {};
    }
    return {};
  }

  Delay delay(const Claim& claim) const override {
    const Payer& payer = payer_of(claim);
    return claim.submitted < payer.slower_from ? payer.delay : payer.later_delay;
  }

  double rework(const Claim& claim, Family family) const override {
    const double usual = payer_of(claim).rework;
    switch (family) {
      case Family::format:
        return std::min(0.85, 1.6 * usual);
      case Family::eligibility:
        return 0.7 * usual;
      case Family::duplicate:
        return 0.05 * usual;
      case Family::timely:
        return 0.15 * usual;
      case Family::provider:
        return 1.2 * usual;
      default:
        return usual;
    }
  }

 private:
  void line_odds(const Claim& claim, const Line& line, const Payer& payer, std::vector<Cause>& causes) const {
    switch (line.fault) {
      case LineFault::none:
        break;
      case LineFault::bundled_hard:
        causes.push_back({std::min(0.98, 1.08 * payer.strict.bundled), {"CO", "236", Family::coding}});
        break;
      case LineFault::bundled_soft:
        causes.push_back({0.88 * payer.strict.bundled, {"CO", "97", Family::coding}});
        break;
      case LineFault::bundled_excused:
        causes.push_back({0.06, {"CO", "97", Family::coding}});
        break;
      case LineFault::units:
        causes.push_back({payer.strict.units, {"CO", "151", Family::coding}});
        break;
      case LineFault::addon_alone:
        causes.push_back({payer.strict.addon, {"CO", "107", Family::coding}});
        break;
      case LineFault::modifier_unknown:
        causes.push_back({payer.strict.modifier, {"CO", "182", Family::coding}});
        break;
      case LineFault::distinct_visit_unmarked:
        causes.push_back({0.75 * payer.strict.modifier, {"CO", "97", Family::coding}});
        break;
    }
    if (line.authorization_listed)
      causes.push_back({claim.authorized ? (*claim.authorized ? 0.04 : payer.strict.authorization)
                                         : 0.6 * payer.strict.authorization,
                        {"CO", "197", Family::authorization}});
    const auto p = static_cast<std::uint64_t>(claim.payer), c = static_cast<std::uint64_t>(line.code);
    double mood = -5.1 + 0.8 * payer.mood + code_of(line).mood + 0.3 * normal_of(seed_, kCell, p, c);
    if (uniform_of(seed_, kCellKind, p, c) < 0.03) mood += 4.4 + 0.7 * normal_of(seed_, kCell + 50, p, c);
    if (claim.payer == 4 && claim.submitted >= denying_from_ && line.code % settings_.codes_per_specialty < 2)
      mood += 4.2;
    causes.push_back(
        {logistic(mood),
         kLineReasons[static_cast<std::size_t>(uniform_of(seed_, kReason + 2, p, c) * kLineReasons.size())]});
  }

  Date denying_from_;
};

}  // namespace

std::unique_ptr<World> make_world_a(std::uint64_t seed) {
  return std::make_unique<WorldA>(seed);
}

}  // namespace tideover::claimsim
