// CSV files of claims (contract section 8): one claim per row, or one service line per row where consecutive rows with
// the same claim_identifier make one claim. The format is immutable; a reader belongs to one thread at a time.
#include <algorithm>
#include <deque>
#include <optional>

#include "claim_rows/mapping.hpp"
#include "csv_records.hpp"
#include "tideover/import_format.hpp"

namespace csv {
namespace {

namespace sdk = tideover::sdk;

constexpr std::size_t kMostLines = 999;  // service lines of an institutional claim

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string folded(std::string_view header) {
  std::string text(trim(header));
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// What a spreadsheet would run when somebody opens an export of it. A number with a sign is none.
bool is_formula(std::string_view value) {
  if (value.front() == '=' || value.front() == '@') return true;
  if (value.front() != '+' && value.front() != '-') return false;
  return value.find_first_not_of("0123456789.", 1) != std::string_view::npos;
}

struct Column {
  std::string field;  // empty: no field of the service, nothing is read from it
  bool is_line = false;
};

/// What each column of the file means. Headers compare without case and surrounding blanks.
class Columns {
 public:
  Columns(const CsvRecord& header, const claim_rows::Mapping& mapping) {
    for (const auto& [name, field] : mapping.fields_by_header()) mapped_[folded(name)] = field;
    std::vector<std::string> twice;
    for (const auto& cell : header.cells) {
      Column column{field_of(cell), false};
      column.is_line = is_flat_line(column.field);
      if (!column.field.empty() && index_of(column.field)) twice.push_back(column.field);
      columns_.push_back(column);
    }
    refuse("two columns stand for the same field: ", "ambiguous[]", twice);
    refuse_missing(mapping);
    const bool has_nested = std::any_of(columns_.begin(), columns_.end(),
                                        [](const Column& c) { return claim_rows::is_nested_line_field(c.field); });
    has_lines_ = std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return c.is_line; });
    if (has_nested && has_lines_)
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT,
                       "give service lines either as service_lines[0].cpt columns or as cpt, modifier, units, amount "
                       "with one row per line, not both");
    claim_identifier_ = *index_of("claim_identifier");
  }

  const std::vector<Column>& all() const { return columns_; }
  bool has_lines() const { return has_lines_; }
  std::size_t claim_identifier() const { return claim_identifier_; }

 private:
  std::string field_of(const std::string& header) const {
    const auto found = mapped_.find(folded(header));
    if (found != mapped_.end()) return found->second;
    const std::string name = folded(header);
    return claim_rows::is_service_field(name) ? name : std::string();
  }
  static bool is_flat_line(const std::string& field) {
    return std::find(claim_rows::kLineFields.begin(), claim_rows::kLineFields.end(), field) !=
           claim_rows::kLineFields.end();
  }
  std::optional<std::size_t> index_of(std::string_view field) const {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i].field == field) return i;
    return std::nullopt;
  }
  static void refuse(const std::string& what, const std::string& key, const std::vector<std::string>& names) {
    if (names.empty()) return;
    sdk::Fault fault(TIDEOVER_FAULT_INVALID_INPUT, what + claim_rows::join(names));
    for (const auto& name : names) fault = std::move(fault).with(key, name);
    throw std::move(fault).at_line(1);
  }
  void refuse_missing(const claim_rows::Mapping& mapping) const {
    std::vector<std::string> missing;
    for (const auto field : claim_rows::kRequiredFields)
      if (!index_of(field)) missing.push_back(mapping.header_of(field));
    refuse("required columns are missing (map them with `mapping`, or rename the headers): ", "missing[]", missing);
    std::vector<std::string> absent;
    for (const auto& [header, field] : mapping.fields_by_header())
      if (!index_of(field)) absent.push_back(header);
    refuse("the mapping names headers that the file does not have: ", "missing[]", absent);
  }

  std::map<std::string, std::string> mapped_;
  std::vector<Column> columns_;
  bool has_lines_ = false;
  std::size_t claim_identifier_ = 0;
};

/// A claim whose rows are still coming in.
struct OpenClaim {
  sdk::Record record;
  std::string claim_identifier;
  std::size_t lines = 0;
  std::int64_t broken_line = 0;  // a broken row since its last good one
};

class Reader : public sdk::ImportReader {
 public:
  Reader(CsvRecords records, Columns columns) : records_(std::move(records)), columns_(std::move(columns)) {}

  bool next(sdk::Record& record) override {
    while (ready_.empty()) {
      CsvRecord row;
      if (records_.next(row)) {
        take(row);
      } else if (open_) {
        close_claim();
      } else {
        return false;
      }
    }
    record = std::move(ready_.front());
    ready_.pop_front();
    return true;
  }

 private:
  void take(const CsvRecord& row) {
    std::string fault = row.fault;
    if (fault.empty() && row.cells.size() != columns_.all().size())
      fault = "the row has " + std::to_string(row.cells.size()) + " cells, the header has " +
              std::to_string(columns_.all().size());
    if (!fault.empty()) {
      ready_.push_back({row.line, row.byte, {}, fault});
      if (open_) open_->broken_line = row.line;
      return;
    }
    const std::string claim_identifier(trim(row.cells[columns_.claim_identifier()]));
    const bool continues =
        open_ && columns_.has_lines() && !claim_identifier.empty() && open_->claim_identifier == claim_identifier;
    if (!continues) {
      if (open_) close_claim();
      open_ = OpenClaim{{row.line, row.byte, {}, {}}, claim_identifier, 0, 0};
    } else if (open_->broken_line != 0) {
      spoil("row " + std::to_string(open_->broken_line) + " in the middle of this claim could not be read");
    }
    add(row, continues);
    if (!columns_.has_lines()) close_claim();
  }

  /// A claim that is not whole must not look whole.
  void spoil(const std::string& fault) {
    if (open_->record.fault.empty()) open_->record.fault = fault;
  }

  void add(const CsvRecord& row, bool continues) {
    auto& fields = open_->record.fields;
    bool has_line = false;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Column& column = columns_.all()[i];
      const auto value = trim(row.cells[i]);
      if (column.field.empty() || value.empty()) continue;
      if (is_formula(value)) return spoil("the cell of '" + column.field + "' holds a formula (line " + std::to_string(row.line) + ")");
      if (column.is_line) {
        if (open_->lines >= kMostLines) return spoil("the claim has more than 999 service lines");
        has_line = true;
        fields.emplace_back("service_lines[" + std::to_string(open_->lines) + "]." + column.field, value);
      } else if (!continues) {
        fields.emplace_back(column.field, value);
      } else {
        const auto earlier = std::find_if(fields.begin(), fields.end(),
                                          [&](const auto& field) { return field.first == column.field; });
        if (earlier == fields.end()) {
          fields.emplace_back(column.field, value);
        } else if (earlier->second != value) {
          spoil("the rows of this claim disagree in '" + column.field + "' (line " + std::to_string(row.line) + ")");
        }
      }
    }
    if (has_line) ++open_->lines;
  }

  void close_claim() {
    ready_.push_back(std::move(open_->record));
    open_.reset();
  }

  CsvRecords records_;
  const Columns columns_;
  std::optional<OpenClaim> open_;
  std::deque<sdk::Record> ready_;
};

class Format : public sdk::ImportFormat {
 public:
  static constexpr std::array<tideover_config_key, 0> kConfigKeys{};
  Format(const sdk::Host&, const sdk::Config&) {}

  std::unique_ptr<sdk::ImportReader> open(sdk::ByteSource source, const sdk::Pairs& given) override {
    const claim_rows::Mapping mapping(given);
    CsvRecords records(source);
    CsvRecord header;
    if (!records.next(header)) throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, "the file holds no header row");
    if (!header.fault.empty())
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT,
                       "the header row (line " + std::to_string(header.line) + "): " + header.fault)
          .at_line(header.line);
    Columns columns(header, mapping);
    return std::make_unique<Reader>(std::move(records), std::move(columns));
  }
};

}  // namespace
}  // namespace csv

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::ImportFormat, csv::Format, "csv", "Claims as CSV", "1.0.0", "0.1.0");
