// Audit rows that the HTTP layer itself writes: denied calls, and reads of patient data. A use case that changes data
// writes its own audit row in the same transaction. Thread-safe.
#pragma once
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "core/domain/basics/result.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/ports/store.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::http {

class AccessTrail {
 public:
  AccessTrail(ports::Store& store, const ports::KeyedDigest& digests, const ports::Clock& clock, ports::IdSource& ids)
      : store_(store), digests_(digests), clock_(clock), ids_(ids) {}

  /// A denied call of an authenticated client. Waits until the row is on disk, behind all other writes. If the row
  /// cannot be written, the call is still denied.
  void denied(const usecases::RequestContext& request_context, domain::ErrorCode reason);

  /// A denied call of an unknown client: no token, a forged or expired token, a wrong secret. The row belongs to no
  /// tenant. Such calls are unlimited in number, so the rows are limited: per operation and reason, the first call of a
  /// minute is written at once, and the others of that minute as one row with their count. A crash loses at most that
  /// count.
  void denied_unknown(const std::string& operation, domain::ErrorCode reason, const std::string& request_id);
  /// Writes the counts of minutes that have ended; with `all`, every count. Called with `all` at shutdown.
  void write_counted(bool all = false);

  /// `reference` is the requested object as the client sent it; the row contains a keyed digest of it. The read is
  /// answered even if the row cannot be written, so that a full disk does not hide a claim from the practice. The
  /// request's log line is then the record.
  void was_read(const usecases::RequestContext& request_context, const std::string& reference,
                std::string_view outcome);

 private:
  struct Tally {
    std::int64_t minute = 0;
    int behind_the_first = 0;
    std::string last_request_id;
  };
  using Kind = std::pair<std::string, domain::ErrorCode>;

  void write(const Kind& kind, const std::string& request_id, int times);
  std::int64_t minute() const { return clock_.now().seconds() / 60; }

  ports::Store& store_;
  const ports::KeyedDigest& digests_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  std::mutex lock_;
  std::map<Kind, Tally> tallies_;  // at most one entry per route and reason
};

}  // namespace tideover::http
