// GET /v1/ledger/entries, GET /v1/payees, GET /v1/receivables/aging, GET /v1/statements
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/media_type.hpp"
#include "core/http/wire/ledger/ledger_json.hpp"
#include "core/http/wire/ledger/statement_json.hpp"

namespace tideover::http {
namespace {

using domain::Error;
using domain::ErrorCode;

domain::Result<Reply> show_statement(const usecases::ReadLedger& ledger, Context& context) {
  auto refusal =
      Error::of(ErrorCode::invalid_parameter,
                "The query of the statement is not valid. Send from and to as YYYY-MM-DD; see details.fields.");
  const auto day = [&](const char* name) {
    const auto given = context.query_text(name);
    const auto date = domain::parse_date(given);
    if (!date) refusal.fields.push_back({name, given.empty() ? "required" : "must be a date, YYYY-MM-DD"});
    return date.value_or(domain::Date{});
  };
  const auto from = day("from"), to = day("to");
  const auto format = context.query_text("format");
  if (!format.empty() && format != "json" && format != "csv")
    refusal.fields.push_back({"format", "must be json or csv"});
  if (!refusal.fields.empty()) return refusal;

  const auto statement = ledger.statement(context.request_context.caller.tenant, from, to);
  if (!statement) return statement.error();
  if (format == "csv" || (format.empty() && wants_csv(context.request.headers.find("Accept")))) {
    Reply csv{wire::encode_statement_csv(*statement)};
    csv.content_type = "text/csv; charset=utf-8; header=present";
    return csv;
  }
  return Reply{wire::encode_statement(*statement)};
}

}  // namespace

void add_ledger_routes(RouteTable& routes, const usecases::ReadLedger& ledger) {
  routes.add({"GET", "/v1/ledger/entries", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = page_of(context);
                if (!page) return page.error();
                auto refusal =
                    Error::of(ErrorCode::invalid_parameter, "A date is not valid. Use YYYY-MM-DD; see details.fields.");
                const auto from = day_of(context, "from", refusal), to = day_of(context, "to", refusal);
                const auto effective_from = day_of(context, "effective_from", refusal);
                const auto effective_to = day_of(context, "effective_to", refusal);
                if (!refusal.fields.empty()) return refusal;
                const auto entries = ledger.entries(context.request_context.caller.tenant,
                                                    {context.query_text("settlement_id"), context.query_text("account"),
                                                     context.query_text("payee_npi"), from, to, page->after,
                                                     page->limit + 1, effective_from, effective_to});
                if (!entries) return entries.error();
                return Reply{wire::encode_entries(*entries, *page)};
              }},
             paged({"settlement_id", "account", "payee_npi", "from", "to", "effective_from", "effective_to"}));
  routes.add({"GET", "/v1/payees", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = page_of(context);
                if (!page) return page.error();
                auto refusal =
                    Error::of(ErrorCode::invalid_parameter, "A date is not valid. Use YYYY-MM-DD; see details.fields.");
                const auto as_of = day_of(context, "as_of", refusal);
                if (!refusal.fields.empty()) return refusal;
                const auto payees =
                    ledger.payees(context.request_context.caller.tenant, page->after, page->limit + 1, as_of);
                if (!payees) return payees.error();
                return Reply{wire::encode_payees(*payees, *page)};
              }},
             paged({"as_of"}));
  routes.add({"GET", "/v1/receivables/aging", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto aging =
                    ledger.aging(context.request_context.caller.tenant, context.request_context.now.utc_date());
                if (!aging) return aging.error();
                return Reply{wire::encode_aging(*aging)};
              }});
  Route statements{"GET", "/v1/statements", domain::Scope::reconciliation_read, BodyKind::none,
                   [&](Context& context) { return show_statement(ledger, context); }};
  statements.offers_csv = true;
  routes.add(std::move(statements), {"from", "to", "format"});
}

}  // namespace tideover::http
