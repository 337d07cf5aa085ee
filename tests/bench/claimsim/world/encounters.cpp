#include "tests/bench/claimsim/world/encounters.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tideover::claimsim {
namespace {

using domain::Date;

constexpr std::uint64_t kListed = 900;
constexpr std::size_t kRemembered = 8'000;
constexpr std::array<double, 7> kWeekdays{0.05, 1.25, 1.15, 1.1, 1.1, 1.0, 0.15};

/// How often a mistake is made, per claim.
struct Rates {
  static constexpr double npi = 0.004, future = 0.0015, again = 0.014, marked = 0.35, unbalanced = 0.006,
                          outlier = 0.005, pair = 0.03, units = 0.012, addon_alone = 0.008, modifier = 0.006,
                          unmarked_visit = 0.01, former_payer = 0.08;
};

}  // namespace

Encounters::Encounters(const World& world, int claims)
    : world_(world), population_(world.population()), random_(world.seed(), 2) {
  const Settings& settings = world.settings();
  std::vector<double> running;
  double sum = 0;
  for (int i = 0; i < settings.days; ++i) {
    const Date day = settings.first.plus(i);
    running.push_back(sum += kWeekdays[static_cast<std::size_t>(day.weekday())] * world.season(day));
  }
  for (const double upto : running) claims_upto_.push_back(static_cast<int>(upto / sum * claims + 0.5));
  for (const Pair& pair : population_.pairs) pairs_of_[pair.paid].push_back(&pair);
}

int Encounters::claims_on(int day_index) const {
  const auto i = static_cast<std::size_t>(day_index);
  return claims_upto_[i] - (i == 0 ? 0 : claims_upto_[i - 1]);
}

bool Encounters::authorization_listed(int payer, int code) const {
  return uniform_of(world_.seed(), kListed, static_cast<std::uint64_t>(payer), static_cast<std::uint64_t>(code)) < 0.03;
}

bool Encounters::is_addon(int code) const {
  return std::any_of(population_.addons.begin(), population_.addons.end(),
                     [&](const auto& addon) { return addon[0] == code; });
}

bool Encounters::bundled(int paid, int other) const {
  const auto found = pairs_of_.find(paid);
  return found != pairs_of_.end() && std::any_of(found->second.begin(), found->second.end(),
                                                 [&](const Pair* pair) { return pair->bundled == other; });
}

Claim Encounters::draw(Date submitted) {
  Claim claim = recent_.size() > 100 && random_.chance(Rates::again) ? again(submitted) : fresh(submitted);
  char id[16];
  std::snprintf(id, sizeof id, "K%08d", ++next_id_);
  claim.id = id;
  if (!claim.duplicate && !claim.replaces) {
    recent_.push_back(claim);
    if (recent_.size() > kRemembered) recent_.pop_front();
  }
  return claim;
}

Claim Encounters::again(Date submitted) {
  Claim claim = recent_[static_cast<std::size_t>(random_.below(static_cast<int>(recent_.size())))];
  claim.submitted = submitted;
  // Who does not tell extras cannot mark a replacement either.
  claim.replaces = claim.extras_stated && random_.chance(Rates::marked);
  claim.duplicate = !claim.replaces;
  claim.frequency = claim.replaces ? '7' : '1';
  claim.service_in_future = claim.service > submitted;
  return claim;
}

Claim Encounters::fresh(Date submitted) {
  Claim claim;
  claim.submitted = submitted;
  claim.provider = static_cast<int>(random_.pick(population_.running_provider_weights));
  const Provider& provider = population_.providers[static_cast<std::size_t>(claim.provider)];
  claim.chart = provider.charts[static_cast<std::size_t>(random_.below(static_cast<int>(provider.charts.size())))];
  const Chart& chart = population_.charts[static_cast<std::size_t>(claim.chart)];
  const int lag = random_.chance(provider.slow) ? 40 + static_cast<int>(random_.lognormal(90, 0.6))
                                                : std::min(80, static_cast<int>(random_.lognormal(5, 0.8)));
  claim.service = submitted.plus(-lag);
  claim.payer = chart.former_payer >= 0 && claim.service < chart.changed ? chart.former_payer : chart.payer;
  if (chart.former_payer >= 0 && claim.service >= chart.changed && days_between(chart.changed, claim.service) < 120 &&
      random_.chance(Rates::former_payer))
    claim.payer = chart.former_payer;  // the office does not know of the change
  claim.billing_npi = provider.npi;
  claim.servicer_npi =
      provider.servicers[static_cast<std::size_t>(random_.below(static_cast<int>(provider.servicers.size())))];
  claim.service_stated = provider.states_service_date && !random_.chance(0.004);
  claim.extras_stated = provider.states_extras;

  // The first codes of a provider make up most of its lines.
  // An add-on comes with its primary: alone it is a mistake, and made below.
  const auto usual_code = [&] {
    for (;;) {
      const double at = random_.uniform();
      const int code =
          provider.codes[static_cast<std::size_t>(at * at * at * static_cast<double>(provider.codes.size()))];
      if (!is_addon(code)) return code;
    }
  };
  add_line(claim, usual_code());
  for (const double more : {0.5, 0.4, 0.3, 0.25}) {
    if (!random_.chance(more)) break;
    const int code = usual_code();
    const bool fits = std::none_of(claim.lines.begin(), claim.lines.end(), [&](const Line& line) {
      return line.code == code || bundled(line.code, code) || bundled(code, line.code);
    });
    if (fits) add_line(claim, code);
  }
  for (const auto& [addon, primary] : population_.addons)
    if (claim.lines.size() < kMostLines && random_.chance(0.3) &&
        std::any_of(claim.lines.begin(), claim.lines.end(),
                    [&, primary = primary](const Line& line) { return line.code == primary; }))
      add_line(claim, addon);
  make_mistakes(claim);
  price_lines(claim);
  tell_extras(claim);
  return claim;
}

void Encounters::add_line(Claim& claim, int code) {
  const Code& what = population_.codes[static_cast<std::size_t>(code)];
  Line line;
  line.code = code;
  line.units = what.most_units > 1 ? 1 + random_.below(what.most_units) : 1;
  if (what.kind == Kind::imaging && random_.chance(0.3)) line.modifiers = "26";
  if (what.kind == Kind::therapy) line.modifiers = "GP";
  line.authorization_listed = authorization_listed(claim.payer, code);
  claim.lines.push_back(std::move(line));
}

void Encounters::make_mistakes(Claim& claim) {
  const auto marked = [](Line& line, const char* modifier) {
    line.modifiers += (line.modifiers.empty() ? "" : ":") + std::string(modifier);
  };
  const Line first = claim.lines.front();
  if (random_.chance(Rates::pair) && claim.lines.size() < kMostLines)
    if (const auto pairs = pairs_of_.find(first.code); pairs != pairs_of_.end()) {
      const Pair& pair =
          *pairs->second[static_cast<std::size_t>(random_.below(static_cast<int>(pairs->second.size())))];
      // Beside the first line alone: what meets another one by chance would be a mistake that is not counted.
      if (std::none_of(claim.lines.begin(), claim.lines.end(), [&](const Line& line) {
            return line.code == pair.bundled ||
                   (line.code != first.code && (bundled(line.code, pair.bundled) || bundled(pair.bundled, line.code)));
          })) {
        add_line(claim, pair.bundled);
        Line& line = claim.lines.back();
        if (!pair.modifier_allowed)
          line.fault = LineFault::bundled_hard;
        else if (random_.chance(0.4))
          line.fault = LineFault::bundled_excused, marked(line, "59");
        else
          line.fault = LineFault::bundled_soft;
      }
    }
  for (Line& line : claim.lines) {
    if (line.fault != LineFault::none) continue;
    const Code& code = population_.codes[static_cast<std::size_t>(line.code)];
    const bool visit_with_procedure =
        code.kind == Kind::visit && std::any_of(claim.lines.begin(), claim.lines.end(), [&](const Line& other) {
          return population_.codes[static_cast<std::size_t>(other.code)].kind == Kind::surgery;
        });
    if (visit_with_procedure) {
      if (random_.chance(0.2))
        line.fault = LineFault::distinct_visit_unmarked;
      else
        marked(line, "25");
    } else if (random_.chance(Rates::units)) {
      line.fault = LineFault::units, line.units = code.most_units + 1 + random_.below(3);
    } else if (random_.chance(Rates::modifier)) {
      line.fault = LineFault::modifier_unknown, marked(line, "Y7");
    }
  }
  if (random_.chance(Rates::addon_alone) && claim.lines.size() < kMostLines) {
    const int specialty = population_.providers[static_cast<std::size_t>(claim.provider)].specialty;
    const auto& [addon, primary] = population_.addons[static_cast<std::size_t>(2 * specialty + random_.below(2))];
    const auto has = [&](int code) {
      return std::any_of(claim.lines.begin(), claim.lines.end(), [&](const Line& line) { return line.code == code; });
    };
    if (!has(addon) && !has(primary)) add_line(claim, addon), claim.lines.back().fault = LineFault::addon_alone;
  }
  if (random_.chance(Rates::npi))
    claim.npi_broken = true, claim.servicer_npi.back() = claim.servicer_npi.back() == '9'
                                                             ? '0'
                                                             : static_cast<char>(claim.servicer_npi.back() + 1);
  if (random_.chance(Rates::future))
    claim.service_in_future = claim.service_stated = true, claim.service = claim.submitted.plus(3 + random_.below(300));
}

void Encounters::price_lines(Claim& claim) {
  const Provider& provider = population_.providers[static_cast<std::size_t>(claim.provider)];
  claim.outlier = random_.chance(Rates::outlier);
  for (Line& line : claim.lines) {
    // A provider's own list of charges, in whole dollars, raised every New Year.
    const auto code = static_cast<std::uint64_t>(line.code), who = static_cast<std::uint64_t>(claim.provider);
    const double raised = 1 + 0.03 * (claim.service.ymd().year - 2024);
    const double unit = population_.codes[static_cast<std::size_t>(line.code)].fee * provider.charge_level *
                        (0.8 + 0.4 * uniform_of(world_.seed(), 901, who, code)) * raised;
    line.amount =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(unit / 100 * (claim.outlier ? 12 : 1))) * 100 * line.units;
    claim.amount += line.amount;
  }
  if (random_.chance(Rates::unbalanced)) claim.unbalanced = true, claim.amount += 100 * (1 + random_.below(200));
}

void Encounters::tell_extras(Claim& claim) {
  if (!claim.extras_stated) return;
  const int specialty = population_.providers[static_cast<std::size_t>(claim.provider)].specialty;
  for (int count = 1 + random_.below(3); count > 0; --count) {
    char code[16];
    std::snprintf(code, sizeof code, "%c%02d%d", 'A' + specialty, random_.below(90), random_.below(10));
    claim.diagnosis_codes += (claim.diagnosis_codes.empty() ? "" : ";") + std::string(code);
  }
  claim.place_of_service = random_.chance(0.7) ? "11" : random_.chance(0.5) ? "22" : "23";
  const bool listed =
      std::any_of(claim.lines.begin(), claim.lines.end(), [](const Line& line) { return line.authorization_listed; });
  if (listed ? random_.chance(0.85) : random_.chance(0.1)) claim.authorized = random_.chance(listed ? 0.65 : 0.5);
}

}  // namespace tideover::claimsim
