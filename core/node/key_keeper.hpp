// What a running service does about its master keys: it notices that the ring's file changed, tells the database which
// key it uses, and encrypts old values again after a rotation. look() and reseal() run on a thread of their own each.
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

namespace tideover::main {

class KeyKeeper {
 public:
  KeyKeeper(crypto::KeyRing& keys, const crypto::RingCipher& cipher, store::SqlStore& store, const ports::Clock& clock,
            ops::Logger& log, ops::Metrics& metrics)
      : keys_(keys), cipher_(cipher), store_(store), clock_(clock), log_(log), metrics_(metrics) {}

  /// Every second: takes over a changed ring; every minute: says in the database which key is in use and how much.
  bool look();
  /// A page of old values; true while there is more.
  bool reseal(const jobs::Periodic& self);

 private:
  void tell_worn(const std::vector<store::KeyRecord>& known, domain::Timestamp now);
  void show_left();
  /// Counts what is still encrypted under older keys, in every table.
  bool count_left();

  crypto::KeyRing& keys_;
  const crypto::RingCipher& cipher_;
  store::SqlStore& store_;
  const ports::Clock& clock_;
  ops::Logger& log_;
  ops::Metrics& metrics_;

  std::string told_trouble_;  // of the ring's file, said once
  std::optional<domain::Timestamp> marked_at_;
  std::map<std::string, std::uint64_t> seals_;  // not yet in the database, by key id
  std::string told_worn_;                       // the key that was said to be worn
  bool walking_ = false;
  std::vector<store::SealCount> left_;
  std::int64_t left_behind_ = -1;  // by the walk before
};

}  // namespace tideover::main
