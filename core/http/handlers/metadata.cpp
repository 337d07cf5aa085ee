// GET /v1/metadata/{payers,reason-codes,funding-rails}
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/wire/operations/metadata_json.hpp"

namespace tideover::http {

void add_metadata_routes(RouteTable& routes, const usecases::LookUpPayers& look_up_payers, ports::FundingRails& rails,
                         const std::vector<domain::ReasonCode>& reason_codes) {
  routes.add(
      {"GET", "/v1/metadata/payers", domain::Scope::metadata_read, BodyKind::none,
       [&](Context& context) -> domain::Result<Reply> {
         const auto page = page_of(context);
         if (!page) return page.error();
         const std::string text = context.query_text("q");
         if (!text.empty() && !page->after.empty())
           return invalid_cursor("A search has only one page, the best matches. Remove cursor.");
         // A search reads only one page, so it never offers a cursor.
         const std::size_t wanted = text.empty() ? page->limit + 1 : page->limit;
         const auto found = look_up_payers({text, context.query_text("system", "internal"), page->after, wanted});
         if (!found) return found.error();
         return Reply{wire::encode_payers(*found, *page, !text.empty())};
       }},
      paged({"q", "system"}));
  routes.add(
      {"GET", "/v1/metadata/reason-codes", domain::Scope::metadata_read, BodyKind::none,
       [body = wire::encode_reason_codes(reason_codes)](Context&) -> domain::Result<Reply> { return Reply{body}; }});
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
