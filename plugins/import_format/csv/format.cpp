// CSV files of claims (api/imports/README.md): one claim per row, or one service line per row; consecutive rows with
// the same claim_identifier then form one claim. The format is immutable; a reader is used by one thread at a time.
#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "claim_rows/mapping.hpp"
#include "csv/columns.hpp"
#include "tideover/import_format.hpp"

namespace csv {
namespace {

namespace sdk = tideover::sdk;

constexpr std::string_view kDate = "date_of_", kAmount = "amount";  // prefix and suffix of such field names
constexpr std::array<std::string_view, 2> kOtherAmounts{"paid_by_others", "patient_paid"};
constexpr std::array<std::string_view, 4> kOtherDates{"statement_from", "statement_through", "admission_date",
                                                      "discharge_date"};
constexpr std::string_view kOccurrences = "occurrence_", kCodeMember = "].code";  // the other members are dates
constexpr std::array<std::string_view, 5> kIdentifiers{"claim_identifier", "chart_identifier", "servicer_npi",
                                                       "billing_npi", "patient_primary_payor_id"};
constexpr std::size_t kMostLines = 999;  // service lines of an institutional claim

/// The columns of a file of claims, and the form of its service lines.
class ClaimColumns : public Columns {
 public:
  ClaimColumns(CsvRecords& records, const sdk::Pairs& mapping)
      : Columns(
            records, mapping,
            {claim_rows::is_service_field, {claim_rows::kRequiredFields.begin(), claim_rows::kRequiredFields.end()}}) {
    for (const auto& field : fields()) {
      const bool is_line = std::find(claim_rows::kLineFields.begin(), claim_rows::kLineFields.end(), field) !=
                           claim_rows::kLineFields.end();
      is_line_.push_back(is_line);
      has_lines_ = has_lines_ || is_line;
    }
    if (has_lines_ && std::any_of(fields().begin(), fields().end(), claim_rows::is_nested_line_field))
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT,
                       "use either service_lines[0].cpt columns for service lines, or cpt, modifier, units, amount "
                       "with one row per line, not both");
    claim_identifier_ = *index_of("claim_identifier");
  }

  bool is_line(std::size_t index) const { return is_line_[index]; }
  bool has_lines() const { return has_lines_; }
  std::size_t claim_identifier() const { return claim_identifier_; }
  /// The cell in the format that the service uses for such a field.
  std::string value_of(const CsvRecord& row, std::size_t column) const {
    const std::string_view field = fields()[column];
    const auto text = text_of(row, column);
    if (is_date(field)) return formats().date(text);
    return is_amount(field) ? formats().amount(text) : text;
  }

 private:
  static bool ends_with(std::string_view field, std::string_view end) {
    return field.size() >= end.size() && field.substr(field.size() - end.size()) == end;
  }
  static bool is_amount(std::string_view field) {
    return std::find(kOtherAmounts.begin(), kOtherAmounts.end(), field) != kOtherAmounts.end() ||
           ends_with(field, kAmount);
  }
  static bool is_date(std::string_view field) {
    if (field.substr(0, kOccurrences.size()) == kOccurrences) return !ends_with(field, kCodeMember);
    return field.substr(0, kDate.size()) == kDate ||
           std::find(kOtherDates.begin(), kOtherDates.end(), field) != kOtherDates.end();
  }

  std::vector<bool> is_line_;
  bool has_lines_ = false;
  std::size_t claim_identifier_ = 0;
};

/// A claim whose rows are still being read, and the broken rows after its last valid one: if the claim continues, they
/// are inside it.
struct OpenClaim {
  sdk::Record record;
  std::string claim_identifier;
  std::size_t lines = 0;
  std::vector<sdk::Record> broken_rows{};
  std::map<std::string, std::size_t> places{};  // of its own fields among those of its record
};

/// Records are in order of the file: the position of a claim is that of its first row.
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
    if (!fault.empty()) return take_broken(row, fault);
    const std::string claim_identifier = columns_.text_of(row, columns_.claim_identifier());
    const bool continues =
        open_ && columns_.has_lines() && !claim_identifier.empty() && open_->claim_identifier == claim_identifier;
    if (!continues) {
      if (open_) close_claim();
      open_ = OpenClaim{{row.line, row.byte, {}, {}}, claim_identifier, 0};
      if (broken_.is_unknown || broken_.names.count(claim_identifier) > 0) spoil_by(broken_.line);
    } else if (!open_->broken_rows.empty()) {
      spoil_by(open_->broken_rows.front().line);
    }
    broken_ = {};
    add(row);
    if (!columns_.has_lines()) close_claim();
  }

  /// When rows are service lines, a broken one invalidates the claim that it names. One without a name may belong to
  /// the claim before or after it.
  void take_broken(const CsvRecord& row, const std::string& fault) {
    const auto claim_identifier = claim_named_by(row);
    sdk::Record record{row.line, row.byte, {}, fault};
    if (claim_identifier && !claim_identifier->empty() && row.fault.empty())
      record.fields.emplace_back("claim_identifier", *claim_identifier);
    if (!columns_.has_lines()) {
      ready_.push_back(std::move(record));
      return;
    }
    broken_.note(row.line, claim_identifier);
    if (!open_) {
      ready_.push_back(std::move(record));
      return;
    }
    if (!claim_identifier || claim_identifier == open_->claim_identifier) spoil_by(row.line);
    open_->broken_rows.push_back(std::move(record));
    if (open_->broken_rows.size() < kMostLines) return;
    spoil_by(open_->broken_rows.front().line);  // bounded memory: the claim is ended without waiting for more rows
    broken_.is_unknown = true;
    close_claim();
  }

  /// Empty for a row without a claim, such as a total; nullopt when that is unknown: missing or extra cells may have
  /// moved every column but the first.
  std::optional<std::string> claim_named_by(const CsvRecord& row) const {
    const auto at = columns_.claim_identifier();
    if (row.cells.size() <= at) return std::nullopt;
    auto named = columns_.text_of(row, at);
    const bool is_certain = at == 0 || row.cells.size() == columns_.fields().size() ||
                            (open_ && !named.empty() && open_->claim_identifier == named);
    return is_certain && claim_rows::text_fault(named).empty() ? std::optional(std::move(named)) : std::nullopt;
  }

  /// An incomplete claim must not look complete.
  void spoil(const std::string& fault) {
    if (open_->record.fault.empty()) open_->record.fault = fault;
  }
  void spoil_by(std::int64_t broken_line) {
    spoil("row " + std::to_string(broken_line) + ", which may belong to this claim, could not be read");
  }

  void add(const CsvRecord& row) {
    auto& fields = open_->record.fields;
    bool has_line = false;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::string& field = columns_.fields()[i];
      if (field.empty()) continue;
      const auto value = columns_.value_of(row, i);
      if (value.empty()) continue;
      if (is_shortened_number(value) &&
          std::find(kIdentifiers.begin(), kIdentifiers.end(), field) != kIdentifiers.end())
        return spoil("the cell of '" + field +
                     "' has a number that a spreadsheet has shortened (as 2.1E+11), and its digits are lost; format " +
                     "the column as text and export it again (line " + std::to_string(row.line) + ")");
      if (is_formula(value))
        return spoil("the cell of '" + field + "' has a formula (line " + std::to_string(row.line) + ")");
      if (columns_.is_line(i)) {
        if (open_->lines >= kMostLines) return spoil("the claim has more than 999 service lines");
        has_line = true;
        fields.emplace_back("service_lines[" + std::to_string(open_->lines) + "]." + field, value);
      } else if (const auto [known, is_new] = open_->places.try_emplace(field, fields.size()); is_new) {
        fields.emplace_back(field, value);
      } else if (fields[known->second].second != value) {
        spoil("the rows of this claim have different values of '" + field + "' (line " + std::to_string(row.line) +
              ")");
      }
    }
    if (has_line) ++open_->lines;
  }

  void close_claim() {
    ready_.push_back(std::move(open_->record));
    std::move(open_->broken_rows.begin(), open_->broken_rows.end(), std::back_inserter(ready_));
    open_.reset();
  }

  /// Broken rows since the last valid one; the next claim may start with them.
  struct Broken {
    std::int64_t line = 0;        // of the first
    std::set<std::string> names;  // of the claims in these rows
    bool is_unknown = false;      // a row may belong to any claim

    void note(std::int64_t at, const std::optional<std::string>& name) {
      if (line == 0) line = at;
      is_unknown = is_unknown || !name || names.size() >= kMostLines;
      if (name && !is_unknown) names.insert(*name);
    }
  };

  CsvRecords records_;
  const ClaimColumns columns_;
  std::optional<OpenClaim> open_;
  Broken broken_;
  std::deque<sdk::Record> ready_;
};

class Format : public sdk::ImportFormat {
 public:
  static constexpr std::array<tideover_config_key, 0> kConfigKeys{};
  Format(const sdk::Host&, const sdk::Config&) {}

  std::unique_ptr<sdk::ImportReader> open(sdk::ByteSource source, const sdk::Pairs& given) override {
    CsvRecords records(source);
    ClaimColumns columns(records, given);
    return std::make_unique<Reader>(std::move(records), std::move(columns));
  }
};

}  // namespace
}  // namespace csv

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::ImportFormat, csv::Format, "csv", "Claims as CSV", "1.0.0", "0.1.0");
