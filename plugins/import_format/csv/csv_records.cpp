#include "csv_records.hpp"

#include <algorithm>
#include <array>

namespace csv {
namespace {

using claim_rows::kLongestRow;

constexpr std::size_t kMostCells = 10'000;
constexpr std::array<char, 4> kDelimiters{',', ';', '\t', '|'};

constexpr const char* kNotClosed = "a quoted cell is not closed";

std::int64_t line_breaks(std::string_view text) {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace

CsvRecords::CsvRecords(tideover::sdk::ByteSource source) : buffer_(source) {
  buffer_.start();
}

bool CsvRecords::available(std::size_t index) {
  while (index >= buffer_.unread().size())
    if (!buffer_.fill()) return false;
  return true;
}

void CsvRecords::detect_delimiter() {
  std::array<int, kDelimiters.size()> counts{};
  bool is_quoted = false, has_text = false;
  for (std::size_t i = 0; i < kLongestRow && available(i); ++i) {
    const char c = buffer_.unread()[i];
    if (c == '"') is_quoted = !is_quoted;
    has_text = has_text || is_quoted;
    if (is_quoted) continue;
    if (c == '\n' || c == '\r') {
      if (has_text) break;
      continue;  // an empty line
    }
    has_text = true;
    for (std::size_t d = 0; d < kDelimiters.size(); ++d) counts[d] += c == kDelimiters[d] ? 1 : 0;
  }
  delimiter_ = kDelimiters[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin())];
}

bool CsvRecords::next(CsvRecord& record) {
  while (available(0)) {
    if (buffer_.unread().front() == '\n') {  // millions of empty lines must not cost a record each
      ++line_;
      buffer_.consume(1);
      continue;
    }
    record = CsvRecord{line_, buffer_.offset(), {}, {}};
    read_record(record);
    const bool is_blank = record.fault.empty() && record.cells.size() == 1 && record.cells.front().empty();
    if (!is_blank) return true;
  }
  return false;
}

void CsvRecords::read_record(CsvRecord& record) {
  enum class At { cell_start, bare_cell, quoted_cell, behind_quote } at = At::cell_start;
  std::string cell;
  bool has_lines = false;  // a quoted cell continues over a line end
  const auto end_record = [&](std::size_t length) {
    if (has_lines && expected_ > 0 && record.cells.size() != expected_)
      return give_up(record, "a quoted cell spans several lines and the row has " +
                                 std::to_string(record.cells.size()) + " cells, but the header has " +
                                 std::to_string(expected_) + ": a quote may not be closed");
    finish(record, length);
  };
  const auto end_cell = [&] {
    record.cells.push_back(std::move(cell));
    cell.clear();
    at = At::cell_start;
  };
  std::size_t i = 0;
  for (;; ++i) {
    if (i > kLongestRow) return give_up(record, at == At::quoted_cell ? kNotClosed : "the row is longer than 1 MiB");
    if (!available(i)) break;
    const char c = buffer_.unread()[i];
    if (at == At::quoted_cell) {
      if (c != '"') {
        has_lines = has_lines || c == '\n' || c == '\r';
        cell += c;
      } else if (available(i + 1) && buffer_.unread()[i + 1] == '"') {
        cell += c;
        ++i;
      } else {
        at = At::behind_quote;
      }
    } else if (c == delimiter_) {
      if (record.cells.size() == kMostCells) return give_up(record, "the row has more than 10000 cells");
      end_cell();
    } else if (c == '\n' || c == '\r') {
      end_cell();
      const bool is_pair = c == '\r' && available(i + 1) && buffer_.unread()[i + 1] == '\n';
      if (c == '\r' && !is_pair) ++line_;
      return end_record(i + (is_pair ? 2 : 1));
    } else if (at == At::behind_quote) {
      return give_up(record, "text follows a closing quote");
    } else if (c == '"') {
      if (at == At::bare_cell) return give_up(record, "a quote is inside a cell that is not quoted");
      at = At::quoted_cell;
    } else {
      cell += c;
      at = At::bare_cell;
    }
  }
  if (at == At::quoted_cell) return give_up(record, kNotClosed);
  end_cell();
  end_record(i);
}

void CsvRecords::finish(CsvRecord& record, std::size_t length) {
  const auto raw = buffer_.unread().substr(0, length);
  record.is_text = claim_rows::text_fault(raw).empty();
  line_ += line_breaks(raw);
  buffer_.consume(length);
}

/// Only the first line is lost: the lines that the quote included are read again.
void CsvRecords::give_up(CsvRecord& record, std::string fault) {
  record.fault = std::move(fault);
  ++line_;
  buffer_.skip_line();
}

}  // namespace csv
