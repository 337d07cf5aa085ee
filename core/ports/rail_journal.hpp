// The rail journal: a record of every payment outside the database (core/docs/reliability.md#protocol-steps). A payment
// is written here, durably, before the rail gets its first byte.
//
// Threads: thread-safe.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "core/domain/basics/result.hpp"
#include "core/domain/funding/disbursement.hpp"

namespace tideover::ports {

/// A key that was sent to a rail, or was about to be sent.
struct JournalledSend {
  domain::TenantId tenant;
  domain::PaymentSubject subject;
  domain::Purpose purpose = domain::Purpose::advance;
  int attempt = 1;  // the number per subject and purpose
  std::string rail;
  std::string key;
  domain::Money amount;
  int epoch = 1;
  domain::Timestamp at;
  std::optional<domain::AttemptState> outcome;  // the last noted outcome; none while open
  std::string claim = {};  // keyed digest of tenant and claim identifier; empty in entries of earlier versions
};

enum class Witnessed { now, before };

class RailJournal {
 public:
  virtual ~RailJournal() = default;
  /// Returns when `send` is on disk: `now`, or `before` when it was there already. On an Error
  /// nothing may be sent to the rail.
  virtual domain::Result<Witnessed> append(const JournalledSend& send) = 0;
  /// Notes the outcome of a key. Best effort: the database has it as well.
  virtual void note(const std::string& key, domain::AttemptState outcome, domain::Timestamp at) = 0;
  /// Whether the key may have been sent to the rail: it is in the journal, or entries after `attempt_created_at` may
  /// have been lost or dropped as too old.
  virtual bool may_hold(const std::string& key, domain::Timestamp attempt_created_at) const = 0;
  /// An Error while the journal cannot be written. Each call tries again.
  virtual domain::Status ready() = 0;
  /// Passes every entry with its outcome to `look`, in the order of writing, until it returns false.
  virtual domain::Status visit(const std::function<bool(const JournalledSend&)>& look) const = 0;
};

}  // namespace tideover::ports
