// Bank deposits on the wire (contract section 7).
#pragma once
#include <string>

#include "core/http/wire/json/writer.hpp"
#include "core/http/wire/object_reader.hpp"
#include "core/usecases/post_deposit.hpp"

namespace tideover::wire {

domain::Deposit decode_deposit(const json::Value& body, Faults& faults);
std::string encode_deposit(const usecases::PostedDeposit& posted);
void put_deposit(json::Writer& out, const usecases::PostedDeposit& posted);

}  // namespace tideover::wire
