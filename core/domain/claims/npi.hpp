// National Provider Identifier: ten digits, the first 1 or 2, the last a Luhn check digit over "80840" and the first
// nine (CMS NPI check-digit rule).
#pragma once
#include <string_view>

namespace tideover::domain {

/// Ten digits and nothing else.
bool has_npi_format(std::string_view npi);
/// Format, first digit and check digit.
bool passes_npi_check(std::string_view npi);

}  // namespace tideover::domain
