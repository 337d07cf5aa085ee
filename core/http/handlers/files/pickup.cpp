// GET /v1/pickup/files, GET /v1/pickup/files/{file_id}, POST /v1/pickup/files/{file_id}/retry, GET
// /v1/imports/claims/{job_id}/acknowledgment
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/wire/operations/pickup_json.hpp"

namespace tideover::http {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::Scope;

domain::Result<Reply> list_pickup_files(const usecases::ReadPickupFiles& files, const Context& context) {
  const auto page = ordered_page_of(context);
  if (!page) return page.error();
  auto refusal = Error::of(ErrorCode::invalid_parameter, "A date is not valid. Use YYYY-MM-DD; see details.fields.");
  const auto from = day_of(context, "from", refusal), to = day_of(context, "to", refusal);
  if (!refusal.fields.empty()) return refusal;
  const auto found = files.list(context.request_context.caller.tenant,
                                {context.query_text("folder"), context.query_text("status"), from, to, page->rows()});
  if (!found) return found.error();
  return Reply{wire::encode_pickup_files(*found, *page)};
}

domain::Result<Reply> show_acknowledgment(const usecases::ReadPickupFiles& files, const Context& context) {
  const auto kind = context.query_text("kind");
  if (!kind.empty() && kind != "999" && kind != "TA1") {
    auto error = Error::of(ErrorCode::invalid_parameter, "kind must be 999 or TA1.");
    error.fields.push_back({"kind", "must be 999 or TA1"});
    return error;
  }
  auto found = files.acknowledgment(context.request_context.caller.tenant, context.path[0]);
  if (!found) return found.error();
  auto& text = kind == "TA1" ? found->interchange : found->implementation;
  if (text.empty())
    return Error::of(ErrorCode::not_found, "No " + (kind.empty() ? "999" : kind) + " is due for this file.");
  Reply reply{std::move(text)};
  reply.content_type = "application/edi-x12";
  return reply;
}

}  // namespace

void add_pickup_routes(RouteTable& routes, usecases::ReadPickupFiles& files) {
  routes.add({"GET", "/v1/pickup/files", Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) { return list_pickup_files(files, context); }},
             paged({"folder", "status", "from", "to", "order"}));
  routes.add({"GET", "/v1/pickup/files/{file_id}", Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto file = files.one(context.request_context.caller.tenant, context.path[0]);
                if (!file) return file.error();
                return Reply{wire::encode_pickup_file(*file)};
              }});
  routes.add({"POST", "/v1/pickup/files/{file_id}/retry", Scope::deposits_write, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                return reply(files.retry(context.request_context, context.path[0], wire::encode_pickup_file));
              }});
  Route acknowledgment{"GET", "/v1/imports/claims/{job_id}/acknowledgment", Scope::imports_read, BodyKind::none,
                       [&](Context& context) { return show_acknowledgment(files, context); }};
  acknowledgment.shows_patients = true;
  acknowledgment.offers_x12 = true;
  routes.add(std::move(acknowledgment), {"kind"});
}

}  // namespace tideover::http
