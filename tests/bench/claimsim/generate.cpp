#include "tests/bench/claimsim/generate.hpp"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <map>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <unordered_map>

#include "tests/bench/claimsim/metrics.hpp"
#include "tests/bench/claimsim/world/adjudication.hpp"
#include "tests/bench/claimsim/world/encounters.hpp"
#include "tests/bench/claimsim/world/rows.hpp"
#include "tests/bench/claimsim/world/tables.hpp"

namespace tideover::claimsim {
namespace {

using domain::Date;

constexpr double kRandomDenial = 0.11;

std::ofstream opened(const std::filesystem::path& file) {
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  if (!out) throw std::runtime_error(file.string() + ": cannot be written");
  return out;
}

std::string line_of(const Claim& claim, const Population& population) {
  const Provider& provider = population.providers[static_cast<std::size_t>(claim.provider)];
  const Chart& chart = population.charts[static_cast<std::size_t>(claim.chart)];
  std::string lines;
  for (const Line& line : claim.lines)
    lines += (lines.empty() ? "" : ";") + population.codes[static_cast<std::size_t>(line.code)].code + '|' +
             line.modifiers + '|' + std::to_string(1000 * line.units) + '|' + std::to_string(line.amount);
  std::string text = claim.id + ',' + domain::format_date(claim.submitted) + ',' +
                     (claim.service_stated ? domain::format_date(claim.service) : "") + ',' +
                     population.payers[static_cast<std::size_t>(claim.payer)].id + ',' + claim.billing_npi + ',' +
                     claim.servicer_npi + ',' + provider.facility + ',' + chart.id + ',' +
                     std::to_string(claim.amount) + ',' + lines + ',';
  if (claim.extras_stated)
    text += claim.diagnosis_codes + ',' + claim.place_of_service + ',' + chart.age_band + ',' + chart.sex + ',' +
            (claim.authorized ? *claim.authorized ? "true" : "false" : "") + ',' + claim.frequency;
  else
    text += ",,,,,";
  return text + '\n';
}

/// Denials without any cause that could be learned.
void make_random(const Claim& claim, Odds& odds) {
  constexpr std::array<Reason, 4> kReasons{{{"CO", "16", Family::format},
                                            {"CO", "50", Family::necessity},
                                            {"CO", "27", Family::eligibility},
                                            {"CO", "97", Family::coding}}};
  odds.claim.assign(
      1, {kRandomDenial, kReasons[static_cast<std::size_t>(days_between(claim.service, claim.submitted) & 3)]});
  for (auto& line : odds.lines) line.clear();
}

struct Counts {
  int claims = 0, lines = 0, answered = 0, partly = 0, paid_first = 0, nothing_left = 0, taken_back = 0, reworked = 0;
  std::map<std::string, std::array<int, 2>> by_class;  // claims, denied
  Scores oracle;
  Labels labels;

  void add(const Claim& claim, PayerClass payer_class, const Adjudication& result, const TruthRow& row) {
    auto& of_class = by_class[name_of(payer_class)];
    ++claims, ++of_class[0], lines += static_cast<int>(claim.lines.size());
    if (!result.answered) return;
    ++answered, of_class[1] += result.denied, partly += result.partly_denied, paid_first += result.paid_first,
        taken_back += result.taken_back;
    nothing_left += row.clean && !result.paid_first,
        reworked += result.denied && !result.paid_first && result.first_posted;
    oracle.push_back(row.p_denial), labels.push_back(result.denied);
  }
};

TruthRow truth_of(const Claim& claim, const Outlook& outlook, const Adjudication& result, Date day) {
  TruthRow row;
  row.claim_id = claim.id;
  row.p_denial = outlook.p_denial;
  if (result.answered) row.denied = result.denied;
  row.allowed = result.allowed;
  row.clean = result.answered && !result.denied && !result.partly_denied;
  row.first_posted = result.first_posted;
  row.paid_first = result.paid_first;
  row.days = outlook.days;
  row.expected_cash_90 = static_cast<std::int64_t>(outlook.expected_cash_90);
  row.cash_90 = result.cash_90;
  row.oracle_allowed = outlook.allowed;
  row.expected_if_paid = static_cast<std::int64_t>(outlook.expected_if_paid);
  row.risk = outlook.risk;
  row.date = day.plus(outlook.days_80);
  row.confidence = outlook.confidence;
  return row;
}

void print(const Request& request, const Counts& counts, std::ostream& out) {
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  int denied = 0;
  for (const auto label : counts.labels) denied += label;
  out << std::fixed << std::setprecision(4) << "world " << request.world << " seed " << request.seed
      << (request.random_labels ? " random labels" : "") << ": " << counts.claims << " claims, " << counts.lines
      << " lines\n"
      << "  denied " << share(denied, counts.answered) << ", partly denied " << share(counts.partly, counts.answered)
      << ", never answered " << share(counts.claims - counts.answered, counts.claims) << ", nothing left to pay "
      << share(counts.nothing_left, counts.answered) << ", taken back " << share(counts.taken_back, counts.answered)
      << ", denials paid later " << share(counts.reworked, denied) << '\n'
      << "  oracle: AUROC " << auroc(counts.oracle, counts.labels) << ", AUPRC " << auprc(counts.oracle, counts.labels)
      << ", ECE " << calibration_error(counts.oracle, counts.labels) << " (by chance "
      << calibration_error_by_chance(counts.oracle) << ")\n";
  for (const auto& [name, of] : counts.by_class)
    out << "  " << name << ": " << share(of[0], counts.claims) << " of claims, denied " << share(of[1], of[0]) << '\n';
}

std::unique_ptr<World> make_world(const Request& request) {
  if (request.world == 'A') return make_world_a(request.seed);
  if (request.world == 'B') return make_world_b(request.seed);
  throw std::invalid_argument("the worlds are A and B");
}

}  // namespace

void generate(const Request& request, std::ostream& summary) {
  const auto world = make_world(request);
  const Settings& settings = world->settings();
  const Population& population = world->population();
  const Calendar calendar(settings.first.plus(-10), settings.days + 800);
  const ReworkLag rework(30, 0.5);
  Encounters encounters(*world, request.claims);
  write_tables(*world, encounters, request.book);

  auto claims = opened(request.book / "claims.csv"), remits = opened(request.book / "remits.csv"),
       truth = opened(request.truth);
  claims << "claim_id,submitted,date_of_service,payer_id,billing_npi,servicer_npi,facility,chart,amount,lines,"
            "diagnosis_codes,place_of_service,patient_age_band,patient_sex,prior_authorization,claim_frequency_code\n";
  remits << "claim_id,responded,posted,status,charge,paid,patient_responsibility,adjustments,lines\n";
  truth << truth_header();

  struct Due {
    std::string claim_id;
    int chart, payer;
    Answer answer;
  };
  std::map<std::int32_t, std::vector<Due>> due;  // by day of response
  std::unordered_map<int, ChartMemory> charts;
  Counts counts;
  // Everything answered before `day` is in the book, and known where the chart is remembered.
  const auto answer_before = [&](std::int32_t day) {
    for (; !due.empty() && due.begin()->first < day; due.erase(due.begin())) {
      auto& rows = due.begin()->second;
      std::stable_sort(rows.begin(), rows.end(), [](const Due& a, const Due& b) { return a.claim_id < b.claim_id; });
      for (const auto& [claim_id, chart, payer, answer] : rows) {
        remits << answer.row;
        if (answer.eligibility_denial)
          charts[chart].eligibility_denied = answer.responded, charts[chart].eligibility_payer = payer;
        if (answer.paid) charts[chart].paid = answer.responded, charts[chart].paid_by = payer;
      }
    }
  };

  for (int day_index = 0; day_index < settings.days; ++day_index) {
    const Date day = settings.first.plus(day_index);
    answer_before(day.days());
    for (int left = encounters.claims_on(day_index); left > 0; --left) {
      const Claim claim = encounters.draw(day);
      Odds odds;
      world->odds(claim, charts[claim.chart], odds);
      if (request.random_labels) make_random(claim, odds);
      const Timing timing = timing_of(world->delay(claim), day, calendar);
      const Outlook outlook = outlook_of(*world, claim, odds, timing, rework, calendar);
      const auto result = adjudicate(*world, claim, odds, timing, rework, calendar,
                                     Random(request.seed, 4, static_cast<std::uint64_t>(counts.claims)));

      claims << line_of(claim, population);
      const TruthRow row = truth_of(claim, outlook, result, day);
      truth << line_of(row);
      for (const Answer& answer : result.answers)
        due[answer.responded.days()].push_back({claim.id, claim.chart, claim.payer, answer});
      counts.add(claim, population.payers[static_cast<std::size_t>(claim.payer)].payer_class, result, row);
    }
  }
  answer_before(settings.first.plus(settings.days + 100'000).days());
  for (auto* out : {&claims, &remits, &truth})
    if (!out->flush()) throw std::runtime_error("the book cannot be written: disk full?");
  print(request, counts, summary);
}

}  // namespace tideover::claimsim
