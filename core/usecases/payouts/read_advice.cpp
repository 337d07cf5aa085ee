#include "core/usecases/payouts/read_advice.hpp"

#include <map>

#include "core/domain/funding/recourse.hpp"

namespace tideover::usecases {
namespace {

using domain::AdviceKind;
using domain::AdviceLine;
using domain::Error;
using domain::ErrorCode;
using domain::Money;
using domain::Payable;

constexpr std::size_t kPayablesPerPage = 1000;
constexpr std::size_t kLinesPerPage = 2000;

/// A payout whose payables are lines of the advice. Without a payer: the payout itself. With one: an earlier payout
/// that was not sent, the share of this payer.
struct Source {
  domain::TransferId payout;
  std::optional<std::string> payer{};
  Money share;
};

struct Page {
  std::vector<AdviceLine> lines{};
  std::vector<Source> unsent{};  // earlier payouts that this one pays
  Money sum{};
  std::string last{};  // transaction and position of the last payable
  int last_position = -1;
  bool has_more = false;
};

/// Turns payables into lines. Keeps the last remittance: neighbours usually come from the same one.
class Explainer {
 public:
  Explainer(const ports::Records& records, const domain::TenantId& tenant) : records_(records), tenant_(tenant) {}

  void explain(const Payable& payable, std::vector<AdviceLine>& lines) {
    const auto before = lines.size();
    if (payable.cause_kind == "reconciliation" && payable.settlement)
      explain_records(payable, lines);
    else if (payable.cause_kind == "provider_adjustments")
      explain_rows(payable, lines);
    if (lines.size() == before) lines.push_back(line_of(payable));
    for (auto at = before; at < lines.size(); ++at) {
      lines[at].payer_id = payable.payer_id;
      if (lines[at].effective == domain::Date{}) lines[at].effective = day_of(payable);
    }
  }

 private:
  static domain::Date day_of(const Payable& payable) { return payable.effective.value_or(payable.at.utc_date()); }

  void explain_records(const Payable& payable, std::vector<AdviceLine>& lines) {
    const auto stored = records_.settlements().find(tenant_, *payable.settlement);
    if (!stored) return;
    for (const auto& record :
         records_paid_with(records_.reconciliations().of(tenant_, *payable.settlement), payable.cause_id)) {
      auto line = advice_of(record, stored->settlement.claim_identifier, decided_by(record));
      if (record.id.text() != payable.cause_id) line.effective = record.posted_at.utc_date();
      lines.push_back(std::move(line));
    }
  }

  void explain_rows(const Payable& payable, std::vector<AdviceLine>& lines) {
    const auto* remittance = remittance_of(domain::RemittanceId::trusted(payable.cause_id));
    if (!remittance) return;
    const auto rows = rows_paid_with(rows_, payable);
    if (!rows) return;
    for (const auto& row : *rows) lines.push_back(advice_of(row, *remittance));
  }

  /// A payable that has no parts.
  AdviceLine line_of(const Payable& payable) {
    AdviceLine line;
    line.adjustment = payable.amount;
    line.settlement = payable.settlement;
    line.reference = payable.cause_id;
    if (payable.cause_kind == "payout" || payable.cause_kind == "payout_return")
      line.kind = AdviceKind::settlement_payout;
    if (payable.cause_kind == domain::kPracticePayoutReturn) line.kind = AdviceKind::returned_payout;
    if (payable.cause_kind == domain::kCarriedForward) line.kind = AdviceKind::carried_forward;
    if (payable.cause_kind == domain::kRecourse) line.kind = AdviceKind::recourse;
    if (payable.settlement)
      if (const auto stored = records_.settlements().find(tenant_, *payable.settlement))
        line.claim_identifier = stored->settlement.claim_identifier;
    return line;
  }

  const domain::RemittanceClaim* decided_by(const domain::ReconciliationRecord& record) {
    const auto* remittance = record.remittance ? remittance_of(*record.remittance) : nullptr;
    if (!remittance) return nullptr;
    const auto found = claim_of_record_.find(record.id.text());
    if (found == claim_of_record_.end() || found->second >= remittance->claims.size()) return nullptr;
    return &remittance->claims[found->second].claim;
  }

  const domain::Remittance* remittance_of(const domain::RemittanceId& id) {
    if (!remittance_ || remittance_->id != id) {
      remittance_ = records_.remittances().find(tenant_, id);
      rows_ = records_.allocations().of(tenant_, id);
      claim_of_record_.clear();
      // By the rows: they never change, while a claim forgets its record when it is undone.
      for (const auto& row : rows_)
        if (row.line == domain::AllocationLine::claim && row.record)
          claim_of_record_.emplace(row.record->text(), static_cast<std::size_t>(row.index));
    }
    return remittance_ ? &*remittance_ : nullptr;
  }

  const ports::Records& records_;
  const domain::TenantId& tenant_;
  std::optional<domain::Remittance> remittance_;
  std::vector<domain::AllocationRow> rows_;  // of the remittance
  std::map<std::string, std::size_t> claim_of_record_;
};

Page page_of(const ports::Records& records, const domain::TenantId& tenant, const Source& source, const Page& before) {
  Page page;
  const auto payables =
      records.payees().covered(tenant, source.payout, before.last, before.last_position, kPayablesPerPage);
  page.has_more = payables.size() == kPayablesPerPage;
  Explainer explainer(records, tenant);
  for (const auto& payable : payables) {
    if (page.lines.size() >= kLinesPerPage) {
      page.has_more = true;
      break;
    }
    page.last = payable.transaction;
    page.last_position = payable.position;
    if (source.payer && payable.payer_id != *source.payer) continue;
    page.sum += payable.amount;
    // A payout that the rail refused had no advice: its lines are lines of this one.
    if (payable.cause_kind == domain::kPracticePayout)
      page.unsent.push_back({domain::TransferId::trusted(payable.cause_id), payable.payer_id, payable.amount});
    else
      explainer.explain(payable, page.lines);
  }
  return page;
}

/// The part of the payables that the payout did not pay.
AdviceLine carried_line(const Source& source, Money carried, domain::Date day) {
  AdviceLine line;
  line.kind = AdviceKind::carried_forward;
  line.payer_id = source.payer.value_or("");
  line.reference = source.payout.text();
  line.adjustment = carried;
  line.effective = day;
  return line;
}

Error too_many_lines() {
  return Error::of(ErrorCode::invalid_state, "The advice of this payout has more than " +
                                                 std::to_string(ReadAdvice::kMostLines) +
                                                 " lines. Read GET /v1/payouts/{transfer_id} page by page.");
}

}  // namespace

domain::Result<domain::DisbursementAttempt> ReadAdvice::payout(const domain::TenantId& tenant,
                                                               const std::string& id) const {
  const auto missing = Error::of(ErrorCode::not_found, "Payout not found.");
  const auto parsed = domain::TransferId::parse(id);
  if (!parsed) return missing;
  auto payout = fetch(store_, missing, [&](const ports::Records& records) {
    return records.settlements().practice_payout(tenant, *parsed);
  });
  if (!payout) return payout;
  if (payout->state == domain::AttemptState::rejected)
    return Error::of(ErrorCode::invalid_state,
                     "The rail refused this payout, so it has no advice. The advice of the payout that pays its amount "
                     "has its lines.");
  if (!is_paid(payout->state) && !is_undone(payout->state))
    return Error::of(ErrorCode::invalid_state,
                     "The rail has not taken this payout yet. Read its advice when its status is submitted or "
                     "settled.");
  return payout;
}

domain::Status ReadAdvice::lines(const domain::TenantId& tenant, const domain::DisbursementAttempt& payout,
                                 const Visit& visit) const {
  std::size_t visited = 0;
  std::vector<Source> sources{{payout.id, std::nullopt, payout.amount}};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Source source = sources[i];
    Money sum;
    Page page;
    do {
      auto next = fetch(store_, [&](const ports::Records& records) { return page_of(records, tenant, source, page); });
      if (!next) return next.error();
      page = std::move(*next);
      sum += page.sum;
      sources.insert(sources.end(), page.unsent.begin(), page.unsent.end());
      visited += page.lines.size();
      if (visited > kMostLines || sources.size() > kMostLines) return too_many_lines();
      for (const auto& line : page.lines) visit(line);
    } while (page.has_more);
    if (sum != source.share) visit(carried_line(source, source.share - sum, payout.effective_date));
  }
  return {};
}

}  // namespace tideover::usecases
