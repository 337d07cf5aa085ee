#include "core/store/records/reconciliation/remittance_store.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "core/domain/claims/claim_number.hpp"
#include "core/domain/reconciliation/carried_balance.hpp"
#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/claims/number_forms.hpp"
#include "core/store/records/reconciliation/remittance_rows.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"
#include "core/store/records/rows/tenant_time.hpp"
#include "core/store/records/rows/waiting_row.hpp"

namespace tideover::store {
namespace {

void load_claims(sql::Session& session, const EncryptedCells& cells, const domain::TenantId& tenant,
                 domain::Remittance& remittance) {
  remittance.claims = all(
      session, [&](const sql::Row& row) { return read_remittance_claim(row, cells, tenant, remittance.id); },
      "SELECT " REMITTANCE_CLAIM_COLUMNS
      " FROM remittance_claims WHERE tenant = ? AND remittance_id = ? ORDER BY position",
      tenant.text(), remittance.id.text());
  for (const auto& record : remittance.claims) remittance.draft.claims.push_back(record.claim);
  remittance.draft.claims_total.reset();
}

}  // namespace

auto RemittanceStore::reader(const domain::TenantId& tenant) const {
  return [this, &tenant](const sql::Row& row) { return read_remittance(row, cells_, tenant); };
}

void RemittanceStore::insert(const domain::TenantId& tenant, const domain::Remittance& remittance) {
  const auto& draft = remittance.draft;
  if (remittance.claims.empty() && !draft.claims.empty()) {
    throw std::logic_error("remittance " + remittance.id.text() + " has claims in its draft but no claim records");
  }
  insert_row<"remittances", "tenant, trace_form, " REMITTANCE_COLUMNS ", status">(
      session_, tenant.text(), domain::normal_trace(draft.trace_number), remittance.id.text(), draft.payer_id,
      draft.payer_name, draft.trace_number, draft.originator_id, days(draft.payment_date), draft.payment_amount.cents(),
      draft.payment_method,
      cells_.seal(tenant, encrypted::kRemittanceAdjustments, remittance.id.text(),
                  provider_adjustments_column(draft.provider_adjustments)),
      warnings_column(draft.warnings), remittance.content_sha256, remittance.payerless_sha256, text(remittance.deposit),
      domain::carries_of(draft).cents(), remittance.carried.cents(), remittance.paid_to_provider.cents(),
      remittance.withheld.cents(), balance_of(draft).claims_total.cents(), remittance.created_at.ms(), draft.payee_npi,
      cells_.seal(tenant, encrypted::kRemittancePayeeIds, remittance.id.text(), payee_ids_column(draft)),
      name_of(domain::status_of(remittance)));
  for (const auto& record : remittance.claims) {
    const auto& claim = record.claim;
    const auto name = row_name(remittance.id.text(), record.index);
    const auto payer_number = domain::normal_number(claim.payer_claim_number);
    const auto payer_form =
        payer_number.empty() ? std::nullopt : std::optional(number_form(cells_, tenant, payer_number));
    insert_row<"remittance_claims",
               "tenant, remittance_id, claim_lookup, number_form, payer_number_form, " REMITTANCE_CLAIM_COLUMNS>(
        session_, tenant.text(), remittance.id.text(), cells_.claim_lookup(tenant, claim.claim_identifier),
        number_form(cells_, tenant, domain::normal_number(claim.claim_identifier)), payer_form, record.index,
        cells_.seal(tenant, encrypted::kRemittanceIdentifier, name, claim.claim_identifier), claim.status,
        claim.charge_amount.cents(), claim.paid_amount.cents(), cents(claim.patient_responsibility),
        cells_.seal(tenant, encrypted::kRemittancePayerNumber, name, claim.payer_claim_number),
        days(claim.date_of_service), days(claim.received_date), adjustments_column(claim.adjustments),
        cells_.seal(tenant, encrypted::kRemittanceLines, name, lines_column(claim.lines)),
        kRemittanceClaimStates.of(record.state), text(record.settlement), text(record.record), claim.billing_npi);
  }
}

std::optional<domain::Remittance> RemittanceStore::find(const domain::TenantId& tenant,
                                                        const domain::RemittanceId& id) const {
  auto found =
      session_.first(reader(tenant), "SELECT " REMITTANCE_COLUMNS " FROM remittances WHERE tenant = ? AND id = ?",
                     tenant.text(), id.text());
  if (found) load_claims(session_, cells_, tenant, *found);
  return found;
}

std::vector<domain::RemittanceId> RemittanceStore::observed(const domain::TenantId& tenant,
                                                            const domain::RemittanceId& after,
                                                            const domain::RemittanceId& until,
                                                            std::size_t limit) const {
  return all(
      session_, [](const sql::Row& row) { return domain::RemittanceId::trusted(row.text(0)); },
      "SELECT id FROM remittances WHERE tenant = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?", tenant.text(),
      after.text(), until.text(), rows(limit));
}

#define REMITTANCES(KEY)                                                              \
  "SELECT " REMITTANCE_COLUMNS " FROM remittances WHERE tenant = ? AND " KEY IN_PAGE( \
      "id", "created_at") " AND (? = '' OR payer_id = ?) AND (? = '' OR trace_number = ?) ORDER BY id"

std::vector<domain::RemittanceSummary> RemittanceStore::list(const domain::TenantId& tenant,
                                                             const ports::RemittanceFilter& filter,
                                                             const domain::ListPage& page) const {
  const auto bounds = rows_of<domain::kind::Remittance>(session_, tenant, page);
  const auto read = [&](sql::Sql sql, const auto&... key) {
    return cells_.first_that_open(session_, reader(tenant), page.limit, sql, tenant.text(), key..., bounds.above,
                                  bounds.below, bounds.from, bounds.before, filter.payer_id, filter.payer_id,
                                  filter.trace_number, filter.trace_number);
  };
  // Rows of one status are few; they have an index, which a query for every status does not use.
  auto found = filter.status
                   ? read(in_order<REMITTANCES("status = ? AND "), kOpenRows>(page.order), name_of(*filter.status))
                   : read(in_order<REMITTANCES(""), kOpenRows>(page.order));
  std::vector<domain::RemittanceSummary> summaries;
  for (auto& remittance : found) {
    domain::RemittanceSummary summary{std::move(remittance), {}};
    const auto& id = summary.remittance.id.text();
    for (const sql::Row& row : session_.query("SELECT state, COUNT(*), SUM(paid_cents) FROM remittance_claims WHERE "
                                              "tenant = ? AND remittance_id = ? GROUP BY state",
                                              tenant.text(), id)) {
      ColumnReader in(row);
      const auto state = in.named(kRemittanceClaimStates);
      const auto count = in.integer();
      summary.claims.add(state, count, in.money());
    }
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

std::optional<domain::Remittance> RemittanceStore::find_same(const domain::TenantId& tenant,
                                                             const domain::Remittance& arriving) const {
  auto found = session_.first(reader(tenant),
                              "SELECT " REMITTANCE_COLUMNS " FROM remittances WHERE tenant = ? AND content_sha256 = ?",
                              tenant.text(), arriving.content_sha256);
  if (!found && !arriving.draft.payer_id.empty()) {
    // With the payer in the condition, a database may read all that the payer ever paid instead of the few similar
    // rows.
    auto alike =
        all(session_, reader(tenant),
            "SELECT " REMITTANCE_COLUMNS " FROM remittances WHERE tenant = ? AND notice_sha256 = ? ORDER BY id",
            tenant.text(), arriving.payerless_sha256);
    for (const std::string& payer : {arriving.draft.payer_id, std::string()})
      for (auto& one : alike)
        if (!found && one.draft.payer_id == payer) found = std::move(one);
  }
  if (found) load_claims(session_, cells_, tenant, *found);
  return found;
}

std::vector<domain::Remittance> RemittanceStore::waiting_with_trace(const domain::TenantId& tenant,
                                                                    std::string_view trace_number,
                                                                    const domain::MoneyRange& amounts,
                                                                    std::size_t limit) const {
  return all(session_, reader(tenant),
             "SELECT " REMITTANCE_COLUMNS
             " FROM remittances WHERE tenant = ? AND trace_form = ? AND payment_cents BETWEEN ? AND ? AND deposit_id "
             "IS NULL AND payment_cents > 0 "
             "ORDER BY id LIMIT ?",
             tenant.text(), domain::normal_trace(trace_number), amounts.least.cents(), amounts.most.cents(),
             rows(limit));
}

std::vector<domain::Remittance> RemittanceStore::waiting_of_payer(const domain::TenantId& tenant,
                                                                  std::string_view payer_id,
                                                                  const domain::MoneyRange& amounts,
                                                                  const std::optional<domain::DateRange>& days,
                                                                  std::size_t limit) const {
  if (!days)
    return all(session_, reader(tenant),
               "SELECT " REMITTANCE_COLUMNS
               " FROM remittances WHERE tenant = ? AND payer_id = ? AND deposit_id IS NULL AND payment_cents BETWEEN ? "
               "AND ? AND payment_cents > 0 "
               "ORDER BY id LIMIT ?",
               tenant.text(), payer_id, amounts.least.cents(), amounts.most.cents(), rows(limit));
  return all(session_, reader(tenant),
             "SELECT " REMITTANCE_COLUMNS
             " FROM remittances WHERE tenant = ? AND payer_id = ? AND deposit_id IS NULL AND payment_cents BETWEEN ? "
             "AND ? AND payment_cents > 0 "
             "AND payment_date BETWEEN ? AND ? ORDER BY id LIMIT ?",
             tenant.text(), payer_id, amounts.least.cents(), amounts.most.cents(), days->from.days(), days->to.days(),
             rows(limit));
}

std::vector<domain::Remittance> RemittanceStore::waiting_of_amount(const domain::TenantId& tenant,
                                                                   const domain::MoneyRange& amounts,
                                                                   const domain::DateRange& days,
                                                                   std::size_t limit) const {
  return all(session_, reader(tenant),
             "SELECT " REMITTANCE_COLUMNS
             " FROM remittances WHERE tenant = ? AND deposit_id IS NULL AND payment_cents BETWEEN ? AND ? AND "
             "payment_cents > 0 AND payment_date BETWEEN ? AND ? "
             "ORDER BY id LIMIT ?",
             tenant.text(), amounts.least.cents(), amounts.most.cents(), days.from.days(), days.to.days(), rows(limit));
}

std::vector<domain::AnnouncedPayment> RemittanceStore::announced_to(const domain::TenantId& tenant,
                                                                    const domain::SettlementId& settlement,
                                                                    std::size_t limit) const {
  const auto read = [](const sql::Row& row) {
    ColumnReader in(row);
    domain::AnnouncedPayment announced;
    announced.remittance = in.id<domain::RemittanceId>();
    announced.claim = static_cast<int>(in.integer());
    announced.status = in.text();
    announced.payer_payment = in.money();
    announced.charge = in.money();
    announced.trace_number = in.text();
    announced.payment_date = in.optional_date();
    announced.deposit = in.optional_id<domain::DepositId>();
    announced.received_at = in.timestamp();
    return announced;
  };
  // `+`: in order of an index SQLite would read all claims of the tenant instead of those of the settlement.
  return all(session_, read,
             "SELECT c.remittance_id, c.position, c.status, c.paid_cents, c.charge_cents, r.trace_number, "
             "r.payment_date, r.deposit_id, r.created_at "
             "FROM remittance_claims c JOIN remittances r ON r.tenant = c.tenant AND r.id = c.remittance_id "
             "WHERE c.tenant = ? AND c.settlement_id = ? AND c.state = ? ORDER BY +c.remittance_id, c.position LIMIT ?",
             tenant.text(), settlement.text(), kRemittanceClaimStates.of(domain::RemittanceClaimRecord::State::waiting),
             rows(limit));
}

std::vector<domain::Remittance> RemittanceStore::naming(const domain::TenantId& tenant,
                                                        std::string_view claim_identifier, std::size_t limit) const {
  const auto read = [&](const sql::Row& row) {
    const auto id = domain::RemittanceId::trusted(row.text(kRemittanceClaimColumns));
    return std::pair(id, read_remittance_claim(row, cells_, tenant, id));
  };
  std::vector<domain::Remittance> remittances;
  for (auto& [id, claim] : all(session_, read,
                               "SELECT " REMITTANCE_CLAIM_COLUMNS
                               ", remittance_id FROM remittance_claims WHERE claim_lookup = ? AND tenant = ? "
                               "ORDER BY remittance_id DESC LIMIT ?",
                               cells_.claim_lookup(tenant, claim_identifier), tenant.text(), rows(limit))) {
    auto remittance =
        session_.first(reader(tenant), "SELECT " REMITTANCE_COLUMNS " FROM remittances WHERE tenant = ? AND id = ?",
                       tenant.text(), id.text());
    remittance->claims.push_back(std::move(claim));
    remittances.push_back(std::move(*remittance));
  }
  return remittances;
}

domain::Money RemittanceStore::announced_of(const domain::TenantId& tenant, const domain::DepositId& deposit) const {
  return session_
      .first([](const sql::Row& row) { return ColumnReader(row).money(); },
             "SELECT COALESCE(SUM(payment_cents), 0) FROM remittances WHERE tenant = ? AND deposit_id = ?",
             tenant.text(), deposit.text())
      .value_or(domain::Money{});
}

std::vector<domain::RemittanceId> RemittanceStore::paid_by(const domain::TenantId& tenant,
                                                           const domain::DepositId& deposit) const {
  return all(
      session_, [](const sql::Row& row) { return domain::RemittanceId::trusted(row.text(0)); },
      "SELECT id FROM remittances WHERE tenant = ? AND deposit_id = ? ORDER BY +id", tenant.text(), deposit.text());
}

std::vector<std::pair<domain::TenantId, domain::SettlementId>> RemittanceStore::posted_without(
    int cents, std::string_view posted, std::string_view missing, std::string_view after, std::size_t limit) const {
  const auto form = domain::normal_trace(posted);
  const std::string behind = form + '~';  // after every id
  // From the tenants to the settlements; + keeps SQLite from indexes that have most rows of a tenant.
  return all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        auto tenant = in.id<domain::TenantId>();
        return std::pair(std::move(tenant), in.id<domain::SettlementId>());
      },
      "SELECT s.tenant, s.id FROM tenants t "
      "CROSS JOIN remittances r ON r.tenant = t.id AND r.trace_form > ? AND r.trace_form < ? "
      "CROSS JOIN remittance_claims c ON c.tenant = r.tenant AND c.remittance_id = r.id AND +c.state = 'posted' "
      "CROSS JOIN settlements s ON s.tenant = c.tenant AND s.id = c.settlement_id "
      "WHERE s.billed_cents % 100 = ? AND +s.id > ? AND NOT EXISTS (SELECT 1 FROM remittances b "
      "WHERE b.tenant = r.tenant AND b.trace_form = REPLACE(r.trace_form, ?, ?)) ORDER BY s.id LIMIT ?",
      form, behind, cents, after, form, domain::normal_trace(missing), rows(limit));
}

std::vector<ports::Waiting> RemittanceStore::waiting_since(domain::Timestamp latest, const ports::Waiting& after,
                                                           std::size_t limit) const {
  return all(session_, waiting_of,
             "SELECT created_at, id, tenant FROM remittances WHERE status = 'received' AND created_at >= ? AND "
             TIME_HAS_COME(
                 "created_at", "remittances.tenant") " AND (created_at > ? OR id > ?) "
             "AND deposit_id IS NULL AND payment_cents > 0 ORDER BY created_at, id LIMIT ?",
             after.since.ms(), latest.ms(), latest.ms(), after.since.ms(), after.id, rows(limit));
}

void RemittanceStore::set_payer(const domain::TenantId& tenant, const domain::RemittanceId& id,
                                std::string_view payer_id) {
  session_.run("UPDATE remittances SET payer_id = ? WHERE tenant = ? AND id = ?", payer_id, tenant.text(), id.text());
}

std::vector<domain::Remittance> RemittanceStore::paid_like(const domain::TenantId& tenant,
                                                           const domain::Remittance& arriving,
                                                           std::size_t limit) const {
  const auto& draft = arriving.draft;
  auto found =
      all(session_, reader(tenant),
          "SELECT " REMITTANCE_COLUMNS
          " FROM remittances WHERE tenant = ? AND trace_form = ? AND payment_cents = ? AND payment_date = ? "
          "AND id <> ? AND (deposit_id IS NOT NULL OR payment_cents <= 0) AND status <> ? ORDER BY +id LIMIT ?",
          tenant.text(), domain::normal_trace(draft.trace_number), draft.payment_amount.cents(),
          days(draft.payment_date), arriving.id.text(), name_of(domain::RemittanceStatus::unbalanced), rows(limit));
  for (auto& one : found) load_claims(session_, cells_, tenant, one);
  return found;
}

std::optional<domain::RemittanceId> RemittanceStore::another_with_trace(const domain::TenantId& tenant,
                                                                        const domain::Remittance& remittance,
                                                                        std::optional<domain::Date> since) const {
  const auto& draft = remittance.draft;
  const auto trace = domain::normal_trace(draft.trace_number);
  const int first_day = since ? since->days() : 0;
  const auto id = [](const sql::Row& row) { return domain::RemittanceId::trusted(row.text(0)); };
#define NAMESAKE                                                                                                   \
  "SELECT id FROM remittances WHERE tenant = ? AND trace_form = ? AND id <> ? AND (payer_id = ? OR payer_id = '' " \
  "OR ? = '') AND (deposit_id IS NULL OR payment_date IS NULL OR payment_date >= ?) AND "
  auto announcing = session_.first(id, NAMESAKE "payment_cents > 0 ORDER BY id LIMIT 1", tenant.text(), trace,
                                   remittance.id.text(), draft.payer_id, draft.payer_id, first_day);
  if (announcing) return announcing;
  return session_.first(id, NAMESAKE "payment_cents <= 0 AND carries_cents <> 0 ORDER BY id LIMIT 1", tenant.text(),
                        trace, remittance.id.text(), draft.payer_id, draft.payer_id, first_day);
#undef NAMESAKE
}

bool RemittanceStore::names_claims_of_another(const domain::TenantId& tenant,
                                              const domain::Remittance& remittance) const {
  const auto& draft = remittance.draft;
  // `+`: by the tenant alone SQLite would walk all of its claims.
  return session_
      .first(
          [](const sql::Row&) { return true; },
          "SELECT 1 FROM remittance_claims a JOIN remittance_claims b ON b.claim_lookup = a.claim_lookup AND +b.tenant "
          "= a.tenant AND b.remittance_id <> a.remittance_id JOIN remittances r ON r.tenant = a.tenant AND r.id = "
          "b.remittance_id WHERE a.tenant = ? AND a.remittance_id = ? AND r.trace_form = ? AND (r.payer_id = ? OR "
          "r.payer_id = '' OR ? = '') LIMIT 1",
          tenant.text(), remittance.id.text(), domain::normal_trace(draft.trace_number), draft.payer_id, draft.payer_id)
      .has_value();
}

// Claims that were considered for this settlement under another number than its claim's, with an open task.
#define IN_QUESTION(SIGN)                                                                                           \
  "SELECT 1 FROM match_candidates m JOIN remittance_claims c ON c.tenant = m.tenant AND c.remittance_id = "         \
  "m.subject_id AND c.position = m.claim_position WHERE m.tenant = ? AND m.candidate_id = ? AND c.paid_cents " SIGN \
  " 0 AND c.state IN ('waiting', 'unmatched') AND EXISTS (SELECT 1 FROM tasks t WHERE t.tenant = m.tenant AND "     \
  "t.object_id = m.subject_id AND t.status = 'open') LIMIT 1"

bool RemittanceStore::is_takeback_open(const domain::TenantId& tenant, const domain::SettlementId& settlement) const {
  const auto exists = [](const sql::Row&) { return true; };
  return session_.first(exists,
                        "SELECT 1 FROM remittance_claims WHERE tenant = ? AND settlement_id = ? AND paid_cents < 0 AND "
                        "state IN ('waiting', 'unmatched') LIMIT 1",
                        tenant.text(), settlement.text()) ||
         session_.first(exists, IN_QUESTION("<"), tenant.text(), settlement.text());
}

bool RemittanceStore::is_payment_in_question(const domain::TenantId& tenant,
                                             const domain::SettlementId& settlement) const {
  return session_.first([](const sql::Row&) { return true; }, IN_QUESTION(">"), tenant.text(), settlement.text())
      .has_value();
}
#undef IN_QUESTION

std::vector<domain::RemittanceId> RemittanceStore::waiting_for(const domain::TenantId& tenant,
                                                               const domain::SettlementId& settlement) const {
  // Sorted here, since SQLite would read all claims of the tenant in that order. `+`: by the state it would read all
  // claims that wait.
  auto waiting = all(
      session_, [](const sql::Row& row) { return domain::RemittanceId::trusted(row.text(0)); },
      "SELECT c.remittance_id FROM remittance_claims c JOIN remittances r ON r.tenant = c.tenant AND r.id = "
      "c.remittance_id "
      "WHERE c.tenant = ? AND c.settlement_id = ? AND +c.state = ? AND (r.deposit_id IS NOT NULL OR r.payment_cents <= "
      "0)",
      tenant.text(), settlement.text(), kRemittanceClaimStates.of(domain::RemittanceClaimRecord::State::waiting));
  std::sort(waiting.begin(), waiting.end());
  waiting.erase(std::unique(waiting.begin(), waiting.end()), waiting.end());
  return waiting;
}

std::optional<domain::Remittance> RemittanceStore::posted_by(const domain::TenantId& tenant,
                                                             const domain::ReconciliationRecord& record) const {
  const auto id = session_.first(
      [](const sql::Row& row) { return domain::RemittanceId::trusted(row.text(0)); },
      "SELECT remittance_id FROM remittance_claims WHERE tenant = ? AND settlement_id = ? AND record_id = ?",
      tenant.text(), record.settlement.text(), record.id.text());
  return id ? find(tenant, *id) : std::nullopt;
}

void RemittanceStore::update_adjustments(const domain::TenantId& tenant, const domain::Remittance& remittance) {
  session_.run(
      "UPDATE remittances SET carried_cents = ?, paid_to_provider_cents = ?, withheld_cents = ? WHERE tenant = ? AND "
      "id = ?",
      remittance.carried.cents(), remittance.paid_to_provider.cents(), remittance.withheld.cents(), tenant.text(),
      remittance.id.text());
}

void RemittanceStore::link_deposit(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                                   const std::optional<domain::DepositId>& deposit) {
  session_.run("UPDATE remittances SET deposit_id = ? WHERE tenant = ? AND id = ?", text(deposit), tenant.text(),
               remittance.text());
}

void RemittanceStore::update_claim(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                                   const domain::RemittanceClaimRecord& claim) {
  session_.run(
      "UPDATE remittance_claims SET state = ?, settlement_id = ?, record_id = ? "
      "WHERE tenant = ? AND remittance_id = ? AND position = ?",
      kRemittanceClaimStates.of(claim.state), text(claim.settlement), text(claim.record), tenant.text(),
      remittance.text(), claim.index);
}

void RemittanceStore::update_status(const domain::TenantId& tenant, const domain::Remittance& remittance) {
  set_status(tenant, remittance.id, domain::status_of(remittance));
}

void RemittanceStore::set_status(const domain::TenantId& tenant, const domain::RemittanceId& id,
                                 domain::RemittanceStatus status) {
  session_.run("UPDATE remittances SET status = ? WHERE tenant = ? AND id = ?", name_of(status), tenant.text(),
               id.text());
}

std::size_t RemittanceStore::count_claims(const domain::TenantId& tenant, const domain::RemittanceId& id) const {
  // Positions have no gap. The last one is found in the key without reading the others.
  const auto last = session_.first([](const sql::Row& row) { return ColumnReader(row).integer(); },
                                   "SELECT position FROM remittance_claims WHERE tenant = ? AND remittance_id = ? "
                                   "ORDER BY position DESC LIMIT 1",
                                   tenant.text(), id.text());
  return last ? static_cast<std::size_t>(*last) + 1 : 0;
}

}  // namespace tideover::store
