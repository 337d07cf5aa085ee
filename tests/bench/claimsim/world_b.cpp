#include <stdexcept>

#include "tests/bench/claimsim/world.hpp"

namespace tideover::claimsim {
std::unique_ptr<World> make_world_b(std::uint64_t) { throw std::invalid_argument("world B is not there yet"); }
}  // namespace tideover::claimsim
