#include "core/http/wire/reconciliation/alias_json.hpp"

#include "core/http/wire/basics/list_json.hpp"

namespace tideover::wire {
namespace {

template <class Alias>
void put_evidence(json::Writer& out, const Alias& alias) {
  out.key("remittance_id").string(alias.remittance.text());
  out.key("learned_at").string(format_timestamp(alias.learned_at));
}

void put_payer_alias(json::Writer& out, const domain::PayerAlias& alias) {
  out.begin_object();
  out.key("id").string(alias.id.text());
  out.key("alias").string(alias.alias);
  out.key("kind").string(name_of(alias.kind));
  out.key("payer_id").string(alias.payer_id);
  put_evidence(out, alias);
  out.end_object();
}

void put_payee_alias(json::Writer& out, const domain::PayeeAlias& alias) {
  out.begin_object();
  out.key("id").string(alias.id.text());
  out.key("alias").string(alias.names.form);
  out.key("kind").string(name_of(alias.names.kind));
  if (!alias.names.payer_id.empty()) out.key("payer_id").string(alias.names.payer_id);
  out.key("payee_npi").string(alias.payee_npi);
  put_evidence(out, alias);
  out.end_object();
}

template <class Alias>
std::string encode(const std::vector<Alias>& aliases, const PageFrame& page, void (*put)(json::Writer&, const Alias&)) {
  return encode_list(aliases, page, put, [](const Alias& alias) { return alias.id.text(); });
}

}  // namespace

std::string encode_aliases(const std::vector<domain::PayerAlias>& aliases, const PageFrame& page) {
  return encode(aliases, page, put_payer_alias);
}

std::string encode_aliases(const std::vector<domain::PayeeAlias>& aliases, const PageFrame& page) {
  return encode(aliases, page, put_payee_alias);
}

}  // namespace tideover::wire
