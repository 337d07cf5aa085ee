// Releases the parts of residuals that a reserve held for the days of their terms. What takebacks and losses of the
// practice used of its reserve stays used.
//
// Threads: thread-safe.
#pragma once
#include "core/ports/clock.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

class ReleaseReserves {
 public:
  ReleaseReserves(ports::Store& store, ports::IdSource& ids, const ports::Clock& clock)
      : store_(store), ids_(ids), clock_(clock) {}
  /// One round with at most `limit` held parts. Returns how many ended. One that fails does not stop the others.
  domain::Result<int> operator()(std::size_t limit, ports::Tenants of = ports::Tenants::all);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
  const ports::Clock& clock_;
};

}  // namespace tideover::usecases
