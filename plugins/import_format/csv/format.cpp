// CSV files of claims (contract section 8): one claim per row, or one service line per row where consecutive rows with
// the same claim_identifier make one claim. The format is immutable; a reader belongs to one thread at a time.
#include <algorithm>
#include <deque>
#include <optional>

#include "claim_rows/mapping.hpp"
#include "csv/columns.hpp"
#include "tideover/import_format.hpp"

namespace csv {
namespace {

namespace sdk = tideover::sdk;

constexpr std::size_t kMostLines = 999;  // service lines of an institutional claim

/// The columns of a file of claims, and how it gives their service lines.
class ClaimColumns : public Columns {
 public:
  ClaimColumns(const CsvRecord& header, const claim_rows::Mapping& mapping)
      : Columns(header, mapping, claim_rows::is_service_field,
                {claim_rows::kRequiredFields.begin(), claim_rows::kRequiredFields.end()}) {
    for (const auto& field : fields()) {
      const bool is_line = std::find(claim_rows::kLineFields.begin(), claim_rows::kLineFields.end(), field) != claim_rows::kLineFields.end();
      is_line_.push_back(is_line);
      has_lines_ = has_lines_ || is_line;
    }
    if (has_lines_ && std::any_of(fields().begin(), fields().end(), claim_rows::is_nested_line_field))
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT,
                       "give service lines either as service_lines[0].cpt columns or as cpt, modifier, units, amount "
                       "with one row per line, not both");
    claim_identifier_ = *index_of("claim_identifier");
  }

  bool is_line(std::size_t index) const { return is_line_[index]; }
  bool has_lines() const { return has_lines_; }
  std::size_t claim_identifier() const { return claim_identifier_; }

 private:
  std::vector<bool> is_line_;
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
  Reader(CsvRecords records, ClaimColumns columns) : records_(std::move(records)), columns_(std::move(columns)) {}

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
    const std::string fault = columns_.fault_of(row);
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
      const std::string& field = columns_.fields()[i];
      const auto value = trim(row.cells[i]);
      if (field.empty() || value.empty()) continue;
      if (is_formula(value)) return spoil("the cell of '" + field + "' holds a formula (line " + std::to_string(row.line) + ")");
      if (columns_.is_line(i)) {
        if (open_->lines >= kMostLines) return spoil("the claim has more than 999 service lines");
        has_line = true;
        fields.emplace_back("service_lines[" + std::to_string(open_->lines) + "]." + field, value);
      } else if (!continues) {
        fields.emplace_back(field, value);
      } else {
        const auto earlier = std::find_if(fields.begin(), fields.end(),
                                          [&](const auto& known) { return known.first == field; });
        if (earlier == fields.end()) {
          fields.emplace_back(field, value);
        } else if (earlier->second != value) {
          spoil("the rows of this claim disagree in '" + field + "' (line " + std::to_string(row.line) + ")");
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
  const ClaimColumns columns_;
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
    ClaimColumns columns(read_header(records), mapping);
    return std::make_unique<Reader>(std::move(records), std::move(columns));
  }
};

}  // namespace
}  // namespace csv

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::ImportFormat, csv::Format, "csv", "Claims as CSV", "1.0.0", "0.1.0");
