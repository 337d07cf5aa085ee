#include "core/domain/ledger/account_map.hpp"

#include <algorithm>

#include "core/domain/reconciliation/ledger.hpp"

namespace tideover::domain {
namespace {

constexpr std::size_t kLongestCode = 32;
constexpr std::size_t kLongestName = 100;

bool is_plain_code(std::string_view code) {
  return !code.empty() && code.size() <= kLongestCode && std::all_of(code.begin(), code.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '-' ||
           c == '_' || c == '/';
  });
}

}  // namespace

const std::vector<std::string_view>& account_patterns() {
  static const std::vector<std::string_view> patterns{
      account::kFundingCash,       account::kFeeIncome,       account::kDepositClearing,
      account::kSuspenseUnmatched, account::kCarriedBalances, account::kLossOnReceivable,
      "purchased_receivable:*",    "provider_payable:*",      "practice_reserve:*"};
  return patterns;
}

std::variant<AccountMap, std::string> AccountMap::parse(const std::map<std::string, std::string>& accounts) {
  AccountMap made;
  std::string unknown, invalid;
  const auto& patterns = account_patterns();
  for (const auto& [pattern, text] : accounts) {
    const auto end = std::min(text.find(' '), text.size());
    GeneralAccount account{text.substr(0, end), text.substr(std::min(end + 1, text.size()))};
    if (std::find(patterns.begin(), patterns.end(), pattern) == patterns.end())
      unknown += (unknown.empty() ? "" : ", ") + pattern;
    else if (!is_plain_code(account.code) || account.name.size() > kLongestName)
      invalid += (invalid.empty() ? "" : ", ") + pattern;
    made.accounts_.emplace_back(pattern, std::move(account));
  }
  std::string complaint;
  if (!unknown.empty()) {
    complaint = "unknown accounts: " + unknown + "; use ";
    for (const auto pattern : patterns) complaint += (pattern == patterns.front() ? "" : ", ") + std::string(pattern);
  }
  if (!invalid.empty())
    complaint += (complaint.empty() ? "" : ". ") +
                 std::string(
                     "not a code of letters and digits with a name after it, "
                     "such as \"1200 Receivables\": ") +
                 invalid;
  if (!complaint.empty()) return complaint;
  return made;
}

GeneralAccount AccountMap::of(std::string_view account) const {
  for (const auto& [pattern, general] : accounts_) {
    const std::string_view prefix(pattern.data(), pattern.size() - (pattern.back() == '*' ? 1 : 0));
    if (prefix.size() == pattern.size() ? account == pattern : account.starts_with(prefix)) return general;
  }
  return {};
}

}  // namespace tideover::domain
