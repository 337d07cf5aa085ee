// The answer to a bank file: the result for each transaction (core/docs/contract.md#reconciliation).
#pragma once
#include <string>

#include "core/usecases/reconciliation/post_deposit_file.hpp"

namespace tideover::wire {

std::string encode_deposit_file(const usecases::PostedDepositFile& posted);

}  // namespace tideover::wire
