// Reads the learning journal: the reviews of a tenant and the answers of its payers, in the order of learning. Each
// record is read as it was then: claims by the reviewed revision, payers by their edition.
//
// Threads: use from one thread.
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

/// A stored review with its inputs.
struct RecordedReview {
  domain::Review review;
  domain::ClaimDraft claim;
  const domain::Payer* payer = nullptr;  // owned by the reader; null: unknown payer, or its record is missing
};
using Observation = std::variant<RecordedReview, estimators::Response, estimators::DayClosed>;

class ReadLearning {
 public:
  ReadLearning(ports::Store& store, const ports::KeyedDigest& digests, domain::TenantId tenant)
      : store_(store), digests_(digests), tenant_(std::move(tenant)) {}

  /// Returns false to stop.
  using Visit =
      std::function<domain::Result<bool>(const domain::LearningBatch& batch, const std::vector<Observation>& observed)>;
  /// Passes every batch after this number to `visit`, in order. Skips and counts missing or damaged records. Entries
  /// that are set aside or unusable are skipped. Error: the store is unavailable, or the error of `visit`.
  domain::Status behind(std::int64_t seq, const Visit& visit);
  std::int64_t skipped() const { return skipped_; }

  /// The position in the batch of the record at this index of the current observations. The end of a day has the
  /// position after all entries.
  std::size_t entry_of(std::size_t observed) const { return positions_[observed]; }
  /// Unusable entries of the current batch that are not set aside yet.
  const std::vector<domain::SetAside>& not_usable() const { return not_usable_; }
  /// How many entries of the current batch were skipped because they are set aside.
  std::int64_t passed_over() const { return passed_over_; }

  /// The input of the estimators.
  std::optional<estimators::Event> event_of(const Observation& observed) const;
  std::vector<estimators::Event> events_of(const std::vector<Observation>& observed) const;
  /// The same for one review, without the findings of rules.
  estimators::Submission submission_of(const RecordedReview& recorded) const;

 private:
  using EntryPositions = std::vector<std::size_t>;
  /// `wanted`: positions of the entries that are not set aside.
  domain::Result<std::vector<Observation>> read(const domain::LearningBatch& batch, const EntryPositions& wanted);
  domain::Status one_by_one(const domain::LearningBatch& batch, const EntryPositions& wanted,
                            std::vector<Observation>& observed);
  void start_over(std::vector<Observation>& observed);
  /// Takes the record of the entry at this position; false: it cannot be read.
  bool take(std::optional<Observation> one, const domain::LearningBatch& batch, std::size_t position,
            std::vector<Observation>& observed);
  /// nullopt: it cannot be read.
  std::optional<Observation> read(const ports::Records& records, const domain::LearningEntry& entry);
  std::optional<Observation> read(const ports::Records& records, const domain::ReviewObserved& named);
  std::optional<Observation> read(const ports::Records& records, const domain::AnswerObserved& named);
  const domain::Payer* payer(const ports::Records& records, const std::string& edition);

  ports::Store& store_;
  const ports::KeyedDigest& digests_;
  const domain::TenantId tenant_;
  std::map<std::string, std::optional<domain::Payer>> payers_;  // by edition
  std::optional<domain::Remittance> remittance_;                // the last one: entries of its claims are consecutive
  std::int64_t skipped_ = 0;
  // About the batch that was read last.
  EntryPositions positions_;
  std::vector<domain::SetAside> not_usable_;
  std::int64_t passed_over_ = 0;
};

}  // namespace tideover::usecases
