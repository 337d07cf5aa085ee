// Bank statements and the reconciliation of bank accounts as JSON (core/docs/contract.md#bank-statements).
#pragma once
#include <string>
#include <vector>

#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/json/writer.hpp"
#include "core/usecases/banking/read_bank.hpp"
#include "core/usecases/banking/store_statement.hpp"

namespace tideover::wire {

std::string encode_bank_statements(const std::vector<domain::BankStatement>& statements, const PageFrame& page);
/// `view` has at most one line more than `limit`, which only shows that there are more.
std::string encode_bank_statement(const usecases::BankStatementView& view, std::size_t limit);
std::string encode_bank_days(const std::vector<usecases::BankDayView>& days, const PageFrame& page);
/// The results of the statements of a file, as the member `statements`.
void put_posted_statements(json::Writer& out, const std::vector<usecases::PostedStatement>& statements);

}  // namespace tideover::wire
