// Reads stored reviews (GET /v1/reviews; core/docs/contract.md#explanations-and-quality).
//
// Threads: thread-safe; read-only.
#pragma once
#include <string>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct ReviewQuery {
  std::string claim;             // its identifier or id; empty for all
  std::string payer_id;          // empty for all
  std::string denial_predicted;  // true | false | empty for both
  domain::ListPage page;
};

class ReadReviews {
 public:
  explicit ReadReviews(ports::Store& store) : store_(store) {}
  domain::Result<std::vector<domain::Review>> list(const domain::TenantId& tenant, const ReviewQuery& query) const;
  /// `reference`: the id of the review or of its authorization.
  domain::Result<domain::Review> one(const domain::TenantId& tenant, const std::string& reference) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
