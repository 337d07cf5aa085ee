// New identifiers, increasing with time. Thread-safe.
#pragma once
#include "core/domain/basics/id.hpp"

namespace tideover::ports {

class IdSource {
 public:
  virtual ~IdSource() = default;
  virtual domain::Ulid next_ulid() = 0;
  template <class IdType>
  IdType next() {
    return IdType::of(next_ulid());
  }
};

}  // namespace tideover::ports
