// POST /v1/claims/reviews, GET /v1/reviews, GET /v1/reviews/{review_id}, POST /v1/reviews/{review_id}/replay
#include <memory>

#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/reviews/claim_json.hpp"
#include "core/http/wire/reviews/replay_json.hpp"
#include "core/http/wire/reviews/review_json.hpp"

namespace tideover::http {

void add_review_routes(RouteTable& routes, usecases::ReviewClaim& review_claim) {
  Route route{"POST", "/v1/claims/reviews", domain::Scope::reviews_write, BodyKind::json, {}};
  route.starter = [&](Context& context, Later later) -> std::optional<domain::Result<Reply>> {
    const auto explain = explain_of(context);
    if (!explain) return explain.error();
    wire::Faults faults;
    auto input = wire::decode_claim(*context.body, faults);
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
  routes.add(std::move(route), {"explain"});
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
  routes.add(std::move(list), ordered({any_text("claim_identifier"), any_text("payer_id"), "denial_predicted"}));
  Route one{"GET", "/v1/reviews/{review_id}", domain::Scope::claims_read, BodyKind::none,
            [&](Context& context) -> domain::Result<Reply> {
              const auto review = reviews.one(context.request_context.caller.tenant, context.path[0]);
              if (!review) return review.error();
              Reply answer{wire::encode_review(*review)};
              answer.rules_version = review->rules.version;
              return answer;
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
