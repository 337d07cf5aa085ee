#include "core/http/wire/sandbox/simulation_json.hpp"

#include <algorithm>

#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {
namespace {

bool is_code(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); });
}

}  // namespace

usecases::PaymentOrder decode_payment_order(const json::Value& body, Faults& faults) {
  ObjectReader in(body, "", faults);
  usecases::PaymentOrder order;
  order.settlement_id = in.required(in.short_text("settlement_id", 64), "settlement_id");
  const auto name = in.short_text("outcome", 64);
  if (!name) {
    in.require("outcome");
  } else if (const auto outcome = domain::payment_outcome_named(*name)) {
    order.outcome = *outcome;
  } else {
    in.fault("outcome", "must be paid, short, denied, overpaid, reversed or taken_back");
  }
  in.finish();
  return order;
}

std::string decode_transfer_code(const json::Value& body, Faults& faults) {
  ObjectReader in(body, "", faults);
  const auto code = in.short_text("code", 4);
  if (!code)
    in.require("code");
  else if (!is_code(*code))
    in.fault("code", "must be 1 to 4 capital letters and digits, such as R02 or AC04");
  in.finish();
  return code.value_or("");
}

std::string encode_transfer(const domain::DisbursementAttempt& transfer) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("transfer_id").string(transfer.id.text());
  out.key("rail").string(transfer.rail);
  out.key("status").string(name_of(transfer.state));
  out.key("reason_code");
  if (transfer.reason_code.empty())
    out.null();
  else
    out.string(transfer.reason_code);
  out.end_object();
  return body;
}

}  // namespace tideover::wire
