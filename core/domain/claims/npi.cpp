#include "core/domain/claims/npi.hpp"

#include <algorithm>

namespace tideover::domain {

bool has_npi_format(std::string_view npi) {
  return npi.size() == 10 && std::all_of(npi.begin(), npi.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool passes_npi_check(std::string_view npi) {
  if (!has_npi_format(npi) || (npi[0] != '1' && npi[0] != '2')) return false;
  int sum = 24;  // the sum of the constant prefix 80840
  for (std::size_t i = 0; i < 10; ++i) {
    int digit = npi[i] - '0';
    if (i % 2 == 0) {
      digit *= 2;
      if (digit > 9) digit -= 9;
    }
    sum += digit;
  }
  return sum % 10 == 0;
}

}  // namespace tideover::domain
