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

void refuse(const std::string& what, const std::string& key, const std::vector<std::string>& names) {
  if (names.empty()) return;
  sdk::Fault fault(TIDEOVER_FAULT_INVALID_INPUT, what + claim_rows::join(names));
  for (const auto& name : names) fault = std::move(fault).with(key, name);
  throw std::move(fault).at_line(1);
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

CsvRecord read_header(CsvRecords& records) {
  CsvRecord header;
  if (!records.next(header)) throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, "the file holds no header row");
  if (!header.fault.empty())
    throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, "the header row (line " + std::to_string(header.line) + "): " + header.fault)
        .at_line(header.line);
  records.expect(header.cells.size());
  return header;
}

Columns::Columns(const CsvRecord& header, const claim_rows::Mapping& mapping, bool (*is_known)(std::string_view),
                 const std::vector<std::string_view>& required) {
  std::map<std::string, std::string> mapped;
  for (const auto& [name, field] : mapping.fields_by_header()) mapped[folded(name)] = field;
  std::vector<std::string> twice, missing, absent;
  for (const auto& cell : header.cells) {
    const std::string name = folded(cell);
    const auto found = mapped.find(name);
    std::string field = found != mapped.end() ? found->second : is_known(name) ? name : std::string();
    if (!field.empty() && index_of(field)) twice.push_back(field);
    fields_.push_back(std::move(field));
  }
  refuse("two columns stand for the same field: ", "ambiguous[]", twice);
  for (const auto field : required)
    if (!index_of(field)) missing.push_back(mapping.header_of(field));
  refuse("required columns are missing (map them with `mapping`, or rename the headers): ", "missing[]", missing);
  for (const auto& [name, field] : mapping.fields_by_header())
    if (!index_of(field)) absent.push_back(name);
  refuse("the mapping names headers that the file does not have: ", "missing[]", absent);
}

std::optional<std::size_t> Columns::index_of(std::string_view field) const {
  const auto found = std::find(fields_.begin(), fields_.end(), field);
  if (found == fields_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - fields_.begin());
}

std::string Columns::fault_of(const CsvRecord& row) const {
  if (!row.fault.empty() || row.cells.size() == fields_.size()) return row.fault;
  return "the row has " + std::to_string(row.cells.size()) + " cells, the header has " + std::to_string(fields_.size());
}

}  // namespace csv
