#include "core/usecases/matching/open_posting.hpp"

#include <algorithm>

#include "core/domain/claims/claim_number.hpp"

namespace tideover::usecases {
namespace {

using domain::AllocationLine;
using domain::PostingPhase;
using domain::Remittance;
using domain::RemittanceClaimRecord;
using State = RemittanceClaimRecord::State;

/// Takebacks, and the claims with their numbers: payments of a remittance cover its takebacks of the same advance.
std::set<std::size_t> claims_with_takebacks(const Remittance& remittance, const ClaimNumbers& numbers) {
  std::set<std::size_t> positions;
  const auto add = [&](const auto& index, const std::string& number) {
    if (const auto found = index.find(number); !number.empty() && found != index.end())
      positions.insert(found->second.begin(), found->second.end());
  };
  for (std::size_t i = 0; i < remittance.claims.size(); ++i) {
    const auto& claim = remittance.claims[i].claim;
    if (claim.paid_amount >= domain::Money{}) continue;
    positions.insert(i);
    add(numbers.by_number, claim.claim_identifier);
    add(numbers.by_number, domain::normal_number(claim.claim_identifier));
    add(numbers.by_payers_number, domain::normal_number(claim.payer_claim_number));
  }
  return positions;
}

bool is_of_claim(const domain::AllocationRow& row) {
  return row.line == AllocationLine::claim || row.line == AllocationLine::shortfall;
}

}  // namespace

void AnsweredAdvances::count(int claim, const domain::Settlement& settlement, domain::Money amount) {
  if (!counted.insert(claim).second) return;
  const auto& terms = settlement.terms;
  if ((paid[settlement.id] += amount) >= terms.advance_amount + terms.fee_estimate) full.insert(settlement.id);
}

AnsweredAdvances answered_before(const ports::Records& records, const domain::TenantId& tenant,
                                 const Remittance& remittance) {
  AnsweredAdvances answered;
  for (const auto& record : remittance.claims) {
    if (!record.settlement || (record.state != State::waiting && record.state != State::posted)) continue;
    if (const auto stored = records.settlements().find(tenant, *record.settlement))
      answered.count(record.index, stored->settlement, record.claim.paid_amount);
  }
  return answered;
}

OpenPosting::OpenPosting(domain::RemittancePosting posting, Remittance remittance,
                         std::vector<domain::AllocationRow> rows, NamesOfPayee names, AnsweredAdvances answered)
    : posting_(std::move(posting)),
      whole_(std::move(remittance)),
      rows_(std::move(rows)),
      numbers_(numbers_of(whole_)),
      first_(claims_with_takebacks(whole_, *numbers_)),
      totals_(totals_of(whole_)),
      allocated_(sum_of(rows_)),
      next_number_(domain::next_number(rows_)),
      names_(std::move(names)),
      answered_(std::move(answered)) {}

std::vector<domain::AllocationRow> OpenPosting::rows_of(const std::vector<std::size_t>& positions) const {
  std::vector<domain::AllocationRow> found;
  for (const auto& row : rows_)
    if (!is_of_claim(row) ||
        std::binary_search(positions.begin(), positions.end(), static_cast<std::size_t>(row.index)))
      found.push_back(row);
  return found;
}

domain::ClaimTotals OpenPosting::totals_with(const std::vector<RemittanceClaimRecord>& changed) const {
  auto totals = totals_;
  for (const auto& record : changed) {
    const auto& before = whole_.claims[static_cast<std::size_t>(record.index)];
    totals.add(before.state, -1, domain::Money{} - record.claim.paid_amount);
    totals.add(record.state, 1, record.claim.paid_amount);
  }
  return totals;
}

Remittance OpenPosting::header() const {
  Remittance header;
  header.id = whole_.id;
  auto& draft = header.draft;
  draft.payer_id = whole_.draft.payer_id;
  draft.payer_name = whole_.draft.payer_name;
  draft.trace_number = whole_.draft.trace_number;
  draft.originator_id = whole_.draft.originator_id;
  draft.payment_date = whole_.draft.payment_date;
  draft.payment_amount = whole_.draft.payment_amount;
  draft.payment_method = whole_.draft.payment_method;
  draft.provider_adjustments = whole_.draft.provider_adjustments;
  draft.payee_npi = whole_.draft.payee_npi;
  draft.claims_total = totals_.paid;
  header.deposit = whole_.deposit;
  header.carried = whole_.carried;
  header.paid_to_provider = whole_.paid_to_provider;
  header.withheld = whole_.withheld;
  header.created_at = whole_.created_at;
  return header;
}

bool OpenPosting::is_open(std::size_t position) const {
  const auto& record = whole_.claims[position];
  switch (posting_.phase) {
    case PostingPhase::takebacks:
      return first_.contains(position) && (record.state == State::waiting || record.state == State::unmatched);
    case PostingPhase::claims:
      return !first_.contains(position) && (record.state == State::waiting || record.state == State::unmatched);
    case PostingPhase::rest:
      return record.state == State::waiting && record.claim.paid_amount >= domain::Money{};
  }
  return false;
}

std::vector<std::size_t> OpenPosting::next_chunk(std::size_t most) {
  for (;;) {
    // A takeback may hold the whole remittance, so all of them are decided at once.
    const bool is_first = posting_.phase == PostingPhase::takebacks;
    std::vector<std::size_t> positions;
    for (auto i = static_cast<std::size_t>(posting_.next);
         i < whole_.claims.size() && (is_first || positions.size() < most); ++i)
      if (is_open(i)) positions.push_back(i);
    const bool has_lines = is_first && posting_.next == 0 && !whole_.draft.provider_adjustments.empty();
    if (!positions.empty() || has_lines || posting_.phase == PostingPhase::rest) return positions;
    posting_.phase = is_first ? PostingPhase::claims : PostingPhase::rest;
    posting_.next = 0;
  }
}

domain::RemittancePosting OpenPosting::moved_past(const std::vector<std::size_t>& positions,
                                                  domain::Timestamp now) const {
  auto moved = posting_;
  ++moved.revision;
  moved.moved_at = now;
  if (moved.phase == PostingPhase::takebacks) {
    moved.phase = PostingPhase::claims;
    moved.next = 0;
  } else {
    moved.next = static_cast<int>(positions.back()) + 1;
  }
  return moved;
}

void OpenPosting::take(const PostedChunk& chunk, const domain::RemittancePosting& moved) {
  totals_ = totals_with(chunk.part.claims);
  for (const auto& record : chunk.part.claims) {
    auto& known = whole_.claims[static_cast<std::size_t>(record.index)];
    known.state = record.state;
    known.settlement = record.settlement;
    known.record = record.record;
  }
  whole_.carried = chunk.part.carried;
  whole_.paid_to_provider = chunk.part.paid_to_provider;
  allocated_ += chunk.sum;
  next_number_ += chunk.rows;
  answered_ = chunk.answered;
  posting_ = moved;
}

}  // namespace tideover::usecases
