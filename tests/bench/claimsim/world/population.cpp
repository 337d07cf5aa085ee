#include "tests/bench/claimsim/world/population.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "core/domain/claims/npi.hpp"

namespace tideover::claimsim {
namespace {

std::string numbered(const char* pattern, int number) {
  char text[24];
  std::snprintf(text, sizeof text, pattern, number);
  return text;
}

std::string new_npi(Random& random, std::set<std::string>& taken) {
  for (;;) {
    const std::string nine = numbered("1%08d", random.below(100'000'000));
    for (char check = '0'; check <= '9'; ++check)
      if (const std::string npi = nine + check; domain::passes_npi_check(npi) && taken.insert(npi).second) return npi;
  }
}

double clamped(double value, double least, double most) {
  return std::min(std::max(value, least), most);
}

Delay delay_of(PayerClass payer_class, const Settings& settings, Random& random) {
  Delay delay;
  switch (payer_class) {
    case PayerClass::commercial:
      delay.median = random.lognormal(9, 0.35);
      break;
    case PayerClass::medicare:
      delay.median = 6, delay.sigma = 0.25, delay.floor_days = 14, delay.pended = 0.02;
      break;
    case PayerClass::medicaid:
      delay.median = random.lognormal(8, 0.3);
      break;
    case PayerClass::exchange:
      delay.median = random.lognormal(11, 0.3);
      break;
    case PayerClass::workers_comp:
      delay.median = random.lognormal(20, 0.25), delay.pended = 0.12;
      break;
  }
  if (payer_class != PayerClass::medicare)
    delay.sigma = random.between(0.2, 0.4), delay.pended = random.between(0.02, 0.1);
  delay.pended_median = delay.median + random.between(12, 25);
  const double runs = random.uniform();
  if (payer_class == PayerClass::medicare || runs < 0.15)
    delay.runs = 0b0111110;
  else if (runs < 0.65)
    delay.runs = 1U << (1 + random.below(5));
  else
    delay.runs = 1U << (1 + random.below(2)) | 1U << (3 + random.below(3));
  delay.twice_a_month = random.chance(settings.twice_a_month) && payer_class != PayerClass::medicare;
  delay.transfer = 1 + random.below(2);
  return delay;
}

double rate_of(PayerClass payer_class, Random& random) {
  switch (payer_class) {
    case PayerClass::commercial:
      return random.between(1.1, 1.9);
    case PayerClass::medicare:
      return 1;
    case PayerClass::medicaid:
      return random.between(0.6, 0.85);
    case PayerClass::exchange:
      return random.between(0.95, 1.3);
    case PayerClass::workers_comp:
      return random.between(1.2, 1.6);
  }
  return 1;
}

int timely_days_of(PayerClass payer_class, Random& random) {
  constexpr std::array<int, 4> kCommercial{90, 120, 180, 365};
  switch (payer_class) {
    case PayerClass::medicare:
      return 365;
    case PayerClass::medicaid:
      return random.chance(0.5) ? 95 : 365;
    case PayerClass::workers_comp:
      return 365;
    default:
      return kCommercial[static_cast<std::size_t>(random.below(4))];
  }
}

Payer new_payer(int rank, PayerClass payer_class, const Settings& settings, Random& random) {
  Payer payer;
  payer.payer_class = payer_class;
  payer.weight = std::pow(rank + 2.0, -settings.payer_tail);
  payer.timely_filing_days = timely_days_of(payer_class, random);
  payer.mood = 0.6 * random.normal() + (payer_class == PayerClass::medicare   ? -0.4
                                        : payer_class == PayerClass::exchange ? 0.4
                                                                              : 0);
  const auto strict = [&](double usual) { return logistic(std::log(usual / (1 - usual)) + 0.5 * random.normal()); };
  payer.strict = {strict(0.9),  strict(0.95), strict(0.9), strict(0.85), strict(0.85),
                  strict(0.85), strict(0.65), strict(0.5), strict(0.3)};
  payer.silent = clamped(random.lognormal(0.006, 0.6), 0.001, 0.03);
  payer.rework = clamped(0.4 + 0.1 * random.normal(), 0.1, 0.75);
  payer.delay = payer.later_delay = delay_of(payer_class, settings, random);
  payer.slower_from = settings.first.plus(settings.days + 1000);
  payer.from = settings.first;
  payer.rate = rate_of(payer_class, random);
  if (payer_class != PayerClass::medicare && random.chance(settings.share_of_charge))
    payer.pays_share_of_charge = true, payer.rate = random.between(0.35, 0.7);
  constexpr std::array<int, 3> kOtherMonths{4, 7, 10};
  payer.step_month = payer_class == PayerClass::medicare || random.chance(0.6)
                         ? 1
                         : kOtherMonths[static_cast<std::size_t>(random.below(3))];
  payer.step = payer_class == PayerClass::medicare ? -0.012 : 0.025 + 0.02 * random.normal();
  payer.reduces_multiple = payer_class == PayerClass::medicare || random.chance(0.6);
  payer.off_contract = random.between(0.01, 0.05);
  payer.status_4_on_denial = random.chance(0.7);
  payer.states_allowed = random.chance(0.8);
  payer.denies_whole_claims = random.chance(0.2);
  payer.plan_year_month = random.chance(settings.midyear_plans) ? 7 : 1;
  return payer;
}

std::vector<Code> new_codes(const Settings& settings, Random& random) {
  constexpr std::array<Kind, 10> kKinds{Kind::visit,   Kind::visit,   Kind::procedure,  Kind::procedure, Kind::surgery,
                                        Kind::surgery, Kind::imaging, Kind::laboratory, Kind::therapy,   Kind::supply};
  std::set<std::string> taken;
  std::vector<Code> codes;
  for (int specialty = 0; specialty < settings.specialties; ++specialty)
    for (int i = 0; i < settings.codes_per_specialty; ++i) {
      Code code;
      code.specialty = specialty;
      code.kind = i < 4 ? Kind::visit : kKinds[static_cast<std::size_t>(random.below(10))];
      do {
        // Supplies and visits stand where the code books have them, so that a rule can know one when it sees it.
        if (code.kind == Kind::supply)
          code.code = std::string(1, "EGJL"[random.below(4)]) + numbered("%04d", random.below(10'000));
        else if (code.kind == Kind::visit)
          code.code = numbered("%05d", 99'202 + random.below(297));
        else
          code.code = numbered("%05d", 10'000 + random.below(89'000));
      } while (!taken.insert(code.code).second);
      switch (code.kind) {
        case Kind::visit:
          code.fee = random.lognormal(11'000, 0.35);
          break;
        case Kind::procedure:
          code.fee = random.lognormal(16'000, 0.6);
          break;
        case Kind::surgery:
          code.fee = random.lognormal(60'000, 0.6);
          break;
        case Kind::imaging:
          code.fee = random.lognormal(15'000, 0.6);
          break;
        case Kind::laboratory:
          code.fee = random.lognormal(2'500, 0.5);
          break;
        case Kind::therapy:
          code.fee = random.lognormal(3'200, 0.2), code.most_units = 4;
          break;
        case Kind::supply:
          code.fee = random.lognormal(4'000, 0.8), code.most_units = 6;
          break;
      }
      code.mood = 0.5 * random.normal();
      codes.push_back(std::move(code));
    }
  return codes;
}

Provider new_provider(int rank, const Population& population, const Settings& settings, Random& random,
                      std::set<std::string>& npis) {
  Provider provider;
  provider.npi = new_npi(random, npis);
  provider.facility = numbered("FAC%04d", random.below(settings.providers / 2 + 1));
  for (int servicers = 1 + random.below(5); servicers > 0; --servicers)
    provider.servicers.push_back(new_npi(random, npis));
  provider.specialty = random.below(settings.specialties);
  provider.weight = std::pow(rank + 6.0, -1.1);
  provider.charge_level = random.between(1.6, 3.6);
  const double where = random.uniform();
  provider.locality = where < 0.82 ? 0 : where < 0.93 ? 1 : 2;
  provider.mood = random.chance(0.06) ? 2.2 + 0.3 * random.normal() : 0.35 * random.normal();
  provider.slow = random.chance(0.1) ? 0.06 : 0.006;
  provider.states_extras = random.chance(0.75);
  provider.states_service_date = random.chance(0.96);
  for (int code = provider.specialty * settings.codes_per_specialty, past = code + settings.codes_per_specialty;
       code < past; ++code)
    if (population.codes[static_cast<std::size_t>(code)].kind == Kind::visit ? random.chance(0.7) : random.chance(0.5))
      provider.codes.push_back(code);
  if (provider.codes.empty()) provider.codes.push_back(provider.specialty * settings.codes_per_specialty);
  return provider;
}

}  // namespace

const char* name_of(PayerClass payer_class) {
  switch (payer_class) {
    case PayerClass::commercial:
      return "commercial";
    case PayerClass::medicare:
      return "medicare";
    case PayerClass::medicaid:
      return "medicaid";
    case PayerClass::exchange:
      return "exchange";
    case PayerClass::workers_comp:
      return "workers_comp";
  }
  return "";
}

double uniform_of(std::uint64_t seed, std::uint64_t what, std::uint64_t a, std::uint64_t b) {
  return Random(seed, what, a, b).uniform();
}
double normal_of(std::uint64_t seed, std::uint64_t what, std::uint64_t a, std::uint64_t b) {
  return Random(seed, what, a, b).normal();
}

namespace {

void add_payers(const Settings& settings, Random& random, Population& population) {
  std::vector<double> class_running;
  for (const double share : settings.class_shares)
    class_running.push_back(share + (class_running.empty() ? 0 : class_running.back()));
  for (int rank = 0; rank < settings.payers + settings.new_payers; ++rank) {
    // The largest two are Medicare contractors and a Medicaid programme in every world; the others fall by share.
    const auto payer_class = rank == 1   ? PayerClass::medicare
                             : rank == 3 ? PayerClass::medicaid
                                         : static_cast<PayerClass>(random.pick(class_running));
    const bool arrives = rank >= settings.payers;
    Payer payer = new_payer(arrives ? 6 + random.below(settings.payers) : rank, payer_class, settings, random);
    payer.id = numbered("SIM%04d", rank + 1);
    if (arrives) payer.from = settings.first.plus(settings.days * 2 / 5 + random.below(settings.days / 4 + 1));
    population.payers.push_back(std::move(payer));
  }
  // One large payer becomes slow, late enough to be scored.
  Payer& slow = population.payers[2];
  slow.slower_from = settings.first.plus(settings.days * 11 / 20);
  slow.later_delay.median *= 1.7;
  slow.later_delay.pended_median *= 1.3;
}

/// Pairs of codes that payers bundle, and add-ons with their primaries.
void add_edits(const Settings& settings, Random& random, Population& population) {
  const int per = settings.codes_per_specialty;
  for (int specialty = 0; specialty < settings.specialties; ++specialty) {
    for (int i = 0; i < per; ++i) {
      // The last two are add-ons, which no edit sets against their primaries.
      const int paid = specialty * per + random.below(per - 2), bundled = specialty * per + random.below(per - 2);
      const bool modifier_allowed = random.chance(0.6);
      const bool known = std::any_of(population.pairs.begin(), population.pairs.end(),
                                     [&](const Pair& pair) { return pair.paid == paid && pair.bundled == bundled; });
      const auto is_visit = [&](int code) {
        return population.codes[static_cast<std::size_t>(code)].kind == Kind::visit;
      };
      // A visit's own modifier would excuse the pair.
      if (paid != bundled && !known && !is_visit(paid) && !is_visit(bundled))
        population.pairs.push_back({paid, bundled, modifier_allowed});
    }
    for (int i = 0; i < 2; ++i) population.addons.push_back({specialty * per + per - 1 - i, specialty * per + 4 + i});
  }
}

void add_providers(const Settings& settings, Random& random, Population& population) {
  std::set<std::string> npis;
  for (int rank = 0; rank < settings.providers; ++rank) {
    population.providers.push_back(new_provider(rank, population, settings, random, npis));
    population.running_provider_weights.push_back(population.providers.back().weight +
                                                  (rank == 0 ? 0 : population.running_provider_weights.back()));
  }
}

void add_charts(const Settings& settings, Random& random, Population& population) {
  std::vector<double> payer_running;
  for (const Payer& payer : population.payers)
    payer_running.push_back(payer.weight + (payer_running.empty() ? 0 : payer_running.back()));
  constexpr std::array<const char*, 5> kAges{"0-17", "18-44", "45-64", "65-74", "75+"};
  for (int i = 0; i < settings.charts; ++i) {
    Chart chart;
    chart.id = numbered("C%07d", 1'000'000 + i);
    chart.payer = static_cast<int>(random.pick(payer_running));
    const Payer& payer = population.payers[static_cast<std::size_t>(chart.payer)];
    // Patients of a new payer were with another one before; of the rest, some change at New Year.
    const bool moves = payer.from > settings.first;
    if (moves || random.chance(0.08)) {
      do chart.former_payer = static_cast<int>(random.pick(payer_running));
      while (chart.former_payer >= settings.payers || chart.former_payer == chart.payer);
      chart.changed = moves ? payer.from.plus(random.below(60))
                            : domain::Date::from_ymd(settings.first.ymd().year + 1, 1, 1)->plus(365 * random.below(2));
    }
    const bool old = payer.payer_class == PayerClass::medicare;
    chart.age_band = kAges[static_cast<std::size_t>(old ? 3 + random.below(2) : random.below(3))];
    chart.sex = random.chance(0.54) ? "F" : "M";
    population.charts.push_back(std::move(chart));
    const std::size_t provider = random.pick(population.running_provider_weights);
    population.providers[provider].charts.push_back(i);
  }
  for (auto& provider : population.providers)
    if (provider.charts.empty()) provider.charts.push_back(random.below(settings.charts));
}

}  // namespace

Population populate(const Settings& settings, std::uint64_t seed) {
  Population population;
  Random random(seed, 1);
  add_payers(settings, random, population);
  population.codes = new_codes(settings, random);
  add_edits(settings, random, population);
  add_providers(settings, random, population);
  add_charts(settings, random, population);
  return population;
}

}  // namespace tideover::claimsim
