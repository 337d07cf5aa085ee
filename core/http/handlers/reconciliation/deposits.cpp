// POST and GET /v1/deposits, GET /v1/deposits/{deposit_id}, POST /v1/deposits/{deposit_id}/return, POST
// /v1/deposits/files
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/payload.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/reconciliation/deposit_file_json.hpp"
#include "core/http/wire/reconciliation/deposit_json.hpp"

namespace tideover::http {

void add_deposit_routes(RouteTable& routes, usecases::PostDeposit& post_deposit,
                        usecases::ReturnDeposit& return_deposit) {
  routes.add({"POST", "/v1/deposits", domain::Scope::deposits_write, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                const auto deposit = read_body(context, wire::decode_deposit);
                if (!deposit) return deposit.error();
                return reply(post_deposit(context.request_context, *deposit, wire::encode_deposit));
              }});
  routes.add({"POST", "/v1/deposits/{deposit_id}/return", domain::Scope::deposits_write, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                auto returned = read_body(context, wire::decode_deposit_return);
                if (!returned) return returned.error();
                returned->deposit_id = context.path[0];
                return reply(return_deposit(context.request_context, *returned, [](const usecases::DepositView& view) {
                  return wire::encode_deposit_view(view, false);
                }));
              }});
}

void add_deposit_reading_routes(RouteTable& routes, const usecases::ReadDeposits& deposits) {
  routes.add({"GET", "/v1/deposits", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = page_of(context);
                if (!page) return page.error();
                const auto found = deposits.list(
                    context.request_context.caller.tenant,
                    {context.query_text("status"), context.query_text("payer_id"), page->after, page->limit + 1});
                if (!found) return found.error();
                return Reply{wire::encode_deposits(*found, page->limit)};
              }},
             paged({"status", "payer_id"}));
  routes.add({"GET", "/v1/deposits/{deposit_id}", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto explain = explain_of(context);
                if (!explain) return explain.error();
                const auto view = deposits.one(context.request_context.caller.tenant, context.path[0]);
                if (!view) return view.error();
                return Reply{wire::encode_deposit_view(*view, *explain)};
              }},
             {"explain"});
}

void add_deposit_file_route(RouteTable& routes, usecases::PostDepositFile& post_deposit_file,
                            ports::PayloadDecoder& decoder) {
  Route files{
      "POST", "/v1/deposits/files", domain::Scope::deposits_write, BodyKind::json,
      [&](Context& context) -> domain::Result<Reply> {
        const auto file = read_body(context, wire::decode_file);
        if (!file) return file.error();
        const auto bytes = decoded_payload(*file, decoder);
        if (!bytes) return bytes.error();
        return reply(post_deposit_file(context.request_context, file->format, *bytes, wire::encode_deposit_file));
      }};
  files.carries_file = true;
  routes.add(std::move(files));
}

}  // namespace tideover::http
