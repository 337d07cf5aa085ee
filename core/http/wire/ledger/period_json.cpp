#include "core/http/wire/ledger/period_json.hpp"

#include "core/http/wire/basics/list_json.hpp"

namespace tideover::wire {
namespace {

void put_days(json::Writer& out, const domain::LedgerPeriod& period, const char* status) {
  out.key("period").string(period.month.text());
  out.key("status").string(status);
  out.key("first_day").string(format_date(period.month.first_day()));
  out.key("last_day").string(format_date(period.month.last_day()));
}

void put_period(json::Writer& out, const domain::LedgerPeriod& period) {
  out.begin_object();
  put_days(out, period, "closed");
  out.key("closed_at").string(format_timestamp(period.closed_at));
  out.key("closed_by").string(period.closed_by.text());
  out.key("balances").number(period.balances);
  out.key("balances_sha256").string(period.balances_sha256);
  out.end_object();
}

}  // namespace

std::string encode_period(const domain::LedgerPeriod& period) {
  std::string body;
  json::Writer out(body);
  put_period(out, period);
  return body;
}

std::string encode_reopened(const domain::LedgerPeriod& period) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  put_days(out, period, "open");
  out.end_object();
  return body;
}

std::string encode_periods(const std::vector<domain::LedgerPeriod>& periods) {
  return encode_list(periods, PageFrame{periods.size()}, put_period,
                     [](const domain::LedgerPeriod& period) { return period.month.text(); });
}

}  // namespace tideover::wire
