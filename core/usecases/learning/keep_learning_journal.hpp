// Writes the learning journal: finds reviews and payers' answers that are in no batch, and adds them in the order of
// their ids, which is the order of time. One of several nodes does this. Two at once do no harm, because a batch number
// is used once. Reviews never wait for it.
//
// Threads: use from one thread, apart from the memory figure.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/ports/clock.hpp"
#include "core/ports/store.hpp"
#include "core/usecases/learning/learner.hpp"
#include "core/usecases/learning/recent_ids.hpp"

namespace tideover::usecases {

struct LearningJournalOptions {
  std::size_t entries = 1000;                    // per batch, approximately
  std::chrono::milliseconds settle{1000};        // a younger record may still get an earlier neighbour
  std::chrono::milliseconds look_back{120'000};  // how long after its id a record may become visible
  std::chrono::milliseconds look_back_at_start{3'600'000};
  std::chrono::milliseconds look_back_every{30'000};  // how often to look back that far; other rounds look back a tenth
};

class KeepLearningJournal {
 public:
  KeepLearningJournal(ports::Store& store, const ports::Clock& clock, const Learner& learner,
                      LearningJournalOptions options = {})
      : store_(store), clock_(clock), learner_(learner), options_(options) {}

  /// One round over all tenants, until each is up to date or `stop` returns true. Returns how many batches were
  /// written. Error: the store is unavailable.
  domain::Result<std::int64_t> operator()(const std::function<bool()>& stop);
  /// Another node keeps the journal now: forget the cached state.
  void forget() {
    known_.clear();
    count_memory();
  }
  /// The memory for the ids of the last minutes, in bytes. Thread-safe.
  std::size_t memory_bytes() const { return memory_bytes_.load(); }

 private:
  /// The cached state of a tenant's journal.
  struct Known {
    std::int64_t seq = 0;
    domain::Timestamp observed_until;
    domain::Date closed_day;         // the last closed day; before that, the day before the first entry
    RecentIds reviews, remittances;  // filed, or about unknown claims, within the look-back
    domain::Timestamp looked_back_at;
    std::optional<domain::Ulid>
        observed_to;          // of this round, which looks back once: a busy tenant has thousands of ids per second
    bool looks_back = false;  // whether this round looks back far
  };
  /// Records that are not in the journal yet.
  struct Observation {
    domain::Timestamp until;  // everything older was read
    domain::Ulid last;        // the same as an id
    std::vector<domain::AuthorizationId> reviews;
    std::vector<domain::RemittanceId> remittances;
    bool is_all = true;  // nothing was cut off
    bool looks_back = false;
    std::optional<domain::Timestamp> looked_back_at;
    domain::Ulid to;  // everything up to here is in the batch or known
  };

  struct Step {
    bool wrote = false;  // whether a batch was written
    bool may_be_more = false;
  };
  void count_memory();
  domain::Date day_of(const domain::TenantId& tenant, domain::Timestamp real) const;
  domain::Result<Step> write_next(const domain::TenantId& tenant, Known& known);
  domain::Result<Known> recall(const domain::TenantId& tenant) const;
  Observation find_new(const ports::Records& records, const domain::TenantId& tenant, const Known& known) const;
  void add_answers(const ports::Records& records, const domain::TenantId& tenant, const domain::RemittanceId& id,
                   std::vector<domain::LearningEntry>& entries) const;
  domain::Status write(const domain::TenantId& tenant, Known& known, domain::LearningBatch& batch);

  ports::Store& store_;
  const ports::Clock& clock_;
  const Learner& learner_;
  const LearningJournalOptions options_;
  std::map<domain::TenantId, Known> known_;
  std::atomic<std::size_t> memory_bytes_{0};
};

}  // namespace tideover::usecases
