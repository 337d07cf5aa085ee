// Which of the two worlds a credential belongs to; written into every token and secret so that they cannot cross.
#pragma once
#include <cstdint>

namespace tideover::crypto {

enum class Environment : std::uint8_t { sandbox = 1, production = 2 };

}  // namespace tideover::crypto
