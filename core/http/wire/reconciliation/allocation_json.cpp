#include "core/http/wire/reconciliation/allocation_json.hpp"

namespace tideover::wire {
namespace {

void put_row(json::Writer& out, const domain::AllocationRow& row) {
  out.begin_object();
  out.key("number").number(row.number);
  out.key("line").string(name_of(row.line));
  out.key("index").number(row.index);
  out.key("account").string(name_of(row.account));
  if (row.settlement) out.key("settlement_id").string(row.settlement->text());
  if (!row.payee_npi.empty()) out.key("payee_npi").string(row.payee_npi);
  if (row.payee_alias) out.key("payee_alias_id").string(row.payee_alias->text());
  out.key("amount").cents(row.amount.cents());
  out.key("reason").string(name_of(row.reason));
  if (row.balance) {
    out.key("balance").begin_object();
    out.key("remittance_id").string(row.balance->remittance.text());
    out.key("number").number(row.balance->number);
    out.end_object();
  }
  if (row.record) out.key("reconciliation_id").string(row.record->text());
  if (row.undoes) out.key("undoes").number(*row.undoes);
  if (row.task) out.key("task_id").string(row.task->text());
  out.key("posted_at").string(format_timestamp(row.posted_at));
  out.end_object();
}

}  // namespace

void put_allocation(json::Writer& out, const std::vector<domain::AllocationRow>& rows) {
  out.key("allocation").begin_array();
  for (const auto& row : rows) put_row(out, row);
  out.end_array();
}

}  // namespace tideover::wire
