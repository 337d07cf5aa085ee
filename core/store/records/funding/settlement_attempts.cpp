// The payment attempts of SettlementStore.
#include "core/store/records/funding/settlement_store.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"
#include "core/store/records/rows/tenant_time.hpp"

namespace tideover::store {
namespace {

#define ATTEMPT_COLUMNS                                                                                             \
  "settlement_id, purpose, number, id, state, rail, rail_key, cents, effective_date, request_key, sent_by, epoch, " \
  "rail_reference, reason_code, reason, "                                                                           \
  "pending_entry_id, resolve_tries, next_resolve_at, in_progress, created_at, updated_at"

domain::DisbursementAttempt read_attempt(ColumnReader& in) {
  domain::DisbursementAttempt attempt;
  auto subject = in.text();
  attempt.purpose = in.named(domain::purpose_named);
  attempt.subject = domain::PaymentSubject::trusted(attempt.purpose, std::move(subject));
  attempt.number = in.number();
  attempt.id = in.id<domain::TransferId>();
  attempt.state = in.named(domain::attempt_state_named);
  attempt.rail = in.text();
  attempt.rail_key = in.text();
  attempt.amount = in.money();
  attempt.effective_date = in.date();
  attempt.request_key = in.text();
  attempt.sent_by = in.text();
  attempt.epoch = in.number();
  attempt.rail_reference = in.text();
  attempt.reason_code = in.text();
  attempt.reason = in.text();
  attempt.pending_entry = in.id<domain::LedgerTransactionId>();
  attempt.resolve_tries = in.number();
  attempt.next_resolve_at = in.timestamp();
  attempt.in_progress = in.flag();
  attempt.created_at = in.timestamp();
  attempt.updated_at = in.timestamp();
  return attempt;
}

domain::DisbursementAttempt read_own_attempt(const sql::Row& row) {
  ColumnReader in(row);
  return read_attempt(in);
}

std::pair<domain::TenantId, domain::DisbursementAttempt> read_anyones_attempt(const sql::Row& row) {
  ColumnReader in(row);
  auto tenant = in.id<domain::TenantId>();
  return {std::move(tenant), read_attempt(in)};
}

}  // namespace

void SettlementStore::insert_attempt(const domain::TenantId& tenant, const domain::DisbursementAttempt& attempt) {
  insert_row<"disbursement_attempts", "tenant, " ATTEMPT_COLUMNS>(
      session_, tenant.text(), attempt.subject.text(), domain::name_of(attempt.purpose), attempt.number,
      attempt.id.text(), domain::name_of(attempt.state), attempt.rail, attempt.rail_key, attempt.amount.cents(),
      attempt.effective_date.days(), attempt.request_key, attempt.sent_by, attempt.epoch, attempt.rail_reference,
      attempt.reason_code, attempt.reason, attempt.pending_entry.text(), attempt.resolve_tries,
      attempt.next_resolve_at.ms(), attempt.in_progress, attempt.created_at.ms(), attempt.updated_at.ms());
}

std::optional<domain::DisbursementAttempt> SettlementStore::latest_attempt(const domain::TenantId& tenant,
                                                                           const domain::PaymentSubject& subject,
                                                                           domain::Purpose purpose) const {
  return session_.first(
      read_own_attempt,
      "SELECT " ATTEMPT_COLUMNS
      " FROM disbursement_attempts WHERE tenant = ? AND settlement_id = ? AND purpose = ? ORDER BY number DESC LIMIT 1",
      tenant.text(), subject.text(), domain::name_of(purpose));
}

std::optional<domain::DisbursementAttempt> SettlementStore::payout_requested(const domain::TenantId& tenant,
                                                                             const domain::PaymentSubject& subject,
                                                                             domain::Purpose purpose,
                                                                             std::string_view request_key) const {
  return session_.first(read_own_attempt,
                        "SELECT " ATTEMPT_COLUMNS
                        " FROM disbursement_attempts WHERE tenant = ? AND settlement_id = ? AND purpose = ? AND "
                        "request_key = ? ORDER BY number DESC LIMIT 1",
                        tenant.text(), subject.text(), domain::name_of(purpose), request_key);
}

#define PAYOUTS(SUBJECT, ID, ORDER)                                                     \
  "SELECT " ATTEMPT_COLUMNS " FROM disbursement_attempts WHERE tenant = ? AND " SUBJECT \
  "purpose = 'payable' AND " IN_PAGE(ID, "created_at") " ORDER BY " ORDER

std::vector<domain::DisbursementAttempt> SettlementStore::practice_payouts(const domain::TenantId& tenant,
                                                                           std::string_view npi,
                                                                           const domain::ListPage& page) const {
  const auto in = rows_of<domain::kind::Transfer>(session_, tenant, page, IdMade::later_too);  // adopted ones
  // The payouts of a practice are numbered in the order of their ids. + keeps SQLite from the index of all payouts.
  if (!npi.empty())
    return all(session_, read_own_attempt, in_order<PAYOUTS("settlement_id = ? AND ", "+id", "number")>(page.order),
               tenant.text(), npi, in.above, in.below, in.from, in.before, rows(page.limit));
  return all(session_, read_own_attempt, in_order<PAYOUTS("", "id", "id")>(page.order), tenant.text(), in.above,
             in.below, in.from, in.before, rows(page.limit));
}

std::optional<domain::DisbursementAttempt> SettlementStore::practice_payout(const domain::TenantId& tenant,
                                                                            const domain::TransferId& id) const {
  return session_.first(read_own_attempt,
                        "SELECT " ATTEMPT_COLUMNS
                        " FROM disbursement_attempts WHERE tenant = ? AND purpose = 'payable' AND id = ?",
                        tenant.text(), id.text());
}

std::vector<domain::DisbursementAttempt> SettlementStore::attempts_of(const domain::TenantId& tenant,
                                                                      const domain::PaymentSubject& subject,
                                                                      domain::Purpose purpose) const {
  return all(session_, read_own_attempt,
             "SELECT " ATTEMPT_COLUMNS
             " FROM disbursement_attempts WHERE tenant = ? AND settlement_id = ? AND purpose = ? ORDER BY number",
             tenant.text(), subject.text(), domain::name_of(purpose));
}

std::optional<domain::DisbursementAttempt> SettlementStore::transfer(const domain::TenantId& tenant,
                                                                     const domain::TransferId& id) const {
  return session_.first(read_own_attempt,
                        "SELECT " ATTEMPT_COLUMNS
                        " FROM disbursement_attempts WHERE tenant = ? AND purpose IN ('advance', 'residual', "
                        "'payable') AND id = ?",
                        tenant.text(), id.text());
}

std::vector<domain::DisbursementAttempt> SettlementStore::payouts_of(const domain::TenantId& tenant,
                                                                     const domain::SettlementId& settlement) const {
  return attempts_of(tenant, settlement, domain::Purpose::residual);
}

bool SettlementStore::update_attempt(const domain::TenantId& tenant, const domain::DisbursementAttempt& attempt,
                                     int expected_epoch, domain::AttemptState expected_state) {
  return session_.run(
             "UPDATE disbursement_attempts SET state = ?, rail = ?, sent_by = ?, epoch = ?, rail_reference = ?, "
             "reason_code = ?, reason = ?, resolve_tries = ?, next_resolve_at = ?, in_progress = ?, updated_at = ? "
             "WHERE tenant = ? AND settlement_id = ? AND purpose = ? AND number = ? AND epoch = ? AND state = ?",
             domain::name_of(attempt.state), attempt.rail, attempt.sent_by, attempt.epoch, attempt.rail_reference,
             attempt.reason_code, attempt.reason, attempt.resolve_tries, attempt.next_resolve_at.ms(),
             attempt.in_progress, attempt.updated_at.ms(), tenant.text(), attempt.subject.text(),
             domain::name_of(attempt.purpose), attempt.number, expected_epoch, domain::name_of(expected_state)) > 0;
}

std::vector<std::pair<domain::TenantId, domain::DisbursementAttempt>> SettlementStore::attempts_due(
    std::string_view node, domain::Timestamp now, std::size_t limit) const {
  return all(session_, read_anyones_attempt,
             "SELECT tenant, " ATTEMPT_COLUMNS
             " FROM disbursement_attempts WHERE state IN ('intent', 'submitting', 'unknown') AND " IS_DUE(
                 "next_resolve_at", "disbursement_attempts.tenant") 
             " AND (state <> 'intent' OR NOT EXISTS (SELECT 1 FROM rail_senders WHERE rail_senders.rail = "
             "disbursement_attempts.rail AND node <> ?)) "
             "ORDER BY next_resolve_at, id LIMIT ?",
             now.ms(), now.ms(), node, rows(limit));
}

std::vector<std::pair<domain::TenantId, domain::DisbursementAttempt>> SettlementStore::payments_to_follow(
    domain::Timestamp now, std::size_t limit) const {
  return all(session_, read_anyones_attempt,
             "SELECT tenant, " ATTEMPT_COLUMNS
             " FROM disbursement_attempts WHERE state IN ('accepted', 'settled') AND " IS_DUE(
                 "next_resolve_at", "disbursement_attempts.tenant") " ORDER BY next_resolve_at, id LIMIT ?",
             now.ms(), now.ms(), rows(limit));
}

std::vector<std::string> SettlementStore::rails_under_way() const {
  return all(
      session_, [](const sql::Row& row) { return row.text(0); },
      "SELECT DISTINCT rail FROM disbursement_attempts WHERE state IN ('intent', 'submitting', 'unknown', 'accepted') "
      "ORDER BY rail");
}

std::optional<std::pair<domain::TenantId, domain::DisbursementAttempt>> SettlementStore::find_attempt(
    std::string_view rail_key) const {
  return session_.first(read_anyones_attempt,
                        "SELECT tenant, " ATTEMPT_COLUMNS " FROM disbursement_attempts WHERE rail_key = ?", rail_key);
}

std::vector<std::pair<domain::TenantId, domain::DisbursementAttempt>> SettlementStore::attempts_between(
    domain::Timestamp from, domain::Timestamp to, std::string_view after, std::size_t limit) const {
  return all(session_, read_anyones_attempt,
             "SELECT tenant, " ATTEMPT_COLUMNS
             " FROM disbursement_attempts WHERE created_at >= ? AND created_at < ? AND id > ? ORDER BY id LIMIT ?",
             from.ms(), to.ms(), after, rows(limit));
}

}  // namespace tideover::store
