#include "tests/bench/claimsim/book.hpp"

#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "core/estimators/key.hpp"
#include "tests/bench/claimsim/csv.hpp"

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

}  // namespace

std::vector<estimators::Submission> read_submissions(const std::filesystem::path& book) {
  struct Payer {
    estimators::PayerClass payer_class;
    int timely_filing_days;
  };
  std::map<std::string, Payer, std::less<>> payers;
  for (CsvRows rows(book / "payers.csv"); rows.next();)
    payers[std::string(rows.text("payer_id"))] = {class_named(rows, rows.text("class")), static_cast<int>(rows.number(rows.text("timely_filing_days")))};
  std::map<std::string, std::map<Date, Money>, std::less<>> fees;  // by code and first day
  if (std::filesystem::exists(book / "fees.csv"))
    for (CsvRows rows(book / "fees.csv"); rows.next();) fees[std::string(rows.text("code"))][rows.date("from")] = rows.money(rows.text("fee_cents"));

  std::vector<estimators::Submission> claims;
  for (CsvRows rows(book / "claims.csv"); rows.next();) {
    estimators::Submission claim;
    claim.claim_id = rows.text("claim_id");
    claim.submitted = claim.reviewed = rows.date("submitted");
    claim.date_of_service = rows.date_if_any("date_of_service");
    claim.payer_id = rows.text("payer_id");
    if (const auto known = payers.find(claim.payer_id); known != payers.end()) {
      claim.payer_class = known->second.payer_class;
      claim.timely_filing_days = known->second.timely_filing_days;
    }
    claim.billing_npi = rows.text("billing_npi");
    claim.servicer_npi = rows.text("servicer_npi");
    claim.facility = rows.text("facility");
    claim.chart = rows.text("chart").empty() ? 0 : estimators::key_of(rows.text("chart"));
    claim.amount = rows.money(rows.text("amount"));
    if (!rows.text("prior_authorization").empty()) claim.prior_authorization = rows.text("prior_authorization") == "true";
    if (!rows.text("lines").empty())
      for (const auto line : parts_of(rows.text("lines"), ';')) {
        const auto fields = parts_of(line, '|');
        if (fields.size() != 4) rows.fail("has a bad line");
        estimators::SubmittedLine told;
        told.code = fields[0];
        told.modifiers = fields[1];
        told.units_milli = rows.number(fields[2]);
        told.amount = rows.money(fields[3]);
        if (const auto fee = fees.find(told.code); fee != fees.end())
          if (const auto valid = fee->second.upper_bound(claim.serviced()); valid != fee->second.begin())
            told.fee = Money::cents(std::prev(valid)->second.cents() * told.units_milli / 1000);
        claim.lines.push_back(std::move(told));
      }
    claims.push_back(std::move(claim));
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
    if (!rows.text("patient_responsibility").empty()) claim.patient_responsibility = rows.money(rows.text("patient_responsibility"));
    claim.adjustments = adjustments_of(rows, rows.text("adjustments"), ';');
    if (!rows.text("lines").empty())
      for (const auto line : parts_of(rows.text("lines"), ';')) {
        const auto fields = parts_of(line, '|');
        if (fields.size() != 7) rows.fail("has a bad line");
        domain::RemittanceLine told;
        told.cpt = fields[0];
        told.modifier = fields[1];
        told.units = units_text(rows.number(fields[2]));
        told.charge_amount = rows.money(fields[3]);
        if (!fields[4].empty()) told.allowed_amount = rows.money(fields[4]);
        told.paid_amount = rows.money(fields[5]);
        told.adjustments = adjustments_of(rows, fields[6], ',');
        claim.lines.push_back(std::move(told));
      }
    responses.push_back(std::move(response));
  }
  return responses;
}

}  // namespace tideover::claimsim
