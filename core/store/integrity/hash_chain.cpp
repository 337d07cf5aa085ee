#include "core/store/integrity/hash_chain.hpp"

#include "core/store/records/rows/columns.hpp"

namespace tideover::store {
namespace {

constexpr std::size_t kChainedTables = 2;

/// The chain heads that a session caches.
struct ChainHeads {
  std::string chain;
  std::array<std::optional<ports::ChainHead>, kChainedTables> heads;
};

sql::Sql last_row_of(ChainedTable table) {
  switch (table) {
    case ChainedTable::ledger:
      return "SELECT position, hash FROM ledger_transactions WHERE chain = ? ORDER BY position DESC LIMIT 1";
    case ChainedTable::audit:
      break;
  }
  return "SELECT position, hash FROM audit_rows WHERE chain = ? ORDER BY position DESC LIMIT 1";
}

sql::Sql next_chain_of(ChainedTable table) {
  switch (table) {
    case ChainedTable::ledger:
      return "SELECT chain FROM ledger_transactions WHERE chain > ? ORDER BY chain LIMIT 1";
    case ChainedTable::audit:
      break;
  }
  return "SELECT chain FROM audit_rows WHERE chain > ? ORDER BY chain LIMIT 1";
}

sql::Sql row_at(ChainedTable table) {
  switch (table) {
    case ChainedTable::ledger:
      return "SELECT 1 FROM ledger_transactions WHERE chain = ? AND position = ?";
    case ChainedTable::audit:
      break;
  }
  return "SELECT 1 FROM audit_rows WHERE chain = ? AND position = ?";
}

}  // namespace

CanonicalRow::CanonicalRow(ChainedTable table, const ChainPlace& place) {
  bytes_.reserve(512);
  text(place.previous)
      .text(table == ChainedTable::ledger ? "ledger" : "audit")
      .text(place.chain)
      .integer(place.position);
}

CanonicalRow& CanonicalRow::text(std::string_view value) {
  bytes_ += 't';
  bytes_ += std::to_string(value.size());
  bytes_ += ':';
  bytes_ += value;
  return *this;
}

CanonicalRow& CanonicalRow::text_or_null(const std::optional<std::string>& value) {
  if (value) return text(*value);
  bytes_ += 'n';
  return *this;
}

CanonicalRow& CanonicalRow::integer(std::int64_t value) {
  bytes_ += 'i';
  bytes_ += std::to_string(value);
  bytes_ += ';';
  return *this;
}

ChainPlace next_place(sql::Session& session, ChainedTable table, const std::string& node) {
  auto& known = session.memory().of<ChainHeads>();
  if (known.chain.empty()) known.chain = node + '/' + std::to_string(session.lane());
  auto& head = known.heads[static_cast<std::size_t>(table)];
  if (!head) head = head_of(session, table, known.chain);
  return {known.chain, head->position + 1, head->hash};
}

void advance(sql::Session& session, ChainedTable table, const crypto::Sha256Digest& hash) {
  auto& head = *session.memory().of<ChainHeads>().heads[static_cast<std::size_t>(table)];
  ++head.position;
  head.hash.assign(hash.begin(), hash.end());
}

void refuse_taken_place(sql::Session& session, ChainedTable table, const ChainPlace& place) {
  const auto taken =
      session.first([](const sql::Row& row) { return row.integer(0); }, row_at(table), place.chain, place.position);
  if (!taken) return;
  session.memory().forget();
  throw sql::SqlError(sql::SqlError::Kind::conflict, 0,
                      "position " + std::to_string(place.position) + " of the hash chain " + place.chain + " is taken");
}

ports::ChainHead head_of(sql::Session& session, ChainedTable table, const std::string& chain) {
  ports::ChainHead none{chain, 0, ""};
  return session
      .first(
          [&](const sql::Row& row) {
            ColumnReader in(row);
            ports::ChainHead head{chain, in.integer(), ""};
            head.hash = in.bytes();
            return head;
          },
          last_row_of(table), chain)
      .value_or(none);
}

std::vector<ports::ChainHead> heads_of(sql::Session& session, ChainedTable table) {
  std::vector<ports::ChainHead> heads;
  std::string last;
  for (;;) {  // from chain to chain: DISTINCT would read every row
    const auto chain = session.first([](const sql::Row& row) { return row.text(0); }, next_chain_of(table), last);
    if (!chain) return heads;
    heads.push_back(head_of(session, table, *chain));
    last = *chain;
  }
}

}  // namespace tideover::store
