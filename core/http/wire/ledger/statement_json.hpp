// A statement of account as JSON, or as CSV for spreadsheets.
#pragma once
#include <string>

#include "core/domain/reconciliation/statement.hpp"

namespace tideover::wire {

std::string encode_statement(const domain::Statement& statement);
/// account,line,debits,credits,balance: for each account an `opening` line, its movements, and a `closing` line.
std::string encode_statement_csv(const domain::Statement& statement);

}  // namespace tideover::wire
