#include "core/estimators/state.hpp"

#include <algorithm>
#include <limits>

#include "core/domain/basics/within.hpp"
#include "core/estimators/basics/arithmetic.hpp"
#include "core/estimators/effects/strengths.hpp"

namespace tideover::estimators {
namespace {

using domain::Date;

/// Medicare pays electronic claims on the fourteenth day after receipt at the earliest (the payment floor).
constexpr int kMedicareFloorDays = 14;
int floor_days_of(PayerClass payer_class) {
  return payer_class == PayerClass::medicare ? kMedicareFloorDays : 0;
}

constexpr int kPostingReportDays = 5;  // a posting is known this many days after its date
constexpr int kMostDays = std::numeric_limits<std::int16_t>::max();
constexpr std::size_t kPairs = 500'000;
constexpr std::size_t kPiece = 16;            // overhead of one allocation, in bytes
constexpr std::size_t kShared = 16 + kPiece;  // the same for a shared one
constexpr std::size_t kDequeNode = 512;

/// No table of a state has fewer entries than this.
std::size_t at_least(std::size_t value) {
  return std::max<std::size_t>(value, 16);
}

}  // namespace

State::State(Options options)
    : options_(options),
      calendar_(std::make_shared<const BankDays>()),
      cells_(at_least(options.cells)),
      silences_(at_least(options.payers) * 2),
      recoveries_(at_least(options.payers) * 2),
      steps_(at_least(options.payers)),
      weights_(at_least(options.cells / 8)),
      prices_(at_least(options.prices)),
      shares_(at_least(options.payers) * 16),
      charts_(at_least(options.charts), at_least(options.look_alikes)),
      habits_(at_least(options.cells / 2)),
      pairs_(at_least(std::min(options.cells, kPairs))),
      tenures_(at_least(std::min(options.cells, kPairs))),
      payer_indices_(at_least(options.payers) * 2),
      open_by_claim_(at_least(options.open_claims) * 2) {
  for (std::size_t i = 0; i < class_delays_.size(); ++i) {
    class_delays_[i] = Delay(floor_days_of(static_cast<PayerClass>(i)));
    class_delays_[i].fit(*calendar_, &all_delay_);
  }
  fit_reworked();
}

std::uint32_t State::payer_index_of(const std::string& payer_id, Key key, PayerClass payer_class) {
  if (const std::uint32_t* known = payer_indices_.find(key)) return *known;
  if (payers_.size() >= options_.payers) return 0;
  Payer payer{payer_id, payer_class, Box(Delay(floor_days_of(payer_class)))};
  payer.days.payer_id = payer_id;
  payers_.push_back(std::move(payer));
  const auto index = static_cast<std::uint32_t>(payers_.size());
  payer_indices_.at(key, [](std::uint32_t) { return 0; }) = index;
  return index;
}

const Delay& State::delay_of(std::uint32_t payer_index, PayerClass payer_class) const {
  if (payer_index > 0)
    if (const Delay& own = *payers_[payer_index - 1].delay; own.is_fitted()) return own;
  return class_delays_[static_cast<std::size_t>(payer_class)];
}

State::Open* State::find_open(Key claim) {
  const std::uint64_t* sequence = open_by_claim_.find(claim);
  return sequence ? &open_[*sequence - 1 - first_open_] : nullptr;
}

State::Open State::opened(const Submission& submission, const Policy& policy, Observation* observed) {
  Open open;
  open.applied = submission.reviewed;
  const Key payer = key_of(submission.payer_id);
  const auto payer_index = payer_index_of(submission.payer_id, payer, submission.payer_class);
  if (observed && observed->assessed_) {
    open.assessed = observed->assessed_;
    open.waiting = observed->waiting_;
    return open;
  }
  const Reading reading = read(submission);
  const Prediction prediction = predict(submission, policy, reading);
  open.waiting =
      packed({reading, reading.lines.empty() ? std::vector<PricedLine>() : reading.priced.lines}, false, observed);
  auto whole = std::make_shared<Assessed>();
  whole->claim = key_of(submission.claim_id);
  whole->chart = submission.chart;
  whole->payer = payer;
  whole->billing = reading.billing;
  whole->servicer = reading.servicer;
  whole->facility = reading.facility;
  whole->payer_index = payer_index;
  whole->payer_class = submission.payer_class;
  whole->submitted = submission.submitted;
  whole->serviced = submission.serviced();
  whole->features = reading.features;
  whole->p_denial = static_cast<float>(prediction.p_denial);
  whole->raw_confidence = static_cast<float>(log_odds(prediction.p_paid_by(prediction.expected_payment_date)));
  whole->amount = submission.amount.cents();
  whole->expected_date = prediction.expected_payment_date;
  whole->chart_share = reading.chart_share;
  whole->graded = graded_of(submission, prediction);
  open.assessed = std::move(whole);
  if (observed) observed->assessed_ = open.assessed;
  return open;
}

State::Graded State::graded_of(const Submission& submission, const Prediction& prediction) {
  const auto advance_on = [](domain::Money expected) {
    return static_cast<std::int64_t>(kAdvanceShare * static_cast<double>(expected.cents()));
  };
  const auto share_of = [](int bps) { return bps / static_cast<double>(domain::kOneInBps); };
  Graded graded;
  if (const auto& stated = submission.stated) {
    const auto& forecast = stated->forecast;
    graded.p_denial = share_of(forecast.denial_probability_bps);
    graded.confidence = share_of(forecast.confidence_bps);
    graded.allowed = forecast.allowed.cents();
    graded.advance = advance_on(forecast.expected);
    graded.loss = static_cast<float>(
        share_of(expected_loss_bps(stated->cash, static_cast<int>(kAdvanceShare * domain::kOneInBps))));
    graded.payment_date = forecast.payment_date;
    graded.days = static_cast<std::int16_t>(
        domain::within(days_between(submission.submitted, forecast.payment_date), 0, kMostDays));
    graded.denial_predicted = forecast.denial_predicted;
    return graded;
  }
  graded.p_denial = static_cast<double>(static_cast<float>(prediction.p_denial));
  graded.confidence = static_cast<double>(static_cast<float>(prediction.confidence));
  graded.allowed = prediction.allowed.cents();
  graded.advance = advance_on(prediction.expected_if_paid);
  graded.loss = static_cast<float>(prediction.expected_loss(domain::Money::cents(graded.advance)));
  graded.payment_date = prediction.expected_payment_date;
  graded.days = static_cast<std::int16_t>(prediction.quantile_days(0.5));
  graded.denial_predicted = prediction.denial_predicted;
  return graded;
}

/// The day on which the confidence can be judged. Learning uses the record's own payment date, the grades use the
/// stated one.
std::int32_t State::judged_on(const Open& open) {
  const Date by = open.confidence_learned ? open.assessed->graded.payment_date : open.assessed->expected_date;
  return by.plus(kPostingReportDays).days();
}

/// A claim that is reviewed again before its answer is learned as it is now. It keeps its position in the order of
/// claims.
void State::submitted(const Submission& submission, const Policy& policy, Observation* observed) {
  const Key claim = key_of(submission.claim_id);
  if (Open* const known = find_open(claim)) {
    if (known->answered || known->matured || known->cash != 0) return;
    Open newest = opened(submission, policy, observed);
    newest.applied = known->applied;
    newest.confidence_learned = known->confidence_learned;
    const std::uint64_t sequence = *open_by_claim_.find(claim) - 1;
    // Confidence is judged once, for the newest review, if the date of the earlier one has not come yet.
    if (const auto due = due_.find(judged_on(*known)); due != due_.end() && std::erase(due->second, sequence) > 0)
      due_[judged_on(newest)].push_back(sequence);
    waiting_bytes_ += newest.waiting.bytes().size() - known->waiting.bytes().size();
    *known = std::move(newest);
    charts_.submitted(submission);
    return;
  }
  Open open = opened(submission, policy, observed);
  if (open_.size() >= options_.open_claims) drop_oldest();
  const Key servicer = open.assessed->servicer;
  const std::uint64_t sequence = first_open_ + open_.size();
  due_[judged_on(open)].push_back(sequence);
  waiting_bytes_ += open.waiting.bytes().size();
  open_.push_back(std::move(open));
  open_by_claim_.at(claim, [](std::uint64_t) { return 0; }) = sequence + 1;
  if (first_day_ == kNever) first_day_ = submission.reviewed.days();
  if (auto& tenure =
          tenures_.at(servicer, [](const Tenure& t) { return static_cast<std::uint64_t>(std::max(t.first, 0)); });
      tenure.first == kNever)
    tenure.first = submission.reviewed.days();
  charts_.submitted(submission);
  habits_.submitted(submission);
}

void State::drop_oldest() {
  Open& oldest = open_.front();
  if (!oldest.matured) mature(oldest, oldest.applied.plus(kHorizonDays));
  open_by_claim_.erase(oldest.assessed->claim);
  waiting_bytes_ -= oldest.waiting.bytes().size();
  open_.pop_front();
  ++first_open_;
  matured_until_ = std::max(matured_until_, first_open_);
}

State::Memory State::memory() const {
  Memory memory;
  memory.whole = cells_.bytes() + steps_.bytes() + silences_.bytes() + recoveries_.bytes() + weights_.bytes() +
                 prices_.bytes() + shares_.bytes() + charts_.bytes() + habits_.bytes() + pairs_.bytes() +
                 tenures_.bytes() + payer_indices_.bytes() + open_by_claim_.bytes();
  memory.shared = open_.size() * (sizeof(Assessed) + kShared + kShared) + waiting_bytes_;
  for (const auto& payer : payers_) memory.whole += sizeof(Payer) + payer.delay->bytes();
  for (const auto& [day, claims] : due_) memory.whole += claims.capacity() * sizeof(claims.front());
  constexpr std::size_t kOpenPerNode = std::max<std::size_t>(kDequeNode / sizeof(Open), 1);
  memory.whole += (open_.size() / kOpenPerNode) * (kOpenPerNode * sizeof(Open) + kDequeNode % sizeof(Open) + kPiece) +
                  matured_.capacity() * sizeof(MaturedClaim) + confidences_.capacity() * sizeof(Scored) + memory.shared;
  return memory;
}

Grades State::grades() const {
  Grades grades = grades_;
  for (const auto& payer : payers_)
    if (payer.days.paid > 0) grades.payers.push_back(payer.days);
  grades.rules = weights_.grades();
  return grades;
}

Digest::Value State::digest() const {
  Digest digest;
  cells_.put_into(digest);
  steps_.put_into(digest);
  silences_.put_into(digest);
  recoveries_.put_into(digest);
  weights_.put_into(digest);
  reasons_.put_into(digest);
  prices_.put_into(digest);
  shares_.put_into(digest);
  charts_.put_into(digest);
  habits_.put_into(digest);
  all_delay_.put_into(digest);
  for (const auto& delay : class_delays_) delay.put_into(digest);
  for (const auto& payer : payers_) payer.delay->put_into(digest);
  for (const auto& by_class : reworked_)
    for (const auto count : by_class) digest.put(count);
  for (const auto& open : open_) {
    digest.put(open.assessed->claim);
    digest.put(open.cash);
    digest.put(std::uint32_t{open.confidence_learned} << 3 | std::uint32_t{open.matured} << 2 |
               std::uint32_t{open.answered} << 1 | std::uint32_t{open.denied});
    digest.put(open.assessed->p_denial);
    digest.put(open.assessed->expected_date.days());
    digest.put(open.assessed->graded.p_denial);
    digest.put(open.assessed->graded.confidence);
    digest.put(open.assessed->graded.payment_date.days());
    digest.put(open.assessed->graded.allowed);
    digest.put(open.assessed->graded.advance);
    for (const float feature : open.assessed->features) digest.put(feature);
  }
  for (const auto& [score, came] : confidences_) {
    digest.put(score);
    digest.put(std::uint32_t{came});
  }
  for (const auto& row : matured_) {
    digest.put(std::uint32_t{row.claim != 0} << 1 | std::uint32_t{row.denied});
    for (const float feature : row.features) digest.put(feature);
  }
  digest.put(static_cast<std::uint64_t>(next_matured_));
  pairs_.each([&](Key key, const Pair& pair) {
    digest.put(key);
    digest.put(std::uint64_t{pair.responses} << 32 | pair.paid);
  });
  tenures_.each([&](Key key, const Tenure& tenure) {
    digest.put(key);
    digest.put(tenure.first);
  });
  blend_.put_into(digest);
  denial_calibration_.put_into(digest);
  confidence_calibration_.put_into(digest);
  return digest.value();
}

}  // namespace tideover::estimators
