// GET /v1/metadata/{payers,reason-codes,funding-rails}, GET /v1/metadata/payers/{payer_id}
#include <algorithm>

#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/wire/operations/metadata_json.hpp"

namespace tideover::http {
namespace {

/// Without `limit` the whole catalogue: clients read it once.
domain::Result<Reply> list_reason_codes(const std::vector<domain::ReasonCode>& codes, const Context& context) {
  constexpr std::size_t kMostCodes = 1000;
  const auto page = page_of(context, kMostCodes, std::max<std::size_t>(codes.size(), 1));
  if (!page) return page.error();
  auto first = codes.begin();
  if (!page->after.empty()) {
    first = std::find_if(codes.begin(), codes.end(),
                         [&](const domain::ReasonCode& code) { return wire::position_of(code) == page->after; });
    if (first == codes.end()) return invalid_cursor();
    ++first;
  }
  return Reply{wire::encode_reason_codes({first, codes.end()}, *page)};
}

}  // namespace

void add_metadata_routes(RouteTable& routes, const usecases::LookUpPayers& look_up_payers, ports::FundingRails& rails,
                         const std::vector<domain::ReasonCode>& reason_codes) {
  routes.add({"GET", "/v1/metadata/payers", domain::Scope::metadata_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = page_of(context);
                if (!page) return page.error();
                std::string text = context.query_text("q");
                if (text.find_first_not_of(" \t\r\n") == std::string::npos) text.clear();
                if (!text.empty() && !page->after.empty())
                  return invalid_cursor("A search has only one page, the best matches. Remove cursor.");
                auto after = wire::payer_id_at(page->after);
                if (!after) return invalid_cursor();
                const auto found = look_up_payers(
                    {text, context.query_text("system", "internal"), std::move(*after), page->limit + 1});
                if (!found) return found.error();
                return Reply{wire::encode_payers(*found, *page, text)};
              }},
             paged({any_text("q"), "system"}));
  routes.add({"GET", "/v1/metadata/payers/{payer_id}", domain::Scope::metadata_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto payer = look_up_payers.one(context.path[0]);
                if (!payer) return payer.error();
                return Reply{wire::encode_payer(*payer)};
              }});
  routes.add({"GET", "/v1/metadata/reason-codes", domain::Scope::metadata_read, BodyKind::none,
              [&](Context& context) { return list_reason_codes(reason_codes, context); }},
             paged());
  routes.add({"GET", "/v1/metadata/funding-rails", domain::Scope::metadata_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                std::vector<wire::RailOffer> offers;
                for (auto* rail : rails.all()) {
                  wire::RailOffer offer{rail->describe(), std::nullopt};
                  if (auto plan = rail->plan(std::nullopt, context.request_context.now, false))
                    offer.next = std::move(*plan);
                  offers.push_back(std::move(offer));
                }
                return Reply{wire::encode_rails(offers)};
              }});
}

}  // namespace tideover::http
