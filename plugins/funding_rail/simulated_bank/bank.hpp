// A bank that never was: takes payments by idempotency key, remembers them, and misbehaves on request through magic
// payout tokens (contract section 14). Thread-safe.
#pragma once
#include <array>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "simulated_bank/ledger_file.hpp"
#include "tideover/funding_rail.hpp"

namespace simulated_bank {

/// Which network's reason codes and refusals apply.
enum class Network { ach, rtp };

class Bank {
 public:
  Bank(Network network, std::string rail, std::int64_t max_amount, const std::string& ledger_path);

  /// The same key with the same content is answered with the first result. `settles_ms`: when the money arrives.
  /// Throws Fault when the key was used for another payment or the ledger file fails: nothing is known to the caller.
  tideover::sdk::Outcome submit(const tideover::sdk::Disbursement& disbursement, std::int64_t settles_ms,
                                std::int64_t now_ms);
  tideover::sdk::Outcome query(std::string_view key, std::int64_t now_ms);

 private:
  void learn();
  Payment decide(const tideover::sdk::Disbursement& disbursement, std::int64_t settles_ms) const;

  const Network network_;
  const std::string rail_;
  const std::int64_t max_amount_;
  std::mutex mutex_;
  LedgerFile file_;                                      // guarded by mutex_
  std::map<std::string, Payment, std::less<>> payments_; // guarded by mutex_
};

/// Reads the setting `max_amount_cents`; `fallback` when absent. Throws Fault(INVALID_CONFIG) beyond 1..highest.
std::int64_t max_amount_setting(const tideover::sdk::Config& config, std::int64_t fallback, std::int64_t highest);

/// Settings that every simulated rail understands.
inline constexpr std::array<tideover_config_key, 2> kConfigKeys{
    {{TIDEOVER_STR("ledger_path"), TIDEOVER_STR("file that remembers payments over a restart; default: memory only"), 0},
     {TIDEOVER_STR("max_amount_cents"), TIDEOVER_STR("largest payment, in cents"), 0}}};

}  // namespace simulated_bank
