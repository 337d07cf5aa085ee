#include "core/store/records/reconciliation/recourse_store.hpp"

#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/fee_steps.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/record_text.hpp"
#include "core/store/records/rows/tenant_time.hpp"

namespace tideover::store {
namespace {

using domain::Money;

#define RECOURSE_COLUMNS                                                                                       \
  "id, kind, event, settlement_id, record_id, remittance_id, allocation_number, payer_id, payee_npi, cents, "  \
  "usual_future_cents, usual_reserve_cents, usual_funder_cents, advance_cents, paid_out_cents, owed_cents, "   \
  "carried_cents, in_reserve_cents, days, future_cents, reserve_cents, funder_cents, reasons, problem, "       \
  "moved_future_cents, moved_reserve_cents, moved_funder_cents, held_cents, relief_cents, rule_id, rule_rev, " \
  "rules_version, rules_sha256, undoes, release_on, posted_at"

std::string recourse_reasons_column(const std::vector<std::string>& reasons) {
  RecordWriter out;
  for (const auto& reason : reasons) out.text(reason).end_record();
  return out.take();
}

std::vector<std::string> recourse_reasons_of(const std::string& column) {
  std::vector<std::string> reasons;
  for (RecordReader in(column); in.next();) reasons.push_back(in.text());
  return reasons;
}

domain::RecourseSplit read_split(ColumnReader& in) {
  domain::RecourseSplit split;
  split.future_residuals = in.money();
  split.reserve = in.money();
  split.funder = in.money();
  return split;
}

domain::RecourseEntry read_recourse(ColumnReader& in) {
  domain::RecourseEntry entry;
  entry.id = in.id<domain::LedgerTransactionId>();
  entry.kind = in.named(domain::recourse_kind_named);
  entry.facts.event = in.named(domain::recourse_event_named);
  entry.settlement = in.optional_id<domain::SettlementId>();
  entry.record = in.optional_id<domain::ReconciliationId>();
  entry.remittance = in.optional_id<domain::RemittanceId>();
  entry.row = in.number();
  entry.facts.payer_id = in.text();
  entry.facts.payee_npi = in.text();
  entry.facts.amount = in.money();
  entry.facts.usual = read_split(in);
  entry.facts.advance = in.money();
  entry.facts.paid_out = in.money();
  entry.facts.owed = in.money();
  entry.facts.carried = in.money();
  entry.facts.reserve = in.money();
  if (const auto days = in.optional_integer()) entry.facts.days_since_funding = static_cast<int>(*days);
  entry.decision.split = read_split(in);
  entry.decision.reasons = recourse_reasons_of(in.text());
  entry.decision.problem = in.text();
  entry.moved = read_split(in);
  entry.held = in.money();
  entry.relief = in.money();
  entry.rule_id = in.text();
  entry.rule_rev = in.number();
  entry.rules.version = in.text();
  entry.rules.sha256 = in.text();
  entry.undoes = in.optional_id<domain::LedgerTransactionId>();
  entry.release_on = in.optional_date();
  entry.posted_at = in.timestamp();
  return entry;
}

domain::RecourseEntry read_own_recourse(const sql::Row& row) {
  ColumnReader in(row);
  return read_recourse(in);
}

}  // namespace

void RecourseStore::append(const domain::TenantId& tenant, const domain::RecourseEntry& entry) {
  const auto& facts = entry.facts;
  const auto& split = entry.decision.split;
  const auto days_known =
      facts.days_since_funding ? std::optional<std::int64_t>(*facts.days_since_funding) : std::nullopt;
  insert_row<"recourse_entries", "tenant, " RECOURSE_COLUMNS>(
      session_, tenant.text(), entry.id.text(), domain::name_of(entry.kind), domain::name_of(facts.event),
      text(entry.settlement), text(entry.record), text(entry.remittance), entry.row, facts.payer_id, facts.payee_npi,
      facts.amount.cents(), facts.usual.future_residuals.cents(), facts.usual.reserve.cents(),
      facts.usual.funder.cents(), facts.advance.cents(), facts.paid_out.cents(), facts.owed.cents(),
      facts.carried.cents(), facts.reserve.cents(), days_known, split.future_residuals.cents(), split.reserve.cents(),
      split.funder.cents(), recourse_reasons_column(entry.decision.reasons), entry.decision.problem,
      entry.moved.future_residuals.cents(), entry.moved.reserve.cents(), entry.moved.funder.cents(), entry.held.cents(),
      entry.relief.cents(), entry.rule_id, entry.rule_rev, entry.rules.version, entry.rules.sha256, text(entry.undoes),
      days(entry.release_on), entry.posted_at.ms());
}

std::vector<domain::RecourseEntry> RecourseStore::of(const domain::TenantId& tenant,
                                                     const domain::SettlementId& settlement) const {
  return all(session_, read_own_recourse,
             "SELECT " RECOURSE_COLUMNS " FROM recourse_entries WHERE tenant = ? AND settlement_id = ? ORDER BY +id",
             tenant.text(), settlement.text());
}

std::vector<domain::RecourseEntry> RecourseStore::of_remittance(const domain::TenantId& tenant,
                                                                const domain::RemittanceId& remittance) const {
  return all(session_, read_own_recourse,
             "SELECT " RECOURSE_COLUMNS " FROM recourse_entries WHERE tenant = ? AND remittance_id = ? ORDER BY +id",
             tenant.text(), remittance.text());
}

Money RecourseStore::held_of(const domain::TenantId& tenant, const domain::SettlementId& settlement) const {
  return session_
      .first([](const sql::Row& row) { return ColumnReader(row).money(); },
             "SELECT COALESCE(SUM(held_cents), 0) FROM recourse_entries WHERE tenant = ? AND settlement_id = ?",
             tenant.text(), settlement.text())
      .value_or(Money{});
}

Money RecourseStore::not_due_of(const domain::TenantId& tenant, const domain::SettlementId& settlement) const {
  return session_
      .first([](const sql::Row& row) { return ColumnReader(row).money(); },
             "SELECT COALESCE(SUM(held_cents - relief_cents), 0) FROM recourse_entries WHERE tenant = ? AND "
             "settlement_id = ?",
             tenant.text(), settlement.text())
      .value_or(Money{});
}

ports::PracticeBalance RecourseStore::practice(const domain::TenantId& tenant, std::string_view payee_npi) const {
  const auto sum_of = [&](std::string_view measure) {
    return session_
        .first([](const sql::Row& row) { return ColumnReader(row).money(); },
               "SELECT cents FROM portfolio WHERE tenant = ? AND measure = ? AND subject = ?", tenant.text(), measure,
               payee_npi)
        .value_or(Money{});
  };
  return {sum_of("owed"), sum_of("carried"), sum_of("reserve")};
}

std::vector<domain::RecourseEntry> RecourseStore::between(const domain::TenantId& tenant, domain::Timestamp from,
                                                          domain::Timestamp until, std::string_view after,
                                                          std::size_t limit) const {
  return all(session_, read_own_recourse,
             "SELECT " RECOURSE_COLUMNS
             " FROM recourse_entries WHERE tenant = ? AND id > ? AND posted_at >= ? AND posted_at < ? ORDER BY id "
             "LIMIT ?",
             tenant.text(), after, from.ms(), until.ms(), rows(limit));
}

std::vector<ports::CollectedFee> RecourseStore::fees_between(const domain::TenantId& tenant, domain::Timestamp from,
                                                             domain::Timestamp until, std::string_view after,
                                                             std::size_t limit) const {
  const auto read = [](const sql::Row& row) {
    ColumnReader in(row);
    ports::CollectedFee fee{in.id<domain::SettlementId>(), in.number(), in.text(), in.money()};
    fee.terms.advance_bps = in.number();
    fee.terms.advance_amount = in.money();
    fee.terms.fee_bps = in.number();
    fee.terms.fee_estimate = in.money();
    fee.terms.fee_steps = fee_steps_of(in.text());
    const auto funded = in.timestamp();
    fee.days = days_between(funded.utc_date(), in.timestamp().utc_date());
    return fee;
  };
  return all(session_, read,
             "SELECT r.settlement_id, r.number, s.payer_id, r.fee_cents, s.advance_bps, s.advance_cents, s.fee_bps, "
             "s.fee_cents, s.fee_steps, COALESCE(s.funded_at, s.created_at), r.posted_at FROM reconciliation_records r "
             "JOIN settlements s ON s.tenant = r.tenant AND s.id = r.settlement_id WHERE r.tenant = ? AND "
             "r.settlement_id > ? AND r.fee_cents <> 0 AND r.posted_at >= ? AND r.posted_at < ? ORDER BY "
             "r.settlement_id, r.number LIMIT ?",
             tenant.text(), after, from.ms(), until.ms(), rows(limit));
}

std::vector<std::pair<domain::TenantId, domain::RecourseEntry>> RecourseStore::due(domain::Date today,
                                                                                   std::size_t limit) const {
  const auto read = [](const sql::Row& row) {
    ColumnReader in(row);
    auto tenant = in.id<domain::TenantId>();
    return std::pair(std::move(tenant), read_recourse(in));
  };
  return all(session_, read,
             "SELECT tenant, " RECOURSE_COLUMNS " FROM recourse_entries WHERE " DAY_HAS_COME(
                 "release_on", "recourse_entries.tenant") " ORDER BY release_on LIMIT ?",
             std::int64_t{today.days()}, std::int64_t{today.days()}, rows(limit));
}

bool RecourseStore::end_hold(const domain::TenantId& tenant, const domain::LedgerTransactionId& id) {
  return session_.run(
             "UPDATE recourse_entries SET release_on = NULL WHERE tenant = ? AND id = ? AND release_on IS NOT NULL",
             tenant.text(), id.text()) == 1;
}

}  // namespace tideover::store
