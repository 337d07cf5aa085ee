// A reference table in memory: rows sorted by key, found through a hash. Immutable; shared between threads as
// shared_ptr<const Table>. Every cell is one 64-bit word, so a million rows of five columns take 40 MB plus their
// texts.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/tables/schema.hpp"

namespace tideover::tables {

inline constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();  // an empty cell
inline constexpr std::int64_t kOneInDecimal = 1'000'000;
inline constexpr std::size_t kMostRows = 5'000'000;

/// The source of a table's rows, named in traces.
struct Provenance {
  std::string file;     // "tables/mue.csv", or the path of the operator's file
  std::string edition;  // "2026q1"; empty when unknown
  std::string sha256;   // of the file
};

/// A value for readers; monostate for an empty cell. Texts belong to the table.
using Value = std::variant<std::monostate, std::string_view, std::int64_t, double, domain::Date, bool>;

class Table {
 public:
  using Key = std::array<std::int64_t, kLongestKey>;
  struct DuplicateKey {
    std::size_t first_row, second_row;  // in order of input, from 0
  };

  /// `cells` has the rows in sequence, each with as many cells as the schema has columns; text cells are indexes into
  /// `texts`.
  Table(Schema schema, Provenance provenance, std::vector<std::int64_t> cells, std::deque<std::string> texts);

  const Schema& schema() const { return schema_; }
  const Provenance& provenance() const { return provenance_; }
  std::size_t row_count() const { return width_ == 0 ? 0 : cells_.size() / width_; }
  /// Two rows with the same key that start on the same day, if any.
  const std::optional<DuplicateKey>& duplicate() const { return duplicate_; }

  /// The cell of a key column with this text (or number); nullopt when no row can have it.
  std::optional<std::int64_t> key_cell(std::size_t place, std::string_view text) const;
  std::optional<std::int64_t> key_cell(std::size_t place, std::int64_t number) const;

  /// The row of this whole key; in a dated table the latest of those that are valid on `day`.
  std::optional<std::uint32_t> find(const Key& key, std::optional<domain::Date> day) const;
  /// True when a row's key starts with this cell, on any day.
  bool has_first(std::int64_t cell) const;

  Value value(std::uint32_t row, std::size_t column) const;
  /// Value of a decimal column, exact, in millionths.
  std::optional<std::int64_t> decimal(std::uint32_t row, std::size_t column) const;

 private:
  std::int64_t cell(std::size_t row, std::size_t column) const { return cells_[row * width_ + column]; }
  bool has_key(std::size_t row, const Key& key) const;
  bool holds_on(std::size_t row, domain::Date day) const;
  void sort_rows();
  void index_rows();

  Schema schema_;
  Provenance provenance_;
  std::size_t width_;
  std::vector<std::int64_t> cells_;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::int64_t> text_numbers_;  // indexes into texts_
  std::vector<std::uint32_t> slots_;                                 // first row of a key + 1; 0 is free
  std::optional<DuplicateKey> duplicate_;
};

/// Packs a code of at most 8 letters and digits into a cell, and back.
std::optional<std::int64_t> pack_code(std::string_view code);

}  // namespace tideover::tables
