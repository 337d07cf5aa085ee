#include "core/http/wire/reconciliation/payer_alias_json.hpp"

#include "core/http/wire/basics/list_json.hpp"

namespace tideover::wire {
namespace {

void put_alias(json::Writer& out, const domain::PayerAlias& alias) {
  out.begin_object();
  out.key("id").string(alias.id.text());
  out.key("alias").string(alias.alias);
  out.key("kind").string(name_of(alias.kind));
  out.key("payer_id").string(alias.payer_id);
  out.key("remittance_id").string(alias.remittance.text());
  out.key("learned_at").string(format_timestamp(alias.learned_at));
  out.end_object();
}

}  // namespace

std::string encode_payer_aliases(const std::vector<domain::PayerAlias>& aliases, std::size_t limit) {
  return encode_list(aliases, limit, put_alias, [](const domain::PayerAlias& alias) { return alias.id.text(); });
}

}  // namespace tideover::wire
