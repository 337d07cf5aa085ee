// The movements of one entry: what the balances contain, and which of them are deposits.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tideover/deposit_format.hpp"

namespace camt053 {

/// TxDtls, as text of the file.
struct Detail {
  std::string amount, currency, direction;
  std::string end_to_end_id, instruction_id, transaction_id, servicer_reference;
  std::string debtor_name, debtor_id;
  std::vector<std::string> remittance;  // Ustrd
  std::string more;                     // AddtlTxInf
  std::string domain, family, sub_family;
};

/// Ntry, as text of the file.
struct Entry {
  std::int64_t line = 0;
  std::string reference, servicer_reference;
  std::string amount, currency, direction, reversal, status, booked, value;
  std::string domain, family, sub_family, proprietary;
  std::string more;  // AddtlNtryInf
  std::vector<Detail> details;
};

struct Account {
  std::string number;
  std::string currency;
  tideover_date day{};         // of the statement; none: not known
  bool has_statement = false;  // the statement was given to the sink
};

/// Passes the entry to the sink: its movements, and each as a deposit or with the reason why it is none.
/// `transaction_codes`: domain and family of payers' payments, such as PMNT-RCDT. Throws Fault when the entry cannot be
/// read.
void give_movements(const Entry& entry, const Account& account, const std::set<std::string>& transaction_codes,
                    tideover::sdk::DepositSink& sink);

}  // namespace camt053
