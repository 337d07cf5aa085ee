#include "core/store/records/funding/ledger_store.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "core/domain/funding/payable.hpp"
#include "core/domain/funding/recourse.hpp"
#include "core/store/integrity/hash_chain.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"

namespace tideover::store {
namespace {

#define ENTRY_COLUMNS "account, cents, payer_id, payee_npi"

#define TRANSACTION_COLUMNS "id, phase, resolves, cause_kind, cause_id, settlement_id, at"

/// A row of before effective days has neither of the two columns; effective_day is for all rows.
#define DAY_COLUMNS "effective_day, occurred_on"

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
  transaction.effective_on = in.date();
  transaction.occurred_on = in.optional_date();
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

/// A row of before effective days has none, and is hashed as before.
void add_days(CanonicalRow& content, std::optional<std::int64_t> effective_on,
              std::optional<std::int64_t> occurred_on) {
  if (!effective_on && !occurred_on) return;
  const auto shown = [](std::optional<std::int64_t> day) {
    return day ? std::optional(std::to_string(*day)) : std::nullopt;
  };
  content.text("effective").text_or_null(shown(effective_on)).text_or_null(shown(occurred_on));
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
  add_days(content, transaction.effective_on.days(), days(transaction.occurred_on));
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
    insert_row<"ledger_transactions",
               "tenant, " TRANSACTION_COLUMNS ", effective_on, occurred_on, chain, position, hash">(
        session_, tenant.text(), transaction.id.text(), domain::name_of(transaction.phase), text(transaction.resolves),
        transaction.cause_kind, transaction.cause_id, text(transaction.settlement), transaction.at.ms(),
        transaction.effective_on.days(), days(transaction.occurred_on), place.chain, place.position, hash);
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
  add_to_practices(tenant, transaction);
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

/// Keeps the sums of practices in the portfolio: recourse_store reads them.
void LedgerStore::add_to_practices(const domain::TenantId& tenant, const domain::LedgerTransaction& transaction) {
  if (transaction.phase != domain::LedgerPhase::posted) return;
  std::map<std::pair<std::string_view, std::string>, domain::Money> sums;
  for (const auto& entry : transaction.entries) {
    if (entry.party.payee_npi.empty()) continue;
    if (entry.account == domain::account::provider_payable(tenant))
      sums[{"owed", entry.party.payee_npi}] -= entry.amount;
    if (entry.account == domain::account::kCarriedBalances) sums[{"carried", entry.party.payee_npi}] -= entry.amount;
    if (entry.account == domain::account::practice_reserve(tenant))
      sums[{"reserve", entry.party.payee_npi}] -= entry.amount;
  }
  for (const auto& [sum, amount] : sums)
    if (!amount.is_zero() &&
        session_.run("UPDATE portfolio SET cents = cents + ? WHERE tenant = ? AND measure = ? AND subject = ?",
                     amount.cents(), tenant.text(), sum.first, sum.second) == 0)
      insert_row<"portfolio", "tenant, measure, subject, cents">(session_, tenant.text(), sum.first, sum.second,
                                                                 amount.cents());
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
           "t.at, t.effective_on, t.occurred_on, "
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
    const auto effective_on = in.optional_integer(), occurred_on = in.optional_integer();
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
      add_days(*content, effective_on, occurred_on);
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
                              "SELECT " TRANSACTION_COLUMNS ", " DAY_COLUMNS
                              " FROM ledger_transactions WHERE tenant = ? AND id = ?",
                              tenant.text(), id.text());
  if (found) load_entries(session_, tenant, *found);
  return found;
}

std::vector<domain::LedgerTransaction> LedgerStore::list(const domain::TenantId& tenant,
                                                         const ports::LedgerFilter& filter, std::string_view after,
                                                         std::size_t limit) const {
  std::string sql =
      "SELECT " TRANSACTION_COLUMNS ", " DAY_COLUMNS " FROM ledger_transactions WHERE tenant = ? AND id > ?";
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
  if (filter.effective_from) {
    sql += " AND effective_day >= ?";
    parameters.emplace_back(std::int64_t{filter.effective_from->days()});
  }
  if (filter.effective_to) {
    sql += " AND effective_day <= ?";
    parameters.emplace_back(std::int64_t{filter.effective_to->days()});
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

std::vector<domain::LedgerTransaction> LedgerStore::journal(const domain::TenantId& tenant, domain::DateRange days,
                                                            const domain::JournalPlace& after,
                                                            std::size_t limit) const {
  const auto from = std::max(days.from, after.day).days();
  auto transactions =
      all(session_, read_transaction,
          "SELECT " TRANSACTION_COLUMNS ", " DAY_COLUMNS
          " FROM ledger_transactions WHERE tenant = ? AND effective_day >= ? AND effective_day <= ? AND phase = "
          "'posted' AND (effective_day > ? OR id > ?) ORDER BY effective_day, id LIMIT ?",
          tenant.text(), from, days.to.days(), after.day.days(), after.id, rows(limit));
  for (auto& transaction : transactions) load_entries(session_, tenant, transaction);
  return transactions;
}

}  // namespace tideover::store
