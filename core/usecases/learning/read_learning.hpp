// Reads the learning journal: what was heard of a tenant's claims and from their payers, in the order in which it was
// learned. What the records that a batch names were then is what is read whenever that is: claims by the revision that
// was reviewed, payers by their edition. Used by one thread.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/domain/claims/payer.hpp"
#include "core/domain/reviews/review.hpp"
#include "core/estimators/published.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// A review as it was given, and what it was made from.
struct RecordedReview {
  domain::Review review;
  domain::ClaimDraft claim;
  const domain::Payer* payer =
      nullptr;  // lives as long as who read it; null: unknown to the directory, or its record is not there
};
using Heard = std::variant<RecordedReview, estimators::Response, estimators::DayClosed>;

class ReadLearning {
 public:
  ReadLearning(ports::Store& store, const ports::KeyedDigest& digests, domain::TenantId tenant)
      : store_(store), digests_(digests), tenant_(std::move(tenant)) {}

  /// False: no more is wanted.
  using Hear = std::function<domain::Result<bool>(const domain::LearningBatch& batch, const std::vector<Heard>& heard)>;
  /// Tells every batch behind the one of this number, in order. Records that are missing or damaged are skipped and
  /// counted; what is set aside or not usable for learning is passed over. Error: the store cannot be read now, or what
  /// `hear` says.
  domain::Status behind(std::int64_t seq, const Hear& hear);
  std::int64_t skipped() const { return skipped_; }

  /// Where in its batch that stands which was told at this place of the batch that `hear` is told now; the end of a day
  /// stands behind all entries.
  std::size_t entry_of(std::size_t heard) const { return places_[heard]; }
  /// What of that batch is not usable for learning, and is not set aside yet.
  const std::vector<domain::SetAside>& not_usable() const { return not_usable_; }
  /// How much of that batch was passed over because it is set aside.
  std::int64_t passed_over() const { return passed_over_; }

  /// As the estimators see it.
  std::optional<estimators::Event> event_of(const Heard& heard) const;
  std::vector<estimators::Event> events_of(const std::vector<Heard>& heard) const;
  /// The same of one review, without what rules said of it.
  estimators::Submission submission_of(const RecordedReview& recorded) const;

 private:
  using AllocationTargets = std::vector<std::size_t>;
  /// `wanted`: places of the entries that are not set aside.
  domain::Result<std::vector<Heard>> read(const domain::LearningBatch& batch, const AllocationTargets& wanted);
  domain::Status one_by_one(const domain::LearningBatch& batch, const AllocationTargets& wanted,
                            std::vector<Heard>& heard);
  void start_over(std::vector<Heard>& heard);
  /// Takes what was read of the entry at this place; false: it cannot be read.
  bool take(std::optional<Heard> one, const domain::LearningBatch& batch, std::size_t place, std::vector<Heard>& heard);
  /// Nullopt: it cannot be read.
  std::optional<Heard> read(const ports::Records& records, const domain::LearningEntry& entry);
  std::optional<Heard> read(const ports::Records& records, const domain::ReviewObserved& named);
  std::optional<Heard> read(const ports::Records& records, const domain::AnswerObserved& named);
  const domain::Payer* payer(const ports::Records& records, const std::string& edition);

  ports::Store& store_;
  const ports::KeyedDigest& digests_;
  const domain::TenantId tenant_;
  std::map<std::string, std::optional<domain::Payer>> payers_;  // by edition
  std::optional<domain::Remittance> remittance_;                // the last one: its claims follow on each other
  std::int64_t skipped_ = 0;
  // Of the batch that was read last.
  AllocationTargets places_;
  std::vector<domain::SetAside> not_usable_;
  std::int64_t passed_over_ = 0;
};

}  // namespace tideover::usecases
