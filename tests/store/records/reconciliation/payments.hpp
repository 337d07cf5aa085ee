// Short forms for tests of deposits and remittances: the days around those of the samples, and an order of ids.
#pragma once
#include <string>

#include "tests/store/records/support/samples.hpp"

namespace tideover::tests {

/// As sample_deposit's was received on the 60th and its remittance was paid on the 70th.
inline domain::Date day(int days) {
  return sample_deposit(1).received_date.plus(days - 60);
}

/// The last digits of the ids, in the order given.
template <class Objects>
std::string order(const Objects& objects) {
  std::string digits;
  for (const auto& object : objects) digits += object.id.text().back();
  return digits;
}

}  // namespace tideover::tests
