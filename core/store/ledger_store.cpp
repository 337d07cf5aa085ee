#include "core/store/ledger_store.hpp"

#include <stdexcept>

#include "core/store/columns.hpp"

namespace tideover::store {
namespace {

#define TRANSACTION_COLUMNS "id, phase, resolves, cause_kind, cause_id, settlement_id, at"

/// Without its entries.
domain::LedgerTransaction read_transaction(const sql::Row& row) {
  ColumnReader in(row);
  domain::LedgerTransaction transaction;
  transaction.id = in.id<domain::LedgerTransactionId>();
  transaction.phase = in.named(domain::ledger_phase_named);
  transaction.resolves = in.optional_id<domain::LedgerTransactionId>();
  transaction.cause_kind = in.text();
  transaction.cause_id = in.text();
  transaction.settlement = in.optional_id<domain::SettlementId>();
  transaction.at = in.timestamp();
  return transaction;
}

void load_entries(sql::Session& session, const domain::TenantId& tenant, domain::LedgerTransaction& transaction) {
  transaction.entries = all(
      session,
      [](const sql::Row& row) {
        ColumnReader in(row);
        auto account = in.text();
        return domain::LedgerEntry{std::move(account), in.money()};
      },
      "SELECT account, cents FROM ledger_entries WHERE tenant = ? AND transaction_id = ? ORDER BY position",
      tenant.text(), transaction.id.text());
}

}  // namespace

void LedgerStore::append(const domain::TenantId& tenant, const domain::LedgerTransaction& transaction) {
  if (!transaction.balanced()) {
    throw std::logic_error("ledger transaction " + transaction.id.text() + " does not balance; nothing was booked");
  }
  session_.run("INSERT INTO ledger_transactions (tenant, " TRANSACTION_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
               tenant.text(), transaction.id.text(), domain::name_of(transaction.phase), text(transaction.resolves),
               transaction.cause_kind, transaction.cause_id, text(transaction.settlement), transaction.at.ms());
  int position = 0;
  for (const auto& entry : transaction.entries) {
    session_.run("INSERT INTO ledger_entries (tenant, transaction_id, position, account, cents) VALUES (?, ?, ?, ?, ?)",
                 tenant.text(), transaction.id.text(), position++, entry.account, entry.amount.cents());
  }
}

std::optional<domain::LedgerTransaction> LedgerStore::find(const domain::TenantId& tenant,
                                                           const domain::LedgerTransactionId& id) const {
  auto found = session_.first(read_transaction,
                              "SELECT " TRANSACTION_COLUMNS " FROM ledger_transactions WHERE tenant = ? AND id = ?",
                              tenant.text(), id.text());
  if (found) load_entries(session_, tenant, *found);
  return found;
}

std::vector<domain::AccountBalance> LedgerStore::balances(const domain::TenantId& tenant, std::string_view after,
                                                           std::size_t limit) const {
  return all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        domain::AccountBalance balance;
        balance.account = in.text();
        balance.posted = in.money();
        balance.pending = in.money();
        return balance;
      },
      "SELECT e.account, SUM(CASE WHEN t.phase = 'posted' THEN e.cents ELSE 0 END), "
      "SUM(CASE WHEN t.phase = 'pending' AND r.id IS NULL THEN e.cents ELSE 0 END) "
      "FROM ledger_entries e JOIN ledger_transactions t ON t.tenant = e.tenant AND t.id = e.transaction_id "
      "LEFT JOIN ledger_transactions r ON r.tenant = t.tenant AND r.resolves = t.id "
      "WHERE e.tenant = ? AND e.account > ? GROUP BY e.account ORDER BY e.account LIMIT ?",
      tenant.text(), after, rows(limit));
}

std::vector<domain::LedgerTransaction> LedgerStore::list(const domain::TenantId& tenant,
                                                         const std::optional<domain::SettlementId>& settlement,
                                                         std::string_view account, std::string_view after,
                                                         std::size_t limit) const {
  std::string sql = "SELECT " TRANSACTION_COLUMNS " FROM ledger_transactions WHERE tenant = ? AND id > ?";
  std::vector<sql::Parameter> parameters{tenant.text(), after};
  if (settlement) {
    sql += " AND settlement_id = ?";
    parameters.emplace_back(settlement->text());
  }
  if (!account.empty()) {
    sql +=
        " AND EXISTS (SELECT 1 FROM ledger_entries e WHERE e.tenant = ledger_transactions.tenant AND e.account = ? "
        "AND e.transaction_id = ledger_transactions.id)";
    parameters.emplace_back(account);
  }
  sql += " ORDER BY id LIMIT ?";
  parameters.emplace_back(rows(limit));

  std::vector<domain::LedgerTransaction> transactions;
  for (const sql::Row& row : session_.query_bound(sql::Sql::composed(sql), parameters)) {
    transactions.push_back(read_transaction(row));
  }
  for (auto& transaction : transactions) load_entries(session_, tenant, transaction);
  return transactions;
}

}  // namespace tideover::store
