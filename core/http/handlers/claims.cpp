// GET /v1/claims, GET /v1/claims/{claim_id}, GET and PATCH /v1/claims/{claim_id}/status, GET .../status/history
#include <charconv>

#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/reviews/claim_json.hpp"

namespace tideover::http {
namespace {

std::string tag_of(const domain::ClaimStatusRecord& record) {
  return "\"v" + std::to_string(record.version) + '"';
}

/// `"v7"`; nullopt for anything else.
std::optional<int> version_of(std::string_view tag) {
  if (tag.size() < 4 || !tag.starts_with("\"v") || !tag.ends_with('"')) return std::nullopt;
  tag = tag.substr(2, tag.size() - 3);
  int version = 0;
  const auto [end, failure] = std::from_chars(tag.data(), tag.data() + tag.size(), version);
  if (failure != std::errc{} || end != tag.data() + tag.size()) return std::nullopt;
  return version;
}

/// The version in a cursor of the history.
domain::Result<std::optional<int>> version_after(const Page& page) {
  if (page.after.empty()) return std::optional<int>();
  int version = 0;
  const auto [end, failure] = std::from_chars(page.after.data(), page.after.data() + page.after.size(), version);
  if (failure != std::errc{} || end != page.after.data() + page.after.size()) return invalid_cursor();
  return std::optional(version);
}

void add_claim_lists(RouteTable& routes, const usecases::GetClaim& get_claim) {
  Route list{
      "GET", "/v1/claims", domain::Scope::claims_read, BodyKind::none, [&](Context& context) -> domain::Result<Reply> {
        const auto page = ordered_page_of(context);
        if (!page) return page.error();
        const auto found = get_claim.list(context.request_context.caller.tenant,
                                          {context.query_text("payer_id"), context.query_text("status"), page->rows()});
        if (!found) return found.error();
        return Reply{wire::encode_claims(*found, *page)};
      }};
  list.shows_patients = true;
  routes.add(std::move(list), ordered({any_text("payer_id"), "status"}));
  Route history{"GET", "/v1/claims/{claim_id}/status/history", domain::Scope::claims_read, BodyKind::none,
                [&](Context& context) -> domain::Result<Reply> {
                  const auto page = ordered_page_of(context);
                  if (!page) return page.error();
                  const auto after = version_after(*page);
                  if (!after) return after.error();
                  const auto found = get_claim.history(context.request_context.caller.tenant, context.path[0],
                                                       {*after, page->order, page->limit + 1});
                  if (!found) return found.error();
                  return Reply{wire::encode_status_history(*found, *page)};
                }};
  history.shows_patients = true;
  routes.add(std::move(history), paged({"order"}));
}

}  // namespace

void add_claim_routes(RouteTable& routes, const usecases::GetClaim& get_claim,
                      usecases::UpdateClaimStatus& update_status, ports::FundingRails& rails) {
  add_claim_lists(routes, get_claim);
  Route rollup{"GET", "/v1/claims/{claim_id}", domain::Scope::claims_read, BodyKind::none,
               [&](Context& context) -> domain::Result<Reply> {
                 const auto found = get_claim.rollup(context.request_context.caller.tenant, context.path[0]);
                 if (!found) return found.error();
                 return Reply{wire::encode_rollup(
                     *found, found->adjudication && is_simulated(rails, found->adjudication->settlement.funding.rail))};
               }};
  rollup.shows_patients = true;
  routes.add(std::move(rollup));
  Route status{"GET", "/v1/claims/{claim_id}/status", domain::Scope::claims_read, BodyKind::none,
               [&](Context& context) -> domain::Result<Reply> {
                 const auto record = get_claim.status(context.request_context.caller.tenant, context.path[0]);
                 if (!record) return record.error();
                 Reply answer{wire::encode_status(*record)};
                 answer.headers.add("ETag", tag_of(*record));
                 return answer;
               }};
  status.shows_patients = true;
  routes.add(std::move(status));
  routes.add({"PATCH", "/v1/claims/{claim_id}/status", domain::Scope::claims_write, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                auto update = read_body(context, wire::decode_status_update);
                if (!update) return update.error();
                if (const auto* tag = context.request.headers.find("If-Match"); tag && *tag != "*") {
                  update->expected_version = version_of(*tag);
                  if (!update->expected_version)
                    return domain::Error::of(
                        domain::ErrorCode::version_conflict,
                        "If-Match is not valid. Send the ETag of the claim status, for example \"v7\".");
                }
                std::string tag;
                auto answer = reply(update_status(context.request_context, context.path[0], *update,
                                                  [&](const domain::ClaimStatusRecord& record) {
                                                    tag = tag_of(record);
                                                    return wire::encode_status(record);
                                                  }));
                if (answer) answer->headers.add("ETag", tag);
                return answer;
              }});
}

}  // namespace tideover::http
