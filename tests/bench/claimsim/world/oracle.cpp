#include "tests/bench/claimsim/world/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tideover::claimsim {
namespace {

using domain::Date;

/// Some cause of a list strikes; the first that does decides how well it can be reworked.
struct Strike {
  double probability = 0, rework = 0;  // rework given that one strikes
};

Strike strike_of(const World& world, const Claim& claim, const std::vector<Cause>& causes) {
  double none = 1, reworked = 0;
  for (const Cause& cause : causes) {
    reworked += none * cause.probability * world.rework(claim, cause.reason.family);
    none *= 1 - cause.probability;
  }
  return {1 - none, none < 1 ? reworked / (1 - none) : 0};
}

/// P(the posting of a rework is at most `days` after submission).
double reworked_upto(const Days& denied, const ReworkLag& lag, Date submitted, int days, const Calendar& calendar) {
  // A rework is posted on the first bank day on or after its decision, so it is in time when decided by the last bank
  // day in time.
  const int last = days_between(submitted, calendar.on_or_before(submitted.plus(days)));
  double sum = 0;
  for (int first = 0; first <= last && first < Days::kMost; ++first)
    if (const double probability = denied.probability(first); probability > 0)
      sum += probability * lag.upto(last - first);
  return sum;
}

double shortfall(double cash, double advance) {
  return advance <= 0 ? 0 : std::max(0.0, 1 - cash / advance);
}

}  // namespace

std::int64_t sequestered(const Payer& payer, std::int64_t allowed, std::int64_t patient) {
  return payer.payer_class == PayerClass::medicare ? (2 * (allowed - patient) + 50) / 100 : 0;
}

std::int64_t payer_cash(const Payer& payer, std::int64_t allowed, std::int64_t patient) {
  return allowed - patient - sequestered(payer, allowed, patient);
}

std::vector<CleanLine> clean_lines(const World& world, const Claim& claim, double factor) {
  const Population& population = world.population();
  std::vector<CleanLine> lines;
  std::vector<std::size_t> surgical;
  for (const Line& line : claim.lines) {
    const auto price = static_cast<std::int64_t>(std::round(world.price(claim, line) * factor));
    const std::int64_t allowed = std::min(line.amount, std::max<std::int64_t>(price, 1));
    if (population.codes[static_cast<std::size_t>(line.code)].kind == Kind::surgery) surgical.push_back(lines.size());
    lines.push_back({line.amount - allowed, 0, allowed});
  }
  if (population.payers[static_cast<std::size_t>(claim.payer)].reduces_multiple) {
    std::stable_sort(surgical.begin(), surgical.end(),
                     [&](auto a, auto b) { return lines[a].allowed > lines[b].allowed; });
    for (std::size_t rank = 1; rank < surgical.size(); ++rank) {
      CleanLine& line = lines[surgical[rank]];
      line.reduction = line.allowed / 2;
      line.allowed -= line.reduction;
    }
  }
  return lines;
}

std::vector<PatientOption> patient_options(const PatientShare& share, const std::vector<CleanLine>& lines) {
  std::vector<PatientOption> options;
  const auto add = [&](double probability, int carc, auto of_line) {
    if (probability <= 0) return;
    Patient patient{carc, {}};
    for (const CleanLine& line : lines) patient.of_line.push_back(of_line(line.allowed));
    options.push_back({probability, std::move(patient)});
  };
  add(share.deductible_all, 1, [](std::int64_t allowed) { return allowed; });
  add(share.deductible_half, 1, [](std::int64_t allowed) { return allowed / 2; });
  add(share.copay, 3, [left = share.copay_cents](std::int64_t allowed) mutable {
    const auto part = std::min(left, allowed);
    left -= part;
    return part;
  });
  add(share.coinsurance, 2, [&](std::int64_t allowed) {
    return static_cast<std::int64_t>(std::round(static_cast<double>(allowed) * share.coinsurance_rate));
  });
  add(1 - share.deductible_all - share.deductible_half - share.copay - share.coinsurance, 0,
      [](std::int64_t) { return std::int64_t{0}; });
  return options;
}

double denied_share(const Claim& claim, unsigned denied) {
  std::int64_t part = 0, all = 0;
  for (std::size_t i = 0; i < claim.lines.size(); ++i) {
    all += claim.lines[i].amount;
    if (denied >> i & 1U) part += claim.lines[i].amount;
  }
  return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

bool counts_as_denied(const Claim& claim, unsigned denied) {
  return denied + 1 == 1U << claim.lines.size() || denied_share(claim, denied) >= 0.5;
}

Timing timing_of(const Delay& delay, Date submitted, const Calendar& calendar) {
  Delay denied = delay;
  denied.median *= 0.85;
  denied.floor_days = denied.transfer = 0;
  denied.slow_transfer = 0;
  return {Days(delay, submitted, calendar), Days(denied, submitted, calendar)};
}

namespace {

std::vector<double> cash_of(const Payer& payer, const std::vector<CleanLine>& lines, const Patient& patient) {
  std::vector<double> cash;
  for (std::size_t i = 0; i < lines.size(); ++i)
    cash.push_back(static_cast<double>(payer_cash(payer, lines[i].allowed, patient.of_line[i])));
  return cash;
}

/// A first response that denies the lines in `denied` and no claim as a whole.
struct Response {
  double probability, rework_odds;
};

Response response_of(const Strike& whole, const std::vector<Strike>& of_line, unsigned denied) {
  double probability = 1 - whole.probability, rework_odds = 0;
  int struck = 0;
  for (std::size_t i = 0; i < of_line.size(); ++i) {
    const bool hit = denied >> i & 1U;
    probability *= hit ? of_line[i].probability : 1 - of_line[i].probability;
    if (hit) rework_odds += of_line[i].rework, ++struck;
  }
  if (struck > 0) rework_odds /= struck;
  return {probability, rework_odds};
}

}  // namespace

Outlook outlook_of(const World& world, const Claim& claim, const Odds& odds, const Timing& timing,
                   const ReworkLag& rework, const Calendar& calendar) {
  const Payer& payer = world.population().payers[static_cast<std::size_t>(claim.payer)];
  const std::size_t count = claim.lines.size();
  const auto lines = clean_lines(world, claim, 1);
  const auto options = patient_options(world.patient_share(claim), lines);

  Outlook outlook;
  for (const CleanLine& line : lines) outlook.allowed += line.allowed;
  std::vector<std::vector<double>> cash(options.size());  // by option and line
  double nothing_left = 0;
  for (std::size_t option = 0; option < options.size(); ++option) {
    cash[option] = cash_of(payer, lines, options[option].patient);
    const double sum = std::accumulate(cash[option].begin(), cash[option].end(), 0.0);
    outlook.expected_if_paid += options[option].probability * sum;
    if (sum <= 0) nothing_left += options[option].probability;
  }
  outlook.days = timing.paid.quantiles();
  outlook.days_80 = timing.paid.quantile(0.8);

  const Strike whole = strike_of(world, claim, odds.claim);
  std::vector<Strike> of_line;
  for (std::size_t i = 0; i < count; ++i) of_line.push_back(strike_of(world, claim, odds.lines[i]));

  constexpr int kHorizon = 90;
  const double paid_in_time = timing.paid.upto(kHorizon),
               reworked_in_time = reworked_upto(timing.denied, rework, claim.submitted, kHorizon, calendar);
  const double taken_back = payer.reversal * std::clamp((kHorizon - timing.paid.quantile(0.5) - 15) / 45.0, 0.0, 1.0);
  const double advance = 0.85 * outlook.expected_if_paid;

  double p_label = whole.probability, p_paid_first = 0, reworked_by_date = 0, mean_cash = 0, mean_loss = 0;
  const double by_date = reworked_upto(timing.denied, rework, claim.submitted, outlook.days_80, calendar);
  // Adds what follows from a first response that denies the lines in `denied`.
  const auto add = [&](double probability, unsigned denied, double rework_odds) {
    const bool all = denied + 1 == 1U << count;
    const double now = all ? 0 : paid_in_time, later = denied ? rework_odds * reworked_in_time : 0;
    for (std::size_t option = 0; option < options.size(); ++option) {
      double first = 0, rest = 0;
      for (std::size_t i = 0; i < count; ++i) (denied >> i & 1U ? rest : first) += cash[option][i];
      const double p = probability * options[option].probability;
      const auto ends_with = [&](double share, double sum) {
        mean_cash += p * share * sum * (1 - taken_back * 0.55);
        mean_loss +=
            p * share *
            ((1 - taken_back) * shortfall(sum, advance) + taken_back / 2 * (shortfall(0.9 * sum, advance) + 1));
      };
      ends_with(now * later, first + rest);
      ends_with(now * (1 - later), first);
      ends_with((1 - now) * later, rest);
      ends_with((1 - now) * (1 - later), 0);
    }
    if (all)
      reworked_by_date += probability * rework_odds * by_date * (1 - nothing_left);
    else
      p_paid_first += probability * (1 - nothing_left);
  };
  add(whole.probability, (1U << count) - 1, whole.rework);
  for (unsigned denied = 0; denied < 1U << count; ++denied) {
    const auto [probability, rework_odds] = response_of(whole, of_line, denied);
    if (denied && counts_as_denied(claim, denied)) p_label += probability;
    add(probability, denied, rework_odds);
  }
  const double answered = 1 - odds.silent;
  outlook.p_denial = std::min(1.0, p_label);
  outlook.expected_cash_90 = answered * mean_cash;
  outlook.risk = odds.silent + answered * mean_loss;
  outlook.confidence = std::min(1.0, answered * (p_paid_first * timing.paid.upto(outlook.days_80) + reworked_by_date));
  return outlook;
}

}  // namespace tideover::claimsim
