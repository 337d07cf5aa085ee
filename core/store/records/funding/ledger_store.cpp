#include "core/store/records/funding/ledger_store.hpp"

#include <stdexcept>

#include "core/domain/funding/payable.hpp"
#include "core/store/integrity/hash_chain.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"

namespace tideover::store {
namespace {

/// No NPI.
constexpr std::string_view kNoCursor = "none";

#define ENTRY_COLUMNS "account, cents, payer_id, payee_npi"

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

domain::LedgerEntry read_entry(ColumnReader& in) {
  domain::LedgerEntry entry;
  entry.account = in.text();
  entry.amount = in.money();
  entry.party.payer_id = in.text();
  entry.party.payee_npi = in.text();
  return entry;
}

void load_entries(sql::Session& session, const domain::TenantId& tenant, domain::LedgerTransaction& transaction) {
  transaction.entries = all(
      session,
      [](const sql::Row& row) {
        ColumnReader in(row);
        return read_entry(in);
      },
      "SELECT " ENTRY_COLUMNS " FROM ledger_entries WHERE tenant = ? AND transaction_id = ? ORDER BY position",
      tenant.text(), transaction.id.text());
}

/// An entry without a party is hashed as before parties were stored.
void add(CanonicalRow& content, std::int64_t position, const domain::LedgerEntry& entry) {
  content.integer(position).text(entry.account).integer(entry.amount.cents());
  if (entry.party != domain::LedgerParty{}) content.text(entry.party.payer_id).text(entry.party.payee_npi);
}

/// Whether the transaction changes what is due to a practice now. The end of a pending payout changed it before, and a
/// payout to a practice covers payables instead.
bool makes_payables(const domain::LedgerTransaction& transaction) {
  switch (transaction.phase) {
    case domain::LedgerPhase::pending:
      return transaction.cause_kind != domain::kPracticePayout;
    case domain::LedgerPhase::posted:
      return !transaction.resolves;
    case domain::LedgerPhase::voided:
      return true;
  }
  return false;
}

/// In the form in which links() finds the row.
crypto::Sha256Digest hash_of(const ChainPlace& place, const domain::TenantId& tenant,
                             const domain::LedgerTransaction& transaction) {
  CanonicalRow content(ChainedTable::ledger, place);
  content.text(tenant.text())
      .text(transaction.id.text())
      .text(domain::name_of(transaction.phase))
      .text_or_null(text(transaction.resolves))
      .text(transaction.cause_kind)
      .text(transaction.cause_id)
      .text_or_null(text(transaction.settlement))
      .integer(transaction.at.ms());
  int position = 0;
  for (const auto& entry : transaction.entries) add(content, position++, entry);
  return content.hash();
}

}  // namespace

void LedgerStore::append(const domain::TenantId& tenant, const domain::LedgerTransaction& transaction) {
  if (!transaction.balanced()) {
    throw std::logic_error("ledger transaction " + transaction.id.text() + " does not balance; it was not posted");
  }
  const ChainPlace place = next_place(session_, ChainedTable::ledger, node_);
  const auto hash = hash_of(place, tenant, transaction);
  try {
    insert_row<"ledger_transactions", "tenant, " TRANSACTION_COLUMNS ", chain, position, hash">(
        session_, tenant.text(), transaction.id.text(), domain::name_of(transaction.phase), text(transaction.resolves),
        transaction.cause_kind, transaction.cause_id, text(transaction.settlement), transaction.at.ms(), place.chain,
        place.position, hash);
  } catch (const sql::SqlError& error) {
    if (error.kind == sql::SqlError::Kind::unique_violation) refuse_taken_place(session_, ChainedTable::ledger, place);
    throw;
  }
  int position = 0;
  for (const auto& entry : transaction.entries) {
    insert_row<"ledger_entries", "tenant, transaction_id, position, " ENTRY_COLUMNS>(
        session_, tenant.text(), transaction.id.text(), position++, entry.account, entry.amount.cents(),
        entry.party.payer_id, entry.party.payee_npi);
  }
  if (makes_payables(transaction)) add_payables(tenant, transaction);
  advance(session_, ChainedTable::ledger, hash);
}

void LedgerStore::add_payables(const domain::TenantId& tenant, const domain::LedgerTransaction& transaction) {
  const auto account = domain::account::provider_payable(tenant);
  const bool is_void = transaction.phase == domain::LedgerPhase::voided;
  for (std::size_t i = 0; i < transaction.entries.size(); ++i) {
    const auto& entry = transaction.entries[i];
    if (entry.account != account || entry.party.payee_npi.empty()) continue;
    // What is credited to the account is owed to the practice; a void undoes the debit of the pending payout.
    const auto owed = is_void ? entry.amount : -entry.amount;
    insert_row<"payables", "tenant, transaction_id, position, payee_npi, payer_id, settlement_id, cents, at">(
        session_, tenant.text(), transaction.id.text(), static_cast<std::int64_t>(i), entry.party.payee_npi,
        entry.party.payer_id, text(transaction.settlement), owed.cents(), transaction.at.ms());
  }
}

std::vector<ports::ChainHead> LedgerStore::heads() const {
  return heads_of(session_, ChainedTable::ledger);
}

ports::ChainHead LedgerStore::head(const std::string& chain) const {
  return head_of(session_, ChainedTable::ledger, chain);
}

std::vector<ports::LedgerLink> LedgerStore::links(const ports::ChainHead& after, std::size_t limit) const {
  std::vector<ports::LedgerLink> links;
  std::optional<CanonicalRow> content;
  std::string previous = after.hash;
  const auto finish = [&] {
    if (links.empty()) return;
    const auto computed = content->hash();
    links.back().computed.assign(computed.begin(), computed.end());
    previous = links.back().hash;
  };
  // Read as plain text: a row changed by others may have values that the domain does not know.
  for (const sql::Row& row : session_.query(
           "SELECT t.position, t.hash, t.tenant, t.id, t.phase, t.resolves, t.cause_kind, t.cause_id, t.settlement_id, "
           "t.at, "
           "e.position, e.account, e.cents, e.payer_id, e.payee_npi "
           "FROM (SELECT * FROM ledger_transactions WHERE chain = ? AND position > ? ORDER BY position LIMIT ?) t "
           "LEFT JOIN ledger_entries e ON e.tenant = t.tenant AND e.transaction_id = t.id ORDER BY t.position, "
           "e.position",
           after.chain, after.position, rows(limit))) {
    ColumnReader in(row);
    const auto position = in.integer();
    const auto hash = in.bytes();
    const auto tenant = in.text(), id = in.text(), phase = in.text();
    const auto resolves = in.optional_text();
    const auto cause_kind = in.text(), cause_id = in.text();
    const auto settlement = in.optional_text();
    const auto at = in.integer();
    const auto entry_position = in.optional_integer();
    if (links.empty() || links.back().position != position) {
      finish();
      content.emplace(ChainedTable::ledger, ChainPlace{after.chain, position, previous});
      content->text(tenant)
          .text(id)
          .text(phase)
          .text_or_null(resolves)
          .text(cause_kind)
          .text(cause_id)
          .text_or_null(settlement)
          .integer(at);
      ports::LedgerLink link;
      link.position = position;
      link.hash = hash;
      link.subject = "transaction " + id;
      links.push_back(std::move(link));
    }
    if (!entry_position) continue;
    links.back().entries.push_back(read_entry(in));
    add(*content, *entry_position, links.back().entries.back());
  }
  finish();
  return links;
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

std::vector<domain::PayeeBalance> LedgerStore::payees(const domain::TenantId& tenant, std::string_view after,
                                                      std::size_t limit) const {
  std::vector<domain::PayeeBalance> payees;
  const auto payable = domain::account::provider_payable(tenant);
  const auto carried = domain::account::kCarriedBalances;
  // An entry from before parties were stored is of the practice and payer of its settlement.
  for (
      const sql::Row& row : session_.query(
          "SELECT payee, payer, SUM(CASE WHEN account = ? AND phase = 'posted' THEN -cents ELSE 0 END), SUM(CASE WHEN "
          "phase = 'pending' AND ended IS NULL THEN cents ELSE 0 END), SUM(CASE WHEN account = ? AND phase = 'posted' "
          "THEN -cents ELSE 0 END) FROM (SELECT e.account, e.cents, t.phase, r.id AS ended, CASE WHEN e.payee_npi = '' "
          "AND e.payer_id = '' THEN COALESCE(s.billing_npi, '') ELSE e.payee_npi END AS payee, CASE WHEN e.payee_npi "
          "= '' AND e.payer_id = '' THEN COALESCE(s.payer_id, '') ELSE e.payer_id END AS payer FROM ledger_entries e "
          "JOIN ledger_transactions t ON t.tenant = e.tenant AND t.id = e.transaction_id LEFT JOIN ledger_transactions "
          "r ON r.tenant = t.tenant AND r.resolves = t.id LEFT JOIN settlements s ON s.tenant = t.tenant AND s.id = "
          "t.settlement_id WHERE e.tenant = ? AND e.account IN (?, ?)) entries WHERE payee >= ? AND payee <> ? GROUP "
          "BY payee, payer ORDER BY payee, payer",
          payable, carried, tenant.text(), payable, carried, after, after.empty() ? kNoCursor : after)) {
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

std::vector<domain::LedgerTransaction> LedgerStore::list(const domain::TenantId& tenant,
                                                         const ports::LedgerFilter& filter, std::string_view after,
                                                         std::size_t limit) const {
  std::string sql = "SELECT " TRANSACTION_COLUMNS " FROM ledger_transactions WHERE tenant = ? AND id > ?";
  std::vector<sql::Parameter> parameters{tenant.text(), after};
  if (filter.settlement) {
    sql += " AND settlement_id = ?";
    parameters.emplace_back(filter.settlement->text());
  }
  if (!filter.account.empty()) {
    sql +=
        " AND EXISTS (SELECT 1 FROM ledger_entries e WHERE e.tenant = ledger_transactions.tenant AND e.account = ? "
        "AND e.transaction_id = ledger_transactions.id)";
    parameters.emplace_back(filter.account);
  }
  if (!filter.payee_npi.empty()) {
    sql +=
        " AND EXISTS (SELECT 1 FROM ledger_entries e WHERE e.tenant = ledger_transactions.tenant AND e.payee_npi = ? "
        "AND e.transaction_id = ledger_transactions.id)";
    parameters.emplace_back(filter.payee_npi);
  }
  if (filter.from) {
    sql += " AND at >= ?";
    parameters.emplace_back(filter.from->ms());
  }
  if (filter.until) {
    sql += " AND at < ?";
    parameters.emplace_back(filter.until->ms());
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
