// Keeps the models of all tenants on this node: follows the learning journal and publishes one state per tenant.
//
// A record that is unusable for learning, or that cannot be applied, is set aside in the store. Every node skips it. A
// node that had applied it learns the tenant again from the start.
//
// Threads: `follow` belongs to one thread; everything else is thread-safe.
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
  /// Stores that an entry is not learned from. Error: the store is unavailable.
  using PutAside = std::function<domain::Status(const domain::TenantId&, const domain::SetAside&)>;

  /// Without `put_aside` such entries are skipped as well, and nothing is written.
  Learner(ports::Store& store, const ports::KeyedDigest& digests, estimators::Options options = {},
          PutAside put_aside = {}, estimators::ApplyEvent apply = estimators::apply)
      : store_(store),
        digests_(digests),
        options_(options),
        put_aside_(std::move(put_aside)),
        apply_(std::move(apply)) {}

  /// The model of a tenant, unchanged while this object lives. Hold it briefly: learning waits for it.
  class ModelSnapshot {
   public:
    const estimators::State& state() const { return *reader_; }
    /// The name of the snapshot.
    const std::string& name() const { return reader_.name(); }

   private:
    friend class Learner;
    explicit ModelSnapshot(std::shared_ptr<TenantModel> model);
    std::shared_ptr<TenantModel> model_;
    estimators::Published::Reader reader_;
  };
  /// nullopt: the tenant has no model.
  std::optional<ModelSnapshot> model(const domain::TenantId& tenant) const;

  struct Progress {
    std::int64_t batches = 0;  // read in this call
    std::int64_t events = 0;
    std::int64_t behind = 0;  // batches that remain to be read; 0 at the end
  };
  /// Reads new batches until there are no more or `go_on` returns false; `go_on` gets the progress after each batch.
  /// Error: the store is unavailable, or memory is short, for at least one tenant; the others have learned.
  domain::Result<Progress> follow(const std::function<bool(const Progress&)>& go_on);

  /// The batch that the tenant's model includes last; 0: none.
  std::int64_t seq_of(const domain::TenantId& tenant) const;
  /// Records that are missing or unreadable.
  std::int64_t skipped() const { return skipped_.load(); }
  /// Journal entries that were skipped as unusable for learning.
  std::int64_t set_aside() const { return set_aside_.load(); }
  /// How often payers of any tenant changed their payment days.
  std::int64_t drift_alarms() const;
  /// The approximate memory of all models.
  std::size_t memory_bytes() const;
  /// How often a model differed from that of the journal's writer.
  std::int64_t diverged() const { return diverged_.load(); }

 private:
  std::shared_ptr<TenantModel> model_of(const domain::TenantId& tenant) const;
  std::vector<std::shared_ptr<TenantModel>> models() const;
  std::shared_ptr<TenantModel> new_model(const domain::TenantId& tenant) const;
  void put(const domain::TenantId& tenant, std::shared_ptr<TenantModel> model);
  domain::Result<bool> has_learned_what_is_set_aside(const TenantModel& model, const ports::LearningHead& head) const;
  domain::Status follow(const ports::LearningHead& head, const std::function<bool(const Progress&)>& go_on,
                        Progress& progress, bool& goes_on);
  domain::Status learn(TenantModel& model, const domain::TenantId& tenant, const domain::LearningBatch& batch,
                       const std::vector<Observation>& observed, Progress& progress);

  ports::Store& store_;
  const ports::KeyedDigest& digests_;
  const estimators::Options options_;
  const PutAside put_aside_;
  const estimators::ApplyEvent apply_;
  mutable std::mutex mutex_;
  std::map<domain::TenantId, std::shared_ptr<TenantModel>> models_;  // guarded by mutex_
  std::atomic<std::int64_t> skipped_{0}, set_aside_{0}, diverged_{0};
};

/// 32 hexadecimal digits.
std::string digest_text(const estimators::State& state);

}  // namespace tideover::usecases
