#include "core/store/records/rows/service_lines.hpp"

#include <algorithm>
#include <array>

#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/institutional_record.hpp"
#include "core/store/records/rows/record_text.hpp"

namespace tideover::store {
namespace {

/// Mark the records of the details where a line has its code: no code has this form.
constexpr std::string_view kDetails = "\x01", kInstitutional = "\x02";

void write_lines(RecordWriter& out, const std::vector<domain::ServiceLine>& lines) {
  for (const auto& line : lines) {
    out.text(line.cpt).text(line.modifier).integer(line.units_milli).optional_integer(cents(line.amount));
    if (!line.revenue_code.empty()) out.text(line.revenue_code);
    out.end_record();
  }
}

std::optional<std::int64_t> number(const auto& maybe) {
  return maybe ? std::optional<std::int64_t>(*maybe) : std::nullopt;
}

constexpr std::array kYesNo{&domain::ClaimDetails::benefits_assigned, &domain::ClaimDetails::accepts_assignment,
                            &domain::ClaimDetails::is_encounter, &domain::ClaimDetails::is_test,
                            &domain::ClaimDetails::pay_to_plan};

/// The billed payer and earlier payments. Empty when there is no such data, as in rows that were written before these
/// fields existed.
void write_coordination(RecordWriter& out, const domain::ClaimDetails& details) {
  const bool has_details =
      !details.payer_sequence.empty() || details.paid_by_others || details.patient_paid ||
      std::any_of(kYesNo.begin(), kYesNo.end(), [&](const auto member) { return (details.*member).has_value(); });
  if (!has_details) return;
  out.text(details.payer_sequence)
      .optional_integer(cents(details.paid_by_others))
      .optional_integer(cents(details.patient_paid));
  for (const auto member : kYesNo) out.optional_integer(number(details.*member));
}

void read_coordination(RecordReader& in, domain::ClaimDetails& details) {
  if (in.ended()) return;
  const auto amount = [](const std::optional<std::int64_t>& maybe) {
    return maybe ? std::optional(domain::Money::cents(*maybe)) : std::nullopt;
  };
  details.payer_sequence = in.text();
  details.paid_by_others = amount(in.optional_integer());
  details.patient_paid = amount(in.optional_integer());
  for (const auto member : kYesNo)
    if (const auto yes = in.optional_integer()) details.*member = *yes != 0;
}

void write_details(RecordWriter& out, const domain::ClaimDetails& details) {
  const auto& age = details.patient_age;
  out.text(kDetails)
      .text(details.place_of_service)
      .text(details.patient_sex)
      .text(details.claim_frequency_code)
      .optional_integer(number(details.prior_authorization));
  out.optional_integer(age ? std::optional<std::int64_t>(age->from) : std::nullopt)
      .integer(age ? age->to : 0)
      .integer(static_cast<std::int64_t>(details.diagnosis_codes.size()));
  for (const auto& code : details.diagnosis_codes) out.text(code);
  write_coordination(out, details);
  out.end_record();
}

domain::ClaimDetails details_of(RecordReader& in) {
  domain::ClaimDetails details;
  details.place_of_service = in.text();
  details.patient_sex = in.text();
  details.claim_frequency_code = in.text();
  if (const auto yes = in.optional_integer()) details.prior_authorization = *yes != 0;
  const auto from = in.optional_integer();
  const int to = in.number();
  if (from) details.patient_age = domain::AgeBand{static_cast<int>(*from), to};
  for (auto count = in.integer(); count > 0; --count) details.diagnosis_codes.push_back(in.text());
  read_coordination(in, details);
  return details;
}

domain::ServiceLine line_of(std::string cpt, RecordReader& in) {
  domain::ServiceLine line;
  line.cpt = std::move(cpt);
  line.modifier = in.text();
  line.units_milli = in.integer();
  if (const auto amount = in.optional_integer()) line.amount = domain::Money::cents(*amount);
  if (!in.ended()) line.revenue_code = in.text();
  return line;
}

}  // namespace

std::string billed_column(const domain::BilledClaim& billed) {
  domain::ClaimDetails details;
  if (billed.statement_through) details.institutional.emplace().statement_through = billed.statement_through;
  return claim_content_column(billed.service_lines, details);
}

void read_billed(const std::string& column, domain::BilledClaim& billed) {
  domain::ClaimDraft draft;
  read_claim_content(column, draft);
  billed.service_lines = std::move(draft.service_lines);
  if (const auto& institutional = draft.details.institutional)
    billed.statement_through = institutional->statement_through;
}

std::string claim_content_column(const std::vector<domain::ServiceLine>& lines, const domain::ClaimDetails& details) {
  RecordWriter out;
  write_lines(out, lines);
  if (details != domain::ClaimDetails{}) write_details(out, details);
  if (details.institutional) {
    out.text(kInstitutional);
    write_institutional(out, *details.institutional);
    out.end_record();
  }
  return out.take();
}

void read_claim_content(const std::string& column, domain::ClaimDraft& draft) {
  for (RecordReader in(column); in.next();) {
    auto first = in.text();
    if (first == kDetails)
      draft.details = details_of(in);
    else if (first == kInstitutional)
      draft.details.institutional = institutional_of(in);
    else
      draft.service_lines.push_back(line_of(std::move(first), in));
  }
}

}  // namespace tideover::store
