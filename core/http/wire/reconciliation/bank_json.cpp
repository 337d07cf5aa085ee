#include "core/http/wire/reconciliation/bank_json.hpp"

#include <algorithm>

#include "core/http/wire/basics/list_json.hpp"

namespace tideover::wire {
namespace {

void put_balance(json::Writer& out, const char* name, const std::optional<domain::Money>& amount) {
  if (amount) out.key(name).cents(amount->cents());
}

void put_account(json::Writer& out, const domain::BankStatement& statement) {
  out.key("account").string(statement.account);
  if (!statement.account_ending.empty()) out.key("account_ending").string(statement.account_ending);
}

void put_head(json::Writer& out, const domain::BankStatement& statement) {
  out.key("statement_id").string(statement.id.text());
  put_account(out, statement);
  out.key("date").string(format_date(statement.date));
  out.key("format").string(statement.format);
  out.key("version").number(statement.version);
  put_balance(out, "opening", statement.opening);
  put_balance(out, "closing", statement.closing);
  out.key("stored_at").string(format_timestamp(statement.stored_at));
}

void put_sides(json::Writer& out, const char* name, domain::Money credits, domain::Money debits) {
  out.key(name).begin_object();
  out.key("credits").cents(credits.cents());
  out.key("debits").cents(debits.cents());
  out.end_object();
}

void put_sums(json::Writer& out, const domain::BankLineSums& sums) {
  out.key("credits").cents(sums.credits.cents());
  out.key("debits").cents(sums.debits.cents());
  put_sides(out, "cleared", sums.settled_credits, sums.settled_debits);
  put_sides(out, "uncleared", sums.credits - sums.settled_credits, sums.debits - sums.settled_debits);
}

void put_exceptions(json::Writer& out, const std::vector<domain::BankException>& exceptions) {
  out.key("exceptions").begin_array();
  for (const auto& exception : exceptions) {
    out.begin_object();
    out.key("kind").string(name_of(exception.kind));
    out.key("message").string(exception.message);
    if (exception.line) out.key("line").number(*exception.line);
    if (!exception.object_id.empty()) out.key("object_id").string(exception.object_id);
    if (exception.amount) out.key("amount").cents(exception.amount->cents());
    out.end_object();
  }
  out.end_array();
}

void put_bank_line(json::Writer& out, const domain::BankLine& line) {
  out.begin_object();
  out.key("line").number(line.number);
  out.key("direction").string(line.is_debit ? "debit" : "credit");
  out.key("amount").cents(line.amount.cents());
  out.key("date").string(format_date(line.date));
  if (!line.type_code.empty()) out.key("type_code").string(line.type_code);
  out.key("references").begin_array();
  for (const auto& reference : line.references) out.string(reference);
  out.end_array();
  if (!line.text.empty()) out.key("text").string(line.text);
  if (line.deposit) out.key("deposit_id").string(line.deposit->text());
  if (line.payment) out.key("transfer_id").string(line.payment->text());
  if (line.finding) out.key("exception").string(name_of(*line.finding));
  out.end_object();
}

void put_bank_day(json::Writer& out, const usecases::BankDayView& view) {
  const auto& statement = view.day.statement;
  out.begin_object();
  out.key("date").string(format_date(view.day.date));
  if (statement) {
    put_account(out, *statement);
    out.key("statement_id").string(statement->id.text());
    put_balance(out, "opening", statement->opening);
    put_sums(out, view.sums);
    put_balance(out, "closing", statement->closing);
    out.key("closes").boolean(view.closes);
  } else if (!view.day.account.empty()) {
    out.key("account").string(view.day.account);
  }
  out.key("exception_count").number(view.exception_count);
  put_exceptions(out, view.exceptions);
  out.end_object();
}

}  // namespace

std::string encode_bank_statements(const std::vector<domain::BankStatement>& statements, const PageFrame& page) {
  const auto put = [](json::Writer& out, const domain::BankStatement& statement) {
    out.begin_object();
    put_head(out, statement);
    out.end_object();
  };
  return encode_list(statements, page, put, [](const domain::BankStatement& one) { return one.id.text(); });
}

std::string encode_bank_statement(const usecases::BankStatementView& view, std::size_t limit) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  put_head(out, view.statement);
  put_sums(out, view.sums);
  out.key("closes").boolean(view.reasons.empty());
  put_exceptions(out, view.reasons);
  out.key("line_count").number(view.sums.credit_count + view.sums.debit_count);
  out.key("lines").begin_array();
  for (std::size_t i = 0; i < std::min(limit, view.lines.size()); ++i) put_bank_line(out, view.lines[i]);
  out.end_array();
  out.key("has_more").boolean(view.lines.size() > limit);
  out.end_object();
  return body;
}

std::string encode_bank_days(const std::vector<usecases::BankDayView>& days, const PageFrame& page) {
  return encode_list(days, page, put_bank_day,
                     [](const usecases::BankDayView& view) { return usecases::cursor_of(view); });
}

void put_posted_statements(json::Writer& out, const std::vector<usecases::PostedStatement>& statements) {
  out.key("statements").begin_array();
  for (const auto& posted : statements) {
    out.begin_object();
    out.key("line").number(posted.line);
    out.key("result").string(name_of(posted.result));
    if (!posted.reason.empty()) out.key("reason").string(posted.reason);
    if (!posted.statement.id.empty()) out.key("statement_id").string(posted.statement.id.text());
    put_account(out, posted.statement);
    out.key("date").string(format_date(posted.statement.date));
    out.key("exception_count").number(posted.exceptions);
    out.end_object();
  }
  out.end_array();
}

}  // namespace tideover::wire
