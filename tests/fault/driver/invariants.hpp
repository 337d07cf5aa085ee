// What must hold of one settlement when everything has come to rest, and of the whole database always
// (core/docs/reliability.md#invariants). The banks' books are believed, the database is checked against them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/store/sql/database.hpp"
#include "tests/fault/driver/banks.hpp"

namespace tideover::fault {

/// What a settlement came to.
struct Fate {
  std::string state;  // of its last attempt; "none" without one
  std::size_t attempts = 0;
  std::size_t payments = 0;             // in the books of all banks
  bool funded = false;                  // or paid out, says the database
  std::vector<std::string> violations;  // "I1 ...", one sentence each
};

/// `settlement` has come to rest: no worker has it and nothing is on its way. `events`: the kinds of the events that
/// tell of it (TestService::events_of; their content is encrypted in the database). Judged is the errand, of a payout
/// behind an advance that met with nothing.
Fate fate_of(sql::Session& session, Banks& banks, const std::string& settlement, const std::vector<std::string>& events,
             Errand errand = Errand::confirm);

/// Of the whole database and the whole books: sums, orphans, keys that no attempt has.
std::vector<std::string> broken_books(sql::Session& session, Banks& banks);

}  // namespace tideover::fault
