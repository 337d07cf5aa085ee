#include "core/usecases/read_learning.hpp"

#include "core/usecases/learned_claim.hpp"
#include "core/usecases/payer_edition.hpp"

namespace tideover::usecases {
namespace {

/// Read at once. A batch may hold thousands of entries.
constexpr std::size_t kBatches = 4;

}  // namespace

domain::Status ReadLearning::behind(std::int64_t seq, const Hear& hear) {
  for (;;) {
    std::vector<domain::LearningBatch> batches;
    const auto found = store_.read_one([&](const ports::Records& records) { batches = records.learning().behind(tenant_, seq, kBatches); });
    if (!found) return found;
    if (batches.empty()) return {};
    for (const auto& batch : batches) {
      const auto heard = read(batch);
      if (!heard) return heard.error();
      const auto goes_on = hear(batch, *heard);
      if (!goes_on) return goes_on.error();
      if (!*goes_on) return {};
      seq = batch.seq;
    }
  }
}

std::vector<estimators::Event> ReadLearning::events_of(const std::vector<Heard>& heard) const {
  std::vector<estimators::Event> events;
  events.reserve(heard.size());
  for (const auto& one : heard) {
    if (const auto* recorded = std::get_if<RecordedReview>(&one)) {
      auto claim = submission_of(*recorded);
      complete(claim, recorded->review.basis);
      claim.stated = estimators::Stated{recorded->review.forecast, recorded->review.cash};
      events.emplace_back(estimators::Submitted{std::move(claim), policy_of(recorded->review.basis)});
    }
    if (const auto* response = std::get_if<estimators::Response>(&one)) events.emplace_back(*response);
    if (const auto* closed = std::get_if<estimators::DayClosed>(&one)) events.emplace_back(*closed);
  }
  return events;
}

estimators::Submission ReadLearning::submission_of(const RecordedReview& recorded) const {
  static const domain::Payer nobody;
  const auto& review = recorded.review;
  return usecases::submission_of(tenant_, review.claim_id, recorded.claim, recorded.payer ? *recorded.payer : nobody, review.created_at.utc_date(), digests_);
}

domain::Result<std::vector<Heard>> ReadLearning::read(const domain::LearningBatch& batch) {
  std::vector<Heard> heard;
  std::int64_t missing = 0;
  const auto read_all = store_.read([&](const ports::Records& records) {
    heard.clear();
    missing = 0;
    remittance_.reset();
    for (const auto& entry : batch.entries) {
      auto one = read(records, entry);
      one ? heard.push_back(std::move(*one)) : void(++missing);
    }
  });
  if (read_all) {
    skipped_ += missing;
  } else if (auto read_some = one_by_one(batch, heard); !read_some) {
    return read_some.error();
  }
  if (batch.closes_day) heard.emplace_back(estimators::DayClosed{*batch.closes_day});
  return heard;
}

/// What cannot be read while the store can is damaged, and will be the next time as well.
domain::Status ReadLearning::one_by_one(const domain::LearningBatch& batch, std::vector<Heard>& heard) {
  heard.clear();
  remittance_.reset();
  for (const auto& entry : batch.entries) {
    std::optional<Heard> one;
    const auto done = store_.read([&](const ports::Records& records) { one = read(records, entry); });
    if (!done) {
      one.reset();
      remittance_.reset();
      if (const auto reachable = store_.read([](const ports::Records& records) { (void)records.learning().heads(); }); !reachable) return reachable;
    }
    one ? heard.push_back(std::move(*one)) : void(++skipped_);
  }
  return {};
}

std::optional<Heard> ReadLearning::read(const ports::Records& records, const domain::LearningEntry& entry) {
  return std::visit([&](const auto& named) { return read(records, named); }, entry);
}

std::optional<Heard> ReadLearning::read(const ports::Records& records, const domain::ReviewHeard& named) {
  auto review = records.reviews().find(tenant_, named.authorization);
  if (!review) return std::nullopt;
  auto draft = records.claims().draft_of(tenant_, review->claim_id, review->basis.claim_revision);
  if (!draft) return std::nullopt;
  const auto* known = payer(records, review->basis.payer_edition);
  return RecordedReview{std::move(*review), std::move(*draft), known};
}

std::optional<Heard> ReadLearning::read(const ports::Records& records, const domain::AnswerHeard& named) {
  if (!remittance_ || remittance_->id != named.remittance) remittance_ = records.remittances().find(tenant_, named.remittance);
  if (!remittance_) return std::nullopt;
  for (const auto& record : remittance_->claims) {
    if (record.index != named.position) continue;
    estimators::Response response;
    response.claim_id = named.claim.text();
    response.responded = remittance_->created_at.utc_date();
    if (!record.claim.paid_amount.is_zero()) response.posted = named.posted ? named.posted : remittance_->draft.payment_date.value_or(response.responded);
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
