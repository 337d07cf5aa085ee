#include "core/usecases/learning/read_learning.hpp"

#include <set>
#include <utility>

#include "core/domain/reconciliation/answer.hpp"
#include "core/usecases/claims/payer_edition.hpp"
#include "core/usecases/learning/learned_claim.hpp"

namespace tideover::usecases {
namespace {

/// Batches per read. A batch may have thousands of entries.
constexpr std::size_t kBatches = 4;

/// Whether the answer shows what this payer pays for the services. The share after another payer does not, and neither
/// does a payment of nothing because another payer pays.
bool teaches(const domain::ClaimDetails& claim) {
  const bool is_rest = (!claim.payer_sequence.empty() && claim.payer_sequence != "primary") ||
                       claim.paid_by_others.value_or(domain::Money{}) > domain::Money{};
  return !is_rest && claim.benefits_assigned.value_or(true) && !claim.is_encounter.value_or(false) &&
         !claim.is_test.value_or(false) && !claim.pay_to_plan.value_or(false);
}

}  // namespace

domain::Status ReadLearning::behind(std::int64_t seq, const Visit& visit) {
  for (;;) {
    std::vector<domain::LearningBatch> batches;
    std::set<std::pair<std::int64_t, std::size_t>> aside;
    const auto found = store_.read([&](const ports::Records& records) {
      aside.clear();
      batches = records.learning().behind(tenant_, seq, kBatches);
      if (batches.empty()) return;
      for (const auto& entry : records.learning().set_aside(tenant_, seq, batches.back().seq))
        aside.emplace(entry.seq, entry.entry);
    });
    if (!found) return found;
    if (batches.empty()) return {};
    for (const auto& batch : batches) {
      EntryPositions wanted;
      for (std::size_t position = 0; position < batch.entries.size() + (batch.closes_day ? 1 : 0); ++position)
        if (!aside.contains({batch.seq, position})) wanted.push_back(position);
      passed_over_ = static_cast<std::int64_t>(batch.entries.size() + (batch.closes_day ? 1 : 0) - wanted.size());
      const auto observed = read(batch, wanted);
      if (!observed) return observed.error();
      const auto goes_on = visit(batch, *observed);
      if (!goes_on) return goes_on.error();
      if (!*goes_on) return {};
      seq = batch.seq;
    }
  }
}

std::optional<estimators::Event> ReadLearning::event_of(const Observation& observed) const {
  if (const auto* response = std::get_if<estimators::Response>(&observed)) return *response;
  if (const auto* closed = std::get_if<estimators::DayClosed>(&observed)) return *closed;
  const auto& recorded = std::get<RecordedReview>(observed);
  if (!teaches(recorded.claim.details)) return std::nullopt;
  auto claim = submission_of(recorded);
  complete(claim, recorded.review.basis);
  claim.stated = estimators::Stated{recorded.review.forecast, recorded.review.cash};
  return estimators::Submitted{std::move(claim), policy_of(recorded.review.basis)};
}

std::vector<estimators::Event> ReadLearning::events_of(const std::vector<Observation>& observed) const {
  std::vector<estimators::Event> events;
  events.reserve(observed.size());
  for (const auto& one : observed)
    if (auto event = event_of(one)) events.push_back(std::move(*event));
  return events;
}

estimators::Submission ReadLearning::submission_of(const RecordedReview& recorded) const {
  static const domain::Payer unknown_payer;
  const auto& review = recorded.review;
  return usecases::submission_of(tenant_, review.claim_id, recorded.claim,
                                 recorded.payer ? *recorded.payer : unknown_payer, review.created_at.utc_date(),
                                 digests_);
}

domain::Result<std::vector<Observation>> ReadLearning::read(const domain::LearningBatch& batch,
                                                            const EntryPositions& wanted) {
  std::vector<Observation> observed;
  std::int64_t missing = 0;
  const auto is_entry = [&](std::size_t position) { return position < batch.entries.size(); };
  const auto read_all = store_.read([&](const ports::Records& records) {
    start_over(observed);
    missing = 0;
    for (const auto position : wanted)
      if (is_entry(position))
        missing += take(read(records, batch.entries[position]), batch, position, observed) ? 0 : 1;
  });
  if (read_all) {
    skipped_ += missing;
  } else if (auto read_some = one_by_one(batch, wanted, observed); !read_some) {
    return read_some.error();
  }
  if (!wanted.empty() && !is_entry(wanted.back()))
    take(estimators::DayClosed{*batch.closes_day}, batch, wanted.back(), observed);
  return observed;
}

void ReadLearning::start_over(std::vector<Observation>& observed) {
  observed.clear();
  positions_.clear();
  not_usable_.clear();
  remittance_.reset();
}

bool ReadLearning::take(std::optional<Observation> one, const domain::LearningBatch& batch, std::size_t position,
                        std::vector<Observation>& observed) {
  if (!one) return false;
  const auto* response = std::get_if<estimators::Response>(&*one);
  if (const auto reason = response ? domain::not_learnable(response->remittance) : std::string_view();
      !reason.empty()) {
    const auto& named = std::get<domain::AnswerObserved>(batch.entries[position]);
    not_usable_.push_back({batch.seq, position, named.remittance.text(),
                           "claim " + std::to_string(named.position + 1) + ": " + std::string(reason)});
    return true;
  }
  observed.push_back(std::move(*one));
  positions_.push_back(position);
  return true;
}

/// An entry that cannot be read while the store works is damaged and will not become readable.
domain::Status ReadLearning::one_by_one(const domain::LearningBatch& batch, const EntryPositions& wanted,
                                        std::vector<Observation>& observed) {
  start_over(observed);
  for (const auto position : wanted) {
    if (position >= batch.entries.size()) continue;
    std::optional<Observation> one;
    const auto done = store_.read([&](const ports::Records& records) { one = read(records, batch.entries[position]); });
    if (!done) {
      one.reset();
      remittance_.reset();
      if (const auto reachable = store_.read([](const ports::Records& records) { (void)records.learning().heads(); });
          !reachable)
        return reachable;
    }
    skipped_ += take(std::move(one), batch, position, observed) ? 0 : 1;
  }
  return {};
}

std::optional<Observation> ReadLearning::read(const ports::Records& records, const domain::LearningEntry& entry) {
  return std::visit([&](const auto& named) { return read(records, named); }, entry);
}

std::optional<Observation> ReadLearning::read(const ports::Records& records, const domain::ReviewObserved& named) {
  auto review = records.reviews().find(tenant_, named.authorization);
  if (!review) return std::nullopt;
  auto draft = records.claims().draft_of(tenant_, review->claim_id, review->basis.claim_revision);
  if (!draft) return std::nullopt;
  const auto* known = payer(records, review->basis.payer_edition);
  return RecordedReview{std::move(*review), std::move(*draft), known};
}

std::optional<Observation> ReadLearning::read(const ports::Records& records, const domain::AnswerObserved& named) {
  if (!remittance_ || remittance_->id != named.remittance)
    remittance_ = records.remittances().find(tenant_, named.remittance);
  if (!remittance_) return std::nullopt;
  for (const auto& record : remittance_->claims) {
    if (record.index != named.position) continue;
    estimators::Response response;
    response.claim_id = named.claim.text();
    response.responded = remittance_->created_at.utc_date();
    if (!record.claim.paid_amount.is_zero())
      response.posted = named.posted ? named.posted : remittance_->draft.payment_date.value_or(response.responded);
    response.remittance = record.claim;
    return response;
  }
  return std::nullopt;
}

const domain::Payer* ReadLearning::payer(const ports::Records& records, const std::string& edition) {
  auto known = payers_.find(edition);
  if (known == payers_.end()) {
    const auto record = edition.empty() ? std::nullopt : records.learning().payer(edition);
    known = payers_.emplace(edition, record ? payer_of(*record) : std::nullopt).first;
  }
  return known->second ? &*known->second : nullptr;
}

}  // namespace tideover::usecases
