#include "core/usecases/reviews/read_reviews.hpp"

namespace tideover::usecases {

using domain::Error;
using domain::ErrorCode;

domain::Result<std::vector<domain::Review>> ReadReviews::list(const domain::TenantId& tenant,
                                                              const ReviewQuery& query) const {
  std::optional<bool> predicted;
  if (!query.denial_predicted.empty()) {
    predicted = query.denial_predicted == "true";
    if (!*predicted && query.denial_predicted != "false") {
      auto error = Error::of(ErrorCode::invalid_parameter, "denial_predicted must be true or false.");
      error.fields.push_back({"denial_predicted", "must be true or false"});
      return error;
    }
  }
  return fetch(store_, [&](const ports::Records& records) {
    ports::ReviewFilter filter{std::nullopt, query.payer_id, predicted};
    if (!query.claim.empty()) {
      const auto claim = records.claims().find(tenant, query.claim);
      if (!claim) return std::vector<domain::Review>();
      filter.claim = claim->claim.id;
    }
    auto page = query.page;
    std::string authorization;  // a review is listed by its authorization
    if (page.only) {
      const auto id = domain::ReviewId::parse(*page.only);
      if (const auto review = id ? records.reviews().find(tenant, *id) : std::nullopt)
        authorization = review->authorization_id.text();
      page.only = authorization;
    }
    return records.reviews().list(tenant, filter, page);
  });
}

domain::Result<domain::Review> ReadReviews::one(const domain::TenantId& tenant, const std::string& reference) const {
  const auto authorization = domain::AuthorizationId::parse(reference);
  const auto id = domain::ReviewId::parse(reference);
  return fetch(store_, Error::of(ErrorCode::not_found, "Review not found."),
               [&](const ports::Records& records) -> std::optional<domain::Review> {
                 if (authorization) return records.reviews().find(tenant, *authorization);
                 if (id) return records.reviews().find(tenant, *id);
                 return std::nullopt;
               });
}

}  // namespace tideover::usecases
