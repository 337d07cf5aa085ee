#include "simulated_bank/bank.hpp"

#include <algorithm>
#include <charconv>

namespace simulated_bank {
namespace {

namespace sdk = tideover::sdk;

constexpr std::size_t kLongestKey = 64;

struct Refusal {
  const char* code;
  const char* reason;
};

/// Tokens that make the bank refuse, per network. Every other token is a valid account.
const Refusal* refusal_of(std::string_view token, Network network) {
  static constexpr Refusal kNoAccount{"R03", "no_account"};
  static constexpr Refusal kFrozenAch{"R16", "account_frozen"};
  static constexpr Refusal kClosedRtp{"AC04", "closed_account"};
  static constexpr Refusal kBlockedRtp{"AC06", "blocked_account"};
  if (token == "tok_suspended") return network == Network::ach ? &kFrozenAch : &kBlockedRtp;
  if (token == "tok_ach_R03" && network == Network::ach) return &kNoAccount;
  if (token == "tok_rtp_AC04" && network == Network::rtp) return &kClosedRtp;
  return nullptr;
}

/// "tok_ach_return_R02": accepted, then returned for this reason. nullopt for every other token.
std::optional<Refusal> return_of(std::string_view token, Network network) {
  static constexpr std::string_view kPrefix = "tok_ach_return_";
  static constexpr std::array<Refusal, 8> kReasons{{{"R01", "insufficient_funds"},
                                                    {"R02", "account_closed"},
                                                    {"R03", "no_account"},
                                                    {"R04", "invalid_account_number"},
                                                    {"R16", "account_frozen"},
                                                    {"R17", "unusual_entry"},
                                                    {"R20", "non_transaction_account"},
                                                    {"R23", "credit_refused"}}};
  if (network != Network::ach || token.substr(0, kPrefix.size()) != kPrefix) return std::nullopt;
  for (const auto& reason : kReasons)
    if (token.substr(kPrefix.size()) == reason.code) return reason;
  return std::nullopt;
}

/// The token stays secret: only its equality is compared.
std::string fingerprint_of(const sdk::Disbursement& d) {
  return checksum(std::to_string(d.amount) + "/" + std::string(d.payout_account_token));
}

tideover_outcome_kind kind_of(const Payment& payment, std::int64_t now_ms) {
  if (payment.kind != TIDEOVER_OUTCOME_ACCEPTED) return payment.kind;
  if (payment.returns_ms != 0 && now_ms >= payment.returns_ms) return TIDEOVER_OUTCOME_RETURNED;
  return now_ms >= payment.settles_ms ? TIDEOVER_OUTCOME_SETTLED : TIDEOVER_OUTCOME_ACCEPTED;
}

sdk::Outcome outcome_of(const Payment& payment, std::int64_t now_ms) {
  const auto kind = kind_of(payment, now_ms);
  // The reason of a later return must not be visible before the return.
  const bool has_reason = kind == TIDEOVER_OUTCOME_REJECTED || kind == TIDEOVER_OUTCOME_RETURNED;
  return {kind,        payment.reference, has_reason ? payment.reason_code : "", has_reason ? payment.reason : "",
          payment.key, payment.amount};
}

}  // namespace

Bank::Bank(Network network, std::string rail, std::int64_t max_amount, const std::string& ledger_path)
    : network_(network), rail_(std::move(rail)), max_amount_(max_amount), file_(ledger_path) {
  const LedgerFile::Lock lock(file_);
  learn();
}

void Bank::learn() {
  for (auto& payment : file_.read_new()) payments_.insert_or_assign(payment.key, std::move(payment));
}

Payment Bank::decide(const sdk::Disbursement& d, const Timing& timing, std::int64_t now_ms) const {
  Payment payment;
  payment.key = std::string(d.key);
  payment.rail = rail_;
  payment.amount = d.amount;
  payment.fingerprint = fingerprint_of(d);
  payment.taken_ms = now_ms;
  payment.settles_ms = timing.settles_ms;
  if (d.amount < 1 || d.amount > max_amount_) {
    payment.kind = TIDEOVER_OUTCOME_REJECTED;
    payment.reason_code = "AMOUNT_LIMIT";
    payment.reason = "amount_outside_limits";
  } else if (const Refusal* refusal = refusal_of(d.payout_account_token, network_)) {
    payment.kind = TIDEOVER_OUTCOME_REJECTED;
    payment.reason_code = refusal->code;
    payment.reason = refusal->reason;
  } else {
    payment.reference = rail_ + "-" + payment.key;
    if (const auto comes_back = return_of(d.payout_account_token, network_)) {
      payment.returns_ms = timing.returns_ms;
      payment.reason_code = comes_back->code;
      payment.reason = comes_back->reason;
    }
  }
  return payment;
}

sdk::Outcome Bank::submit(const sdk::Disbursement& d, const Timing& timing, std::int64_t now_ms) {
  const bool printable = std::all_of(d.key.begin(), d.key.end(), [](char c) { return c > ' ' && c < 127 && c != '|'; });
  if (d.key.empty() || d.key.size() > kLongestKey || !printable)
    throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, "a key has 1 to 64 visible ASCII characters other than '|'");
  const std::lock_guard<std::mutex> guard(mutex_);
  const LedgerFile::Lock lock(file_);
  learn();
  if (const auto known = payments_.find(d.key); known != payments_.end()) {
    if (known->second.fingerprint != fingerprint_of(d))
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT,
                       "this key was used for another payment; ask for its outcome by key");
    return outcome_of(known->second, now_ms);
  }
  const Payment payment = decide(d, timing, now_ms);
  file_.append(payment);
  payments_.emplace(payment.key, payment);
  // Accepted, but the answer is lost: a query by key or a repeat returns the result.
  if (d.payout_account_token == "tok_timeout") return {};
  return outcome_of(payment, now_ms);
}

sdk::Outcome Bank::query(std::string_view key, std::int64_t now_ms) {
  const std::lock_guard<std::mutex> guard(mutex_);
  const LedgerFile::Lock lock(file_);
  learn();
  const auto known = payments_.find(key);
  if (known == payments_.end()) return {TIDEOVER_OUTCOME_NOT_FOUND, {}, {}, {}};
  return outcome_of(known->second, now_ms);
}

void Bank::statement(std::int64_t from_ms, std::int64_t to_ms, std::int64_t now_ms,
                     const sdk::OnStatementLine& on_line) {
  const std::lock_guard<std::mutex> guard(mutex_);
  const LedgerFile::Lock lock(file_);
  learn();
  for (const auto& [key, payment] : payments_) {
    if (payment.rail != rail_ || payment.taken_ms < from_ms || payment.taken_ms >= to_ms) continue;
    const auto outcome = outcome_of(payment, now_ms);
    on_line(
        {outcome.kind, key, payment.amount, outcome.reference, outcome.reason_code, outcome.reason, payment.taken_ms});
  }
}

std::int64_t return_time(const sdk::Host& host, std::int64_t settles_ms) {
  constexpr int kOpening = 8 * 60 + 30;  // local minutes
  const auto next = [&](tideover_date date) { return host.banking_day_on_or_after(sdk::plus_days(date, 1)); };
  return host.instant_ms(next(next(host.local_date(settles_ms))), kOpening);
}

std::int64_t max_amount_setting(const sdk::Config& config, std::int64_t fallback, std::int64_t highest) {
  const auto text = config.find("max_amount_cents");
  if (!text) return fallback;
  std::int64_t cents = 0;
  const auto [stopped, error] = std::from_chars(text->data(), text->data() + text->size(), cents);
  if (error != std::errc() || stopped != text->data() + text->size() || cents < 1 || cents > highest)
    throw sdk::Fault(TIDEOVER_FAULT_INVALID_CONFIG,
                     "setting 'max_amount_cents' must be a whole number from 1 to " + std::to_string(highest));
  return cents;
}

}  // namespace simulated_bank
