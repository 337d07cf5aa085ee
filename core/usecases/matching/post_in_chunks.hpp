// Posts long remittances in chunks, each in a transaction of its own: other writers go in between. The request that
// matched the remittance posts it; a job does so after a crash. Several may post the same remittance at once, on any
// node: each chunk checks that no other came first.
//
// Threads: thread-safe.
#pragma once
#include <chrono>
#include <functional>
#include <optional>

#include "core/ports/clock.hpp"
#include "core/usecases/matching/open_posting.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

class PostInChunks {
 public:
  PostInChunks(ports::Store& store, ports::IdSource& ids, ports::RulePolicy* rules = nullptr,
               domain::PostingSizes sizes = {})
      : store_(store), ids_(ids), rules_(rules), sizes_(sizes) {}

  /// Returns when nothing of the remittance is left to post, also when another worker posted it. An Error of the store
  /// leaves the rest to resume().
  domain::Status operator()(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                            domain::Timestamp now);
  /// Goes on with postings that had no chunk for kStalledAfterMs. Returns how many it finished. One that fails does not
  /// stop the others; the first Error is returned after them.
  domain::Result<int> resume(const ports::Clock& clock, const std::function<bool()>& stopping);
  static constexpr std::int64_t kStalledAfterMs = 5'000;

  const domain::PostingSizes& sizes() const { return sizes_; }

 private:
  /// `began`: when `now` was read.
  domain::Status post(const domain::TenantId& tenant, const domain::RemittanceId& remittance, domain::Timestamp now,
                      std::chrono::steady_clock::time_point began);
  enum class Step { moved, read_again, ended };
  domain::Result<std::optional<OpenPosting>> open(const domain::TenantId& tenant,
                                                  const domain::RemittanceId& remittance);
  domain::Result<Step> post_next(const domain::TenantId& tenant, OpenPosting& open, domain::Timestamp now,
                                 domain::Timestamp moved_at);

  ports::Store& store_;
  ports::IdSource& ids_;
  ports::RulePolicy* const rules_;
  const domain::PostingSizes sizes_;
};

}  // namespace tideover::usecases
