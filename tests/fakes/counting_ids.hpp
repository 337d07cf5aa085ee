// Identifiers that count up from one. Thread-safe.
#pragma once
#include <atomic>

#include "core/ports/id_source.hpp"

namespace tideover::fakes {

class CountingIds final : public ports::IdSource {
 public:
  domain::Ulid next_ulid() override { return {0, ++last_}; }
  /// From now on as a node does whose clock reads otherwise.
  void count_on_from(std::uint64_t last) { last_ = last; }

 private:
  std::atomic<std::uint64_t> last_{0};
};

}  // namespace tideover::fakes
