// Many clients confirm one settlement at the same moment, settlement after settlement
// (core/docs/reliability.md#fault-figures, R5): one payment, one answer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/fault/rail/bank_book.hpp"

namespace tideover::test {

/// 64 clients confirm each of `settlements` at once, spread over the services at `ports`. Checks that each was paid
/// once and answered with one body, and prints the line of R5.
void race(const std::vector<std::uint16_t>& ports, const std::string& token, std::size_t settlements,
          fault::BankBook& bank, const std::string& where);

}  // namespace tideover::test
