// One transaction detail record (16): whether it is a deposit, and its payer.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "records.hpp"
#include "tideover/deposit_format.hpp"

namespace bai2 {

/// The envelope of a transaction.
struct Surroundings {
  std::string bank;            // originator of the group (02)
  std::string account;         // customer account (03)
  std::string currency;        // of the account, else of the group, else USD
  std::string group_status;    // 1 update, 2 deletion, 3 correction, 4 test
  std::string as_of_date;      // as in the file
  bool is_final = true;        // the as-of day is over (02 modifier 2 or 4)
  bool has_statement = false;  // the account has ledger balances of that day
};

/// Passes the transaction to the sink, as a deposit or with the reason why it is not one, and before as an entry of the
/// statement. `type_codes` are the codes of
/// payers' payments. Returns its amount for the control totals. Throws Fault when the record cannot be read.
std::int64_t take_transaction(const Record& record, const Surroundings& where, const std::vector<int>& type_codes,
                              tideover::sdk::DepositSink& sink);

}  // namespace bai2
