// Exchanges that tests had with the service, for a check of every response against api/rest (tests/contract/npm). Safe
// from any thread and from several processes.
#pragma once

#include <string>

#include "tests/support/raw_http.hpp"

namespace tideover::test {

/// Appends a line of JSON {request, head, body} to the file that TIDEOVER_TEST_EXCHANGES names; without the variable,
/// without a whole response and for a compressed body it does nothing. `request` is the request line without the
/// version.
void log_exchange(const std::string& request, const RawResponse& response);

}  // namespace tideover::test
