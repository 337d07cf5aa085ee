// Reads a file of separated values into a Table: official files as they are published (titles and notes around the
// rows, headers that are split over two lines, any of , ; | tab) and the project's own. Every bad row is told with its
// line.
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
  int line = 0;    // from 1; 0 when the whole file is meant
  int column = 0;  // of the line's text, from 1
  std::string message;
  std::string source_line;  // shortened
};

struct TableReading {
  std::shared_ptr<const Table> table;  // of the sound rows; without rows when the header cannot be used
  std::vector<TableFault> faults;      // the first twenty; the last then counts the others
};

inline constexpr std::uintmax_t kLargestTableFile = 512ULL << 20;

/// Reads `text`. "# edition: 2026q1" on a line of its own before the header names the edition, unless `provenance`
/// does.
TableReading read_table(std::string_view text, const Schema& schema, Provenance provenance);

}  // namespace tideover::tables
