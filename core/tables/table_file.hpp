// Reads a file of separated values into a Table: official files as published (titles and notes around the rows, headers
// over two lines, any separator of , ; | tab) and our own. Reports every bad row with its line.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/table.hpp"

namespace tideover::tables {

struct TableFault {
  int line = 0;    // from 1; 0: the whole file
  int column = 0;  // of the line's text, from 1
  std::string message;
  std::string source_line;  // truncated
};

struct TableReading {
  std::shared_ptr<const Table> table;  // the valid rows; without rows when the header is unusable
  std::vector<TableFault> faults;      // the first twenty; the last one counts the rest
};

inline constexpr std::uintmax_t kLargestTableFile = 512ULL << 20;

/// Reads `text`. "# edition: 2026q1" on its own line before the header sets the edition, unless `provenance` has one.
TableReading read_table(std::string_view text, const Schema& schema, Provenance provenance);

}  // namespace tideover::tables
