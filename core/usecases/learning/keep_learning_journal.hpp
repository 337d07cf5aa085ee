// Writes the learning journal: looks for reviews and payers' answers that no batch names yet, and files them in the
// order of their ids, hence of time. Of several nodes one does it at a time; two at once do no harm, since a batch's
// number is taken once. Nothing is written on the way of a review. Used by one thread.
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
  std::size_t entries = 1000;                    // of a batch, about
  std::chrono::milliseconds settle{1000};        // a record younger than this may still get an earlier neighbour
  std::chrono::milliseconds look_back{120'000};  // how late a record may become visible behind its id ...
  std::chrono::milliseconds look_back_at_start{3'600'000};
  std::chrono::milliseconds look_back_every{30'000};  // ... looked for that often; every round looks back a tenth
};

class KeepLearningJournal {
 public:
  KeepLearningJournal(ports::Store& store, const ports::Clock& clock, const Learner& learner,
                      LearningJournalOptions options = {})
      : store_(store), clock_(clock), learner_(learner), options_(options) {}

  /// One round over all tenants, until each is up to date or `stop` says so; how many batches were written. Error: the
  /// store cannot be used.
  domain::Result<std::int64_t> operator()(const std::function<bool()>& stop);
  /// Another node keeps it now: what this one remembers of it is no longer so.
  void forget() {
    known_.clear();
    count_memory();
  }
  /// What it remembers of the last minutes, in bytes. For any thread.
  std::size_t memory_bytes() const { return memory_bytes_.load(); }

 private:
  /// What is known of a tenant's journal.
  struct Known {
    std::int64_t seq = 0;
    domain::Timestamp heard_until;
    domain::Date closed_day;  // of the journal's days the last that is over; before the first one the day before it
    RecentIds reviews, remittances;  // that are filed, or are about no claim of ours, within the look-back
    domain::Timestamp looked_back_at;
    std::optional<domain::Ulid>
        heard_to;             // in this round, which looks back once: a busy tenant has many thousands of ids a second
    bool looks_back = false;  // this round: far
  };
  /// What is there and not filed.
  struct Heard {
    domain::Timestamp until;  // everything older was looked through
    domain::Ulid last;        // ... to be exact
    std::vector<domain::AuthorizationId> reviews;
    std::vector<domain::RemittanceId> remittances;
    bool is_all = true;  // up to now
    bool looks_back = false;
    std::optional<domain::Timestamp> looked_back_at;
    domain::Ulid to;  // up to here everything is in the batch, or known
  };

  struct Step {
    bool wrote = false;  // a batch
    bool may_be_more = false;
  };
  void count_memory();
  domain::Result<Step> write_next(const domain::TenantId& tenant, Known& known);
  domain::Result<Known> recall(const domain::TenantId& tenant) const;
  Heard listen(const ports::Records& records, const domain::TenantId& tenant, const Known& known) const;
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
