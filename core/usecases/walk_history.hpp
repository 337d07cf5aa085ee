// Tells again what a tenant's claims were and what their payers answered, in the order in which the service heard of it: what was known on a day
// is what was told before it. For back-tests, and for everything else that learns.
#pragma once
#include <functional>
#include <string>

#include "core/domain/remittance.hpp"
#include "core/domain/review.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct RecordedReview {
  domain::Review review;
  domain::Claim claim;  // as it was reviewed; its duplicate key is the newest, and so is all of it in reviews from before that was kept
};

/// One claim of a remittance that is an answer to a claim of the tenant's; what is about others' claims is not told.
struct RecordedResponse {
  domain::Timestamp heard_at;
  domain::ClaimId claim_id;
  std::string claim_identifier;  // as the tenant names it
  std::optional<domain::Date> payment_date;
  domain::RemittanceClaim claim;
};

class HistoryListener {
 public:
  virtual ~HistoryListener() = default;
  virtual void reviewed(const RecordedReview& recorded) = 0;
  virtual void responded(const RecordedResponse& recorded) = 0;
  /// Between two of them; false ends the walk.
  virtual bool go_on() { return true; }
};

/// Error: the store cannot be read.
domain::Status walk_history(ports::Store& store, const domain::TenantId& tenant, HistoryListener& listener);

}  // namespace tideover::usecases
