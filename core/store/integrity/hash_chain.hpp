// The writing end of hash chains. A session knows the heads of its own chains for as long as its transactions succeed,
// so that a link costs one digest and no statement; a fresh session reads them from the table once.
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

/// The place of a row in a chain.
struct ChainPlace {
  std::string chain;
  std::int64_t position = 1;
  std::string previous;  // hash
};

/// What a row's hash is made of: the hash before it, its place and its content, so that different rows never have the
/// same bytes: every value bears its kind and its length.
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

/// Where the next row of a table goes in the chain of this session.
ChainPlace next_place(sql::Session& session, ChainedTable table, const std::string& node);
/// The row is written: the next one comes behind it.
void advance(sql::Session& session, ChainedTable table, const crypto::Sha256Digest& hash);

/// For a unique violation at `place`: throws SqlError conflict when somebody else's row stands there - a commit whose
/// answer was lost came through late, or another process bears this node's name - so that the whole unit runs again
/// behind it.
void refuse_taken_place(sql::Session& session, ChainedTable table, const ChainPlace& place);

std::vector<ports::ChainHead> heads_of(sql::Session& session, ChainedTable table);
ports::ChainHead head_of(sql::Session& session, ChainedTable table, const std::string& chain);

}  // namespace tideover::store
