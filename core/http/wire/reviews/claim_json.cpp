#include "core/http/wire/reviews/claim_json.hpp"

#include <algorithm>

#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/json/writer.hpp"
#include "core/http/wire/reviews/adjudication_json.hpp"
#include "core/http/wire/reviews/institutional_json.hpp"
#include "core/http/wire/reviews/review_json.hpp"

namespace tideover::wire {
namespace {

void put_status_members(json::Writer& out, const domain::ClaimStatusRecord& record) {
  out.key("claim_id").string(record.claim.text());
  out.key("status").string(name_of(record.status));
  out.key("updated_at").string(format_timestamp(record.updated_at));
  out.key("claim_identifier").string(record.claim_identifier);
  if (record.previous) out.key("previous_status").string(name_of(*record.previous));
  out.key("version").number(record.version);
  out.key("source").string(name_of(record.source));
  if (!record.reason_code.empty()) out.key("reason_code").string(record.reason_code);
  if (!record.note.empty()) out.key("note").string(record.note);
  if (record.effective_at) out.key("effective_at").string(format_timestamp(*record.effective_at));
}

void put_status(json::Writer& out, const domain::ClaimStatusRecord& record) {
  out.begin_object();
  put_status_members(out, record);
  out.end_object();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// ddd-dd-dddd that is not part of a longer number.
bool holds_ssn(std::string_view text) {
  constexpr std::string_view shape = "ddd-dd-dddd";
  for (std::size_t at = 0; at + shape.size() <= text.size(); ++at) {
    const bool fits = std::equal(shape.begin(), shape.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                                 [](char wanted, char c) { return wanted == 'd' ? is_digit(c) : c == wanted; });
    const std::size_t end = at + shape.size();
    if (fits && (at == 0 || !is_digit(text[at - 1])) && (end == text.size() || !is_digit(text[end]))) return true;
  }
  return false;
}

/// Text, '@', and a name with a dot inside, without blanks.
bool holds_email(std::string_view text) {
  for (auto at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    if (at == 0 || text[at - 1] == ' ') continue;
    const auto host = text.substr(at + 1, text.find(' ', at) - at - 1);
    const auto dot = host.find('.');
    if (dot != std::string_view::npos && dot > 0 && dot + 1 < host.size()) return true;
  }
  return false;
}

/// The billed payer, earlier payments and the payee, as the client sent them.
void put_coordination(json::Writer& out, const domain::ClaimDetails& details) {
  if (!details.payer_sequence.empty()) out.key("payer_sequence").string(details.payer_sequence);
  if (details.paid_by_others) out.key("paid_by_others").raw_number(format_money(*details.paid_by_others));
  if (details.patient_paid) out.key("patient_paid").raw_number(format_money(*details.patient_paid));
  if (details.benefits_assigned) out.key("benefits_assigned").boolean(*details.benefits_assigned);
  if (details.accepts_assignment) out.key("accepts_assignment").boolean(*details.accepts_assignment);
  if (details.is_encounter) out.key("is_encounter").boolean(*details.is_encounter);
  if (details.is_test) out.key("is_test").boolean(*details.is_test);
  if (details.pay_to_plan) out.key("pay_to_plan").boolean(*details.pay_to_plan);
}

}  // namespace

domain::ClaimInput read_claim(ObjectReader& in, Faults& faults) {
  domain::ClaimInput claim;
  claim.facility = in.text("facility");
  claim.claim_identifier = in.text("claim_identifier");
  claim.chart_identifier = in.text("chart_identifier");
  claim.date_of_service = in.text("date_of_service");
  claim.date_of_submission = in.text("date_of_submission");
  claim.servicer_npi = in.text("servicer_npi");
  claim.billing_npi = in.text("billing_npi");
  claim.payer_id = in.text("patient_primary_payor_id");
  claim.submitted_amount = in.number("submitted_amount");
  claim.claim_type = in.text("claim_type");
  claim.diagnosis_codes = read_codes(in, "diagnosis_codes", domain::kMaxInstitutionalDiagnoses, faults);
  claim.institutional = decode_institutional(in, faults);
  claim.place_of_service = in.text("place_of_service");
  claim.patient_age_band = in.text("patient_age_band");
  claim.patient_sex = in.text("patient_sex");
  const auto yes_or_no = [&](const char* name) {
    const auto yes = in.boolean(name);
    return yes ? std::optional<std::string>(*yes ? "true" : "false") : std::nullopt;
  };
  claim.prior_authorization = yes_or_no("prior_authorization");
  claim.claim_frequency_code = in.text("claim_frequency_code");
  claim.payer_sequence = in.text("payer_sequence");
  claim.paid_by_others = in.number("paid_by_others");
  claim.patient_paid = in.number("patient_paid");
  claim.benefits_assigned = yes_or_no("benefits_assigned");
  claim.accepts_assignment = yes_or_no("accepts_assignment");
  claim.is_encounter = yes_or_no("is_encounter");
  claim.is_test = yes_or_no("is_test");
  claim.pay_to_plan = yes_or_no("pay_to_plan");
  claim.currency = in.text("currency");
  const auto lines = in.array("service_lines");
  if (lines && lines->size() > domain::max_service_lines(claim.claim_type))
    in.fault("service_lines", domain::too_many_lines(claim.claim_type));
  else if (lines)
    read_objects(*lines, "service_lines", faults, [&](ObjectReader& line, std::size_t index) {
      if (claim.service_lines.size() <= index) claim.service_lines.resize(index + 1);
      auto& read = claim.service_lines[index];
      read.cpt = line.text("cpt");
      read.modifier = line.text("modifier");
      read.units = line.number("units");
      read.amount = line.number("amount");
      read.currency = line.text("currency");
      read.revenue_code = line.text("revenue_code");
    });
  claim.faults = faults.fields;
  return claim;
}

domain::ClaimInput decode_claim(const json::Value& body, Faults& faults) {
  ObjectReader in(body, "", faults);
  auto claim = read_claim(in, faults);
  in.finish();
  return claim;
}

usecases::StatusUpdate decode_status_update(const json::Value& body, Faults& faults,
                                            const std::vector<domain::ReasonCode>& reason_codes) {
  usecases::StatusUpdate update;
  ObjectReader in(body, "", faults);
  if (const auto name = in.text("status")) {
    if (const auto status = domain::claim_status_named(*name))
      update.status = *status;
    else
      in.fault("status", "must be one of " + joined(domain::claim_status_names()));
  } else {
    in.require("status");
  }
  if (const auto name = in.text("source")) {
    if (const auto source = domain::status_source_named(*name); source && *source != domain::StatusSource::system)
      update.source = *source;
    else
      in.fault("source", "must be client or payer");
  }
  update.reason_code = in.text("reason_code").value_or("");
  if (!update.reason_code.empty() && !domain::is_reason_code(update.reason_code, reason_codes))
    in.fault("reason_code",
             "must be a code of GET /v1/metadata/reason-codes, or up to two capital letters and one to three digits, "
             "as CARC, RARC and claim status codes are");
  update.note = in.short_text("note", 500).value_or("");
  if (holds_ssn(update.note) || holds_email(update.note))
    in.fault("note", "must not contain patient data such as a social security number or an e-mail address");
  update.effective_at = in.date_or_timestamp("effective_at");
  in.finish();
  return update;
}

std::string encode_status(const domain::ClaimStatusRecord& record) {
  std::string body;
  json::Writer out(body);
  put_status(out, record);
  return body;
}

std::string encode_claims(const std::vector<usecases::ClaimSummary>& claims, const PageFrame& page) {
  return encode_list(
      claims, page,
      [](json::Writer& out, const usecases::ClaimSummary& claim) {
        out.begin_object();
        put_status_members(out, claim.status);
        out.key("payer_id").string(claim.payer_id);
        out.key("submitted_amount").cents(claim.submitted_amount.cents());
        out.key("created_at").string(format_timestamp(claim.created_at));
        out.end_object();
      },
      [](const usecases::ClaimSummary& claim) { return claim.status.claim.text(); });
}

std::string encode_status_history(const std::vector<domain::ClaimStatusRecord>& records, const PageFrame& page) {
  return encode_list(records, page, put_status,
                     [](const domain::ClaimStatusRecord& record) { return std::to_string(record.version); });
}

std::string encode_rollup(const usecases::ClaimRollup& rollup, bool is_simulated) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("claim_identifier").string(rollup.claim_identifier);
  out.key("claim_type").string(name_of(rollup.details.type()));
  put_coordination(out, rollup.details);
  if (rollup.details.institutional) put_institutional(out, *rollup.details.institutional);
  if (rollup.review) {
    out.key("review");
    put_review(out, *rollup.review);
  }
  if (rollup.adjudication) {
    out.key("adjudication");
    put_adjudication(out, *rollup.adjudication, is_simulated);
  }
  out.key("status");
  put_status(out, rollup.status);
  out.end_object();
  return body;
}

}  // namespace tideover::wire
