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
  std::vector<domain::Review> reviews;
  const auto read = store_.read([&](const ports::Records& records) {
    reviews.clear();
    ports::ReviewFilter filter{std::nullopt, query.payer_id, predicted};
    if (!query.claim.empty()) {
      const auto claim = records.claims().find(tenant, query.claim);
      if (!claim) return;
      filter.claim = claim->claim.id;
    }
    reviews = records.reviews().list(tenant, filter, query.after, query.limit);
  });
  if (!read) return read.error();
  return reviews;
}

domain::Result<domain::Review> ReadReviews::one(const domain::TenantId& tenant, const std::string& reference) const {
  const auto authorization = domain::AuthorizationId::parse(reference);
  const auto id = domain::ReviewId::parse(reference);
  std::optional<domain::Review> review;
  const auto read = store_.read([&](const ports::Records& records) {
    if (authorization) review = records.reviews().find(tenant, *authorization);
    if (id) review = records.reviews().find(tenant, *id);
  });
  if (!read) return read.error();
  if (!review) return Error::of(ErrorCode::not_found, "Review not found.");
  return std::move(*review);
}

}  // namespace tideover::usecases
