#include "core/http/wire/ledger/statement_json.hpp"

#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

std::string encode_statement(const domain::Statement& statement) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("from").string(format_date(statement.from));
  out.key("to").string(format_date(statement.to));
  out.key("currency").string("USD");
  out.key("accounts").begin_array();
  for (const auto& account : statement.accounts) {
    out.begin_object();
    out.key("account").string(account.account);
    out.key("opening").cents(account.opening.cents());
    out.key("movements").begin_array();
    for (const auto& movement : account.movements) {
      out.begin_object();
      out.key("cause").string(movement.cause);
      out.key("debits").cents(movement.debits.cents());
      out.key("credits").cents(movement.credits.cents());
      out.end_object();
    }
    out.end_array();
    out.key("closing").cents(account.closing.cents());
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return body;
}

std::string encode_statement_csv(const domain::Statement& statement) {
  std::string text = "account,line,debits,credits,balance\r\n";  // RFC 4180; none of these values needs quotes
  for (const auto& account : statement.accounts) {
    text += account.account + ",opening,,," + format_money(account.opening) + "\r\n";
    for (const auto& movement : account.movements)
      text += account.account + ',' + movement.cause + ',' + format_money(movement.debits) + ',' +
              format_money(movement.credits) + ",\r\n";
    text += account.account + ",closing,,," + format_money(account.closing) + "\r\n";
  }
  return text;
}

}  // namespace tideover::wire
