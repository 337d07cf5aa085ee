// A statement of account: the posted ledger of a period, per account. Amounts are debits less credits. Over all
// accounts, the openings sum to zero, and so do the closings.
#pragma once
#include <string>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/money.hpp"

namespace tideover::domain {

struct StatementMovement {
  std::string cause;  // the ledger's cause kind: disbursement, deposit, reconciliation, …
  Money debits;
  Money credits;  // both positive
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
