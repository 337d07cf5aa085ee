// The Review (openapi.yaml: Review; core/docs/contract.md#reviews). Pure functions.
#pragma once
#include <string>

#include <vector>

#include "core/domain/reviews/review.hpp"
#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/json/writer.hpp"
#include "core/usecases/request/explanation.hpp"

namespace tideover::wire {

void put_findings(json::Writer& out, const char* name, const std::vector<domain::Finding>& findings);
/// What the review predicts: denial, reimbursement, date.
void put_forecast(json::Writer& out, const domain::Review& review);
/// What the prediction comes from: probability, warnings, the own record, rules.
void put_grounds(json::Writer& out, const domain::Review& review);
/// `explanation`: only with ?explain=true, else null.
void put_review(json::Writer& out, const domain::Review& review,
                const usecases::ReviewExplanation* explanation = nullptr);
std::string encode_review(const domain::Review& review, const usecases::ReviewExplanation* explanation = nullptr);
/// `reviews` may have one item more than `limit`; it only shows that there is a next page.
std::string encode_reviews(const std::vector<domain::Review>& reviews, const PageFrame& page);

}  // namespace tideover::wire
