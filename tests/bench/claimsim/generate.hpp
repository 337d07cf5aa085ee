// Writes a book and its hidden truth. Two runs with the same request give the same bytes.
#pragma once
#include <cstdint>
#include <filesystem>
#include <iosfwd>

namespace tideover::claimsim {

struct Request {
  char world = 'A';
  std::uint64_t seed = 1;
  int claims = 180'000;
  bool random_labels = false;  // every claim is denied with one and the same probability
  std::filesystem::path book, truth;
};

/// Writes request.book/{payers,fees,claims,remits}.csv, request.book/tables/*.csv and the truth; prints base rates and
/// the oracle's marks to `summary`.
void generate(const Request& request, std::ostream& summary);

}  // namespace tideover::claimsim
