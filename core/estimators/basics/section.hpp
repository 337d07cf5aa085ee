// Sections of the procedure code sets (CPT, HCPCS). Payers agree on a conversion factor, or a share of the charge, per
// section, so a new price can be derived from the prices of its neighbours.
#pragma once
#include <cstdint>
#include <string_view>

namespace tideover::estimators {

enum class Section : std::uint8_t { other, visit, anesthesia, surgery, imaging, laboratory, medicine, therapy, supply };

/// By the number alone, because the code sets keep their ranges. `other` for invalid codes.
constexpr Section section_of(std::string_view code) {
  if (code.size() != 5) return Section::other;
  if (code[0] >= 'A' && code[0] <= 'V') return Section::supply;
  int number = 0;
  for (const char c : code.substr(0, 4)) {
    if (c < '0' || c > '9') return Section::other;
    number = number * 10 + (c - '0');
  }
  const char last = code[4];
  if (last == 'U' || last == 'M') return Section::laboratory;
  if (last < '0' || last > '9') return Section::other;
  number = number * 10 + (last - '0');
  if (number < 2'000) return Section::anesthesia;
  if (number < 10'000) return Section::other;
  if (number < 70'000) return Section::surgery;
  if (number < 80'000) return Section::imaging;
  if (number < 90'000) return Section::laboratory;
  if (number >= 97'010 && number < 97'800) return Section::therapy;
  if (number >= 99'202 && number < 99'500) return Section::visit;
  return Section::medicine;
}

}  // namespace tideover::estimators
