// Balances, statements and exports of the ledger.
#include <algorithm>

#include "core/store/records/funding/ledger_store.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/ledger_moves.hpp"

namespace tideover::store {
namespace {

/// No NPI.
constexpr std::string_view kNoCursor = "none";

/// Of two sums, posted and pending: not a receivable that is zero.
#define NOT_SETTLED(posted, pending) \
  "NOT (account LIKE 'purchased_receivable:%' AND SUM(" posted ") = 0 AND SUM(" pending ") = 0)"

#define BALANCE_PENDING "CASE WHEN t.phase = 'pending' AND r.id IS NULL THEN e.cents ELSE 0 END"
#define ALL_BALANCES                                                                                       \
  "SELECT e.account, SUM(" LEDGER_POSTED "), SUM(" BALANCE_PENDING                                         \
  ") FROM ledger_entries e JOIN ledger_transactions t ON t.tenant = e.tenant AND t.id = e.transaction_id " \
  "LEFT JOIN ledger_transactions r ON r.tenant = t.tenant AND r.resolves = t.id "                          \
  "WHERE e.tenant = ? AND e.account > ? GROUP BY e.account "
/// A condition that is tested on the rows of LEDGER_AS_OF. As it stands, SQLite would move it into the sum and search
/// by account through the whole ledger, instead of by day.
#define LEDGER_AFTERWARDS(condition) "CASE WHEN " condition " THEN 1 ELSE 0 END = 1"

#define BALANCES_AS_OF                                            \
  "SELECT account, SUM(posted), SUM(pending) FROM (" LEDGER_AS_OF \
  ") moved WHERE " LEDGER_AFTERWARDS("account > ?") " GROUP BY account "

domain::AccountBalance read_balance(const sql::Row& row) {
  ColumnReader in(row);
  domain::AccountBalance balance;
  balance.account = in.text();
  balance.posted = in.money();
  balance.pending = in.money();
  return balance;
}

/// The latest closed month that ended by this day.
ClosedBase closed_by(sql::Session& session, const domain::TenantId& tenant, domain::Date day) {
  return session
      .first(
          [](const sql::Row& row) {
            ColumnReader in(row);
            ClosedBase base;
            base.period = in.text();
            base.last_day = in.integer();
            return base;
          },
          "SELECT period, last_day FROM ledger_periods WHERE tenant = ? AND last_day <= ? ORDER BY period DESC LIMIT 1",
          tenant.text(), day.days())
      .value_or(ClosedBase{});
}

/// Rows (payee, payer, owed, sending, carried) in order of practice and payer.
std::vector<domain::PayeeBalance> read_payees(sql::Rows found, std::size_t limit) {
  std::vector<domain::PayeeBalance> payees;
  for (const sql::Row& row : found) {
    ColumnReader in(row);
    auto npi = in.text();
    if (payees.empty() || payees.back().payee_npi != npi) {
      if (payees.size() == limit) break;
      payees.push_back({std::move(npi), {}});
    }
    domain::PayeeAmounts amounts;
    amounts.payer_id = in.text();
    amounts.owed = in.money();
    amounts.sending = in.money();
    amounts.carried = in.money();
    payees.back().payers.push_back(std::move(amounts));
  }
  return payees;
}

}  // namespace

std::vector<domain::AccountBalance> LedgerStore::balances(const domain::TenantId& tenant,
                                                          const ports::BalanceFilter& filter) const {
  if (!filter.as_of) {
    if (filter.with_settled)
      return all(session_, read_balance, ALL_BALANCES "ORDER BY e.account LIMIT ?", tenant.text(), filter.after,
                 rows(filter.limit));
    return all(session_, read_balance,
               ALL_BALANCES "HAVING " NOT_SETTLED(LEDGER_POSTED, BALANCE_PENDING) " ORDER BY e.account LIMIT ?",
               tenant.text(), filter.after, rows(filter.limit));
  }
  const auto day = filter.as_of->days();
  // A closing does not have the accounts that are zero.
  if (filter.with_settled)
    return all(session_, read_balance, BALANCES_AS_OF "ORDER BY account LIMIT ?", tenant.text(), "", tenant.text(),
               ClosedBase{}.last_day, day, filter.after, rows(filter.limit));
  const auto base = closed_by(session_, tenant, *filter.as_of);
  return all(session_, read_balance,
             BALANCES_AS_OF "HAVING " NOT_SETTLED("posted", "pending") " ORDER BY account LIMIT ?", tenant.text(),
             base.period, tenant.text(), base.last_day, day, filter.after, rows(filter.limit));
}

std::vector<domain::PayeeBalance> LedgerStore::payees(const domain::TenantId& tenant, std::string_view after,
                                                      std::size_t limit, std::optional<domain::Date> as_of) const {
  const auto payable = domain::account::provider_payable(tenant);
  const auto carried = domain::account::kCarriedBalances;
  const auto cursor = after.empty() ? kNoCursor : after;
  if (as_of) {
    const auto base = closed_by(session_, tenant, *as_of);
    return read_payees(
        session_.query(
            "SELECT payee, payer, SUM(CASE WHEN account = ? THEN -posted ELSE 0 END), SUM(pending), SUM(CASE "
            "WHEN account = ? THEN -posted ELSE 0 END) FROM (" LEDGER_AS_OF ") moved WHERE " LEDGER_AFTERWARDS(
                "account IN (?, ?)") " AND payee >= ? AND payee <> ? GROUP BY payee, payer ORDER BY "
                                     "payee, payer",
            payable, carried, tenant.text(), base.period, tenant.text(), base.last_day, as_of->days(), payable, carried,
            after, cursor),
        limit);
  }
  return read_payees(
      session_.query(
          "SELECT payee, payer, SUM(CASE WHEN account = ? AND phase = 'posted' THEN -cents ELSE 0 END), SUM(CASE WHEN "
          "phase = 'pending' AND ended IS NULL THEN cents ELSE 0 END), SUM(CASE WHEN account = ? AND phase = 'posted' "
          "THEN -cents ELSE 0 END) FROM (SELECT e.account, e.cents, t.phase, r.id AS ended, " LEDGER_PAYEE
          " AS payee, " LEDGER_PAYER " AS payer FROM ledger_entries e "
          "JOIN ledger_transactions t ON t.tenant = e.tenant AND t.id = e.transaction_id LEFT JOIN ledger_transactions "
          "r ON r.tenant = t.tenant AND r.resolves = t.id LEFT JOIN settlements s ON s.tenant = t.tenant AND s.id = "
          "t.settlement_id WHERE e.tenant = ? AND e.account IN (?, ?)) entries WHERE payee >= ? AND payee <> ? GROUP "
          "BY payee, payer ORDER BY payee, payer",
          payable, carried, tenant.text(), payable, carried, after, cursor),
      limit);
}

domain::Money LedgerStore::owed_to(const domain::TenantId& tenant, std::string_view payee_npi,
                                   domain::Date as_of) const {
  const auto base = closed_by(session_, tenant, as_of);
  return session_
      .first([](const sql::Row& row) { return ColumnReader(row).money(); },
             "SELECT COALESCE(SUM(-posted), 0) FROM (" LEDGER_AS_OF
             ") moved WHERE " LEDGER_AFTERWARDS("account = ?") " AND payee = ?",
             tenant.text(), base.period, tenant.text(), base.last_day, as_of.days(),
             domain::account::provider_payable(tenant), payee_npi)
      .value_or(domain::Money{});
}

std::vector<domain::PayeeMovement> LedgerStore::movements_of(const domain::TenantId& tenant, std::string_view payee_npi,
                                                             domain::DateRange days, const domain::JournalPlace& after,
                                                             std::size_t limit) const {
  const auto read = [](const sql::Row& row) {
    ColumnReader in(row);
    domain::PayeeMovement movement;
    movement.transaction = in.id<domain::LedgerTransactionId>();
    movement.effective_on = in.date();
    movement.occurred_on = in.optional_date();
    movement.cause_kind = in.text();
    movement.cause_id = in.text();
    movement.settlement = in.optional_id<domain::SettlementId>();
    movement.payer_id = in.text();
    movement.amount = -in.money();
    return movement;
  };
  // One row for each transaction, so that no page ends inside one. A payout to a practice is about several payers.
  return all(
      session_, read,
      "SELECT id, effective_day, MIN(occurred_on), MIN(cause_kind), MIN(cause_id), MIN(settlement_id), CASE WHEN "
      "MIN(payer) = MAX(payer) THEN MIN(payer) ELSE '' END, SUM(cents) FROM (SELECT "
      "t.id, t.effective_day, t.occurred_on, t.cause_kind, t.cause_id, t.settlement_id, e.cents, " LEDGER_PAYEE
      " AS payee, " LEDGER_PAYER " AS payer FROM " LEDGER_ENTRIES
      " WHERE t.tenant = ? AND t.effective_day >= ? AND t.effective_day <= ? AND t.phase = 'posted' AND "
      "(t.effective_day > ? OR t.id > ?) AND e.account = ?) moved WHERE payee = ? GROUP BY effective_day, id "
      "ORDER BY effective_day, id LIMIT ?",
      tenant.text(), std::max(days.from, after.day).days(), days.to.days(), after.day.days(), after.id,
      domain::account::provider_payable(tenant), payee_npi, rows(limit));
}

domain::Money LedgerStore::receivables(const domain::TenantId& tenant) const {
  return *session_.first([](const sql::Row& row) { return ColumnReader(row).money(); },
                         "SELECT COALESCE(SUM(e.cents), 0) FROM ledger_entries e JOIN ledger_transactions t ON "
                         "t.tenant = e.tenant AND t.id = e.transaction_id "
                         "WHERE e.tenant = ? AND e.account >= 'purchased_receivable:' AND e.account < "
                         "'purchased_receivable;' AND t.phase = 'posted'",
                         tenant.text());
}

std::vector<domain::StatementAccount> LedgerStore::statement(const domain::TenantId& tenant, domain::Timestamp from,
                                                             domain::Timestamp until) const {
  std::vector<domain::StatementAccount> accounts;
  for (const sql::Row& row : session_.query(
           "SELECT CASE WHEN e.account LIKE 'purchased_receivable:%' THEN 'purchased_receivable' ELSE e.account END AS "
           "line, "
           "t.cause_kind, SUM(CASE WHEN t.at < ? THEN e.cents ELSE 0 END), "
           "SUM(CASE WHEN t.at >= ? AND e.cents > 0 THEN e.cents ELSE 0 END), "
           "SUM(CASE WHEN t.at >= ? AND e.cents < 0 THEN -e.cents ELSE 0 END) "
           "FROM ledger_entries e JOIN ledger_transactions t ON t.tenant = e.tenant AND t.id = e.transaction_id "
           "WHERE e.tenant = ? AND t.phase = 'posted' AND t.at < ? GROUP BY line, t.cause_kind ORDER BY line, "
           "t.cause_kind",
           from.ms(), from.ms(), from.ms(), tenant.text(), until.ms())) {
    ColumnReader in(row);
    auto name = in.text();
    auto cause = in.text();
    const auto opening = in.money(), debits = in.money(), credits = in.money();
    if (accounts.empty() || accounts.back().account != name) accounts.push_back({std::move(name), {}, {}, {}});
    auto& account = accounts.back();
    account.opening += opening;
    account.closing += opening + debits - credits;
    if (!debits.is_zero() || !credits.is_zero()) account.movements.push_back({std::move(cause), debits, credits});
  }
  return accounts;
}

}  // namespace tideover::store
