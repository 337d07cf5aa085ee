// Maintains the master keys of a running service: detects a changed key ring file, records in the database which key is
// in use, and re-encrypts old values after a rotation. look() and reseal() each run on their own thread.
#pragma once
#include <map>
#include <mutex>
#include <vector>

#include "core/crypto/key_ring.hpp"
#include "core/crypto/ring_cipher.hpp"
#include "core/jobs/periodic.hpp"
#include "core/ops/log.hpp"
#include "core/ops/metrics.hpp"
#include "core/ports/clock.hpp"
#include "core/store/sql_store.hpp"

namespace tideover::node {

class KeyKeeper {
 public:
  KeyKeeper(crypto::KeyRing& keys, const crypto::RingCipher& cipher, store::SqlStore& store, const ports::Clock& clock,
            ops::Logger& log, ops::Metrics& metrics)
      : keys_(keys), cipher_(cipher), store_(store), clock_(clock), log_(log), metrics_(metrics) {}

  /// Every second: loads a changed key ring. Every minute: records in the database which key is in use, and how often.
  bool look();
  /// Re-encrypts one page of old values; true while there are more.
  bool reseal(const jobs::Periodic& self);

 private:
  void tell_worn(const std::vector<store::KeyRecord>& known, domain::Timestamp now);
  void show_left();
  /// Counts the values in every table that are still encrypted under older keys.
  bool count_left();

  crypto::KeyRing& keys_;
  const crypto::RingCipher& cipher_;
  store::SqlStore& store_;
  const ports::Clock& clock_;
  ops::Logger& log_;
  ops::Metrics& metrics_;

  std::string logged_problem_;  // problem of the key ring file, logged once
  std::optional<domain::Timestamp> marked_at_;
  std::map<std::string, std::uint64_t> seals_;  // uses not yet recorded in the database, by key id
  std::string logged_worn_key_;                 // the key that was reported as due for rotation
  bool walking_ = false;
  std::vector<store::SealCount> left_;
  std::int64_t left_behind_ = -1;  // rows left by the previous walk
};

}  // namespace tideover::node
