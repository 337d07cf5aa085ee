// Writes hash chains. A session caches the heads of its own chains while its transactions succeed, so that a link costs
// one digest and no statement. A new session reads them from the table once.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/crypto/primitives/sha256.hpp"
#include "core/ports/records/hash_chain.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

enum class ChainedTable { ledger, audit };

/// The position of a row in a chain.
struct ChainPlace {
  std::string chain;
  std::int64_t position = 1;
  std::string previous;  // hash
};

/// The bytes that a row's hash covers: the previous hash, its position and its content. Each value has its kind and
/// length, so that different rows never have the same bytes.
class CanonicalRow {
 public:
  CanonicalRow(ChainedTable table, const ChainPlace& place);
  CanonicalRow& text(std::string_view value);
  CanonicalRow& text_or_null(const std::optional<std::string>& value);
  CanonicalRow& integer(std::int64_t value);
  crypto::Sha256Digest hash() const { return crypto::sha256(bytes_); }

 private:
  std::string bytes_;
};

/// The position of the next row of a table in the chain of this session.
ChainPlace next_place(sql::Session& session, ChainedTable table, const std::string& node);
/// The row is written: the next one follows it.
void advance(sql::Session& session, ChainedTable table, const crypto::Sha256Digest& hash);

/// For a unique violation at `place`: throws SqlError conflict when another writer's row is there, so that the whole
/// unit runs again after it. Either a commit whose answer was lost succeeded later, or another process has this
/// node's name.
void refuse_taken_place(sql::Session& session, ChainedTable table, const ChainPlace& place);

std::vector<ports::ChainHead> heads_of(sql::Session& session, ChainedTable table);
ports::ChainHead head_of(sql::Session& session, ChainedTable table, const std::string& chain);

}  // namespace tideover::store
