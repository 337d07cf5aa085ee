// Writes hash chains. A session caches the heads of its own chains as long as its transactions succeed, so that a link
// costs one digest and no statement. A new session reads them from the table once.
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

/// Input of a row's hash: the previous hash, the position and the content. Every value has its kind and its length, so
/// that different rows never have the same bytes.
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
/// Records that the row was written; the next row follows it.
void advance(sql::Session& session, ChainedTable table, const crypto::Sha256Digest& hash);

/// After a unique violation at `place`: throws SqlError conflict when another row has that position, so that the whole
/// unit runs again after it. Causes: a commit with a lost answer arrived late, or another process has this node's name.
void refuse_taken_place(sql::Session& session, ChainedTable table, const ChainPlace& place);

std::vector<ports::ChainHead> heads_of(sql::Session& session, ChainedTable table);
ports::ChainHead head_of(sql::Session& session, ChainedTable table, const std::string& chain);

}  // namespace tideover::store
