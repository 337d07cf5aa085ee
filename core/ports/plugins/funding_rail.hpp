// A payment rail. Its declared capabilities decide what happens when an answer is lost
// (core/docs/reliability.md#rail-capabilities).
//
// Threads: thread-safe. No call lasts longer than its deadline. A lost answer is `unknown`, never `rejected`.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/money.hpp"
#include "core/domain/basics/result.hpp"
#include "core/domain/funding/settlement.hpp"

namespace tideover::ports {

/// How long a `dedup` rail recognises a key, at least.
inline constexpr int kDedupRemembers_days = 30;

/// What a rail can say after a lost answer.
enum class RailRecall {
  dedup,  // a repeated key gets the first result
  fence,  // a status query is final and blocks late arrivals
  query,  // a status query exists; "not found" is not final
  blind,  // neither
};

struct RailDescription {
  std::string rail;  // RTP | SAME_DAY | FUTURE_DATE
  std::string name;
  std::string description;
  std::string status = "operational";  // operational | degraded | suspended
  domain::Money min_amount = domain::Money::cents(1);
  domain::Money max_amount;
  std::string desired_date;  // forbidden | optional | required
  std::string time_zone;
  std::vector<std::string> cutoffs;  // "10:00", local time
  bool business_days_only = true;
  bool irrevocable = false;
  int return_window_days = 0;
  domain::Money fee;
  RailRecall recall = RailRecall::blind;
  bool final_on_accept = false;
  int max_latency_s = 0;
  bool has_statement = false;  // it provides a statement
  bool simulated = false;      // no money moves
  std::string plugin_name;
  std::string plugin_version;
};

struct Disbursement {
  std::string key;  // the rail's idempotency key
  domain::Money amount;
  std::string payout_account_token;
  domain::Date effective_date;
};

struct RailOutcome {
  enum class Kind {
    accepted,
    settled,
    rejected,  // no money moved or will move
    returned,  // accepted, possibly settled, and returned in full
    not_found,
    unknown,
  } kind = Kind::unknown;
  std::string reference;    // the rail's reference
  std::string reason_code;  // of a refusal or return: ACH R-code, ISO 20022 reason
  std::string reason;
  /// The answer is about another payment than the question. `kind` is then unknown, and only an operator can end the
  /// attempt.
  bool contradicts = false;
};

/// One payment on the rail's statement.
struct StatementLine {
  std::string key;  // empty: the rail has no key for it
  domain::Money amount;
  RailOutcome::Kind kind = RailOutcome::Kind::accepted;  // accepted, settled, rejected or returned
  std::string reference;
  std::string reason_code;
  std::string reason;
  domain::Timestamp at;  // when the rail took it
};

class FundingRail {
 public:
  virtual ~FundingRail() = default;
  virtual const RailDescription& describe() const = 0;
  /// When the money would move. Error invalid_desired_date when the rail cannot pay on that date; `strict`: refuses to
  /// move the date.
  virtual domain::Result<domain::FundingPlan> plan(std::optional<domain::Date> desired, domain::Timestamp now,
                                                   bool strict) = 0;
  virtual RailOutcome submit(const Disbursement& disbursement, std::chrono::milliseconds timeout) = 0;
  /// `amount`: the amount that the caller believes was paid. An answer about another amount contradicts.
  virtual RailOutcome query(const std::string& key, domain::Money amount, std::chrono::milliseconds timeout) = 0;
  /// The payments that the rail took from `from` (inclusive) to `to` (exclusive), in any order. Error rail_unavailable
  /// when there is no statement or it cannot be read completely.
  virtual domain::Result<std::vector<StatementLine>> statement(domain::Timestamp from, domain::Timestamp to,
                                                               std::chrono::milliseconds timeout) = 0;
};

/// The configured rails, in order.
class FundingRails {
 public:
  virtual ~FundingRails() = default;
  virtual FundingRail* find(std::string_view rail) = 0;
  virtual std::vector<FundingRail*> all() = 0;
};

/// Whether the configured rail of this name moves no money.
inline bool is_simulated(FundingRails& rails, std::string_view name) {
  const auto* rail = rails.find(name);
  return rail != nullptr && rail->describe().simulated;
}

}  // namespace tideover::ports
