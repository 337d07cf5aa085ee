// A statement of account on the wire, as JSON or as CSV for spreadsheets. Pure functions.
#pragma once
#include <string>

#include "core/domain/reconciliation/statement.hpp"

namespace tideover::wire {

std::string encode_statement(const domain::Statement& statement);
/// account,line,debits,credits,balance: an `opening` line, the movements and a `closing` line for each account.
std::string encode_statement_csv(const domain::Statement& statement);

}  // namespace tideover::wire
