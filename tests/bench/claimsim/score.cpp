#include "tests/bench/claimsim/score.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iomanip>
#include <numeric>
#include <ostream>
#include <sstream>
#include <unordered_map>

#include "core/domain/basics/bank_calendar.hpp"
#include "tests/bench/claimsim/metrics.hpp"

namespace tideover::claimsim {
namespace {

using domain::Date;

constexpr double kWarmUp = 0.3, kApproved = 0.8, kAdvanced = 0.85;
constexpr std::size_t kColdStart = 2'000, kYoung = 20'000;

std::vector<PredictionRow> oracle_of(const Book& book) {
  std::vector<PredictionRow> rows;
  for (const TruthRow& truth : book.truth) rows.push_back(oracle_prediction(truth));
  return rows;
}

/// Advances by claim of [first, past): 85 % of what is expected, for the 80 % of claims with the lowest risk.
std::vector<double> advances_of(const std::vector<PredictionRow>& predictions, std::size_t first, std::size_t past) {
  std::vector<std::size_t> order(past - first);
  std::iota(order.begin(), order.end(), first);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return predictions[a].risk < predictions[b].risk; });
  order.resize(static_cast<std::size_t>(static_cast<double>(order.size()) * kApproved));
  std::vector<double> advances(past - first, 0.0);
  for (const std::size_t i : order)
    advances[i - first] = kAdvanced * std::max(0.0, static_cast<double>(predictions[i].expected_if_paid));
  return advances;
}

/// What becomes of advances. `lent`: in all; `claims`: how many have one.
struct Lending {
  double lent = 0, lost = 0;
  std::size_t claims = 0;
  void add(double advance, const TruthRow& truth) {
    lent += advance, lost += std::max(0.0, advance - static_cast<double>(std::max<std::int64_t>(0, truth.cash_90))),
        claims += advance > 0;
  }
};

/// As the terms propose; none in all when they were not asked.
Lending proposed_lending(const Book& book, const std::vector<PredictionRow>& predictions, std::size_t first,
                         std::size_t past) {
  Lending lending;
  for (std::size_t i = first; i < past; ++i)
    lending.add(static_cast<double>(predictions[i].proposed_advance.value_or(0)), book.truth[i]);
  return lending;
}

/// 85 % of what is expected, the lowest risk first, until so much is lent.
Lending lending_of(const Book& book, const std::vector<PredictionRow>& predictions, std::size_t first, std::size_t past,
                   double wanted) {
  std::vector<std::size_t> order(past - first);
  std::iota(order.begin(), order.end(), first);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return predictions[a].risk < predictions[b].risk; });
  Lending lending;
  for (const std::size_t i : order) {
    const double advance = std::min(kAdvanced * std::max(0.0, static_cast<double>(predictions[i].expected_if_paid)),
                                    wanted - lending.lent);
    if (advance > 0) lending.add(advance, book.truth[i]);
  }
  return lending;
}

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : std::nan("");
}

/// Days of one payer so far, and where their quantiles lie.
struct DaysSoFar {
  std::array<double, 150> counts{};
  double n = 0;
  void add(int day) { ++counts[static_cast<std::size_t>(std::clamp(day, 0, 149))], ++n; }
  QuantileDays quantiles(const DaysSoFar& everybody) const {
    constexpr double kPrior = 10;  // claims' worth of everybody's days
    QuantileDays days{};
    double running = 0;
    std::size_t next = 0;
    for (std::size_t day = 0; day < counts.size() && next < kLevels; ++day) {
      running += (counts[day] + kPrior * everybody.counts[day] / everybody.n) / (n + kPrior);
      while (next < kLevels && running >= level(next)) days[next++] = static_cast<int>(day);
    }
    while (next < kLevels) days[next++] = 149;
    return days;
  }
};

}  // namespace

Book read_book(const std::filesystem::path& folder, const std::filesystem::path& truth) {
  Book book{read_claims(folder / "claims.csv"), read_remits(folder / "remits.csv"), read_truth(truth)};
  if (book.truth.size() != book.claims.size())
    throw BadFile(truth.string() + ": has " + std::to_string(book.truth.size()) + " claims, the book " +
                  std::to_string(book.claims.size()));
  for (std::size_t i = 0; i < book.claims.size(); ++i)
    if (book.truth[i].claim_id != book.claims[i].claim_id)
      throw BadFile(truth.string() + ": line " + std::to_string(i + 2) + " is not claim " + book.claims[i].claim_id);
  return book;
}

void check_order(const Book& book, const std::vector<PredictionRow>& predictions) {
  if (predictions.size() != book.claims.size())
    throw BadFile("the predictions have " + std::to_string(predictions.size()) + " claims, the book " +
                  std::to_string(book.claims.size()));
  for (std::size_t i = 0; i < predictions.size(); ++i)
    if (predictions[i].claim_id != book.claims[i].claim_id)
      throw BadFile("the predictions' line " + std::to_string(i + 2) + " is not claim " + book.claims[i].claim_id);
}

double oracle_advances(const Book& book, std::size_t first, std::size_t past) {
  const auto advances = advances_of(oracle_of(book), first, past);
  return std::accumulate(advances.begin(), advances.end(), 0.0);
}

Marks marks_of(const Book& book, const std::vector<PredictionRow>& predictions, std::size_t first, std::size_t past) {
  Scores p, confidence;
  Labels denied, in_time;
  double brier = 0, predicted = 0, rightly = 0, off = 0, allowed = 0, clean = 0, close = 0, days_score = 0, paid = 0,
         by_date = 0, dated = 0;
  for (std::size_t i = first; i < past; ++i) {
    const PredictionRow& said = predictions[i];
    const TruthRow& truth = book.truth[i];
    if (truth.denied) {
      p.push_back(said.p_denial), denied.push_back(*truth.denied);
      brier += (said.p_denial - *truth.denied) * (said.p_denial - *truth.denied);
      predicted += said.denied, rightly += said.denied && *truth.denied;
    }
    if (truth.clean) {
      const double wrong = std::abs(static_cast<double>(said.allowed - truth.allowed));
      off += wrong, allowed += static_cast<double>(truth.allowed), ++clean;
      close += wrong <= 0.01 * static_cast<double>(truth.allowed);
    }
    if (truth.paid_first) {
      days_score += crps(said.days, days_between(book.claims[i].submitted, *truth.first_posted)), ++paid;
      // Where a denial is predicted, the date is that of its rework.
      if (!said.denied) ++dated, by_date += *truth.first_posted <= said.date;
    }
    confidence.push_back(said.confidence), in_time.push_back(truth.first_posted && *truth.first_posted <= said.date);
  }
  Marks marks;
  marks.auroc = auroc(p, denied), marks.auprc = auprc(p, denied);
  marks.denial_ece = calibration_error(p, denied), marks.denial_ece_chance = calibration_error_by_chance(p);
  const double n = static_cast<double>(p.size()),
               positives = static_cast<double>(std::count(denied.begin(), denied.end(), 1));
  marks.brier = ratio(brier, n), marks.precision = ratio(rightly, predicted), marks.recall = ratio(rightly, positives),
  marks.predicted = ratio(predicted, n);
  marks.mean_p = ratio(std::accumulate(p.begin(), p.end(), 0.0), n);
  double variance = 0;
  for (const double each : p) variance += (each - marks.mean_p) * (each - marks.mean_p);
  marks.spread_p = std::sqrt(ratio(variance, n));
  marks.wape = ratio(off, allowed), marks.within_1_percent = ratio(close, clean);
  marks.crps = ratio(days_score, paid), marks.coverage = ratio(by_date, dated);
  marks.confidence_ece = calibration_error(confidence, in_time),
  marks.confidence_ece_chance = calibration_error_by_chance(confidence);

  const auto advances = advances_of(predictions, first, past);
  const double dollars = std::accumulate(advances.begin(), advances.end(), 0.0),
               wanted = oracle_advances(book, first, past);
  double lost = 0;
  for (std::size_t i = first; i < past && dollars > 0; ++i)
    lost += std::max(0.0, advances[i - first] * wanted / dollars -
                              static_cast<double>(std::max<std::int64_t>(0, book.truth[i].cash_90)));
  marks.loss = dollars > 0 ? ratio(lost, wanted) : std::nan("");
  return marks;
}

std::vector<PredictionRow> payer_means(const Book& book) {
  struct Mean {
    double answered = 0, denied = 0, charge = 0, allowed = 0, cash = 0;
    DaysSoFar days;
  };
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < book.claims.size(); ++i) index[book.claims[i].claim_id] = i;
  std::unordered_map<std::string, Mean> means;
  // Before anything is known: published base rates, and three weeks give or take one.
  Mean everybody{100, 11, 10'000, 4'500, 3'500, {}};
  for (int day = 7; day <= 35; ++day) everybody.days.add(day);
  std::vector<bool> seen(book.claims.size());
  std::vector<PredictionRow> rows;
  std::size_t next = 0;
  for (std::size_t i = 0; i < book.claims.size(); ++i) {
    const ClaimRow& claim = book.claims[i];
    for (; next < book.remits.size() && book.remits[next].responded < claim.submitted; ++next) {
      const RemitRow& remit = book.remits[next];
      const auto found = index.find(remit.claim_id);
      if (found == index.end()) throw BadFile("remits.csv: no claim " + remit.claim_id);
      if (seen[found->second]) continue;  // first responses only
      seen[found->second] = true;
      const TruthRow& truth = book.truth[found->second];
      for (Mean* mean : {&everybody, &means[book.claims[found->second].payer_id]}) {
        ++mean->answered, mean->denied += truth.denied.value_or(false);
        if (remit.allowed > 0 && truth.clean)
          mean->charge += static_cast<double>(remit.charge), mean->allowed += static_cast<double>(remit.allowed),
              mean->cash += static_cast<double>(remit.paid);
        if (remit.posted) mean->days.add(days_between(book.claims[found->second].submitted, *remit.posted));
      }
    }
    const Mean& mean = means[claim.payer_id];
    constexpr double kPrior = 10;
    const double prior_charge = 100'000;
    const auto leaning = [&](double part, double whole, double prior, double all_part, double all_whole) {
      return (part + prior * all_part / all_whole) / (whole + prior);
    };
    PredictionRow row;
    row.claim_id = claim.claim_id;
    row.p_denial = leaning(mean.denied, mean.answered, kPrior, everybody.denied, everybody.answered);
    const auto amount = static_cast<double>(claim.amount);
    row.allowed =
        std::llround(amount * leaning(mean.allowed, mean.charge, prior_charge, everybody.allowed, everybody.charge));
    row.expected_if_paid =
        std::llround(amount * leaning(mean.cash, mean.charge, prior_charge, everybody.cash, everybody.charge));
    row.expected = std::llround(static_cast<double>(row.expected_if_paid) * (1 - row.p_denial));
    row.risk = row.p_denial;
    row.days = mean.days.quantiles(everybody.days);
    row.date = domain::banking_day_on_or_after(claim.submitted.plus(row.days[40]));
    row.confidence = 0.8 * (1 - row.p_denial);
    rows.push_back(std::move(row));
  }
  return rows;
}

namespace {

/// Which value a mark must have, given the oracle's and the payer mean's.
struct Bound {
  const char* name;
  const char* must;
  const char* aim;
  std::function<bool(const Mark&)> must_holds, aim_holds;
};

const std::vector<Bound>& bounds() {
  const auto at_most = [](double most) { return [most](const Mark& mark) { return mark.value <= most; }; };
  const auto within = [](double least, double most) {
    return [=](const Mark& mark) { return mark.value >= least && mark.value <= most; };
  };
  const auto no_worse = [](const Mark& mark) { return mark.value <= mark.payer_mean; };
  static const std::vector<Bound> kBounds{
      {"denial AUROC", "oracle - .035", "oracle - .015", [](const Mark& m) { return m.value >= m.oracle - 0.035; },
       [](const Mark& m) { return m.value >= m.oracle - 0.015; }},
      {"denial AUPRC", ".92 oracle", ".97 oracle", [](const Mark& m) { return m.value >= 0.92 * m.oracle; },
       [](const Mark& m) { return m.value >= 0.97 * m.oracle; }},
      {"denial ECE", "<= .010", "<= .005", at_most(0.010), at_most(0.005)},
      {"allowed WAPE", "<= .02", "<= .012", at_most(0.02), at_most(0.012)},
      {"allowed within 1 %", ">= .85", "oracle - .02", [](const Mark& m) { return m.value >= 0.85; },
       [](const Mark& m) { return m.value >= m.oracle - 0.02; }},
      {"days CRPS / oracle", "<= 1.08", "<= 1.03", at_most(1.08), at_most(1.03)},
      {"80 % date covers", ".78 - .88", ".80 - .85", within(0.78, 0.88), within(0.80, 0.85)},
      {"confidence ECE", "<= .015", "<= .010", at_most(0.015), at_most(0.010)},
      {"loss per advanced $", "1.20 oracle", "1.05 oracle", [](const Mark& m) { return m.value <= 1.20 * m.oracle; },
       [](const Mark& m) { return m.value <= 1.05 * m.oracle; }},
      {"first 2000: Brier", "payer mean", "", no_worse, nullptr},
      {"first 2000: WAPE", "payer mean", "", no_worse, nullptr},
      {"first 2000: CRPS", "payer mean", "", no_worse, nullptr},
      {"first 20000: Brier", "payer mean", "", no_worse, nullptr},
      {"first 20000: WAPE", "payer mean", "", no_worse, nullptr},
      {"first 20000: CRPS", "payer mean", "", no_worse, nullptr},
      {"random: denial ECE", "<= .010", "<= .005", at_most(0.010), at_most(0.005)},
      {"random: spread of p", "<= .02", "<= .01", at_most(0.02), at_most(0.01)},
      {"random: share predicted", "<= .001", "0", at_most(0.001), at_most(0)},
      {"random: confidence ECE", "<= .015", "<= .010", at_most(0.015), at_most(0.010)},
  };
  return kBounds;
}

bool has_random_labels(const Book& book) {
  return std::all_of(book.truth.begin(), book.truth.end(),
                     [&](const TruthRow& truth) { return truth.p_denial == book.truth.front().p_denial; });
}

}  // namespace

std::vector<Mark> score(const Book& book, const std::vector<PredictionRow>& predictions) {
  check_order(book, predictions);
  const std::size_t past = book.claims.size(), first = static_cast<std::size_t>(static_cast<double>(past) * kWarmUp);
  const auto oracles = oracle_of(book), means = payer_means(book);
  const Marks said = marks_of(book, predictions, first, past), oracle = marks_of(book, oracles, first, past),
              mean = marks_of(book, means, first, past);
  if (has_random_labels(book))
    return {{"random: denial ECE", said.denial_ece, oracle.denial_ece, mean.denial_ece, said.denial_ece_chance},
            {"random: mean p", said.mean_p, oracle.mean_p, mean.mean_p, 0},
            {"random: spread of p", said.spread_p, oracle.spread_p, mean.spread_p, 0},
            {"random: share predicted", said.predicted, oracle.predicted, mean.predicted, 0},
            {"random: denial AUROC", said.auroc, oracle.auroc, mean.auroc, 0.5},
            {"random: confidence ECE", said.confidence_ece, oracle.confidence_ece, mean.confidence_ece,
             said.confidence_ece_chance}};
  std::vector<Mark> marks{
      {"denial AUROC", said.auroc, oracle.auroc, mean.auroc, 0.5},
      {"denial AUPRC", said.auprc, oracle.auprc, mean.auprc, 0},
      {"denial ECE", said.denial_ece, oracle.denial_ece, mean.denial_ece, said.denial_ece_chance},
      {"denial precision", said.precision, oracle.precision, mean.precision, 0},
      {"denial recall", said.recall, oracle.recall, mean.recall, 0},
      {"denial Brier", said.brier, oracle.brier, mean.brier, 0},
      {"allowed WAPE", said.wape, oracle.wape, mean.wape, 0},
      {"allowed within 1 %", said.within_1_percent, oracle.within_1_percent, mean.within_1_percent, 0},
      {"days CRPS / oracle", said.crps / oracle.crps, 1, mean.crps / oracle.crps, 0},
      {"80 % date covers", said.coverage, oracle.coverage, mean.coverage, 0},
      {"confidence ECE", said.confidence_ece, oracle.confidence_ece, mean.confidence_ece, said.confidence_ece_chance},
      {"loss per advanced $", said.loss, oracle.loss, mean.loss, 0}};
  if (const auto terms = proposed_lending(book, predictions, first, past); terms.claims > 0) {
    const auto best = lending_of(book, oracles, first, past, terms.lent),
               usual = lending_of(book, means, first, past, terms.lent);
    const auto share = [&](const Lending& lending) {
      return static_cast<double>(lending.claims) / static_cast<double>(past - first);
    };
    marks.push_back({"terms: share approved", share(terms), share(best), share(usual), 0});
    marks.push_back({"terms: loss per $", ratio(terms.lost, terms.lent), ratio(best.lost, best.lent),
                     ratio(usual.lost, usual.lent), 0});
  }
  for (const auto& [name, until] : {std::pair{"first 2000: ", kColdStart}, std::pair{"first 20000: ", kYoung}}) {
    const std::size_t end = std::min(until, past);
    const Marks young = marks_of(book, predictions, 0, end), young_oracle = marks_of(book, oracles, 0, end),
                young_mean = marks_of(book, means, 0, end);
    marks.push_back({std::string(name) + "Brier", young.brier, young_oracle.brier, young_mean.brier, 0});
    marks.push_back({std::string(name) + "WAPE", young.wape, young_oracle.wape, young_mean.wape, 0});
    marks.push_back({std::string(name) + "CRPS", young.crps, young_oracle.crps, young_mean.crps, 0});
  }
  return marks;
}

void print(const std::vector<Mark>& marks, std::ostream& out) {
  out << std::left << std::setw(26) << "" << std::right << std::setw(10) << "predicted" << std::setw(10) << "oracle"
      << std::setw(12) << "payer mean" << std::setw(10) << "chance"
      << "  " << std::left << std::setw(15) << "must" << std::setw(15) << "aim"
      << "reached\n";
  for (const Mark& mark : marks) {
    out << std::left << std::setw(26) << mark.name << std::right << std::fixed << std::setprecision(4) << std::setw(10)
        << mark.value << std::setw(10) << mark.oracle << std::setw(12) << mark.payer_mean << std::setw(10);
    if (mark.chance > 0)
      out << mark.chance;
    else
      out << "";
    const auto bound =
        std::find_if(bounds().begin(), bounds().end(), [&](const Bound& each) { return each.name == mark.name; });
    if (bound != bounds().end()) {
      const char* reached = bound->aim_holds && bound->aim_holds(mark) && bound->must_holds(mark) ? "aim"
                            : bound->must_holds(mark)                                             ? "must"
                                                                                                  : "MISSED";
      out << "  " << std::left << std::setw(15) << bound->must << std::setw(15) << bound->aim << reached;
    }
    out << '\n';
  }
}

void write_marks(const std::vector<Mark>& marks, const std::filesystem::path& file) {
  std::ofstream out(file);
  out << std::setprecision(17);
  for (const Mark& mark : marks)
    out << mark.name << ',' << mark.value << ',' << mark.oracle << ',' << mark.payer_mean << ',' << mark.chance << '\n';
  if (!out.flush()) throw std::runtime_error(file.string() + ": cannot be written");
}

std::vector<Mark> read_marks(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw BadFile(file.string() + ": cannot be opened");
  std::vector<Mark> marks;
  for (std::string line; std::getline(in, line);) {
    Mark mark;
    std::istringstream fields(line);
    std::getline(fields, mark.name, ',');
    for (double* value : {&mark.value, &mark.oracle, &mark.payer_mean, &mark.chance}) {
      std::string text;
      if (!std::getline(fields, text, ',')) throw BadFile(file.string() + ": '" + line + "' is no mark");
      *value = std::strtod(text.c_str(), nullptr);  // "nan" as well
    }
    marks.push_back(std::move(mark));
  }
  return marks;
}

std::vector<Mark> medians(const std::vector<std::vector<Mark>>& runs) {
  std::vector<Mark> marks = runs.at(0);
  const auto median = [&](std::size_t at, double Mark::*field) {
    std::vector<double> values;
    for (const auto& run : runs) {
      if (run.size() != marks.size() || run[at].name != marks[at].name) throw BadFile("the runs are not of one kind");
      values.push_back(run[at].*field);
    }
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  };
  for (std::size_t i = 0; i < marks.size(); ++i)
    for (double Mark::*field : {&Mark::value, &Mark::oracle, &Mark::payer_mean, &Mark::chance})
      marks[i].*field = median(i, field);
  return marks;
}

}  // namespace tideover::claimsim
