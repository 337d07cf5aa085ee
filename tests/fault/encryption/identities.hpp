// Requests with names, numbers and addresses of persons, and with secrets, in places where the service must drop,
// refuse or encrypt them (core/docs/reliability.md#fault-figures, R33).
#pragma once
#include <string>
#include <vector>

#include "tests/support/world/flow.hpp"

namespace tideover::test {

struct Identities {
  std::vector<std::string> canaries;  // what was sent, and the secrets that the service made
  std::string refusals;               // the bodies of all errors
};

/// Sends everything once.
Identities send_identities(World& world);

}  // namespace tideover::test
