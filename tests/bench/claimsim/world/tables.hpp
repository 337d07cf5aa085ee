// payers.csv, fees.csv and tables/*.csv of a book: what a payer and the public tell everybody.
#pragma once
#include <filesystem>

#include "tests/bench/claimsim/world/encounters.hpp"
#include "tests/bench/claimsim/world/world.hpp"

namespace tideover::claimsim {

void write_tables(const World& world, const Encounters& encounters, const std::filesystem::path& book);

}  // namespace tideover::claimsim
