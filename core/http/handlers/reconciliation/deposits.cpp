// POST and GET /v1/deposits, GET /v1/deposits/{deposit_id}, POST /v1/deposits/{deposit_id}/return, POST
// /v1/deposits/files, GET /v1/bank_statements, GET /v1/bank_statements/{statement_id}, GET /v1/bank_reconciliation
#include <algorithm>
#include <limits>

#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/payload.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/reconciliation/bank_json.hpp"
#include "core/http/wire/reconciliation/deposit_file_json.hpp"
#include "core/http/wire/reconciliation/deposit_json.hpp"

namespace tideover::http {
namespace {

domain::Result<usecases::BankQuery> bank_query_of(const Context& context, const Page& page) {
  usecases::BankQuery query;
  auto refusal = domain::Error::of(domain::ErrorCode::invalid_parameter,
                                   "A date is not valid. Use YYYY-MM-DD; see details.fields.");
  query.account = context.query_text("account");
  query.from = day_of(context, "from", refusal);
  query.to = day_of(context, "to", refusal);
  query.after = page.after;
  query.limit = page.limit + 1;
  if (!refusal.fields.empty()) return refusal;
  return query;
}

}  // namespace

void add_bank_routes(RouteTable& routes, const usecases::ReadBank& bank) {
  routes.add({"GET", "/v1/bank_statements", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = ordered_page_of(context);
                if (!page) return page.error();
                auto query = bank_query_of(context, *page);
                if (!query) return query.error();
                query->order = page->order;
                const auto found = bank.list(context.request_context.caller.tenant, *query);
                if (!found) return found.error();
                return Reply{wire::encode_bank_statements(*found, *page)};
              }},
             paged({"account", "from", "to", "order"}));
  Route one{"GET", "/v1/bank_statements/{statement_id}", domain::Scope::reconciliation_read, BodyKind::none,
            [&](Context& context) -> domain::Result<Reply> {
              const auto page = row_page_of(context, 0);
              if (!page) return page.error();
              constexpr std::int64_t kLastRow = std::numeric_limits<int>::max();
              const auto view = bank.one(context.request_context.caller.tenant, context.path[0],
                                         static_cast<int>(std::min(page->after_row, kLastRow)), page->limit + 1);
              if (!view) return view.error();
              return Reply{wire::encode_bank_statement(*view, page->limit)};
            }};
  one.shows_patients = true;  // the text of a payment may name one
  routes.add(std::move(one), {"after_row", "limit"});
  routes.add({"GET", "/v1/bank_reconciliation", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = page_of(context);
                if (!page) return page.error();
                const auto query = bank_query_of(context, *page);
                if (!query) return query.error();
                const auto days =
                    bank.days(context.request_context.caller.tenant, *query, context.request_context.now.utc_date());
                if (!days) return days.error();
                return Reply{wire::encode_bank_days(*days, *page)};
              }},
             paged({"account", "from", "to"}));
}

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
                const auto page = ordered_page_of(context);
                if (!page) return page.error();
                const auto found =
                    deposits.list(context.request_context.caller.tenant,
                                  {context.query_text("status"), context.query_text("payer_id"), page->rows()});
                if (!found) return found.error();
                return Reply{wire::encode_deposits(*found, *page)};
              }},
             ordered({"status", any_text("payer_id"), "idempotency_key"}));
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
        const auto file = read_body(context, wire::decode_file, [&](const wire::FilePayload& sent) {
          return post_deposit_file.check_format(sent.format);
        });
        if (!file) return file.error();
        const auto bytes = decoded_payload(*file, decoder);
        if (!bytes) return bytes.error();
        return reply(post_deposit_file(context.request_context, file->format, *bytes, wire::encode_deposit_file));
      }};
  files.carries_file = true;
  routes.add(std::move(files));
}

}  // namespace tideover::http
