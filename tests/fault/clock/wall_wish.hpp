// The wall clock of a service as its test wishes it; a file that both map.
#pragma once
#include <atomic>
#include <cstdint>

namespace tideover::test {

/// What the service reads is now + ahead_ns, and (speed - 1) times what has passed since from_ns on top.
/// The preloaded library finds the file by TIDEOVER_TEST_WALL_WISH.
struct WallWish {
  std::atomic<std::int64_t> ahead_ns;
  std::atomic<std::int64_t> speed;
  std::atomic<std::int64_t> from_ns;
};

}  // namespace tideover::test
