// Small values that stand in bodies, paths and headers.
#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"
#include "core/domain/basics/scope.hpp"
#include "core/domain/claims/npi.hpp"
#include "core/domain/claims/procedure_code.hpp"
#include "core/events/webhook_url.hpp"
#include "tests/fuzz/target.hpp"

namespace tideover::fuzz {
namespace {

void values(std::string_view bytes) {
  if (const auto money = domain::parse_money(bytes))
    must(domain::parse_money(domain::format_money(*money)) == money, "an amount is what it is written as");
  if (const auto date = domain::parse_date(bytes))
    must(domain::parse_date(domain::format_date(*date)) == date, "a date is what it is written as");
  if (const auto at = domain::parse_timestamp(bytes))
    must(domain::parse_timestamp(domain::format_timestamp(*at)) == at, "an instant is what it is written as");
  if (const auto id = domain::SettlementId::parse(bytes))
    must(domain::SettlementId::parse(id->text()) == id, "an id is what it is written as");
  if (const auto scopes = domain::ScopeSet::parse(bytes))
    must(domain::ScopeSet::parse(scopes->text())->text() == scopes->text(), "scopes are what they are written as");
}

void webhook_url(std::string_view bytes) {
  const auto checked = events::check_webhook_url(bytes, {});
  if (!checked) return must(!checked.error().message.empty(), "a refusal says why");
  const auto destination = events::destination_of(bytes);
  must(!destination.plain_http && !destination.names_loopback, "a URL that passes leads out, over TLS");
}

}  // namespace

std::vector<Target> text_targets() {
  return {{"values", values, {}}, {"webhook_url", webhook_url, {}}};
}

}  // namespace tideover::fuzz
