// What the front door itself leaves in the audit trail: calls that were denied, and reads of what is about patients.
// (What changes something is put on record by its use case, in the same transaction.) Thread-safe.
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

  /// Of a caller who is known. Waits until the row is on disk, behind everybody else's work; where it cannot be written
  /// the call is denied all the same.
  void denied(const usecases::RequestContext& request_context, domain::ErrorCode reason);

  /// Of nobody who is known: no token, a forged or expired one, a wrong secret. The row belongs to no tenant, and
  /// anyone can send as many such calls as he likes: of one operation and reason the first of a minute is written at
  /// once, those behind it as one row with their number. A crash loses at most that number.
  void denied_unknown(const std::string& operation, domain::ErrorCode reason, const std::string& request_id);
  /// Writes what was counted in minutes that are over; all of it when the service ends.
  void write_counted(bool all = false);

  /// `reference` is what was asked for, as it was sent: kept as a keyed digest. A disk that takes no more rows must not
  /// hide a patient's claim from who treats it: then the log's line of the request is the record.
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
  std::map<Kind, Tally> tallies_;  // as many as there are routes and reasons
};

}  // namespace tideover::http
