// The product's answer to a book: every claim is predicted on its day from what was known before that day, then learned
// from. Reads the book's folder and nothing else; writes predictions in the order of claims.csv, and to stderr what it
// cost.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "core/estimators/state.hpp"
#include "tests/bench/claimsim/book.hpp"
#include "tests/bench/claimsim/book_rules.hpp"
#include "tests/bench/claimsim/processor_time.hpp"
#include "tests/bench/claimsim/world/levels.hpp"
#include "tests/bench/claimsim/world/rows.hpp"

namespace {

using namespace tideover;

using claimsim::processor_time;

/// Time of one kind of call.
struct Spent {
  double seconds = 0, longest = 0;
  long calls = 0;
  template <class Call>
  void measure(const Call& call) {
    const double from = processor_time();
    call();
    const double took = processor_time() - from;
    seconds += took;
    longest = std::max(longest, took);
    ++calls;
  }
  double each() const { return calls ? seconds / static_cast<double>(calls) : 0.0; }
  /// `idle`: what the measuring costs itself, and is taken off.
  void print(const char* what, double idle) const {
    std::fprintf(stderr, "%-10s %8ld calls, %7.2f us each, longest %8.2f ms\n", what, calls, 1e6 * (each() - idle),
                 1e3 * longest);
  }
};

/// Reading the clock of a thread is a system call.
double cost_of_measuring() {
  Spent nothing;
  for (int i = 0; i < 100'000; ++i) nothing.measure([] {});
  return nothing.each();
}

claimsim::PredictionRow row_of(const std::string& claim_id, const estimators::Prediction& prediction) {
  claimsim::PredictionRow row;
  row.claim_id = claim_id;
  row.p_denial = prediction.p_denial;
  row.denied = prediction.denial_predicted;
  row.allowed = prediction.allowed.cents();
  row.expected = prediction.expected.cents();
  row.expected_if_paid = prediction.expected_if_paid.cents();
  row.risk = prediction.expected_loss(domain::portion(prediction.expected_if_paid, 8500));
  row.date = prediction.expected_payment_date;
  row.confidence = prediction.confidence;
  for (std::size_t level = 0; level < row.days.size(); ++level)
    row.days[level] = prediction.quantile_days(claimsim::level(level));
  return row;
}

/// The coefficients and the product's own grades.
void print_explanation(const estimators::State& state, const claimsim::BookRules& rules) {
  for (int i = 0; i < estimators::kFeatures; ++i)
    std::fprintf(stderr, "  %-20s %6.3f\n", std::string(name_of(static_cast<estimators::Feature>(i))).c_str(),
                 state.blend().coefficient(static_cast<estimators::Feature>(i)));
  const auto grades = state.grades();
  std::fprintf(
      stderr,
      "own grades: denial calibration %.4f, confidence %.4f, within 1 %% %.3f, WAPE %.4f, lost per dollar %.4f\n",
      grades.denial.calibration_error(), grades.confidence.calibration_error(),
      grades.amounts.claims
          ? static_cast<double>(grades.amounts.within_one_percent) / static_cast<double>(grades.amounts.claims)
          : 0.0,
      grades.amounts.wape(), grades.advances.loss_per_dollar());
  for (const auto& [reason, times] : rules.reasons())
    std::fprintf(stderr, "  terms: %-36s %7ld claims\n", reason.c_str(), times);
  for (const auto& rule : grades.rules)
    std::fprintf(stderr, "  %-28s hits %7lld, precision %.3f, confirmed %.3f, lift %6.2f\n", rule.rule_id.c_str(),
                 static_cast<long long>(rule.hits), rule.precision(),
                 rule.hits ? static_cast<double>(rule.confirmed) / static_cast<double>(rule.hits) : 0.0, rule.lift());
}

int run(const std::string& book, const std::string& answers, bool explain) {
  const auto claims = claimsim::read_book(book);
  const auto responses = claimsim::read_responses(book);
  std::FILE* out = std::fopen(answers.c_str(), "w");
  if (!out) throw std::runtime_error(answers + ": cannot be written");
  std::fputs(claimsim::predictions_header().c_str(), out);

  claimsim::BookRules rules(TIDEOVER_SOURCE_DIR "/rules", book);
  estimators::State state;
  const estimators::Policy policy;
  Spent predicting, submitting, responding, closing;
  std::size_t claim = 0, answer = 0;
  for (domain::Date day = claims.empty() ? domain::Date{} : claims.front().submission.submitted; claim < claims.size();
       day = day.plus(1)) {
    for (; claim < claims.size() && claims[claim].submission.submitted == day; ++claim) {
      auto submission = claims[claim].submission;
      const auto history = state.history_of(submission);
      submission.fired = rules.fired(claims[claim], history);
      estimators::Prediction prediction;
      predicting.measure([&] { prediction = state.predict(submission, policy); });
      auto row = row_of(submission.claim_id, prediction);
      row.proposed_advance = rules.advance(claims[claim], state, history).cents();
      std::fputs(claimsim::line_of(row).c_str(), out);
      submitting.measure([&] { state.submitted(submission, policy); });
    }
    for (; answer < responses.size() && responses[answer].responded <= day; ++answer)
      responding.measure([&] { state.responded(responses[answer]); });
    closing.measure([&] { state.close_day(day); });
  }
  std::fclose(out);
  std::fprintf(stderr, "%-10s %8zu calls, %7.2f us each\n", "rules", claims.size(),
               claims.empty() ? 0.0 : 1e6 * rules.seconds() / static_cast<double>(claims.size()));
  const double idle = cost_of_measuring();
  predicting.print("predict", idle);
  submitting.print("submitted", idle);
  responding.print("responded", idle);
  closing.print("close_day", idle);
  std::fprintf(stderr, "measuring itself costs %.2f us, which is taken off\n", 1e6 * idle);
  const auto digest = state.digest();
  std::fprintf(stderr, "digest %016llx%016llx, %zu claims kept, %zu cells\n",
               static_cast<unsigned long long>(digest.high), static_cast<unsigned long long>(digest.low),
               state.open_claims(), state.cells());
  if (explain) print_explanation(state, rules);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::string book, predictions;
  bool explain = false;
  CLI::App app{"The product's answer to a book of claims"};
  app.add_option("--book", book, "its folder")->required();
  app.add_option("--predictions", predictions, "file to write")->required();
  app.add_flag("--explain", explain, "coefficients and the product's own grades, to stderr");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(book, predictions, explain);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "predict_book: %s\n", problem.what());
    return 1;
  }
}
