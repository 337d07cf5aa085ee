// POST and GET /v1/imports/claims, GET /v1/imports/claims/{job_id}, its /results and /errors, POST .../cancel
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/reviews/import_json.hpp"

namespace tideover::http {
namespace {

using domain::Scope;

/// The rows of one page, and a link to the next page.
Reply lines(const Context& context, std::string body, bool has_more, std::int64_t last_row, std::size_t limit) {
  Reply reply{std::move(body)};
  reply.content_type = "application/x-ndjson";
  if (has_more)
    reply.headers.add("Link", '<' + context.request.path + "?after_row=" + std::to_string(last_row) +
                                  "&limit=" + std::to_string(limit) + ">; rel=\"next\"");
  return reply;
}

domain::Result<Reply> show_results(const usecases::ReadImports& imports, const Context& context) {
  const auto asked = row_page_of(context, 0);
  if (!asked) return asked.error();
  const auto page =
      imports.results(context.request_context.caller.tenant, context.path[0], asked->after_row, asked->limit);
  if (!page) return page.error();
  return lines(context, wire::encode_import_results(page->items), page->has_more,
               page->items.empty() ? 0 : page->items.back().row, asked->limit);
}

domain::Result<Reply> show_errors(const usecases::ReadImports& imports, const Context& context) {
  const auto asked = row_page_of(context, -1);  // row 0 reports an error of the file as a whole
  if (!asked) return asked.error();
  const auto page =
      imports.errors(context.request_context.caller.tenant, context.path[0], asked->after_row, asked->limit);
  if (!page) return page.error();
  return lines(context, wire::encode_import_errors(page->items), page->has_more,
               page->items.empty() ? 0 : page->items.back().row, asked->limit);
}

}  // namespace

void add_import_routes(RouteTable& routes, usecases::StartImport& start, usecases::CancelImport& cancel,
                       const usecases::ReadImports& imports) {
  Route posted{"POST", "/v1/imports/claims", Scope::imports_write, BodyKind::json,
               [&](Context& context) -> domain::Result<Reply> {
                 const auto request = read_body(context, wire::decode_import, [&](const usecases::ImportRequest& sent) {
                   return start.check_format(sent.format);
                 });
                 if (!request) return request.error();
                 std::string location;
                 auto answer = reply(start(context.request_context, *request, [&](const domain::ImportJob& job) {
                   location = "/v1/imports/claims/" + job.id.text();
                   return wire::encode_import(job);
                 }));
                 if (answer) answer->headers.add("Location", location);
                 return answer;
               }};
  posted.answer_retention_days = 30;
  posted.carries_file = true;
  routes.add(std::move(posted));

  routes.add({"GET", "/v1/imports/claims", Scope::imports_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = ordered_page_of(context);
                if (!page) return page.error();
                const auto jobs = imports.list(context.request_context.caller.tenant, page->rows());
                if (!jobs) return jobs.error();
                return Reply{wire::encode_imports(*jobs, *page)};
              }},
             ordered({"idempotency_key"}));
  routes.add(
      {"POST", "/v1/imports/claims/{job_id}/cancel", Scope::imports_write, BodyKind::none,
       [&](Context& context) { return reply(cancel(context.request_context, context.path[0], wire::encode_import)); }});

  // The routes below show claims.
  const auto add_showing = [&](const char* pattern, bool as_lines, RouteHandler handler) {
    Route route{"GET", pattern, Scope::imports_read, BodyKind::none, std::move(handler)};
    route.shows_patients = true;
    route.offers_ndjson = as_lines;
    if (as_lines) route.parameters = {"limit", "after_row"};
    routes.add(std::move(route));
  };
  add_showing("/v1/imports/claims/{job_id}", false, [&](Context& context) -> domain::Result<Reply> {
    const auto job = imports.one(context.request_context.caller.tenant, context.path[0]);
    if (!job) return job.error();
    return Reply{wire::encode_import(*job)};
  });
  add_showing("/v1/imports/claims/{job_id}/results", true,
              [&](Context& context) { return show_results(imports, context); });
  add_showing("/v1/imports/claims/{job_id}/errors", true,
              [&](Context& context) { return show_errors(imports, context); });
}

}  // namespace tideover::http
