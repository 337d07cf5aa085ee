// A payer's 835 for many claims at once: how fast its payments are posted to funded settlements.
#pragma once

#include <cstddef>

#include "tests/bench/servers.hpp"

namespace tideover::bench {

/// Funds so many claims, books the deposit that pays them all, and posts its 835: claims per second from the first byte to the
/// answer. Throws unless every cent of the deposit was posted.
Sample post_835(std::size_t claims);

}  // namespace tideover::bench
