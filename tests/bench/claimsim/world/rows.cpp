#include "tests/bench/claimsim/world/rows.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace tideover::claimsim {
namespace {

using domain::Date;

constexpr std::string_view kTruthHeader =
    "claim_id,p_denial,denied,allowed,clean,first_posted,paid_first,quantile_days,expected_cash_90,cash_90,oracle_"
    "allowed,expected_if_paid,risk,date,confidence";
constexpr std::string_view kProposedAdvance = ",proposed_advance";  // predictions need not have it
constexpr std::string_view kPredictionsHeader =
    "claim_id,p_denial,denied_predicted,allowed,expected,expected_if_paid,risk,expected_payment_date,confidence,"
    "quantile_days,allowed_source";

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const auto end = text.find(by, at);
    parts.push_back(text.substr(at, end == text.npos ? end : end - at));
    if (end == text.npos) return parts;
    at = end + 1;
  }
}

/// The fields of a CSV line. A field with commas stands in quotes; no field has quotes or line ends inside.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0;;) {
    const bool quoted = at < line.size() && line[at] == '"';
    const std::size_t close = quoted ? line.find('"', at + 1) : line.npos;
    const std::size_t end = line.find(',', close == line.npos ? at : close);
    auto field = line.substr(at, end == line.npos ? end : end - at);
    if (close != line.npos) field = field.substr(1, field.size() - 2);
    fields.push_back(field);
    if (end == line.npos) return fields;
    at = end + 1;
  }
}

/// One CSV file with a header, line by line.
class Table {
 public:
  Table(const std::filesystem::path& file, std::string_view first_columns) : name_(file.string()), in_(file) {
    if (!in_) throw BadFile(name_ + ": cannot be opened");
    if (!next_line() || !line_.starts_with(first_columns))
      fail("the header must begin with " + std::string(first_columns));
    columns_ = split(line_, ',').size();
  }

  bool next() {
    if (!next_line()) return false;
    fields_ = fields_of(line_);
    if (fields_.size() != columns_)
      fail("has " + std::to_string(fields_.size()) + " fields, the header " + std::to_string(columns_));
    return true;
  }

  std::string text(std::size_t column) const { return std::string(fields_[column]); }
  bool empty(std::size_t column) const { return fields_[column].empty(); }
  std::int64_t integer(std::size_t column) const { return number<std::int64_t>(fields_[column]); }
  double real(std::size_t column) const {
    const auto value = number<double>(fields_[column]);
    if (!std::isfinite(value)) fail("'" + text(column) + "' is not finite");
    return value;
  }
  double probability(std::size_t column) const {
    const double value = real(column);
    if (value < 0 || value > 1) fail("'" + text(column) + "' is no probability");
    return value;
  }
  bool flag(std::size_t column) const {
    if (fields_[column] != "0" && fields_[column] != "1") fail("'" + text(column) + "' must be 0 or 1");
    return fields_[column] == "1";
  }
  Date date(std::size_t column) const {
    const auto date = domain::parse_date(fields_[column]);
    if (!date) fail("'" + text(column) + "' is no date");
    return *date;
  }
  QuantileDays days(std::size_t column) const {
    const auto parts = split(fields_[column], '|');
    if (parts.size() != kLevels)
      fail("has " + std::to_string(parts.size()) + " quantiles, not " + std::to_string(kLevels));
    QuantileDays days;
    for (std::size_t i = 0; i < kLevels; ++i) {
      days[i] = number<int>(parts[i]);
      if (i > 0 && days[i] < days[i - 1]) fail("has quantiles that fall");
    }
    return days;
  }
  bool has(std::size_t column) const { return column < columns_ && !empty(column); }
  std::string_view field(std::size_t column) const { return fields_[column]; }
  template <class Number>
  Number number(std::string_view text) const {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) fail("'" + std::string(text) + "' is no number");
    return value;
  }

 private:
  bool next_line() {
    ++number_;
    if (!std::getline(in_, line_)) return false;
    if (line_.ends_with('\r')) line_.pop_back();
    return true;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw BadFile(name_ + ":" + std::to_string(number_) + ": " + what);
  }

  std::string name_;
  std::ifstream in_;
  std::string line_;
  int number_ = 0;
  std::size_t columns_ = 0;
  std::vector<std::string_view> fields_;
};

std::string joined(const QuantileDays& days) {
  std::string text;
  for (const int day : days) text += (text.empty() ? "" : "|") + std::to_string(day);
  return text;
}

std::string six(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6f", value);
  return text;
}

}  // namespace

std::vector<ClaimRow> read_claims(const std::filesystem::path& file) {
  std::vector<ClaimRow> rows;
  for (Table table(file, "claim_id,submitted,date_of_service,payer_id,billing_npi,servicer_npi,facility,chart,amount,");
       table.next();)
    rows.push_back({table.text(0), table.date(1), table.text(3), table.integer(8)});
  return rows;
}

std::vector<RemitRow> read_remits(const std::filesystem::path& file) {
  std::vector<RemitRow> rows;
  for (Table table(file, "claim_id,responded,posted,status,charge,paid,patient_responsibility,adjustments,lines");
       table.next();) {
    RemitRow row{table.text(0),   table.date(1), {}, static_cast<int>(table.integer(3)), table.integer(4), 0,
                 table.integer(5)};
    if (!table.empty(2)) row.posted = table.date(2);
    for (const auto line : split(table.field(8), ';'))
      if (const auto parts = split(line, '|'); parts.size() == 7 && !parts[4].empty())
        row.allowed += table.number<std::int64_t>(parts[4]);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<TruthRow> read_truth(const std::filesystem::path& file) {
  std::vector<TruthRow> rows;
  for (Table table(file, kTruthHeader); table.next();) {
    TruthRow row;
    row.claim_id = table.text(0);
    row.p_denial = table.probability(1);
    if (!table.empty(2)) row.denied = table.flag(2);
    row.allowed = table.integer(3);
    row.clean = table.flag(4);
    if (!table.empty(5)) row.first_posted = table.date(5);
    row.paid_first = table.flag(6);
    row.days = table.days(7);
    row.expected_cash_90 = table.integer(8);
    row.cash_90 = table.integer(9);
    row.oracle_allowed = table.integer(10);
    row.expected_if_paid = table.integer(11);
    row.risk = table.real(12);
    row.date = table.date(13);
    row.confidence = table.probability(14);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<PredictionRow> read_predictions(const std::filesystem::path& file) {
  std::vector<PredictionRow> rows;
  for (Table table(file, kPredictionsHeader); table.next();)
    rows.push_back({table.text(0), table.probability(1), table.flag(2), table.integer(3), table.integer(4),
                    table.integer(5), table.real(6), table.date(7), table.probability(8), table.days(9),
                    table.has(11) ? std::optional(table.integer(11)) : std::nullopt});
  return rows;
}

std::string truth_header() {
  return std::string(kTruthHeader) + '\n';
}

std::string line_of(const TruthRow& row) {
  return row.claim_id + ',' + six(row.p_denial) + ',' + (row.denied ? (*row.denied ? "1" : "0") : "") + ',' +
         std::to_string(row.allowed) + ',' + (row.clean ? '1' : '0') + ',' +
         (row.first_posted ? domain::format_date(*row.first_posted) : "") + ',' + (row.paid_first ? '1' : '0') + ',' +
         joined(row.days) + ',' + std::to_string(row.expected_cash_90) + ',' + std::to_string(row.cash_90) + ',' +
         std::to_string(row.oracle_allowed) + ',' + std::to_string(row.expected_if_paid) + ',' + six(row.risk) + ',' +
         domain::format_date(row.date) + ',' + six(row.confidence) + '\n';
}

std::string predictions_header() {
  return std::string(kPredictionsHeader) + std::string(kProposedAdvance) + '\n';
}

std::string line_of(const PredictionRow& row) {
  return row.claim_id + ',' + six(row.p_denial) + ',' + (row.denied ? '1' : '0') + ',' + std::to_string(row.allowed) +
         ',' + std::to_string(row.expected) + ',' + std::to_string(row.expected_if_paid) + ',' + six(row.risk) + ',' +
         domain::format_date(row.date) + ',' + six(row.confidence) + ',' + joined(row.days) + ",," +
         (row.proposed_advance ? std::to_string(*row.proposed_advance) : "") + '\n';
}

PredictionRow oracle_prediction(const TruthRow& truth) {
  return {truth.claim_id,
          truth.p_denial,
          truth.p_denial >= 0.5,
          truth.oracle_allowed,
          truth.expected_cash_90,
          truth.expected_if_paid,
          truth.risk,
          truth.date,
          truth.confidence,
          truth.days,
          {}};
}

}  // namespace tideover::claimsim
