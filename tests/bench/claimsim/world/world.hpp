// A world decides what becomes of claims: with which probabilities they are denied and for which reasons, what they are
// worth, how fast they are paid. The generator draws from these numbers and the oracle averages over them, so the
// oracle is exact up to what oracle.hpp says.
#pragma once
#include <memory>
#include <string_view>

#include "tests/bench/claimsim/world/claim.hpp"
#include "tests/bench/claimsim/world/population.hpp"

namespace tideover::claimsim {

class World {
 public:
  World(const Settings& settings, std::uint64_t seed)
      : settings_(settings), seed_(seed), population_(populate(settings, seed)) {}
  virtual ~World() = default;

  const Settings& settings() const { return settings_; }
  const Population& population() const { return population_; }
  std::uint64_t seed() const { return seed_; }

  /// Claims of a day relative to others, weekday aside.
  virtual double season(domain::Date day) const = 0;
  virtual void odds(const Claim& claim, const ChartMemory& chart, Odds& odds) const = 0;
  /// The contract's price of a line for all units, cents, before lesser-of and multiple reduction.
  virtual double price(const Claim& claim, const Line& line) const = 0;
  virtual PatientShare patient_share(const Claim& claim) const = 0;
  virtual Delay delay(const Claim& claim) const = 0;
  /// P(paid later | denied for this reason).
  virtual double rework(const Claim& claim, Family family) const = 0;

 protected:
  const Payer& payer_of(const Claim& claim) const { return population_.payers[static_cast<std::size_t>(claim.payer)]; }
  const Provider& provider_of(const Claim& claim) const {
    return population_.providers[static_cast<std::size_t>(claim.provider)];
  }
  const Code& code_of(const Line& line) const { return population_.codes[static_cast<std::size_t>(line.code)]; }

  Settings settings_;
  std::uint64_t seed_;
  Population population_;
};

std::unique_ptr<World> make_world_a(std::uint64_t seed);
std::unique_ptr<World> make_world_b(std::uint64_t seed);

}  // namespace tideover::claimsim
