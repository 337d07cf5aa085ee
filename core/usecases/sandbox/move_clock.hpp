// The clock of a sandbox tenant: reads it and moves it (core/docs/sandbox_clock.md).
//
// Threads: thread-safe.
#pragma once
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "core/domain/operations/sandbox_clock.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

class MoveClock {
 public:
  /// Gives this node the shifts of all tenants.
  using Publish = std::function<void(std::map<std::string, std::int64_t> shifts)>;
  /// Runs the jobs of payments until nothing is due, or for a bounded time.
  using RunDue = std::function<void()>;

  MoveClock(ports::Store& store, ports::IdSource& ids, Publish publish, RunDue run_due)
      : store_(store), ids_(ids), publish_(std::move(publish)), run_due_(std::move(run_due)) {}

  domain::Result<domain::TenantTime> read(const RequestContext& context) const;
  /// Returns after the effects of the move, as far as they took a bounded time. Errors as domain::moved().
  domain::Result<StoredResponse> operator()(const RequestContext& context, const domain::ClockMove& move,
                                            const Render<domain::TenantTime>& render);
  /// Reads the shifts of all tenants and publishes them: another node may have moved a clock.
  domain::Status refresh() const;

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
  const Publish publish_;
  const RunDue run_due_;
  mutable std::mutex publishing_;  // from the read on: shifts that were read earlier never replace later ones
};

}  // namespace tideover::usecases
