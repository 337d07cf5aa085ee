#include "core/http/wire/reconciliation/deposit_file_json.hpp"

#include "core/http/wire/json/writer.hpp"
#include "core/http/wire/reconciliation/bank_json.hpp"
#include "core/http/wire/reconciliation/deposit_json.hpp"

namespace tideover::wire {
namespace {

using Result = usecases::PostedFileItem::Result;

void put_counts(json::Writer& out, const usecases::PostedDepositFile& posted) {
  out.key("total").number(static_cast<std::int64_t>(posted.items.size()));
  for (const auto result : {Result::created, Result::duplicate, Result::ignored, Result::refused}) {
    std::int64_t count = 0;
    for (const auto& item : posted.items) count += item.result == result;
    out.key(name_of(result)).number(count);
  }
}

}  // namespace

std::string encode_deposit_file(const usecases::PostedDepositFile& posted) {
  domain::Money amount;
  for (const auto& item : posted.items)
    if (item.result == Result::created) amount += item.posted->deposit.amount;

  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("format").string(posted.format);
  out.key("created_amount").cents(amount.cents());
  out.key("counts").begin_object();
  put_counts(out, posted);
  out.end_object();
  out.key("warnings").begin_array();
  for (const auto& warning : posted.warnings) {
    out.begin_object();
    out.key("line").number(warning.line);
    out.key("message").string(warning.message);
    out.end_object();
  }
  out.end_array();
  out.key("items").begin_array();
  for (const auto& item : posted.items) {
    out.begin_object();
    out.key("line").number(item.line);
    out.key("result").string(name_of(item.result));
    if (!item.reason.empty()) out.key("reason").string(item.reason);
    if (item.posted) {
      out.key("deposit");
      put_deposit(out, *item.posted);
    }
    out.end_object();
  }
  out.end_array();
  if (!posted.statements.empty()) put_posted_statements(out, posted.statements);
  out.end_object();
  return body;
}

}  // namespace tideover::wire
