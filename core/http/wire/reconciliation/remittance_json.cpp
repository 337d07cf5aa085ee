#include "core/http/wire/reconciliation/remittance_json.hpp"

#include <algorithm>
#include <array>

#include "core/domain/claims/npi.hpp"
#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/reconciliation/allocation_json.hpp"
#include "core/http/wire/reconciliation/match_json.hpp"
#include "core/http/wire/reconciliation/reconciliation_json.hpp"
#include "core/http/wire/reconciliation/recourse_json.hpp"

namespace tideover::wire {
namespace {

using State = domain::RemittanceClaimRecord::State;

constexpr std::array<std::string_view, 10> kClaimStatusCodes{"1",  "2",  "3",  "4",  "19",
                                                             "20", "21", "22", "23", "25"};  // CLP02

/// An NPI of ten digits; empty when there is none.
std::string decode_npi(ObjectReader& in, std::string_view name) {
  auto npi = in.text(name).value_or("");
  if (!npi.empty() && !domain::has_npi_format(npi)) in.fault(name, "must be exactly 10 digits");
  return npi;
}

/// An array with at most this many entries.
std::optional<json::Value> short_array(ObjectReader& in, std::string_view name, std::size_t most) {
  auto list = in.array(name);
  if (!list || list->size() <= most) return list;
  in.fault(name, "must have at most " + std::to_string(most) + " entries");
  return std::nullopt;
}

std::vector<domain::Adjustment> decode_adjustments(ObjectReader& in, Faults& faults) {
  std::vector<domain::Adjustment> adjustments;
  if (const auto list = short_array(in, "adjustments", domain::kMaxAdjustments))
    read_objects(*list, in.path("adjustments"), faults, [&](ObjectReader& item, std::size_t) {
      domain::Adjustment adjustment;
      adjustment.group = item.required_text("group", 2);
      if (constexpr std::array<std::string_view, 4> groups{"CO", "PR", "OA", "PI"};
          !adjustment.group.empty() && std::find(groups.begin(), groups.end(), adjustment.group) == groups.end())
        item.fault("group", "must be CO, PR, OA or PI");
      adjustment.code = item.required_text("code", 5);
      adjustment.amount = item.required(item.money("amount", true), "amount");
      adjustments.push_back(std::move(adjustment));
    });
  return adjustments;
}

domain::RemittanceLine decode_line(ObjectReader& in, Faults& faults) {
  domain::RemittanceLine line;
  line.cpt = in.required_text("cpt", 10);
  line.modifier = in.short_text("modifier", 20).value_or("");
  line.units = in.number("units").value_or("");
  line.charge_amount = in.required(in.money("charge_amount", true), "charge_amount");
  line.allowed_amount = in.money("allowed_amount", true);
  line.paid_amount = in.required(in.money("paid_amount", true), "paid_amount");
  line.date_of_service = in.date("date_of_service");
  line.adjustments = decode_adjustments(in, faults);
  return line;
}

domain::RemittanceClaim decode_claim_payment(ObjectReader& in, Faults& faults) {
  domain::RemittanceClaim claim;
  claim.claim_identifier = in.required_text("claim_identifier", 64);
  const auto status = in.text("status");
  if (status && std::find(kClaimStatusCodes.begin(), kClaimStatusCodes.end(), *status) == kClaimStatusCodes.end())
    in.fault("status", "must be one of 1, 2, 3, 4, 19, 20, 21, 22, 23, 25");
  claim.status = in.required(status, "status");
  claim.charge_amount = in.required(in.money("charge_amount", true), "charge_amount");
  claim.paid_amount = in.required(in.money("paid_amount", true), "paid_amount");
  claim.patient_responsibility = in.money("patient_responsibility", true);
  claim.payer_claim_number = in.short_text("payer_claim_number", 50).value_or("");
  claim.billing_npi = decode_npi(in, "billing_npi");
  claim.date_of_service = in.date("date_of_service");
  claim.received_date = in.date("received_date");
  claim.adjustments = decode_adjustments(in, faults);
  if (const auto lines = short_array(in, "service_lines", domain::kMaxClaimLines))
    read_objects(*lines, in.path("service_lines"), faults,
                 [&](ObjectReader& line, std::size_t) { claim.lines.push_back(decode_line(line, faults)); });
  return claim;
}

struct Counts {
  std::int64_t total = 0, matched = 0, unmatched = 0, duplicates = 0;

  static Counts of(const domain::ClaimTotals& claims) {
    return {claims.total, claims.posted, claims.unmatched, claims.duplicate};
  }
  static Counts of(const usecases::PostedRemittance& posted) {
    const auto counts = of(totals_of(posted.remittance));
    return posted.seen_before ? Counts{counts.total, 0, 0, counts.total} : counts;
  }
  void add(const Counts& other) {
    total += other.total;
    matched += other.matched;
    unmatched += other.unmatched;
    duplicates += other.duplicates;
  }
};

std::string_view status_of(const usecases::PostedRemittance& posted) {
  return posted.seen_before ? "duplicate" : name_of(domain::status_of(posted.remittance));
}

void put_balance(json::Writer& out, const domain::RemittanceBalance& balance) {
  out.key("balance").begin_object();
  out.key("claims_total").cents(balance.claims_total.cents());
  out.key("provider_adjustments_total").cents(balance.provider_adjustments_total.cents());
  out.key("payment_amount").cents(balance.payment_amount.cents());
  out.key("difference").cents(balance.difference.cents());
  out.key("balanced").boolean(balance.balanced());
  out.end_object();
}

/// The amounts of a remittance that belong to no claim: balances carried to other payments of the payer, and amounts
/// paid to the provider. Omitted when there are none.
void put_adjusted(json::Writer& out, const domain::Remittance& remittance) {
  if (!remittance.carried.is_zero()) out.key("carried_balance").cents(remittance.carried.cents());
  if (!remittance.paid_to_provider.is_zero()) out.key("paid_to_provider").cents(remittance.paid_to_provider.cents());
}

void put_claims(json::Writer& out, const Counts& counts) {
  out.key("claims").begin_object();
  out.key("total").number(counts.total);
  out.key("matched").number(counts.matched);
  out.key("unmatched").number(counts.unmatched);
  out.key("duplicates").number(counts.duplicates);
  out.end_object();
}

void put_warnings(json::Writer& out, const std::vector<std::string>& warnings) {
  out.key("warnings").begin_array();
  for (const auto& warning : warnings) out.string(warning);
  out.end_array();
}

void put_left_out(json::Writer& out, const std::vector<domain::LeftOutRow>& rows) {
  out.key("left_out").begin_array();
  for (const auto& row : rows) {
    out.begin_object();
    out.key("line").number(row.line);
    out.key("reason").string(row.reason);
    out.end_object();
  }
  out.end_array();
}

/// The members that every answer with a remittance has.
void put_entry(json::Writer& out, const domain::Remittance& remittance, std::string_view status,
               const domain::RemittanceBalance& balance, const Counts& counts) {
  const auto& draft = remittance.draft;
  out.key("remittance_id").string(remittance.id.text());
  out.key("status").string(status);
  out.key("payer_id").string(draft.payer_id);
  out.key("trace_number").string(draft.trace_number);
  if (draft.payment_date) out.key("payment_date").string(format_date(*draft.payment_date));
  put_balance(out, balance);
  put_warnings(out, draft.warnings);
  put_claims(out, counts);
  put_adjusted(out, remittance);
  if (remittance.deposit) out.key("deposit_id").string(remittance.deposit->text());
}

/// The additional members of a read.
void put_origin(json::Writer& out, const domain::Remittance& remittance) {
  const auto& draft = remittance.draft;
  if (!draft.payer_name.empty()) out.key("payer_name").string(draft.payer_name);
  if (!draft.originator_id.empty()) out.key("originator_id").string(draft.originator_id);
  if (!draft.payee_npi.empty()) out.key("payee_npi").string(draft.payee_npi);
  if (!draft.payee_tax_id.empty()) out.key("payee_tax_id").string(draft.payee_tax_id);
  if (!draft.payee_assigned_id.empty()) out.key("payee_assigned_id").string(draft.payee_assigned_id);
  if (!draft.payment_method.empty()) out.key("payment_method").string(draft.payment_method);
  out.key("created_at").string(format_timestamp(remittance.created_at));
}

void put_adjustments(json::Writer& out, const std::vector<domain::Adjustment>& adjustments) {
  out.key("adjustments").begin_array();
  for (const auto& adjustment : adjustments) {
    out.begin_object();
    out.key("group").string(adjustment.group);
    out.key("code").string(adjustment.code);
    out.key("amount").cents(adjustment.amount.cents());
    out.end_object();
  }
  out.end_array();
}

void put_line(json::Writer& out, const domain::RemittanceLine& line) {
  out.begin_object();
  out.key("cpt").string(line.cpt);
  if (!line.modifier.empty()) out.key("modifier").string(line.modifier);
  if (!line.units.empty()) out.key("units").string(line.units);
  if (!line.submitted_cpt.empty()) out.key("submitted_cpt").string(line.submitted_cpt);
  if (!line.submitted_modifier.empty()) out.key("submitted_modifier").string(line.submitted_modifier);
  out.key("charge_amount").cents(line.charge_amount.cents());
  if (line.allowed_amount) out.key("allowed_amount").cents(line.allowed_amount->cents());
  out.key("paid_amount").cents(line.paid_amount.cents());
  if (line.date_of_service) out.key("date_of_service").string(format_date(*line.date_of_service));
  put_adjustments(out, line.adjustments);
  out.end_object();
}

const char* name_of(State state) {
  switch (state) {
    case State::waiting:
      return "waiting";
    case State::posted:
      return "posted";
    case State::unmatched:
      return "unmatched";
    case State::duplicate:
      return "duplicate";
  }
  return "waiting";
}

void put_claim(json::Writer& out, const domain::RemittanceClaimRecord& record) {
  const auto& claim = record.claim;
  out.begin_object();
  out.key("claim_identifier").string(claim.claim_identifier);
  if (!claim.payer_claim_number.empty()) out.key("payer_claim_number").string(claim.payer_claim_number);
  if (!claim.billing_npi.empty()) out.key("billing_npi").string(claim.billing_npi);
  out.key("status").string(claim.status);
  out.key("charge_amount").cents(claim.charge_amount.cents());
  out.key("paid_amount").cents(claim.paid_amount.cents());
  if (claim.patient_responsibility) out.key("patient_responsibility").cents(claim.patient_responsibility->cents());
  if (claim.date_of_service) out.key("date_of_service").string(format_date(*claim.date_of_service));
  if (claim.received_date) out.key("received_date").string(format_date(*claim.received_date));
  put_adjustments(out, claim.adjustments);
  out.key("service_lines").begin_array();
  for (const auto& line : claim.lines) put_line(out, line);
  out.end_array();
  out.key("state").string(name_of(record.state));
  if (record.settlement) out.key("settlement_id").string(record.settlement->text());
  if (record.record) out.key("reconciliation_id").string(record.record->text());
  out.end_object();
}

}  // namespace

bool is_file(const json::Value& body) {
  const auto format = body.find("format");
  return format && !format->is_null();
}

bool has_too_many_claims(const json::Value& body) {
  const auto claims = body.find("claims");
  return claims && claims->size() > domain::kMaxRemittanceClaims;
}

domain::RemittanceDraft decode_remittance(const json::Value& body, Faults& faults) {
  domain::RemittanceDraft draft;
  ObjectReader in(body, "", faults);
  draft.payer_id = in.required_text("payer_id", 80);
  draft.trace_number = in.required_text("trace_number", domain::kMaxTraceNumberCharacters);
  draft.originator_id = in.short_text("originator_id", 50).value_or("");
  draft.payee_npi = decode_npi(in, "payee_npi");
  draft.payee_tax_id = in.short_text("payee_tax_id", domain::kMaxPayeeIdCharacters).value_or("");
  draft.payee_assigned_id = in.short_text("payee_assigned_id", domain::kMaxPayeeIdCharacters).value_or("");
  draft.payment_date = in.date("payment_date");
  if (!draft.payment_date) in.require("payment_date");
  draft.payment_amount = in.required(in.money("payment_amount", true), "payment_amount");
  draft.payment_method = in.short_text("payment_method", 10).value_or("");
  if (const auto claims = in.array("claims"))
    read_objects(*claims, "claims", faults, [&](ObjectReader& claim, std::size_t) {
      draft.claims.push_back(decode_claim_payment(claim, faults));
    });
  else
    in.require("claims");
  if (const auto list = short_array(in, "provider_adjustments", domain::kMaxAdjustments))
    read_objects(*list, "provider_adjustments", faults, [&](ObjectReader& item, std::size_t) {
      domain::ProviderAdjustment adjustment;
      adjustment.code = item.required_text("code", 2);
      adjustment.reference = item.short_text("reference", 50).value_or("");
      adjustment.amount = item.required(item.money("amount", true), "amount");
      adjustment.npi = decode_npi(item, "npi");
      adjustment.provider_id = item.short_text("provider_id", domain::kMaxPayeeIdCharacters).value_or("");
      draft.provider_adjustments.push_back(std::move(adjustment));
    });
  in.finish();
  return draft;
}

std::string encode_remittances(const std::vector<usecases::PostedRemittance>& posted,
                               const std::vector<domain::LeftOutRow>& left_out) {
  domain::RemittanceBalance sum;
  Counts counts;
  std::vector<domain::ReconciliationRecord> records;
  std::vector<std::string> warnings;
  std::string_view status = status_of(posted.front());
  for (const auto& one : posted) {
    const auto balance = balance_of(one.remittance.draft);
    sum.claims_total += balance.claims_total;
    sum.provider_adjustments_total += balance.provider_adjustments_total;
    sum.payment_amount += balance.payment_amount;
    sum.difference += balance.difference;
    counts.add(Counts::of(one));
    records.insert(records.end(), one.records.begin(), one.records.end());
    warnings.insert(warnings.end(), one.remittance.draft.warnings.begin(), one.remittance.draft.warnings.end());
    if (status != status_of(one)) status = "mixed";
  }

  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("remittance_id").string(posted.front().remittance.id.text());
  out.key("status").string(status);
  put_balance(out, sum);
  put_warnings(out, warnings);
  put_left_out(out, left_out);
  put_claims(out, counts);
  put_records(out, records);
  out.key("remittances").begin_array();
  for (const auto& one : posted) {
    out.begin_object();
    put_entry(out, one.remittance, status_of(one), balance_of(one.remittance.draft), Counts::of(one));
    if (one.is_posting) out.key("posting").string("in_progress");
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return body;
}

std::string encode_remittance_list(const std::vector<domain::RemittanceSummary>& remittances, const PageFrame& page) {
  const auto put = [](json::Writer& out, const domain::RemittanceSummary& summary) {
    const auto balance = balance_of(summary.remittance.draft, summary.claims.paid);
    out.begin_object();
    put_entry(out, summary.remittance, name_of(domain::status_of(summary.remittance, summary.claims)), balance,
              Counts::of(summary.claims));
    put_origin(out, summary.remittance);
    out.end_object();
  };
  return encode_list(remittances, page, put,
                     [](const domain::RemittanceSummary& summary) { return summary.remittance.id.text(); });
}

std::string encode_remittance_view(const usecases::RemittanceView& view, bool explain) {
  const auto& remittance = view.remittance;
  std::string body;
  json::Writer out(body);
  out.begin_object();
  put_entry(out, remittance, name_of(domain::status_of(remittance)), balance_of(remittance.draft),
            Counts::of(totals_of(remittance)));
  if (view.is_posting) out.key("posting").string("in_progress");
  put_origin(out, remittance);
  out.key("claim_payments").begin_array();
  for (const auto& record : remittance.claims) put_claim(out, record);
  out.end_array();
  out.key("provider_adjustments").begin_array();
  for (const auto& adjustment : remittance.draft.provider_adjustments) {
    out.begin_object();
    out.key("code").string(adjustment.code);
    out.key("reference").string(adjustment.reference);
    out.key("amount").cents(adjustment.amount.cents());
    if (!adjustment.npi.empty()) out.key("npi").string(adjustment.npi);
    if (!adjustment.provider_id.empty()) out.key("provider_id").string(adjustment.provider_id);
    out.end_object();
  }
  out.end_array();
  put_allocation(out, view.allocation);
  put_recourse(out, view.recourse);
  put_matches(out, remittance.id.text(), view.trail);
  if (explain) put_trail(out, view.trail);
  out.end_object();
  return body;
}

}  // namespace tideover::wire
