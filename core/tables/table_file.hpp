// Reads a file of separated values into a Table: official files as published (titles and notes around the rows, headers
// split over two lines, separators , ; | or tab) and the project's own files. Every invalid row is reported with its
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
  int line = 0;    // from 1; 0 for the whole file
  int column = 0;  // of the line's text, from 1
  std::string message;
  std::string source_line;  // truncated
};

struct TableReading {
  std::shared_ptr<const Table> table;  // of the valid rows; without rows when the header is not valid
  std::vector<TableFault> faults;      // the first twenty; the last then has the number of the others
};

inline constexpr std::uintmax_t kLargestTableFile = 512ULL << 20;

/// Reads `text`. A line "# edition: 2026q1" before the header gives the edition, unless `provenance` has one.
TableReading read_table(std::string_view text, const Schema& schema, Provenance provenance);

}  // namespace tideover::tables
