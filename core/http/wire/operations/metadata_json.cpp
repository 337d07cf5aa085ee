#include "core/http/wire/operations/metadata_json.hpp"

#include "core/crypto/primitives/encoding.hpp"
#include "core/domain/basics/text.hpp"
#include "core/domain/claims/payer_highlights.hpp"
#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {
namespace {

void put_texts(json::Writer& out, const char* name, const std::vector<std::string>& texts) {
  out.key(name).begin_array();
  for (const auto& text : texts) out.string(text);
  out.end_array();
}

void put_pairs(json::Writer& out, const char* name, const std::vector<std::pair<std::string, std::string>>& pairs) {
  out.key(name).begin_object();
  for (const auto& [key, value] : pairs) out.key(key).string(value);
  out.end_object();
}

void put_highlights(json::Writer& out, const std::vector<domain::PayerHighlight>& highlights) {
  out.key("highlights").begin_array();
  for (const auto& highlight : highlights) {
    out.begin_object();
    out.key("field").string(highlight.field);
    out.key("text").string(highlight.text);
    out.key("parts").begin_array();
    for (const auto& part : highlight.parts) {
      out.begin_object();
      out.key("start").number(static_cast<std::int64_t>(part.start));
      out.key("length").number(static_cast<std::int64_t>(part.length));
      out.end_object();
    }
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

/// `query`: empty without a search.
void put_payer(json::Writer& out, const domain::PayerMatch& match, std::string_view query) {
  const auto& payer = match.payer;
  out.begin_object();
  out.key("payer_id").string(payer.payer_id);
  out.key("name").string(payer.name);
  out.key("short_name").string(payer.short_name);
  put_texts(out, "aliases", payer.aliases);
  put_pairs(out, "identifiers", payer.identifiers);
  put_texts(out, "ein", payer.ein);
  put_texts(out, "coverage_types", payer.coverage_types);
  put_texts(out, "programs", payer.programs);
  put_texts(out, "states", payer.states);
  put_pairs(out, "transactions", payer.transactions);
  out.key("median_days_to_pay").number(payer.rates.median_days_to_pay);
  out.key("timely_filing_days").number(payer.timely_filing_days);
  out.key("supports_advance").boolean(payer.supports_advance);
  out.key("status").string(payer.status);
  out.key("updated_at").string(payer.updated_at);
  if (!query.empty()) {
    out.key("match").begin_object();
    out.key("score").decimal4(match.score_bps);
    put_texts(out, "fields", match.fields);
    put_highlights(out, highlights_of(match, query));
    out.end_object();
  }
  out.end_object();
}

}  // namespace

std::string encode_payers(const domain::PayerMatches& payers, const PageFrame& page, std::string_view query) {
  return encode_list(
      payers.found, page, [&](json::Writer& out, const domain::PayerMatch& match) { put_payer(out, match, query); },
      [&](const domain::PayerMatch& match) {
        return query.empty() ? crypto::base64url_encode(match.payer.payer_id) : std::string();
      },
      [&](json::Writer& out) {
        if (payers.warnings.empty()) return;
        out.key("incomplete").boolean(true);
        put_texts(out, "warnings", payers.warnings);
      });
}

std::optional<std::string> payer_id_at(std::string_view position) {
  const auto bytes = crypto::base64url_decode(position);
  if (!bytes) return std::nullopt;
  std::string payer_id(bytes->begin(), bytes->end());
  return domain::is_printable(payer_id) ? std::optional(std::move(payer_id)) : std::nullopt;
}

std::string encode_payer(const domain::Payer& payer) {
  std::string body;
  json::Writer out(body);
  put_payer(out, {payer, 0, {}}, "");
  return body;
}

std::string position_of(const domain::ReasonCode& code) {
  return code.system + ' ' + code.code;
}

std::string encode_reason_codes(const std::vector<domain::ReasonCode>& codes, const PageFrame& page) {
  return encode_list(
      codes, page,
      [](json::Writer& out, const domain::ReasonCode& code) {
        const auto text_or_null = [&](const char* name, const std::string& text) {
          out.key(name);
          if (text.empty())
            out.null();
          else
            out.string(text);
        };
        out.begin_object();
        out.key("code").string(code.code);
        out.key("system").string(code.system);
        out.key("description").string(code.description);
        put_texts(out, "group_codes", code.group_codes);
        out.key("category").string(code.category);
        out.key("severity").string(code.severity);
        out.key("recommended_action").string(code.recommended_action);
        text_or_null("maps_to", code.maps_to);
        out.key("active").boolean(code.active);
        text_or_null("effective_from", code.effective_from);
        text_or_null("effective_to", code.effective_to);
        out.end_object();
      },
      position_of);
}

std::string encode_rails(const std::vector<RailOffer>& rails) {
  return encode_list(
      rails, PageFrame{rails.size()},
      [](json::Writer& out, const RailOffer& offer) {
        const auto& rail = offer.rail;
        out.begin_object();
        out.key("rail").string(rail.rail);
        out.key("name").string(rail.name);
        out.key("description").string(rail.description);
        out.key("enabled").boolean(true);
        out.key("simulated").boolean(rail.simulated);
        out.key("status").string(rail.status);
        out.key("currency").string("USD");
        out.key("min_amount").cents(rail.min_amount.cents());
        out.key("max_amount").cents(rail.max_amount.cents());
        out.key("desired_date").string(rail.desired_date);
        out.key("time_zone").string(rail.time_zone);
        put_texts(out, "cutoffs", rail.cutoffs);
        out.key("business_days_only").boolean(rail.business_days_only);
        out.key("irrevocable").boolean(rail.irrevocable);
        out.key("return_window_days").number(rail.return_window_days);
        out.key("fee").cents(rail.fee.cents());
        if (offer.next) {
          out.key("next_effective_date").string(format_date(offer.next->effective_date));
          if (offer.next->expected_settlement_at)
            out.key("next_expected_settlement_at").string(format_timestamp(*offer.next->expected_settlement_at));
        }
        out.key("plugin").begin_object();
        out.key("name").string(rail.plugin_name);
        out.key("version").string(rail.plugin_version);
        out.end_object();
        out.end_object();
      },
      [](const RailOffer& offer) { return offer.rail.rail; });
}

}  // namespace tideover::wire
