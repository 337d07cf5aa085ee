// The control of P3: the statements of durable reviews, all bound beforehand, in a bare loop over SQLite's C interface.
#pragma once

#include "tests/bench/servers.hpp"

namespace tideover::bench {

/// Commits `rows` reviews in batches of 256 into a fresh database with our schema, WAL and FULL synchronous.
Sample run_bare_batches(int rows);

}  // namespace tideover::bench
