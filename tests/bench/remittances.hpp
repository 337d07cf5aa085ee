// A payer's 835 for many claims at once: how fast its payments are posted to funded settlements.
#pragma once

#include <cstddef>

#include "tests/bench/servers.hpp"

namespace tideover::bench {

/// Funds the claims of so many files, books the deposit of each and posts the 835s one after the other: claims per
/// second from the first byte to the last answer. Throws unless every cent of the deposits was posted.
Sample post_835(std::size_t claims, std::size_t files);

/// One client reviews claims one after the other, before and while the deposit of an 835 of so many funded claims
/// arrives. `posting` has the claims per second from the deposit to its response.
struct WaitsBeside835 {
  Sample posting, quiet;
};
WaitsBeside835 wait_beside_835(std::size_t claims);

}  // namespace tideover::bench
