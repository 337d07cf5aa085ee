// A statement of account: what the posted ledger says of a period, account by account. Debits less credits; over all
// accounts the openings sum to zero, and so do the closings.
#pragma once
#include <string>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/money.hpp"

namespace tideover::domain {

struct StatementMovement {
  std::string cause;  // what the ledger calls its cause: disbursement, deposit, reconciliation, …
  Money debits;
  Money credits;  // both counted positive
};

struct StatementAccount {
  std::string account;  // all receivables together are `purchased_receivable`
  Money opening;
  std::vector<StatementMovement> movements;
  Money closing;  // opening + debits - credits
};

struct Statement {
  Date from;
  Date to;  // both inclusive, days in UTC
  std::vector<StatementAccount> accounts;
};

}  // namespace tideover::domain
