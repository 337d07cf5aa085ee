// POST /v1/claims/reviews, GET /v1/reviews, GET /v1/reviews/{review_id}, POST /v1/reviews/{review_id}/replay
#include <memory>

#include "core/http/entity_tags.hpp"
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/reviews/claim_json.hpp"
#include "core/http/wire/reviews/replay_json.hpp"
#include "core/http/wire/reviews/review_json.hpp"
#include "core/http/wire/reviews/what_if_json.hpp"

namespace tideover::http {

namespace {

/// ?what_if=true: the review and those of the patched claims. Stores nothing.
domain::Result<Reply> compare_reviews(Context& context, usecases::CompareReviews& compare, bool explain) {
  if (explain) {
    auto error = domain::Error::of(domain::ErrorCode::invalid_parameter,
                                   "what_if and explain exclude each other. Send one of them.");
    error.fields.push_back({"explain", "must be absent or false with what_if=true"});
    return error;
  }
  const auto today = context.request_context.now.utc_date();
  const auto request = read_body(context, [&](const json::Value& body, wire::Faults& faults) {
    return wire::decode_what_if(body, today, faults);
  });
  if (!request) return request.error();
  const auto compared = compare(context.request_context, *request);
  if (!compared) return compared.error();
  Reply answer{wire::encode_what_if(*compared)};
  answer.rules_version = compared->base.review.rules.version;
  return answer;
}

}  // namespace

void add_review_routes(RouteTable& routes, usecases::ReviewClaim& review_claim, usecases::CompareReviews& compare) {
  Route route{"POST", "/v1/claims/reviews", domain::Scope::reviews_write, BodyKind::json, {}};
  route.starter = [&](Context& context, Later later) -> std::optional<domain::Result<Reply>> {
    const auto explain = explain_of(context);
    if (!explain) return explain.error();
    const auto what_if = flag_of(context, "what_if");
    if (!what_if) return what_if.error();
    if (*what_if) return compare_reviews(context, compare, *explain);
    wire::Faults faults;
    auto input = wire::decode_claim(*context.body, faults);
    // A client that forgot what_if must not replace its claim.
    for (const char* name : {"patches", "funding"})
      if (const auto sent = context.body->find(name); sent && !sent->is_null())
        input.faults.push_back({name, "needs the query what_if=true"});
    faults.fields.clear();  // accept_claim() reports these faults together with its own
    auto strict = settle_faults(context, faults);
    if (strict) input.faults.insert(input.faults.end(), strict->fields.begin(), strict->fields.end());
    const auto draft = domain::accept_claim(input, context.request_context.now.utc_date());
    if (!draft) return draft.error();
    const auto explanation = *explain ? std::make_shared<usecases::ReviewExplanation>() : nullptr;
    const auto rules_version = std::make_shared<std::string>();
    const auto render = [explanation, rules_version](const domain::Review& review) {
      *rules_version = review.rules.version;
      return wire::encode_review(review, explanation.get());
    };
    const auto started = review_claim.start(
        context.request_context, *draft, render,
        [later = std::move(later), rules_version](domain::Result<usecases::StoredResponse> answer) {
          later(reply(std::move(answer), *rules_version));
        },
        explanation.get());
    if (!started) return started.error();
    return std::nullopt;
  };
  route.answer_retention_days = 30;
  route.explains_to = domain::Scope::claims_read;
  route.names_rules = true;
  route.may_compare = true;
  routes.add(std::move(route), {"explain", "what_if"});
}

void add_review_reading_routes(RouteTable& routes, const usecases::ReadReviews& reviews) {
  Route list{"GET", "/v1/reviews", domain::Scope::claims_read, BodyKind::none,
             [&](Context& context) -> domain::Result<Reply> {
               const auto page = ordered_page_of(context);
               if (!page) return page.error();
               const auto found = reviews.list(context.request_context.caller.tenant,
                                               {context.query_text("claim_identifier"), context.query_text("payer_id"),
                                                context.query_text("denial_predicted"), page->rows()});
               if (!found) return found.error();
               return Reply{wire::encode_reviews(*found, *page)};
             }};
  list.shows_patients = true;
  list.made_by = "/v1/claims/reviews";
  routes.add(std::move(list),
             ordered({any_text("claim_identifier"), any_text("payer_id"), "denial_predicted", "idempotency_key"}));
  Route one{"GET", "/v1/reviews/{review_id}", domain::Scope::claims_read, BodyKind::none,
            [&](Context& context) -> domain::Result<Reply> {
              const auto review = reviews.one(context.request_context.caller.tenant, context.path[0]);
              if (!review) return review.error();
              Reply answer{wire::encode_review(*review)};
              answer.rules_version = review->rules.version;
              return tagged(std::move(answer));
            }};
  one.shows_patients = true;
  routes.add(std::move(one));
}

/// Holds a worker thread until it ends.
constexpr std::chrono::seconds kLongestReplay{20};

void add_replay_route(RouteTable& routes, usecases::ReplayReview& replay, ports::RuleLibrary& rules) {
  routes.add({"POST", "/v1/reviews/{review_id}/replay", domain::Scope::audit_read, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                const auto bundle = read_body(context, wire::decode_replay_bundle);
                if (!bundle) return bundle.error();
                const auto& tenant = context.request_context.caller.tenant;
                const auto recorded = replay.find(tenant, context.path[0]);
                if (!recorded) return recorded.error();
                const auto open = [&] { return rules.open(bundle->empty() ? recorded->rules.sha256 : *bundle); };
                const auto both = replay(tenant, *recorded, open, kLongestReplay);
                if (!both) return both.error();
                return Reply{wire::encode_replay(*both)};
              }});
}

}  // namespace tideover::http
