#include "tests/bench/claimsim/book.hpp"

#include <array>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "core/estimators/basics/key.hpp"
#include "tests/bench/claimsim/world/csv.hpp"

namespace tideover::claimsim {
namespace {

using domain::Date;
using domain::Money;

estimators::PayerClass class_named(const CsvRows& rows, std::string_view name) {
  using estimators::PayerClass;
  if (name == "commercial") return PayerClass::commercial;
  if (name == "medicare") return PayerClass::medicare;
  if (name == "medicaid") return PayerClass::medicaid;
  if (name == "exchange") return PayerClass::exchange;
  if (name == "workers_comp") return PayerClass::workers_comp;
  rows.fail("has an unknown class");
}

std::vector<domain::Adjustment> adjustments_of(const CsvRows& rows, std::string_view text, char separator) {
  std::vector<domain::Adjustment> adjustments;
  if (text.empty()) return adjustments;
  for (const auto part : parts_of(text, separator)) {
    const auto fields = parts_of(part, ':');
    if (fields.size() != 3) rows.fail("has a bad adjustment");
    adjustments.push_back({std::string(fields[0]), std::string(fields[1]), rows.money(fields[2])});
  }
  return adjustments;
}

std::string units_text(std::int64_t milli) {
  std::string text = std::to_string(milli / 1000);
  if (milli % 1000 != 0) text += "." + std::to_string(1000 + milli % 1000).substr(1);
  return text;
}

/// "45-64" or "75+".
std::optional<domain::AgeBand> age_of(const CsvRows& rows, std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text.back() == '+')
    return domain::AgeBand{static_cast<int>(rows.number(text.substr(0, text.size() - 1))), domain::AgeBand::kOldest};
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) rows.fail("has a bad age band");
  return domain::AgeBand{static_cast<int>(rows.number(text.substr(0, dash))),
                         static_cast<int>(rows.number(text.substr(dash + 1)))};
}

domain::ClaimDraft draft_of(const CsvRows& rows) {
  domain::ClaimDraft draft;
  draft.claim_identifier = rows.text("claim_id");
  draft.date_of_submission = rows.date("submitted");
  draft.date_of_service = rows.date_if_any("date_of_service");
  draft.payer_id = rows.text("payer_id");
  draft.billing_npi = rows.text("billing_npi");
  draft.servicer_npi = rows.text("servicer_npi");
  draft.facility = rows.text("facility");
  draft.chart_identifier = domain::Sensitive<std::string>(std::string(rows.text("chart")));
  draft.submitted_amount = rows.money(rows.text("amount"));
  if (!rows.text("lines").empty())
    for (const auto line : parts_of(rows.text("lines"), ';')) {
      const auto fields = parts_of(line, '|');
      if (fields.size() != 4) rows.fail("has a bad line");
      draft.service_lines.push_back(
          {std::string(fields[0]), std::string(fields[1]), rows.number(fields[2]), rows.money(fields[3])});
    }
  auto& details = draft.details;
  if (!rows.text("diagnosis_codes").empty())
    for (const auto code : parts_of(rows.text("diagnosis_codes"), ';')) details.diagnosis_codes.emplace_back(code);
  details.place_of_service = rows.text("place_of_service");
  details.patient_age = age_of(rows, rows.text("patient_age_band"));
  details.patient_sex = rows.text("patient_sex");
  if (!rows.text("prior_authorization").empty())
    details.prior_authorization = rows.text("prior_authorization") == "true";
  details.claim_frequency_code = rows.text("claim_frequency_code");
  return draft;
}

estimators::Section section_named(std::string_view kind) {
  using estimators::Section;
  constexpr std::array<std::pair<std::string_view, Section>, 7> kSections{{{"visit", Section::visit},
                                                                           {"procedure", Section::medicine},
                                                                           {"surgery", Section::surgery},
                                                                           {"imaging", Section::imaging},
                                                                           {"laboratory", Section::laboratory},
                                                                           {"therapy", Section::therapy},
                                                                           {"supply", Section::supply}}};
  for (const auto& [name, section] : kSections)
    if (name == kind) return section;
  return Section::other;
}

}  // namespace

std::vector<BookClaim> read_book(const std::filesystem::path& book) {
  struct Payer {
    estimators::PayerClass payer_class;
    int timely_filing_days;
  };
  std::map<std::string, Payer, std::less<>> payers;
  for (CsvRows rows(book / "payers.csv"); rows.next();)
    payers[std::string(rows.text("payer_id"))] = {class_named(rows, rows.text("class")),
                                                  static_cast<int>(rows.number(rows.text("timely_filing_days")))};
  std::map<std::string, std::map<Date, Money>, std::less<>> fees;  // by code and first day
  std::map<std::string, estimators::Section, std::less<>>
      sections;  // a book's numbers are drawn without regard to the sections
  if (std::filesystem::exists(book / "fees.csv"))
    for (CsvRows rows(book / "fees.csv"); rows.next();) {
      const std::string code(rows.text("code"));
      fees[code][rows.date("from")] = rows.money(rows.text("fee_cents"));
      sections[code] = section_named(rows.text("kind"));
    }

  std::vector<BookClaim> claims;
  for (CsvRows rows(book / "claims.csv"); rows.next();) {
    auto& [draft, claim] = claims.emplace_back();
    draft = draft_of(rows);
    claim.claim_id = draft.claim_identifier;
    claim.submitted = claim.reviewed = *draft.date_of_submission;
    claim.date_of_service = draft.date_of_service;
    claim.payer_id = draft.payer_id;
    if (const auto known = payers.find(claim.payer_id); known != payers.end()) {
      claim.payer_class = known->second.payer_class;
      claim.timely_filing_days = known->second.timely_filing_days;
    }
    claim.billing_npi = draft.billing_npi;
    claim.servicer_npi = draft.servicer_npi;
    claim.facility = draft.facility;
    claim.chart = draft.chart_identifier.reveal().empty() ? 0 : estimators::key_of(draft.chart_identifier.reveal());
    claim.amount = draft.submitted_amount;
    claim.prior_authorization = draft.details.prior_authorization;
    for (const auto& line : draft.service_lines) {
      estimators::SubmittedLine submitted;
      submitted.code = line.cpt;
      submitted.modifiers = line.modifier;
      submitted.units_milli = line.units_milli;
      submitted.amount = *line.amount;
      if (const auto fee = fees.find(submitted.code); fee != fees.end())
        if (const auto valid = fee->second.upper_bound(claim.serviced()); valid != fee->second.begin())
          submitted.fee = Money::cents(std::prev(valid)->second.cents() * submitted.units_milli / 1000);
      if (const auto section = sections.find(submitted.code); section != sections.end())
        submitted.section = section->second;
      claim.lines.push_back(std::move(submitted));
    }
  }
  return claims;
}

std::vector<estimators::Response> read_responses(const std::filesystem::path& book) {
  std::vector<estimators::Response> responses;
  for (CsvRows rows(book / "remits.csv"); rows.next();) {
    estimators::Response response;
    response.claim_id = rows.text("claim_id");
    response.responded = rows.date("responded");
    response.posted = rows.date_if_any("posted");
    auto& claim = response.remittance;
    claim.claim_identifier = response.claim_id;
    claim.status = rows.text("status");
    claim.charge_amount = rows.money(rows.text("charge"));
    claim.paid_amount = rows.money(rows.text("paid"));
    if (!rows.text("patient_responsibility").empty())
      claim.patient_responsibility = rows.money(rows.text("patient_responsibility"));
    claim.adjustments = adjustments_of(rows, rows.text("adjustments"), ';');
    if (!rows.text("lines").empty())
      for (const auto line : parts_of(rows.text("lines"), ';')) {
        const auto fields = parts_of(line, '|');
        if (fields.size() != 7) rows.fail("has a bad line");
        domain::RemittanceLine paid_line;
        paid_line.cpt = fields[0];
        paid_line.modifier = fields[1];
        paid_line.units = units_text(rows.number(fields[2]));
        paid_line.charge_amount = rows.money(fields[3]);
        if (!fields[4].empty()) paid_line.allowed_amount = rows.money(fields[4]);
        paid_line.paid_amount = rows.money(fields[5]);
        paid_line.adjustments = adjustments_of(rows, fields[6], ',');
        claim.lines.push_back(std::move(paid_line));
      }
    responses.push_back(std::move(response));
  }
  return responses;
}

}  // namespace tideover::claimsim
