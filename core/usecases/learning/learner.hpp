// What every tenant's claims and payers' answers have taught, as this node knows it by now: follows the learning
// journal and keeps one published state for each tenant. `follow` belongs to one thread; everything else is for any.
//
// A record that is not usable for learning, or that cannot be applied, is set aside in the store and stops nobody:
// every node passes it over, and one that had applied it already learns the tenant again.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/estimators/published.hpp"
#include "core/usecases/learning/read_learning.hpp"

namespace tideover::usecases {

class Learner {
  struct TenantModel;

 public:
  /// Writes down that an entry is not learned from. Error: the store cannot be used.
  using PutAside = std::function<domain::Status(const domain::TenantId&, const domain::SetAside&)>;

  /// Without `put_aside` such entries are passed over all the same, and nothing is written.
  Learner(ports::Store& store, const ports::KeyedDigest& digests, estimators::Options options = {},
          PutAside put_aside = {}, estimators::ApplyEvent apply = estimators::apply)
      : store_(store),
        digests_(digests),
        options_(options),
        put_aside_(std::move(put_aside)),
        apply_(std::move(apply)) {}

  /// What is known of a tenant at this moment, unchanged while this lives. Hold it briefly: whoever learns waits for
  /// it.
  class ModelSnapshot {
   public:
    const estimators::State& state() const { return *reader_; }
    /// The snapshot.
    const std::string& name() const { return reader_.name(); }

   private:
    friend class Learner;
    explicit ModelSnapshot(std::shared_ptr<TenantModel> student);
    std::shared_ptr<TenantModel> student_;
    estimators::Published::Reader reader_;
  };
  /// nullopt: nothing was learned for this tenant.
  std::optional<ModelSnapshot> lesson(const domain::TenantId& tenant) const;

  struct Progress {
    std::int64_t batches = 0;  // that were read now
    std::int64_t events = 0;
    std::int64_t behind = 0;  // batches that are still to be read; 0 at the end
  };
  /// Reads what is new, until there is nothing more or `go_on` says no; it hears how far this is after each batch.
  /// Error: the store cannot be used, or there is no memory, for one tenant at least; the others have learned.
  domain::Result<Progress> follow(const std::function<bool(const Progress&)>& go_on);

  /// Behind which batch the tenant's state is; 0: behind none.
  std::int64_t seq_of(const domain::TenantId& tenant) const;
  /// Records that are gone or cannot be read.
  std::int64_t skipped() const { return skipped_.load(); }
  /// Entries of the journal that were passed over as not usable for learning.
  std::int64_t set_aside() const { return set_aside_.load(); }
  /// How often payers of any tenant were seen to change their days.
  std::int64_t drift_alarms() const;
  /// About the memory that everything takes that was learned.
  std::size_t memory_bytes() const;
  /// How often a state was not what the writer of the journal had.
  std::int64_t diverged() const { return diverged_.load(); }

 private:
  std::shared_ptr<TenantModel> student_of(const domain::TenantId& tenant) const;
  std::vector<std::shared_ptr<TenantModel>> students() const;
  std::shared_ptr<TenantModel> new_student(const domain::TenantId& tenant) const;
  void put(const domain::TenantId& tenant, std::shared_ptr<TenantModel> student);
  domain::Result<bool> has_learned_what_is_set_aside(const TenantModel& student, const ports::LearningHead& head) const;
  domain::Status follow(const ports::LearningHead& head, const std::function<bool(const Progress&)>& go_on,
                        Progress& progress, bool& goes_on);
  domain::Status learn(TenantModel& student, const domain::TenantId& tenant, const domain::LearningBatch& batch,
                       const std::vector<Heard>& heard, Progress& progress);

  ports::Store& store_;
  const ports::KeyedDigest& digests_;
  const estimators::Options options_;
  const PutAside put_aside_;
  const estimators::ApplyEvent apply_;
  mutable std::mutex mutex_;
  std::map<domain::TenantId, std::shared_ptr<TenantModel>> students_;  // under mutex_
  std::atomic<std::int64_t> skipped_{0}, set_aside_{0}, diverged_{0};
};

/// 32 hexadecimal digits.
std::string digest_text(const estimators::State& state);

}  // namespace tideover::usecases
