#include "core/usecases/read_learning.hpp"

#include "core/usecases/learned_claim.hpp"
#include "core/usecases/payer_edition.hpp"

namespace tideover::usecases {

using estimators::Event;

domain::Result<std::vector<Event>> ReadLearning::operator()(const domain::LearningBatch& batch) {
  std::vector<Event> events;
  std::int64_t missing = 0;
  remittance_.reset();
  const auto read_all = store_.read([&](const ports::Records& records) {
    for (const auto& entry : batch.entries) missing += read(records, entry, events) == Found::yes ? 0 : 1;
  });
  if (read_all) {
    skipped_ += missing;
  } else if (auto read_some = one_by_one(batch, events); !read_some) {
    return read_some.error();
  }
  if (batch.closes_day) events.emplace_back(estimators::DayClosed{*batch.closes_day});
  return events;
}

/// What cannot be read while the store can is damaged, and will be the next time as well.
domain::Status ReadLearning::one_by_one(const domain::LearningBatch& batch, std::vector<Event>& events) {
  events.clear();
  remittance_.reset();
  for (const auto& entry : batch.entries) {
    auto found = Found::no;
    const auto before = events.size();
    const auto done = store_.read([&](const ports::Records& records) { found = read(records, entry, events); });
    if (!done) {
      events.resize(before, Event(estimators::DayClosed{}));
      remittance_.reset();
      if (const auto reachable = store_.read([](const ports::Records& records) { (void)records.learning().heads(); }); !reachable) return reachable;
      found = Found::no;
    }
    skipped_ += found == Found::yes ? 0 : 1;
  }
  return {};
}

ReadLearning::Found ReadLearning::read(const ports::Records& records, const domain::LearningEntry& entry, std::vector<Event>& events) {
  return std::visit([&](const auto& heard) { return read(records, heard, events); }, entry);
}

ReadLearning::Found ReadLearning::read(const ports::Records& records, const domain::ReviewHeard& heard, std::vector<Event>& events) {
  const auto review = records.reviews().find(tenant_, heard.authorization);
  if (!review) return Found::no;
  const auto draft = records.claims().draft_of(tenant_, review->claim_id, review->basis.claim_revision);
  if (!draft) return Found::no;
  auto claim = submission_of(tenant_, review->claim_id, *draft, payer(records, review->basis.payer_edition), review->created_at.utc_date(), digests_);
  complete(claim, review->basis);
  events.emplace_back(estimators::Submitted{std::move(claim), policy_of(review->basis)});
  return Found::yes;
}

ReadLearning::Found ReadLearning::read(const ports::Records& records, const domain::AnswerHeard& heard, std::vector<Event>& events) {
  if (!remittance_ || remittance_->id != heard.remittance) remittance_ = records.remittances().find(tenant_, heard.remittance);
  if (!remittance_) return Found::no;
  for (const auto& record : remittance_->claims) {
    if (record.index != heard.position) continue;
    estimators::Response response;
    response.claim_id = heard.claim.text();
    response.responded = remittance_->created_at.utc_date();
    if (!record.claim.paid_amount.is_zero()) response.posted = remittance_->draft.payment_date.value_or(response.responded);
    response.remittance = record.claim;
    events.emplace_back(std::move(response));
    return Found::yes;
  }
  return Found::no;
}

const domain::Payer& ReadLearning::payer(const ports::Records& records, const std::string& edition) {
  const auto known = payers_.find(edition);
  if (known != payers_.end()) return known->second;
  const auto record = edition.empty() ? std::nullopt : records.learning().payer(edition);
  const auto payer = record ? payer_of(*record) : std::nullopt;
  return payers_.emplace(edition, payer.value_or(domain::Payer{})).first->second;
}

}  // namespace tideover::usecases
