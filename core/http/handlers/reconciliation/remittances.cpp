// POST /v1/remittances: a file (format, payload) or one payment as JSON. GET /v1/remittances, GET
// /v1/remittances/{remittance_id}
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/payload.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/reconciliation/remittance_json.hpp"

namespace tideover::http {
void add_remittance_routes(RouteTable& routes, usecases::PostRemittance& post_remittance,
                           ports::PayloadDecoder& decoder) {
  Route route{
      "POST", "/v1/remittances", domain::Scope::deposits_write, BodyKind::json,
      [&](Context& context) -> domain::Result<Reply> {
        if (!wire::is_file(*context.body)) {
          if (wire::has_too_many_claims(*context.body))
            return domain::Error::of(domain::ErrorCode::payload_too_large,
                                     "The remittance has more than 10000 claims. Split it into several remittances.");
          auto draft = read_body(context, wire::decode_remittance);
          if (!draft) return draft.error();
          return reply(post_remittance(
              context.request_context, {std::move(*draft)},
              [](const std::vector<usecases::PostedRemittance>& posted) { return wire::encode_remittances(posted); }));
        }
        const auto file = read_body(context, wire::decode_mapped_file, [&](const wire::FilePayload& sent) {
          return post_remittance.check_format(sent.format);
        });
        if (!file) return file.error();
        const auto bytes = decoded_payload(*file, decoder);
        if (!bytes) return bytes.error();
        return reply(post_remittance.file(context.request_context, {file->format, *bytes, file->mapping},
                                          [](const usecases::PostedRemittanceFile& posted) {
                                            return wire::encode_remittances(posted.payments, posted.left_out);
                                          }));
      }};
  route.carries_file = true;
  routes.add(std::move(route));
}

void add_remittance_reading_routes(RouteTable& routes, const usecases::ReadRemittances& remittances) {
  routes.add({"GET", "/v1/remittances", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = ordered_page_of(context);
                if (!page) return page.error();
                const auto found = remittances.list(context.request_context.caller.tenant,
                                                    {context.query_text("status"), context.query_text("payer_id"),
                                                     context.query_text("trace_number"), page->rows()});
                if (!found) return found.error();
                return Reply{wire::encode_remittance_list(*found, *page)};
              }},
             ordered({"status", any_text("payer_id"), any_text("trace_number"), "idempotency_key"}));
  Route one{"GET", "/v1/remittances/{remittance_id}", domain::Scope::reconciliation_read, BodyKind::none,
            [&](Context& context) -> domain::Result<Reply> {
              const auto explain = explain_of(context);
              if (!explain) return explain.error();
              const auto view = remittances.one(context.request_context.caller.tenant, context.path[0]);
              if (!view) return view.error();
              return Reply{wire::encode_remittance_view(*view, *explain)};
            }};
  one.shows_patients = true;
  routes.add(std::move(one), {"explain"});
}

}  // namespace tideover::http
