#include "core/store/records/funding/settlement_store.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/claims/number_forms.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/fee_steps.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"
#include "core/store/records/rows/record_text.hpp"
#include "core/store/records/rows/service_lines.hpp"
#include "core/store/records/rows/tenant_time.hpp"

namespace tideover::store {
namespace {

#define SETTLEMENT_COLUMNS                                                                                        \
  "id, claim_id, claim_identifier, payer_id, authorization_id, review_id, decision, decision_reasons, status, "   \
  "cancel_reason, advance_bps, advance_cents, fee_bps, fee_cents, expected_cents, expected_payment_date, rail, "  \
  "desired_date, effective_date, adjusted, expected_settlement_at, funding_status, payout_status, "               \
  "payout_account_token, rules_version, rules_sha256, funded_cents, funded_at, version, created_at, expires_at, " \
  "confirm_key, billed_cents, billed_date, billed_lines, billing_npi, fee_steps, hold_days, reserve_bps, "        \
  "reserve_days, fallback_rails"

std::string reasons_column(const std::vector<std::string>& reasons) {
  RecordWriter out;
  for (const auto& reason : reasons) out.text(reason).end_record();
  return out.take();
}

std::vector<std::string> reasons_of(const std::string& column) {
  std::vector<std::string> reasons;
  for (RecordReader in(column); in.next();) reasons.push_back(in.text());
  return reasons;
}

std::string rails_column(const std::vector<std::string>& rails) {
  std::string column;
  for (const auto& rail : rails) column += (column.empty() ? "" : " ") + rail;
  return column;
}

std::vector<std::string> rails_of(const std::string& column) {
  std::istringstream in(column);
  return {std::istream_iterator<std::string>(in), {}};
}

std::optional<std::string> live_claim(const domain::Settlement& settlement) {
  return is_live(settlement) ? std::optional(settlement.claim_id.text()) : std::nullopt;
}

ports::StoredSettlement read_settlement(const sql::Row& row, const EncryptedCells& cells,
                                        const domain::TenantId& tenant) {
  ColumnReader in(row);
  ports::StoredSettlement stored;
  auto& settlement = stored.settlement;
  settlement.id = in.id<domain::SettlementId>();
  settlement.claim_id = in.id<domain::ClaimId>();
  settlement.claim_identifier = cells.open(tenant, encrypted::kSettlementIdentifier, settlement.id.text(), in.bytes());
  settlement.payer_id = in.text();
  settlement.authorization_id = in.id<domain::AuthorizationId>();
  settlement.review_id = in.id<domain::ReviewId>();
  settlement.decision = in.named(domain::decision_named);
  settlement.decision_reasons = reasons_of(in.text());
  settlement.status = in.named(domain::settlement_status_named);
  settlement.cancel_reason = in.text();
  settlement.terms.advance_bps = in.number();
  settlement.terms.advance_amount = in.money();
  settlement.terms.fee_bps = in.number();
  settlement.terms.fee_estimate = in.money();
  settlement.expected_reimbursement = in.money();
  settlement.expected_payment_date = in.date();
  settlement.funding.rail = in.text();
  settlement.funding.desired_date = in.optional_date();
  settlement.funding.effective_date = in.date();
  settlement.funding.adjusted = in.flag();
  settlement.funding.expected_settlement_at = in.optional_timestamp();
  settlement.funding_status = in.named(domain::funding_status_named);
  settlement.payout_status = in.named(domain::funding_status_named);
  settlement.payout_account_token =
      domain::Sensitive<std::string>(cells.open(tenant, encrypted::kSettlementToken, settlement.id.text(), in.bytes()));
  settlement.rules.version = in.text();
  settlement.rules.sha256 = in.text();
  settlement.funded_amount = in.optional_money();
  settlement.funded_at = in.optional_timestamp();
  settlement.version = in.number();
  settlement.created_at = in.timestamp();
  settlement.expires_at = in.timestamp();
  stored.confirm_key = in.text();
  settlement.billed.charge = in.money();
  settlement.billed.date_of_service = in.optional_date();
  read_billed(cells.open(tenant, encrypted::kSettlementLines, settlement.id.text(), in.bytes()), settlement.billed);
  settlement.billed.billing_npi = in.text();
  settlement.terms.fee_steps = fee_steps_of(in.text());
  settlement.terms.hold_days = in.number();
  settlement.terms.reserve_bps = in.number();
  settlement.terms.reserve_days = in.number();
  settlement.fallback = rails_of(in.text());
  return stored;
}

/// Tenant and id of a settlement.
std::pair<domain::TenantId, domain::SettlementId> read_place(const sql::Row& row) {
  ColumnReader in(row);
  auto tenant = in.id<domain::TenantId>();
  return {std::move(tenant), in.id<domain::SettlementId>()};
}

}  // namespace

auto SettlementStore::reader(const domain::TenantId& tenant) const {
  return [this, &tenant](const sql::Row& row) { return read_settlement(row, cells_, tenant); };
}

Sealed SettlementStore::sealed_token(const domain::TenantId& tenant, const domain::Settlement& settlement) const {
  return cells_.seal(tenant, encrypted::kSettlementToken, settlement.id.text(),
                     settlement.payout_account_token.reveal());
}

void SettlementStore::insert(const domain::TenantId& tenant, const ports::StoredSettlement& stored) {
  const auto& settlement = stored.settlement;
  const auto& terms = settlement.terms;
  const auto& funding = settlement.funding;
  insert_row<"settlements", "tenant, live_claim_id, fee_most_cents, numbered = 1, " SETTLEMENT_COLUMNS>(
      session_, tenant.text(), live_claim(settlement), largest_fee(terms).cents(), settlement.id.text(),
      settlement.claim_id.text(),
      cells_.seal(tenant, encrypted::kSettlementIdentifier, settlement.id.text(), settlement.claim_identifier),
      settlement.payer_id, settlement.authorization_id.text(), settlement.review_id.text(),
      domain::name_of(settlement.decision), reasons_column(settlement.decision_reasons),
      domain::name_of(settlement.status), settlement.cancel_reason, terms.advance_bps, terms.advance_amount.cents(),
      terms.fee_bps, terms.fee_estimate.cents(), settlement.expected_reimbursement.cents(),
      settlement.expected_payment_date.days(), funding.rail, days(funding.desired_date), funding.effective_date.days(),
      funding.adjusted, ms(funding.expected_settlement_at), domain::name_of(settlement.funding_status),
      domain::name_of(settlement.payout_status), sealed_token(tenant, settlement), settlement.rules.version,
      settlement.rules.sha256, cents(settlement.funded_amount), ms(settlement.funded_at), settlement.version,
      settlement.created_at.ms(), settlement.expires_at.ms(), stored.confirm_key, settlement.billed.charge.cents(),
      days(settlement.billed.date_of_service),
      cells_.seal(tenant, encrypted::kSettlementLines, settlement.id.text(), billed_column(settlement.billed)),
      settlement.billed.billing_npi, fee_steps_column(terms.fee_steps), terms.hold_days, terms.reserve_bps,
      terms.reserve_days, rails_column(settlement.fallback));
  insert_advance_numbers(session_, cells_, tenant, settlement.id.text(), settlement.claim_identifier);
}

std::optional<ports::StoredSettlement> SettlementStore::find(const domain::TenantId& tenant,
                                                             const domain::SettlementId& id) const {
  return session_.first(reader(tenant), "SELECT " SETTLEMENT_COLUMNS " FROM settlements WHERE tenant = ? AND id = ?",
                        tenant.text(), id.text());
}

bool SettlementStore::exists(const domain::TenantId& tenant, const domain::SettlementId& id) const {
  return session_
      .first([](const sql::Row&) { return true; }, "SELECT 1 FROM settlements WHERE tenant = ? AND id = ?",
             tenant.text(), id.text())
      .has_value();
}

// Every advance leaves a row in the portfolio of its payer and its provider.
#define IN_PORTFOLIO "SELECT 1 FROM portfolio WHERE tenant = ? AND measure = ? AND subject = ?"

bool SettlementStore::has_advanced_payer(const domain::TenantId& tenant, std::string_view payer_id) const {
  return session_.first([](const sql::Row&) { return true; }, IN_PORTFOLIO, tenant.text(), "payer", payer_id)
      .has_value();
}

bool SettlementStore::has_advanced_provider(const domain::TenantId& tenant, std::string_view billing_npi) const {
  return session_.first([](const sql::Row&) { return true; }, IN_PORTFOLIO, tenant.text(), "provider", billing_npi)
      .has_value();
}
#undef IN_PORTFOLIO

std::optional<ports::StoredSettlement> SettlementStore::live_of(const domain::TenantId& tenant,
                                                                const domain::ClaimId& claim) const {
  return session_.first(reader(tenant),
                        "SELECT " SETTLEMENT_COLUMNS " FROM settlements WHERE tenant = ? AND live_claim_id = ?",
                        tenant.text(), claim.text());
}

std::optional<ports::StoredSettlement> SettlementStore::latest_of(const domain::TenantId& tenant,
                                                                  const domain::ClaimId& claim) const {
  return session_.first(reader(tenant),
                        "SELECT " SETTLEMENT_COLUMNS
                        " FROM settlements WHERE tenant = ? AND claim_id = ? ORDER BY id DESC LIMIT 1",
                        tenant.text(), claim.text());
}

// KEY is a condition with an index that ends with the id. The others are read along that index.
#define SETTLEMENTS(KEY) \
  "SELECT " SETTLEMENT_COLUMNS " FROM settlements WHERE tenant = ? AND " KEY IN_PAGE("id", "created_at")               \
  " AND (? = '' OR status = ?) AND (? = '' OR payer_id = ?) AND (? = '' OR decision = ?) AND (? = '' OR " \
  "funding_status = ?) ORDER BY id"

std::vector<domain::Settlement> SettlementStore::list(const domain::TenantId& tenant,
                                                      const ports::SettlementFilter& filter,
                                                      const domain::ListPage& page) const {
  const auto in = rows_of<domain::kind::Settlement>(session_, tenant, page);
  const auto named = [](const auto& value) { return value ? domain::name_of(*value) : std::string_view(); };
  const auto status = named(filter.status), decision = named(filter.decision), funding = named(filter.funding_status);
  const auto found = [&](sql::Sql sql, const auto&... key) {
    return cells_.first_that_open(
        session_, [&](const sql::Row& row) { return read_settlement(row, cells_, tenant).settlement; }, page.limit, sql,
        tenant.text(), key..., in.above, in.below, in.from, in.before, status, status, filter.payer_id, filter.payer_id,
        decision, decision, funding, funding);
  };
  // An engine would not choose between the indexes by the values: one statement for each.
  if (filter.claim)
    return found(in_order<SETTLEMENTS("claim_id = ? AND "), kOpenRows>(page.order), filter.claim->text());
  if (filter.funding_status)
    return found(in_order<SETTLEMENTS("funding_status = ? AND "), kOpenRows>(page.order), funding);
  if (filter.status) return found(in_order<SETTLEMENTS("status = ? AND "), kOpenRows>(page.order), status);
  if (!filter.payer_id.empty())
    return found(in_order<SETTLEMENTS("payer_id = ? AND "), kOpenRows>(page.order), filter.payer_id);
  return found(in_order<SETTLEMENTS(""), kOpenRows>(page.order));
}

std::vector<std::pair<domain::TenantId, domain::SettlementId>> SettlementStore::lapsed(domain::Timestamp now,
                                                                                       std::size_t limit) const {
  return all(
      session_, read_place,
      "SELECT tenant, id FROM settlements WHERE status IN ('pending_confirmation', 'approved') AND " TIME_HAS_COME(
          "expires_at", "settlements.tenant") " AND funding_status IN ('none', 'rejected') ORDER BY expires_at LIMIT ?",
      now.ms(), now.ms(), rows(limit));
}

std::vector<domain::Settlement> SettlementStore::awaiting_payment(const domain::TenantId& tenant,
                                                                  std::string_view payer_id,
                                                                  const domain::MoneyRange& expected,
                                                                  const std::optional<domain::DateRange>& days,
                                                                  std::size_t limit) const {
  constexpr int kFarthest = 1'000'000;  // later than any date
  const int from = days ? days->from.days() : -kFarthest, to = days ? days->to.days() : kFarthest;
  return all(
      session_, [&](const sql::Row& row) { return read_settlement(row, cells_, tenant).settlement; },
      "SELECT " SETTLEMENT_COLUMNS
      " FROM settlements WHERE tenant = ? AND payer_id = ? AND expected_cents BETWEEN ? AND ? AND "
      "expected_payment_date BETWEEN ? AND ? AND status = 'funded' AND COALESCE("
      "(SELECT r.final_status FROM reconciliation_records r WHERE r.tenant = settlements.tenant AND r.settlement_id = "
      "settlements.id "
      "ORDER BY r.number DESC LIMIT 1), 'pending') = 'pending' "
      "ORDER BY +id LIMIT ?",
      tenant.text(), payer_id, expected.least.cents(), expected.most.cents(), from, to, rows(limit));
}

std::vector<std::string> SettlementStore::payers_that_owe(const domain::TenantId& tenant, std::size_t limit) const {
  return all(
      session_, [](const sql::Row& row) { return row.text(0); },
      "SELECT subject FROM portfolio WHERE tenant = ? AND measure = 'payer' AND cents > 0 ORDER BY cents DESC, subject "
      "LIMIT ?",
      tenant.text(), rows(limit));
}

void SettlementStore::add_residual_due(const domain::TenantId& tenant, const domain::SettlementId& id,
                                       domain::Money change) {
  session_.run("UPDATE settlements SET residual_due_cents = residual_due_cents + ? WHERE tenant = ? AND id = ?",
               change.cents(), tenant.text(), id.text());
}

std::vector<std::pair<domain::TenantId, domain::SettlementId>> SettlementStore::residuals_due(domain::Money minimum,
                                                                                              std::string_view after,
                                                                                              std::size_t limit) const {
  return all(session_, read_place,
             "SELECT tenant, id FROM settlements WHERE residual_due_cents >= ? AND id > ? "
             "AND payout_status IN ('none', 'submitted', 'settled') ORDER BY id LIMIT ?",
             minimum.cents(), after, rows(limit));
}

void SettlementStore::set_receivable(const domain::TenantId& tenant, const domain::SettlementId& id, bool open) {
  session_.run("UPDATE settlements SET receivable_open = ? WHERE tenant = ? AND id = ?", open, tenant.text(),
               id.text());
}

std::vector<ports::Overdue> SettlementStore::overdue(domain::Date latest, const ports::Overdue& after,
                                                     std::size_t limit) const {
  return all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        ports::Overdue found;
        found.expected = in.date();
        found.settlement = in.id<domain::SettlementId>();
        found.tenant = in.id<domain::TenantId>();
        return found;
      },
      "SELECT expected_payment_date, id, tenant FROM settlements WHERE receivable_open = 1 AND expected_payment_date "
      ">= ? AND " DAY_HAS_COME(
          "expected_payment_date",
          "settlements.tenant") " AND (expected_payment_date > ? OR id > ?) ORDER BY expected_payment_date, id LIMIT ?",
      after.expected.days(), latest.days(), latest.days(), after.expected.days(), after.settlement.text(), rows(limit));
}

void SettlementStore::add_to_portfolio(const domain::TenantId& tenant, const domain::SettlementId& id, domain::Date day,
                                       const domain::PortfolioChange& change) {
  const auto add = [&](std::string_view measure, const std::string& subject, domain::Money cents) {
    if (cents.is_zero()) return;
    if (session_.run("UPDATE portfolio SET cents = cents + ? WHERE tenant = ? AND measure = ? AND subject = ?",
                     cents.cents(), tenant.text(), measure, subject) == 0)
      insert_row<"portfolio", "tenant, measure, subject, cents">(session_, tenant.text(), measure, subject,
                                                                 cents.cents());
  };
  if (!change.open.is_zero()) {
    const auto parties = session_.first([](const sql::Row& row) { return std::pair(row.text(0), row.text(1)); },
                                        "SELECT payer_id, billing_npi FROM settlements WHERE tenant = ? AND id = ?",
                                        tenant.text(), id.text());
    if (!parties) return;
    add("payer", parties->first, change.open);
    add("provider", parties->second, change.open);
  }
  add("advanced", format_date(day), change.advanced);
  add("lost", format_date(day), change.lost);
}

domain::Portfolio SettlementStore::portfolio(const domain::TenantId& tenant, std::string_view payer_id,
                                             std::string_view billing_npi, domain::Date today) const {
  // A day with more recovered than advanced must not reduce the sum of the other days.
  const auto from = format_date(today.plus(1 - domain::kPortfolioDays)), to = format_date(today);
  const auto sums = session_.first(
      [](const sql::Row& row) {
        ColumnReader in(row);
        domain::Portfolio portfolio;
        portfolio.payer_open = in.money();
        portfolio.provider_open = in.money();
        portfolio.advanced = in.money();
        portfolio.lost = in.money();
        return portfolio;
      },
      "SELECT COALESCE((SELECT cents FROM portfolio WHERE tenant = ? AND measure = 'payer' AND subject = ?), 0), "
      "COALESCE((SELECT cents FROM portfolio WHERE tenant = ? AND measure = 'provider' AND subject = ?), 0), "
      "COALESCE((SELECT SUM(CASE WHEN cents > 0 THEN cents ELSE 0 END) FROM portfolio WHERE tenant = ? AND measure = "
      "'advanced' AND subject BETWEEN ? AND ?), 0), "
      "COALESCE((SELECT SUM(CASE WHEN cents > 0 THEN cents ELSE 0 END) FROM portfolio WHERE tenant = ? AND measure = "
      "'lost' AND subject BETWEEN ? AND ?), 0)",
      tenant.text(), payer_id, tenant.text(), billing_npi, tenant.text(), from, to, tenant.text(), from, to);
  return sums.value_or(domain::Portfolio{});
}

std::vector<domain::PayerAging> SettlementStore::aging(const domain::TenantId& tenant, domain::Date today) const {
  std::vector<domain::PayerAging> payers;
  for (const sql::Row& row : session_.query(
           "SELECT payer_id, expected_payment_date, COUNT(*), SUM(funded_cents - COALESCE((SELECT "
           "SUM(r.recovered_cents) "
           "FROM reconciliation_records r WHERE r.tenant = settlements.tenant AND r.settlement_id = settlements.id), "
           "0)) "
           "FROM settlements WHERE tenant = ? AND receivable_open = 1 GROUP BY payer_id, expected_payment_date "
           "ORDER BY payer_id, expected_payment_date",
           tenant.text())) {
    ColumnReader in(row);
    auto payer = in.text();
    const int days = days_between(in.date(), today);
    const domain::AgingCell cell{in.number(), in.money()};
    if (payers.empty() || payers.back().payer_id != payer) payers.push_back({std::move(payer), {}, {}});
    const auto bucket = std::lower_bound(domain::kAgingBuckets.begin(), domain::kAgingBuckets.end(), days) -
                        domain::kAgingBuckets.begin();
    for (auto* sum : {&payers.back().buckets[static_cast<std::size_t>(bucket)], &payers.back().total}) {
      sum->count += cell.count;
      sum->amount += cell.amount;
    }
  }
  return payers;
}

#define OUTSTANDING_BY(day)                                                                                       \
  "SELECT payer_id, " day                                                                                         \
  " AS funded_day, COUNT(*), SUM(funded_cents - COALESCE((SELECT SUM(r.recovered_cents) FROM "                    \
  "reconciliation_records r WHERE r.tenant = settlements.tenant AND r.settlement_id = settlements.id), 0)) FROM " \
  "settlements WHERE tenant = ? AND receivable_open = 1 GROUP BY payer_id, funded_day ORDER BY payer_id, funded_day"

std::vector<domain::PayerOutstanding> SettlementStore::outstanding(const domain::TenantId& tenant,
                                                                   domain::Date today) const {
  std::vector<domain::PayerOutstanding> payers;
  for (const sql::Row& row : session_.query(
           {OUTSTANDING_BY("funded_at / 86400000"), OUTSTANDING_BY("funded_at DIV 86400000")}, tenant.text())) {
    ColumnReader in(row);
    auto payer = in.text();
    const int days = days_between(in.date(), today);
    const domain::AgingCell cell{in.number(), in.money()};
    if (payers.empty() || payers.back().payer_id != payer) payers.push_back({std::move(payer)});
    add_outstanding(payers.back(), days, cell);
  }
  return payers;
}

bool SettlementStore::update(const domain::TenantId& tenant, const ports::StoredSettlement& stored) {
  const auto& settlement = stored.settlement;
  const auto& terms = settlement.terms;
  const auto& funding = settlement.funding;
  return session_.run(
             "UPDATE settlements SET receivable_open = CASE WHEN ? <> 'funded' THEN 0 WHEN status <> 'funded' THEN 1 "
             "ELSE receivable_open END, "
             "live_claim_id = ?, decision = ?, decision_reasons = ?, status = ?, "
             "cancel_reason = ?, advance_bps = ?, advance_cents = ?, fee_bps = ?, fee_cents = ?, fee_steps = ?, "
             "fee_most_cents = ?, hold_days = ?, reserve_bps = ?, reserve_days = ?, rail = ?, "
             "desired_date = ?, effective_date = ?, adjusted = ?, expected_settlement_at = ?, funding_status = ?, "
             "payout_status = ?, "
             "payout_account_token = ?, funded_cents = ?, funded_at = ?, confirm_key = ?, "
             "fallback_rails = ?, version = version + 1 "
             "WHERE tenant = ? AND id = ? AND version = ?",
             domain::name_of(settlement.status), live_claim(settlement), domain::name_of(settlement.decision),
             reasons_column(settlement.decision_reasons), domain::name_of(settlement.status), settlement.cancel_reason,
             terms.advance_bps, terms.advance_amount.cents(), terms.fee_bps, terms.fee_estimate.cents(),
             fee_steps_column(terms.fee_steps), largest_fee(terms).cents(), terms.hold_days, terms.reserve_bps,
             terms.reserve_days, funding.rail, days(funding.desired_date), funding.effective_date.days(),
             funding.adjusted, ms(funding.expected_settlement_at), domain::name_of(settlement.funding_status),
             domain::name_of(settlement.payout_status), sealed_token(tenant, settlement),
             cents(settlement.funded_amount), ms(settlement.funded_at), stored.confirm_key,
             rails_column(settlement.fallback), tenant.text(), settlement.id.text(), settlement.version) > 0;
}

void SettlementStore::note_funding_change(const domain::TenantId& tenant, const domain::SettlementId& id,
                                          const domain::ClientId& client, domain::Timestamp at) {
  if (has_changed_funding(tenant, id, client)) return;
  insert_row<"funding_changes", "tenant, settlement_id, client_id, first_changed_at">(
      session_, tenant.text(), id.text(), client.text(), at.ms());
}

bool SettlementStore::has_changed_funding(const domain::TenantId& tenant, const domain::SettlementId& id,
                                          const domain::ClientId& client) const {
  return session_
      .first([](const sql::Row&) { return true; },
             "SELECT 1 FROM funding_changes WHERE tenant = ? AND settlement_id = ? AND client_id = ?", tenant.text(),
             id.text(), client.text())
      .has_value();
}

}  // namespace tideover::store
