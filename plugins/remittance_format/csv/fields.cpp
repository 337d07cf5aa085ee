#include "fields.hpp"

#include <algorithm>

#include "tideover/date.hpp"
#include "tideover/money.hpp"

namespace remittance_csv {
namespace {

namespace sdk = tideover::sdk;

constexpr std::array<std::string_view, 26> kFields{"payer_id",
                                                   "payer_name",
                                                   "trace_number",
                                                   "originator_id",
                                                   "payment_date",
                                                   "payment_amount",
                                                   "payment_method",
                                                   "currency",
                                                   "claim_identifier",
                                                   "status",
                                                   "charge_amount",
                                                   "paid_amount",
                                                   "patient_responsibility",
                                                   "payer_claim_number",
                                                   "date_of_service",
                                                   "received_date",
                                                   "cpt",
                                                   "modifier",
                                                   "units",
                                                   "line_charge_amount",
                                                   "line_allowed_amount",
                                                   "line_paid_amount",
                                                   "line_date_of_service",
                                                   "provider_adjustment_code",
                                                   "provider_adjustment_reference",
                                                   "provider_adjustment_amount"};
constexpr std::array<std::string_view, 4> kGroups{"CO", "PR", "OA", "PI"};  // CAS01
constexpr std::string_view kAdjustments = "adjustments[";

/// The part after adjustments[N].; empty for any other name.
std::string_view adjustment_part(std::string_view name) {
  if (name.substr(0, kAdjustments.size()) != kAdjustments) return {};
  const auto close = name.find("].", kAdjustments.size());
  if (close == std::string_view::npos) return {};
  const auto index = name.substr(kAdjustments.size(), close - kAdjustments.size());
  const bool is_number = !index.empty() && index.size() <= 2 &&
                         std::all_of(index.begin(), index.end(), [](char c) { return c >= '0' && c <= '9'; });
  const auto part = name.substr(close + 2);
  return is_number && (part == "group" || part == "code" || part == "amount") ? part : std::string_view();
}

std::optional<tideover_date> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  std::string compact(text);
  compact.erase(7, 1).erase(4, 1);
  return sdk::parse_compact_date(compact);
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::string named(std::string_view field) {
  return "'" + std::string(field) + "'";
}

}  // namespace

bool is_field(std::string_view name) {
  return std::find(kFields.begin(), kFields.end(), name) != kFields.end() || !adjustment_part(name).empty();
}

Cells::Cells(const csv::CsvRecord& row, const csv::Columns& columns, tideover_date today)
    : row_(row), columns_(columns), today_(today) {}

/// In the format that the service uses for such a field.
std::string Cells::cell(std::string_view field, Kind kind) {
  const auto index = columns_.index_of(field);
  if (!index) return {};
  auto value = columns_.text_of(row_, *index);
  if (kind == Kind::amount) value = columns_.formats().amount(value);
  if (kind == Kind::date) value = columns_.formats().date(value);
  if (kind == Kind::text && csv::is_shortened_number(value))
    note("the cell of " + named(field) +
         " has a number that a spreadsheet has shortened (as 2.1E+11), and its digits are lost");
  if (!csv::is_formula(value)) return value;
  note("the cell of " + named(field) + " has a formula");
  return {};
}

std::string Cells::text(std::string_view field, std::size_t max_length) {
  auto value = cell(field, Kind::text);
  if (value.size() <= max_length && !has_control_character(value)) return value;
  note(named(field) + " must be at most " + std::to_string(max_length) + " bytes without control characters");
  return {};
}

std::string Cells::required(std::string_view field, std::size_t max_length) {
  auto value = text(field, max_length);
  if (value.empty()) note(named(field) + " is empty");
  return value;
}

std::optional<std::int64_t> Cells::amount(std::string_view field, bool may_be_negative) {
  const auto value = cell(field, Kind::amount);
  if (value.empty()) return std::nullopt;
  const auto cents = sdk::parse_cents(value);
  if (!cents)
    note(named(field) + " is not an amount in dollars and cents below 100 million");
  else if (*cents < 0 && !may_be_negative)
    note(named(field) + " is negative; only a reversal (status 22) takes money back");
  return cents;
}

std::int64_t Cells::required_amount(std::string_view field, bool may_be_negative) {
  const auto cents = amount(field, may_be_negative);
  if (!cents) note(named(field) + " is empty");
  return cents.value_or(0);
}

tideover_date Cells::date(std::string_view field, int days_ahead) {
  const auto value = cell(field, Kind::date);
  if (value.empty()) return {};
  const auto date = parse_date(value);
  if (!date)
    note(named(field) + " is not a calendar date written YYYY-MM-DD");
  else if (sdk::to_days(*date) > sdk::to_days(today_) + days_ahead)
    note(named(field) + " is in the future");
  return date.value_or(tideover_date{});
}

std::vector<Cells::Adjustment> Cells::adjustments() {
  std::vector<Adjustment> found;
  for (const auto& field : columns_.fields()) {
    if (adjustment_part(field) != "code") continue;
    const std::string prefix = field.substr(0, field.size() - std::string_view("code").size());
    Adjustment adjustment{text(prefix + "group", 2), text(field, 5), 0};
    const auto cents = amount(prefix + "amount", true);
    if (adjustment.code.empty() && adjustment.group.empty() && !cents) continue;
    if (adjustment.code.empty() || !cents)
      note(named(prefix) + " needs group, code and amount together");
    else if (std::find(kGroups.begin(), kGroups.end(), adjustment.group) == kGroups.end())
      note(named(prefix + "group") + " must be CO, PR, OA or PI");
    adjustment.amount = cents.value_or(0);
    found.push_back(std::move(adjustment));
  }
  return found;
}

}  // namespace remittance_csv
