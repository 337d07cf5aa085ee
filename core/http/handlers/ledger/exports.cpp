// GET /v1/ledger/balances, GET /v1/ledger/journal, GET /v1/ledger/aging, GET /v1/ledger/statement
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/media_type.hpp"
#include "core/http/wire/ledger/export_tables.hpp"

namespace tideover::http {
namespace {

using domain::AccountMap;
using domain::Error;
using domain::ErrorCode;

enum class ExportFormat { json, csv, lines };

ExportFormat format_of(const Context& context) {
  const auto* accept = context.request.headers.find("Accept");
  if (wants_csv(accept)) return ExportFormat::csv;
  return wants_ndjson(accept) ? ExportFormat::lines : ExportFormat::json;
}

constexpr std::size_t kMostRows = 1000;

/// A page for a program in JSON; a file in the other formats.
domain::Result<Page> export_page_of(const Context& context, ExportFormat format, std::size_t most_json,
                                    std::size_t json) {
  return format == ExportFormat::json ? page_of(context, most_json, json) : page_of(context, kMostRows, kMostRows);
}

/// The link to the next page: this request with another cursor. Handlers have checked the other parameters, which need
/// no escapes.
void add_next(Reply& reply, const Context& context, const std::string& cursor) {
  if (cursor.empty()) return;
  std::string link = '<' + context.request.path + '?';
  for (const auto& [name, value] : context.query)
    if (name != "cursor") link += name + '=' + value + '&';
  reply.headers.add("Link", link + "cursor=" + cursor + ">; rel=\"next\"");
}

/// The table in the format that the client accepts. `list`: of its page.
Reply export_reply(const Context& context, ExportFormat format, wire::Table table, std::string_view list,
                   const std::function<void(json::Writer&)>& put_more = {}) {
  if (!table.next_cursor.empty()) table.next_cursor = wire::seal_cursor(list, table.next_cursor);
  if (format == ExportFormat::json) return Reply{wire::encode_table(table, put_more)};
  const bool is_csv = format == ExportFormat::csv;
  Reply reply{is_csv ? wire::encode_table_csv(table) : wire::encode_table_lines(table)};
  reply.content_type = is_csv ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson";
  add_next(reply, context, table.next_cursor);
  return reply;
}

Error day_refusal() {
  return Error::of(ErrorCode::invalid_parameter,
                   "The query is not valid. Use dates as YYYY-MM-DD; see details.fields.");
}

domain::Result<Reply> show_balances(const usecases::ReadLedger& ledger, const AccountMap& accounts, Context& context) {
  const auto format = format_of(context);
  const auto page = export_page_of(context, format, 100, 25);
  if (!page) return page.error();
  auto refusal = day_refusal();
  const auto as_of = day_of(context, "as_of", refusal);
  const auto include = context.query_text("include");
  if (!include.empty() && include != "zero") refusal.fields.push_back({"include", "must be zero"});
  if (!refusal.fields.empty()) return refusal;
  const auto balances =
      ledger.balances(context.request_context.caller.tenant, {page->after, page->limit + 1, as_of, include == "zero"});
  if (!balances) return balances.error();
  return export_reply(context, format, wire::balances_table(*balances, page->limit, accounts), page->list);
}

domain::Result<usecases::JournalQuery> journal_query_of(const Context& context, const Page& page) {
  auto refusal = day_refusal();
  usecases::JournalQuery query;
  query.from = day_of(context, "from", refusal);
  query.to = day_of(context, "to", refusal);
  if (!refusal.fields.empty()) return refusal;
  query.after = page.after;
  query.limit = page.limit + 1;
  return query;
}

domain::Result<Reply> show_journal(const usecases::ExportLedger& ledger, const AccountMap& accounts, Context& context) {
  const auto format = format_of(context);
  const auto page = export_page_of(context, format, kMostRows, 100);
  if (!page) return page.error();
  const auto query = journal_query_of(context, *page);
  if (!query) return query.error();
  const auto journal = ledger.journal(context.request_context.caller.tenant, *query);
  if (!journal) return journal.error();
  return export_reply(context, format, wire::journal_table(*journal, page->limit, accounts), page->list);
}

domain::Result<Reply> show_payee_statement(const usecases::ExportLedger& ledger, Context& context) {
  const auto format = format_of(context);
  const auto page = export_page_of(context, format, kMostRows, 100);
  if (!page) return page.error();
  const auto query = journal_query_of(context, *page);
  if (!query) return query.error();
  const auto statement =
      ledger.statement(context.request_context.caller.tenant, context.query_text("payee_npi"), *query);
  if (!statement) return statement.error();
  auto table = format == ExportFormat::json ? wire::statement_table(*statement, page->limit)
                                            : wire::statement_lines(*statement, page->limit, page->after.empty());
  return export_reply(context, format, std::move(table), page->list, [&](json::Writer& out) {
    out.key("payee_npi").string(statement->payee_npi);
    out.key("from").string(format_date(statement->from));
    out.key("to").string(format_date(statement->to));
    out.key("opening").cents(statement->opening.cents());
    out.key("closing").cents(statement->closing.cents());
  });
}

domain::Result<Reply> show_outstanding(const usecases::ExportLedger& ledger, Context& context) {
  const auto aging = ledger.aging(context.request_context.caller.tenant, context.request_context.now.utc_date());
  if (!aging) return aging.error();
  return export_reply(context, format_of(context), wire::aging_table(*aging), "");
}

}  // namespace

void add_ledger_export_routes(RouteTable& routes, const usecases::ReadLedger& balances,
                              const usecases::ExportLedger& ledger, const AccountMap& accounts) {
  const auto add = [&](const char* pattern, std::vector<Parameter> parameters, RouteHandler handler) {
    Route route{"GET", pattern, domain::Scope::reconciliation_read, BodyKind::none, std::move(handler)};
    route.offers_csv = true;
    route.offers_ndjson = true;
    routes.add(std::move(route), std::move(parameters));
  };
  add("/v1/ledger/balances", paged({"as_of", "include"}),
      [&](Context& context) { return show_balances(balances, accounts, context); });
  add("/v1/ledger/journal", paged({"from", "to"}),
      [&](Context& context) { return show_journal(ledger, accounts, context); });
  add("/v1/ledger/statement", paged({"payee_npi", "from", "to"}),
      [&](Context& context) { return show_payee_statement(ledger, context); });
  add("/v1/ledger/aging", {}, [&](Context& context) { return show_outstanding(ledger, context); });
}

}  // namespace tideover::http
