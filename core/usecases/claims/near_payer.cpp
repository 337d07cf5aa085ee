#include "core/usecases/claims/near_payer.hpp"

#include <algorithm>

namespace tideover::usecases {
namespace {

constexpr std::size_t kMostZeros = 4;  // payer ids usually have five digits

}  // namespace

std::string near_payer_id(ports::PayerDirectory& payers, std::string_view id) {
  while (!id.empty() && id.front() == ' ') id.remove_prefix(1);
  while (!id.empty() && id.back() == ' ') id.remove_suffix(1);
  const auto rest = id.substr(std::min(id.find_first_not_of('0'), id.size()));
  if (rest.empty()) return {};
  // Only ids that read as a number lose leading zeros.
  const bool is_number = rest.find_first_not_of("0123456789") == std::string_view::npos;
  const std::size_t zeros = id.size() - rest.size();
  for (std::size_t tried = 0; tried <= (is_number ? kMostZeros : zeros); ++tried) {
    if (tried == zeros) continue;
    const auto payer = payers.get(std::string(tried, '0').append(rest));
    if (!payer) return {};
    if (*payer) return (*payer)->payer_id;
  }
  return {};
}

}  // namespace tideover::usecases
