// A simulated bank: accepts payments by idempotency key, remembers them, and fails on request through special payout
// tokens (api/docs/sandbox.md). Thread-safe.
#pragma once
#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "simulated_bank/ledger_file.hpp"
#include "tideover/funding_rail.hpp"

namespace simulated_bank {

/// The network whose reason codes and refusals apply.
enum class Network { ach, rtp };

/// When a payment arrives, and when it is returned if its token requests that.
struct Timing {
  std::int64_t settles_ms;
  std::int64_t returns_ms;  // or kNever
};
inline constexpr std::int64_t kNever = 0;

class Bank {
 public:
  Bank(Network network, std::string rail, std::int64_t max_amount, const std::string& ledger_path);

  /// The same key with the same content returns the first result. Throws Fault when the key was used for another
  /// payment, or when the ledger file fails and the result is unknown.
  tideover::sdk::Outcome submit(const tideover::sdk::Disbursement& disbursement, const Timing& timing,
                                std::int64_t now_ms);
  tideover::sdk::Outcome query(std::string_view key, std::int64_t now_ms);
  /// Payments of this rail accepted from `from_ms` (inclusive) to `to_ms` (exclusive), in their current state. A ledger
  /// file that several rails share has more.
  void statement(std::int64_t from_ms, std::int64_t to_ms, std::int64_t now_ms,
                 const tideover::sdk::OnStatementLine& on_line);

 private:
  void learn();
  Payment decide(const tideover::sdk::Disbursement& disbursement, const Timing& timing, std::int64_t now_ms) const;

  const Network network_;
  const std::string rail_;
  const std::int64_t max_amount_;
  std::mutex mutex_;
  LedgerFile file_;                                       // guarded by mutex_
  std::map<std::string, Payment, std::less<>> payments_;  // guarded by mutex_
};

/// ACH: an entry is returned by the opening of the second banking day after its settlement.
std::int64_t return_time(const tideover::sdk::Host& host, std::int64_t settles_ms);

/// Reads the setting `max_amount_cents`; `fallback` when absent. Throws Fault(INVALID_CONFIG) beyond 1..highest.
std::int64_t max_amount_setting(const tideover::sdk::Config& config, std::int64_t fallback, std::int64_t highest);

/// Settings of every simulated rail.
inline constexpr std::array<tideover_config_key, 2> kConfigKeys{
    {{TIDEOVER_STR("ledger_path"), TIDEOVER_STR("file that keeps payments over a restart; default: memory only"), 0},
     {TIDEOVER_STR("max_amount_cents"), TIDEOVER_STR("largest payment, in cents"), 0}}};

}  // namespace simulated_bank
