// The second witness of every payment, outside the database (core/docs/reliability.md#protocol-steps): what is about to
// be shown to a rail is written down, durably, before the first byte goes there. Thread-safe.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "core/domain/basics/result.hpp"
#include "core/domain/funding/disbursement.hpp"

namespace tideover::ports {

/// One key that was, or was about to be, shown to a rail.
struct JournalledSend {
  domain::TenantId tenant;
  domain::SettlementId settlement;
  domain::Purpose purpose = domain::Purpose::advance;
  int attempt = 1;  // its number within settlement and purpose
  std::string rail;
  std::string key;
  domain::Money amount;
  int epoch = 1;
  domain::Timestamp at;
  std::optional<domain::AttemptState> outcome;  // the last one noted; none while open
  std::string claim = {};  // keyed digest of tenant and claim identifier; empty in entries of earlier versions
};

enum class Witnessed { now, before };

class RailJournal {
 public:
  virtual ~RailJournal() = default;
  /// Returns when `send` is on disk (`now`), or was there already, whoever wrote it (`before`). On an Error nothing may
  /// be shown to the rail.
  virtual domain::Result<Witnessed> append(const JournalledSend& send) = 0;
  /// What became of a key. Best effort: the database has it too.
  virtual void note(const std::string& key, domain::AttemptState outcome, domain::Timestamp at) = 0;
  /// Whether the key may have been shown to the rail: it is written here, or entries may have been lost, or dropped as
  /// too old, after `attempt_created_at`.
  virtual bool may_hold(const std::string& key, domain::Timestamp attempt_created_at) const = 0;
  /// An Error while nothing can be written; asking tries again.
  virtual domain::Status ready() = 0;
  /// Every entry in the order it was written, with its outcome, until `look` says false.
  virtual domain::Status visit(const std::function<bool(const JournalledSend&)>& look) const = 0;
};

}  // namespace tideover::ports
