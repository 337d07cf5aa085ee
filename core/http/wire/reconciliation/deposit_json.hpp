// Bank deposits as JSON (core/docs/contract.md#reconciliation).
#pragma once
#include <string>

#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/http/wire/json/writer.hpp"
#include "core/usecases/reconciliation/post_deposit.hpp"
#include "core/usecases/reconciliation/read_deposits.hpp"
#include "core/usecases/reconciliation/return_deposit.hpp"

namespace tideover::wire {

domain::Deposit decode_deposit(const json::Value& body, Faults& faults);
/// The return of a deposit, without its id.
usecases::DepositReturn decode_deposit_return(const json::Value& body, Faults& faults);
std::string encode_deposit(const usecases::PostedDeposit& posted);
void put_deposit(json::Writer& out, const usecases::PostedDeposit& posted);
/// With its matches and the payments that it funded; `explain` adds every candidate.
std::string encode_deposit_view(const usecases::DepositView& view, bool explain);
std::string encode_deposits(const std::vector<domain::Deposit>& deposits, const PageFrame& page);

}  // namespace tideover::wire
