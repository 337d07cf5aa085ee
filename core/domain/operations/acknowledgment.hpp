// The answers to a file of claims in X12: TA1 about its interchanges, 999 about its transactions.
#pragma once
#include <string>

namespace tideover::domain {

struct Acknowledgment {
  std::string interchange;     // TA1, with envelope; empty: none is due
  std::string implementation;  // 999, with envelope; empty: none is due
};

}  // namespace tideover::domain
