// The accounts of the operator's general ledger beside the accounts of this ledger (setting ledger.accounts).
//
// Threads: values and pure functions; a map is constant after parse().
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tideover::domain {

/// An account of the general ledger. Empty: none is configured.
struct GeneralAccount {
  std::string code;
  std::string name;
};

class AccountMap {
 public:
  /// Keys are the patterns of kAccountPatterns. A value is a code and, after a space, an optional name. Otherwise one
  /// complaint that names every key or value that is not valid.
  static std::variant<AccountMap, std::string> parse(const std::map<std::string, std::string>& accounts);

  GeneralAccount of(std::string_view account) const;
  bool empty() const { return accounts_.empty(); }

 private:
  std::vector<std::pair<std::string, GeneralAccount>> accounts_;  // by prefix, or by the whole name
};

/// The accounts of this ledger. A trailing `*` stands for one account per settlement or per tenant.
const std::vector<std::string_view>& account_patterns();

}  // namespace tideover::domain
