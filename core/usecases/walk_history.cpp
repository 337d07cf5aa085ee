#include "core/usecases/walk_history.hpp"

#include <deque>
#include <utility>

#include "core/usecases/learned_claim.hpp"

namespace tideover::usecases {
namespace {

/// Read at once: a reader that stays open long keeps the database from cleaning up behind it.
constexpr std::size_t kReviews = 500;
constexpr std::size_t kRemittances = 20;

class Walk {
 public:
  Walk(ports::Store& store, const domain::TenantId& tenant) : store_(store), tenant_(tenant) {}

  domain::Status tell(HistoryListener& listener) {
    for (;;) {
      if (auto read = fill(); !read) return read;
      if (reviews_.empty() && responses_.empty()) return {};
      while (is_sure()) {
        if (!listener.go_on()) return {};
        if (review_is_next()) {
          listener.reviewed(reviews_.front());
          reviews_.pop_front();
        } else {
          listener.responded(responses_.front());
          responses_.pop_front();
        }
      }
    }
  }

 private:
  /// Whether the next one is known: either list may only run dry at its end.
  bool is_sure() const { return (!reviews_.empty() || no_more_reviews_) && (!responses_.empty() || no_more_responses_) && !(reviews_.empty() && responses_.empty()); }
  bool review_is_next() const { return responses_.empty() || (!reviews_.empty() && reviews_.front().review.created_at <= responses_.front().heard_at); }

  domain::Status fill() {
    return store_.read([&](const ports::Records& records) {
      if (reviews_.empty() && !no_more_reviews_) read_reviews(records);
      if (responses_.empty() && !no_more_responses_) read_responses(records);
    });
  }

  void read_reviews(const ports::Records& records) {
    while (reviews_.empty() && !no_more_reviews_) {
      auto page = records.reviews().list(tenant_, {}, after_review_, kReviews);
      no_more_reviews_ = page.empty();
      for (auto& review : page) {
        after_review_ = review.authorization_id.text();
        auto stored = records.claims().find(tenant_, review.claim_id.text());
        if (!stored) continue;
        if (const auto revision = review.basis.claim_revision; revision && *revision != stored->revision)
          if (auto draft = records.claims().draft_of(tenant_, review.claim_id, revision)) stored->claim.draft = std::move(*draft);
        reviews_.push_back({std::move(review), std::move(stored->claim)});
      }
    }
  }

  void read_responses(const ports::Records& records) {
    while (responses_.empty() && !no_more_responses_) {
      const auto page = records.remittances().list(tenant_, {}, after_remittance_, kRemittances);
      no_more_responses_ = page.empty();
      for (const auto& summary : page) {
        after_remittance_ = summary.remittance.id.text();
        const auto whole = records.remittances().find(tenant_, summary.remittance.id);
        if (!whole) continue;
        for (const auto& record : whole->claims)
          if (auto claim = answered_claim(records, tenant_, whole->draft, record))
            responses_.push_back({whole->created_at, claim->id, claim->draft.claim_identifier, whole->draft.payment_date, record.claim});
      }
    }
  }

  ports::Store& store_;
  const domain::TenantId tenant_;
  std::deque<RecordedReview> reviews_;
  std::deque<RecordedResponse> responses_;
  std::string after_review_, after_remittance_;
  bool no_more_reviews_ = false, no_more_responses_ = false;
};

}  // namespace

domain::Status walk_history(ports::Store& store, const domain::TenantId& tenant, HistoryListener& listener) { return Walk(store, tenant).tell(listener); }

}  // namespace tideover::usecases
