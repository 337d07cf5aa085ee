#include "csv/columns.hpp"

#include <algorithm>

namespace csv {
namespace {

namespace sdk = tideover::sdk;

std::string folded(std::string_view header) {
  std::string text(trim(header));
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// Rows above the header, such as a title or a print date.
constexpr int kMostTitles = 20;

void refuse(const std::string& what, const std::string& key, const std::vector<std::string>& names, std::int64_t line) {
  if (names.empty()) return;
  sdk::Fault fault(TIDEOVER_FAULT_INVALID_INPUT, what + claim_rows::join(names));
  for (const auto& name : names) fault = std::move(fault).with(key, name);
  throw std::move(fault).at_line(line);
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_formula(std::string_view value) {
  if (value.empty()) return false;
  if (value.front() == '=' || value.front() == '@') return true;
  if (value.front() != '+' && value.front() != '-') return false;
  return value.find_first_not_of("0123456789.", 1) != std::string_view::npos;
}

Columns::Columns(CsvRecords& records, sdk::Pairs given, const Fields& known) : formats_(given) {
  const claim_rows::Mapping mapping(given, known.is_known);
  const auto misses = [&](const std::vector<std::string>& fields) {
    std::vector<std::string> missing;
    for (const auto field : known.required)
      if (std::find(fields.begin(), fields.end(), field) == fields.end()) missing.push_back(mapping.header_of(field));
    return missing;
  };
  CsvRecord header, row;
  std::vector<std::string> missing;
  for (int rows = 0; rows < kMostTitles; ++rows) {
    records.detect_delimiter();
    if (!records.next(row)) break;
    auto fields = fields_of(row, mapping, known);
    auto lacks = misses(fields);
    if (rows > 0 && (!row.fault.empty() || !lacks.empty())) continue;
    header = std::move(row);
    fields_ = std::move(fields);
    missing = std::move(lacks);
    if (header.fault.empty() && missing.empty()) break;
  }
  if (header.line == 0) throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, "the file has no header row");
  if (!header.fault.empty())
    throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT,
                     "the header row (line " + std::to_string(header.line) + "): " + header.fault)
        .at_line(header.line);
  records.expect(fields_.size());

  std::vector<std::string> twice, absent;
  for (auto field = fields_.begin(); field != fields_.end(); ++field)
    if (!field->empty() && std::find(fields_.begin(), field, *field) != field) twice.push_back(*field);
  refuse("two columns have the same field: ", "ambiguous[]", twice, header.line);
  refuse("required columns are missing (map them with `mapping`, or rename the headers): ", "missing[]", missing,
         header.line);
  for (const auto& [name, field] : mapping.fields_by_header())
    if (!index_of(field)) absent.push_back(name);
  refuse("the mapping names headers that the file does not have: ", "missing[]", absent, header.line);
}

std::vector<std::string> Columns::fields_of(const CsvRecord& header, const claim_rows::Mapping& mapping,
                                            const Fields& known) const {
  std::map<std::string, std::string> mapped;
  for (const auto& [name, field] : mapping.fields_by_header()) mapped[folded(name)] = field;
  std::vector<std::string> fields;
  for (const auto& cell : header.cells) {
    const std::string name = folded(formats_.text(cell));
    const auto found = mapped.find(name);
    fields.push_back(found != mapped.end() ? found->second : known.is_known(name) ? name : std::string());
  }
  return fields;
}

std::optional<std::size_t> Columns::index_of(std::string_view field) const {
  const auto found = std::find(fields_.begin(), fields_.end(), field);
  if (found == fields_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - fields_.begin());
}

std::string Columns::fault_of(const CsvRecord& row) const {
  if (!row.fault.empty()) return row.fault;
  if (row.cells.size() == fields_.size()) {
    for (std::size_t i = 0; !row.is_text && i < fields_.size(); ++i)
      if (!fields_[i].empty())
        if (const auto fault = claim_rows::text_fault(formats_.text(row.cells[i])); !fault.empty())
          return "the cell of '" + fields_[i] + "' " + fault;
    return {};
  }
  return "the row has " + std::to_string(row.cells.size()) + " cells, the header has " + std::to_string(fields_.size());
}

}  // namespace csv
