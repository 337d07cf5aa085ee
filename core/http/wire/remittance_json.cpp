#include "core/http/wire/remittance_json.hpp"

#include <algorithm>
#include <array>

#include "core/http/wire/reconciliation_json.hpp"

namespace tideover::wire {
namespace {

using State = domain::RemittanceClaimRecord::State;

constexpr std::array<std::string_view, 10> kClaimStatusCodes{"1", "2", "3", "4", "19", "20", "21", "22", "23", "25"};  // CLP02

std::vector<domain::Adjustment> decode_adjustments(ObjectReader& in, Faults& faults) {
  std::vector<domain::Adjustment> adjustments;
  if (const auto list = in.array("adjustments"))
    read_objects(*list, in.path("adjustments"), faults, [&](ObjectReader& item, std::size_t) {
      domain::Adjustment adjustment;
      adjustment.group = item.required(item.short_text("group", 2), "group");
      if (constexpr std::array<std::string_view, 4> groups{"CO", "PR", "OA", "PI"};
          !adjustment.group.empty() && std::find(groups.begin(), groups.end(), adjustment.group) == groups.end())
        item.fault("group", "must be CO, PR, OA or PI");
      adjustment.code = item.required(item.short_text("code", 5), "code");
      adjustment.amount = item.required(item.money("amount", true), "amount");
      adjustments.push_back(std::move(adjustment));
    });
  return adjustments;
}

domain::RemittanceLine decode_line(ObjectReader& in, Faults& faults) {
  domain::RemittanceLine line;
  line.cpt = in.required(in.short_text("cpt", 10), "cpt");
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
  claim.claim_identifier = in.required(in.short_text("claim_identifier", 64), "claim_identifier");
  const auto status = in.text("status");
  if (status && std::find(kClaimStatusCodes.begin(), kClaimStatusCodes.end(), *status) == kClaimStatusCodes.end())
    in.fault("status", "must be one of 1, 2, 3, 4, 19, 20, 21, 22, 23, 25");
  claim.status = in.required(status, "status");
  claim.charge_amount = in.required(in.money("charge_amount", true), "charge_amount");
  claim.paid_amount = in.required(in.money("paid_amount", true), "paid_amount");
  claim.patient_responsibility = in.money("patient_responsibility", true);
  claim.payer_claim_number = in.short_text("payer_claim_number", 50).value_or("");
  claim.date_of_service = in.date("date_of_service");
  claim.received_date = in.date("received_date");
  claim.adjustments = decode_adjustments(in, faults);
  if (const auto lines = in.array("service_lines"))
    read_objects(*lines, in.path("service_lines"), faults,
                 [&](ObjectReader& line, std::size_t) { claim.lines.push_back(decode_line(line, faults)); });
  return claim;
}

struct Counts {
  int total = 0, matched = 0, unmatched = 0, duplicates = 0;
  void add(const usecases::PostedRemittance& posted) {
    for (const auto& claim : posted.remittance.claims) {
      ++total;
      if (posted.seen_before || claim.state == State::duplicate)
        ++duplicates;
      else if (claim.state == State::posted)
        ++matched;
      else if (claim.state == State::unmatched)
        ++unmatched;
    }
  }
};

/// received: waits for its money; posted: every claim has found its place; partly_posted; unbalanced: held; duplicate.
const char* status_of(const usecases::PostedRemittance& posted) {
  if (posted.seen_before) return "duplicate";
  if (!balance_of(posted.remittance.draft).balanced()) return "unbalanced";
  Counts counts;
  counts.add(posted);
  if (counts.matched + counts.duplicates == counts.total) return "posted";
  return counts.matched > 0 ? "partly_posted" : counts.unmatched > 0 ? "unmatched" : "received";
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

/// What of a notice is no claim's: carried to other payments of its payer, paid to the provider. Left out where there is nothing.
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

}  // namespace

bool is_file(const json::Value& body) { return body.find("format").has_value(); }

bool has_too_many_claims(const json::Value& body) {
  const auto claims = body.find("claims");
  return claims && claims->size() > domain::kMaxRemittanceClaims;
}

domain::RemittanceDraft decode_remittance(const json::Value& body, Faults& faults) {
  domain::RemittanceDraft draft;
  ObjectReader in(body, "", faults);
  draft.payer_id = in.required(in.short_text("payer_id", 80), "payer_id");
  draft.trace_number = in.required(in.short_text("trace_number", domain::kMaxTraceNumberCharacters), "trace_number");
  draft.originator_id = in.short_text("originator_id", 50).value_or("");
  draft.payment_date = in.date("payment_date");
  if (!draft.payment_date) in.require("payment_date");
  draft.payment_amount = in.required(in.money("payment_amount", true), "payment_amount");
  draft.payment_method = in.short_text("payment_method", 10).value_or("");
  if (const auto claims = in.array("claims"))
    read_objects(*claims, "claims", faults,
                 [&](ObjectReader& claim, std::size_t) { draft.claims.push_back(decode_claim_payment(claim, faults)); });
  else
    in.require("claims");
  if (const auto list = in.array("provider_adjustments"))
    read_objects(*list, "provider_adjustments", faults, [&](ObjectReader& item, std::size_t) {
      domain::ProviderAdjustment adjustment;
      adjustment.code = item.required(item.short_text("code", 2), "code");
      adjustment.reference = item.short_text("reference", 50).value_or("");
      adjustment.amount = item.required(item.money("amount", true), "amount");
      draft.provider_adjustments.push_back(std::move(adjustment));
    });
  in.finish();
  return draft;
}

std::string encode_remittances(const std::vector<usecases::PostedRemittance>& posted, const std::vector<domain::LeftOutRow>& left_out) {
  domain::RemittanceBalance sum;
  Counts counts;
  std::vector<domain::ReconciliationRecord> records;
  std::vector<std::string> warnings;
  std::string status = status_of(posted.front());
  for (const auto& one : posted) {
    const auto balance = balance_of(one.remittance.draft);
    sum.claims_total += balance.claims_total;
    sum.provider_adjustments_total += balance.provider_adjustments_total;
    sum.payment_amount += balance.payment_amount;
    sum.difference += balance.difference;
    counts.add(one);
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
    const auto& draft = one.remittance.draft;
    Counts own;
    own.add(one);
    out.begin_object();
    out.key("remittance_id").string(one.remittance.id.text());
    out.key("status").string(status_of(one));
    out.key("payer_id").string(draft.payer_id);
    out.key("trace_number").string(draft.trace_number);
    if (draft.payment_date) out.key("payment_date").string(format_date(*draft.payment_date));
    put_balance(out, balance_of(draft));
    put_warnings(out, draft.warnings);
    put_claims(out, own);
    put_adjusted(out, one.remittance);
    if (one.remittance.deposit) out.key("deposit_id").string(one.remittance.deposit->text());
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return body;
}

}  // namespace tideover::wire
