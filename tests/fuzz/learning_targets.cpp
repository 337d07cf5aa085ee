// Answers of payers, from what a reader accepts to a prediction: remittance -> label -> learned state -> prediction.
// Whatever an accepted answer says, the two states that learn it stay equal, a state that learns it again from the
// beginning is the same, and predictions stay probabilities and amounts.
#include <array>
#include <cmath>

#include "core/estimators/published.hpp"
#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/target.hpp"

namespace tideover::fuzz {
namespace {

using estimators::Event;

class AnswerChoices : public Choices {
 public:
  using Choices::Choices;
  /// An accepted amount of either sign, often one of the ends.
  domain::Money amount() {
    const std::int64_t most = domain::kLargestAmount.cents();
    const std::array<std::int64_t, 10> ends{0, 1, -1, 10'000, -10'000, most, -most, most - 1, 1 - most, 12'345};
    const unsigned kind = byte();
    if (kind < 200) return domain::Money::cents(ends[kind % ends.size()]);
    std::int64_t cents = 0;
    for (int i = 0; i < 5; ++i) cents = cents * 256 + byte();
    return domain::Money::cents(cents % (most + 1) * (kind % 2 == 0 ? 1 : -1));
  }
  std::vector<domain::Adjustment> adjustments() {
    static const std::array<std::string, 8> codes{"45", "1", "3", "29", "97", "18", "253", "ZZ9"};
    static const std::array<std::string, 4> groups{"CO", "PR", "OA", "PI"};
    std::vector<domain::Adjustment> all;
    for (unsigned left = byte() % 4; left > 0; --left) all.push_back({one_of(groups), one_of(codes), amount()});
    return all;
  }
};

const domain::Date kStart = *domain::Date::from_ymd(2026, 1, 5);

estimators::Submission claim(unsigned number, domain::Date day) {
  estimators::Submission submission;
  submission.claim_id = std::to_string(number);
  submission.submitted = submission.reviewed = day;
  submission.payer_id = "P" + std::to_string(number % 2);
  submission.billing_npi = submission.servicer_npi = "1234567893";
  submission.amount = domain::Money::cents(10'000 + number);
  if (number % 3 == 0) return submission;
  for (const char* code : {"99213", "36415"}) {
    auto& line = submission.lines.emplace_back();
    line.code = code;
    line.amount = domain::Money::cents(5'000 + number);
  }
  return submission;
}

Event answer(AnswerChoices& choices, domain::Date day) {
  static const std::array<std::string, 12> statuses{"1", "2", "3", "4", "19", "20", "21", "22", "23", "25", "5", "13"};
  static const std::array<std::string, 3> codes{"99213", "36415", "99999"};
  static const std::array<std::string, 5> units{"1", "", "0.5", "9999.999", "x"};
  estimators::Response response;
  response.claim_id = std::to_string(choices.byte() % 8);
  response.responded = day;
  if (choices.byte() % 2 == 0) response.posted = day.plus(static_cast<int>(choices.byte() % 5));
  auto& paid = response.remittance;
  paid.status = choices.one_of(statuses);
  paid.charge_amount = choices.amount();
  paid.paid_amount = choices.amount();
  paid.adjustments = choices.adjustments();
  for (unsigned left = choices.byte() % 4; left > 0; --left) {
    domain::RemittanceLine line;
    line.cpt = choices.one_of(codes);
    line.units = choices.one_of(units);
    line.charge_amount = choices.amount();
    line.paid_amount = choices.amount();
    if (choices.byte() % 2 == 0) line.allowed_amount = choices.amount();
    line.adjustments = choices.adjustments();
    paid.lines.push_back(std::move(line));
  }
  return response;
}

std::vector<std::vector<Event>> batches_of(std::string_view bytes) {
  AnswerChoices choices(bytes);
  std::vector<std::vector<Event>> batches;
  domain::Date day = kStart;
  while (choices.any() && batches.size() < 6) {
    auto& batch = batches.emplace_back();
    for (unsigned number = 0; number < 8; ++number) batch.emplace_back(estimators::Submitted{claim(number, day), {}});
    for (unsigned left = 1 + choices.byte() % 6; left > 0; --left)
      batch.push_back(answer(choices, day.plus(static_cast<int>(choices.byte() % 40))));
    batch.emplace_back(estimators::DayClosed{day});
    day = day.plus(1 + static_cast<int>(choices.byte() % 40));
  }
  return batches;
}

estimators::Options small() {
  estimators::Options options;
  options.cells = options.prices = options.charts = options.look_alikes = 200;
  options.payers = 10;
  return options;
}

bool is_probability(double value) {
  return std::isfinite(value) && value >= 0 && value <= 1;
}

void answers(std::string_view bytes) {
  estimators::Published published(small());
  estimators::State alone(small());
  int batch_number = 0;
  for (const auto& batch : batches_of(bytes)) {
    must(!published.apply(batch, std::to_string(++batch_number)), "an accepted answer can be learned");
    for (const auto& event : batch) estimators::apply(alone, event);
    const auto learned = published.read()->digest(), again = alone.digest();
    must(learned.high == again.high && learned.low == again.low, "what is learned does not depend on who learns it");
    for (unsigned number = 0; number < 3; ++number) {
      const auto predicted = published.read()->predict(claim(number, kStart.plus(300)), {});
      must(is_probability(predicted.p_denial) && is_probability(predicted.confidence) &&
               is_probability(predicted.p_final_nonpayment),
           "a prediction is a probability");
      must(predicted.allowed >= domain::Money{} && predicted.expected >= domain::Money{} &&
               predicted.expected <= predicted.allowed,
           "0 <= expected <= allowed");
    }
  }
}

}  // namespace

std::vector<Target> learning_targets() {
  return {{"answers", answers, {}, 40}};
}

}  // namespace tideover::fuzz
