#include "core/usecases/learning/keep_learning_journal.hpp"

#include <algorithm>
#include <limits>

#include "core/domain/reconciliation/match.hpp"

namespace tideover::usecases {
namespace {

using domain::AuthorizationId;
using domain::Date;
using domain::LearningEntry;
using domain::RemittanceId;
using domain::Timestamp;
using domain::Ulid;

constexpr std::size_t kBatches = 16;      // per read
constexpr std::size_t kRemittances = 20;  // per batch: each may have thousands of claims
constexpr int kTimeShift = 16;            // of the time in the upper half of an id

template <class Name>
Ulid ulid_of(const Name& id) {
  return domain::parse_ulid(std::string_view(id.text()).substr(id.text().find('_') + 1)).value_or(Ulid{});
}

Timestamp time_of(const Ulid& id) {
  return Timestamp::from_ms(static_cast<std::int64_t>(id.high >> kTimeShift));
}

/// The last closed day before the first one is the day before the first entry.
Date day_before(const domain::LearningBatch& batch) {
  if (batch.entries.empty()) return batch.observed_until.utc_date().plus(-1);
  const auto* review = std::get_if<domain::ReviewObserved>(&batch.entries.front());
  return time_of(review ? ulid_of(review->authorization)
                        : ulid_of(std::get<domain::AnswerObserved>(batch.entries.front()).remittance))
      .utc_date()
      .plus(-1);
}

std::vector<Ulid> reviews_of(const domain::LearningBatch& batch) {
  std::vector<Ulid> ids;
  for (const auto& entry : batch.entries)
    if (const auto* review = std::get_if<domain::ReviewObserved>(&entry)) ids.push_back(ulid_of(review->authorization));
  return ids;
}

std::vector<Ulid> answers_of(const domain::LearningBatch& batch) {
  std::vector<Ulid> ids;
  for (const auto& entry : batch.entries)
    if (const auto* answer = std::get_if<domain::AnswerObserved>(&entry)) ids.push_back(ulid_of(answer->remittance));
  return ids;
}

/// Ids with a time up to and including `until` are at most this one.
Ulid last_at(Timestamp until) {
  return {(static_cast<std::uint64_t>(std::max<std::int64_t>(until.ms(), 0)) << kTimeShift) | 0xffff,
          ~std::uint64_t{0}};
}

/// At most `most` unknown ids after `from` and up to `until`, and how far they reach.
template <class Name, class List>
std::vector<Name> unknown(const List& list, const Ulid& from, const Ulid& until, const RecentIds& known,
                          std::size_t most, bool& is_all) {
  std::vector<Name> found;
  auto after = Name::of(from);
  for (const auto last = Name::of(until);;) {
    const auto page = list(after, last, most);
    for (const auto& id : page)
      if (!known.contains(ulid_of(id))) found.push_back(id);
    if (page.size() < most) return found;
    after = page.back();
    if (found.size() < most) continue;
    is_all = false;
    return found;
  }
}

/// The claim that a part of a remittance answers, as it is now. The control number alone is not enough: payer, charge
/// and service date must agree. nullopt when it belongs to another claim or repeats an earlier answer.
std::optional<domain::ClaimId> answered_claim(const ports::Records& records, const domain::TenantId& tenant,
                                              const domain::RemittanceDraft& remittance,
                                              const domain::RemittanceClaimRecord& record) {
  if (record.state == domain::RemittanceClaimRecord::State::duplicate) return std::nullopt;
  const auto& paid = record.claim;
  auto stored = records.claims().find(tenant, paid.claim_identifier);
  if (!stored && !paid.payer_claim_number.empty()) stored = records.claims().find(tenant, paid.payer_claim_number);
  if (!stored || !domain::differences_of_decision(remittance, paid, stored->claim.draft).empty()) return std::nullopt;
  return stored->claim.id;
}

/// The bank's date of the remittance's money, when the money came before the remittance. Otherwise only the
/// remittance's payment date is known.
std::optional<Date> posted_day(const ports::Records& records, const domain::TenantId& tenant,
                               const domain::Remittance& remittance) {
  const auto deposit = remittance.deposit ? records.deposits().find(tenant, *remittance.deposit) : std::nullopt;
  if (!deposit || deposit->created_at > remittance.created_at) return std::nullopt;
  return deposit->effective_date.value_or(deposit->received_date);
}

}  // namespace

domain::Result<std::int64_t> KeepLearningJournal::operator()(const std::function<bool()>& stop) {
  const auto heads = fetch_one(store_, [](const ports::Records& records) { return records.learning().heads(); });
  if (!heads) return heads.error();
  std::int64_t written = 0;
  for (const auto& head : *heads) {
    auto known = known_.find(head.tenant);
    if (known == known_.end() || known->second.seq != head.seq) {
      auto recalled = recall(head.tenant);
      if (!recalled) return recalled.error();
      known = known_.insert_or_assign(head.tenant, std::move(*recalled)).first;
    }
    known->second.observed_to.reset();
    for (bool more = true; more && !stop();) {
      const auto step = write_next(head.tenant, known->second);
      if (!step) {
        known_.erase(known);
        if (step.error().code != domain::ErrorCode::conflict) return step.error();
        break;  // another node was first
      }
      count_memory();
      more = step->may_be_more;
      written += step->wrote ? 1 : 0;
    }
  }
  return written;
}

void KeepLearningJournal::count_memory() {
  std::size_t ids = 0;
  for (const auto& [tenant, known] : known_) ids += known.reviews.size() + known.remittances.size();
  memory_bytes_ = ids * sizeof(Ulid);
}

domain::Result<KeepLearningJournal::Known> KeepLearningJournal::recall(const domain::TenantId& tenant) const {
  Known known;
  bool is_first = true, has_closed = false, more = true;
  Timestamp from;
  for (std::int64_t before = std::numeric_limits<std::int64_t>::max(); more;) {
    const auto batches = fetch_one(
        store_, [&](const ports::Records& records) { return records.learning().before(tenant, before, kBatches); });
    if (!batches) return batches.error();
    more = batches->size() == kBatches;
    for (const auto& batch : *batches) {
      before = batch.seq;
      if (is_first) {
        known.seq = batch.seq;
        known.observed_until = batch.observed_until;
        from = batch.observed_until.plus_ms(-options_.look_back_at_start.count());
      }
      is_first = false;
      // Every entry of a batch is older than its `observed_until`, so earlier batches have nothing of the look-back.
      if (batch.observed_until < from && has_closed) {
        more = false;
        break;
      }
      if (!has_closed) known.closed_day = batch.closes_day.value_or(day_before(batch));
      has_closed = has_closed || batch.closes_day;
      known.reviews.insert(reviews_of(batch));
      known.remittances.insert(answers_of(batch));
    }
  }
  return known;
}

KeepLearningJournal::Observation KeepLearningJournal::find_new(const ports::Records& records,
                                                               const domain::TenantId& tenant,
                                                               const Known& known) const {
  const auto now = clock_.now();
  Observation observed;
  observed.until = std::max(now.plus_ms(-options_.settle.count()), known.observed_until);
  const bool is_first = known.looked_back_at == Timestamp{};
  observed.looks_back = known.observed_to
                            ? known.looks_back
                            : is_first || known.looked_back_at.plus_ms(options_.look_back_every.count()) <= now;
  const auto look_back = is_first              ? options_.look_back_at_start
                         : observed.looks_back ? options_.look_back
                                               : options_.look_back / 10;
  const auto begin = known.seq == 0 && known.observed_until == Timestamp{}
                         ? Ulid{}
                         : last_at(known.observed_until.plus_ms(-look_back.count()));
  const auto from = known.observed_to.value_or(begin);
  observed.to = from;
  observed.reviews =
      unknown<AuthorizationId>([&](const auto& after, const auto& last,
                                   std::size_t most) { return records.reviews().observed(tenant, after, last, most); },
                               from, last_at(observed.until), known.reviews, options_.entries, observed.is_all);
  const bool all_reviews = observed.is_all;
  bool all_remittances = true;
  observed.remittances =
      unknown<RemittanceId>([&](const auto& after, const auto& last,
                                std::size_t most) { return records.remittances().observed(tenant, after, last, most); },
                            from, last_at(observed.until), known.remittances, kRemittances, all_remittances);
  // When one list was cut, entries of the other list after its end have to wait.
  observed.last = last_at(observed.until);
  if (!all_reviews) observed.last = std::min(observed.last, ulid_of(observed.reviews.back()));
  if (!all_remittances) observed.last = std::min(observed.last, ulid_of(observed.remittances.back()));
  observed.until = std::min(observed.until, time_of(observed.last));
  observed.is_all = all_reviews && all_remittances;
  if (observed.is_all && observed.looks_back) observed.looked_back_at = now;
  return observed;
}

/// Resolves the claims of the answers, and when their money was posted, once, here.
void KeepLearningJournal::add_answers(const ports::Records& records, const domain::TenantId& tenant,
                                      const RemittanceId& id, std::vector<LearningEntry>& entries) const {
  const auto remittance = records.remittances().find(tenant, id);
  if (!remittance) return;
  const auto posted = posted_day(records, tenant, *remittance);
  for (const auto& record : remittance->claims)
    if (const auto claim = answered_claim(records, tenant, remittance->draft, record))
      entries.emplace_back(domain::AnswerObserved{id, record.index, *claim, posted});
}

// Ids have the real time. The day that a batch closes is stored: a later move of the clock does not change it.
Date KeepLearningJournal::day_of(const domain::TenantId& tenant, Timestamp real) const {
  return real.plus_ms(clock_.shift_of(tenant)).utc_date();
}

/// A batch has entries of one day of the tenant, and a day is closed before the next one begins.
domain::Result<KeepLearningJournal::Step> KeepLearningJournal::write_next(const domain::TenantId& tenant,
                                                                          Known& known) {
  Observation observed;
  domain::LearningBatch batch;
  bool is_cut = false;
  std::vector<Ulid> answers;  // of this batch, including those about unknown claims
  const auto read = store_.read([&](const ports::Records& records) {
    batch = {};
    is_cut = false;
    answers.clear();
    observed = find_new(records, tenant, known);
    std::vector<std::pair<Ulid, LearningEntry>> found;
    for (const auto& id : observed.reviews) found.emplace_back(ulid_of(id), domain::ReviewObserved{id});
    for (const auto& id : observed.remittances) found.emplace_back(ulid_of(id), domain::AnswerObserved{id, 0, {}});
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::erase_if(found, [&](const auto& one) { return one.first > observed.last; });
    const auto first_day = day_of(tenant, found.empty() ? observed.until : time_of(found.front().first));
    const Date before = first_day.plus(-1);
    if (known.seq > 0 && known.closed_day < before) {
      batch.closes_day = before;
      batch.observed_until = known.observed_until;
      return;
    }
    batch.observed_until = observed.until;
    Timestamp reached;
    observed.to = std::max(observed.to, observed.last);
    Ulid filed = known.observed_to.value_or(Ulid{});
    for (const auto& [ulid, entry] : found) {
      if (day_of(tenant, time_of(ulid)) > first_day || batch.entries.size() >= options_.entries) {
        is_cut = true;
        batch.observed_until = reached;
        observed.to = filed;
        break;
      }
      reached = time_of(ulid);
      filed = ulid;
      if (const auto* answer = std::get_if<domain::AnswerObserved>(&entry)) {
        add_answers(records, tenant, answer->remittance, batch.entries);
        answers.push_back(ulid);
      } else {
        batch.entries.push_back(entry);
      }
    }
  });
  if (!read) return read.error();
  batch.observed_until = std::max(batch.observed_until, known.observed_until);
  const auto remember = [&] {
    known.remittances.insert(answers);
    known.looked_back_at = observed.looked_back_at.value_or(known.looked_back_at);
    known.looks_back = observed.looks_back;
    known.observed_to = observed.to;
    known.observed_until = batch.observed_until;
    const auto looks_back = known.looked_back_at == Timestamp{} ? options_.look_back_at_start : options_.look_back;
    const auto last = std::min(last_at(known.observed_until.plus_ms(-looks_back.count())),
                               observed.to);  // a round that was cut continues from there
    for (auto* ids : {&known.reviews, &known.remittances}) ids->forget(last);
  };
  if (batch.entries.empty() && !batch.closes_day) {
    remember();
    return Step{false, is_cut || !observed.is_all};
  }
  if (batch.closes_day && learner_.seq_of(tenant) == known.seq)
    if (const auto model = learner_.model(tenant)) batch.state_digest = digest_text(model->state());
  batch.made_at = clock_.now();
  const bool closes = batch.closes_day.has_value();
  if (auto written = write(tenant, known, batch); !written) return written.error();
  remember();
  const bool lacks_close = known.closed_day < day_of(tenant, observed.until).plus(-1);
  return Step{true, closes || lacks_close || is_cut || !observed.is_all};
}

domain::Status KeepLearningJournal::write(const domain::TenantId& tenant, Known& known, domain::LearningBatch& batch) {
  batch.seq = known.seq + 1;
  const auto written = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        records.learning().append(tenant, batch);
        return {};
      },
      ports::Priority::background);
  if (!written) return written;
  known.seq = batch.seq;
  if (batch.closes_day) known.closed_day = *batch.closes_day;
  if (batch.seq == 1) known.closed_day = day_before(batch);
  known.reviews.insert(reviews_of(batch));
  return {};
}

}  // namespace tideover::usecases
