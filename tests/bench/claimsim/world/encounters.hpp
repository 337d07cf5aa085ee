// Draws the claims of a book in the order of their submission: who treated whom, what was billed, which mistakes were
// made. It knows nothing of denials.
#pragma once
#include <deque>
#include <map>

#include "tests/bench/claimsim/world/claim.hpp"
#include "tests/bench/claimsim/world/world.hpp"

namespace tideover::claimsim {

class Encounters {
 public:
  Encounters(const World& world, int claims);

  /// Claims of each day of the span, summing to what was asked for.
  int claims_on(int day_index) const;
  Claim draw(domain::Date submitted);

  /// Does this payer want an authorization for this code? The book tells it in tables/pa_list.csv.
  bool authorization_listed(int payer, int code) const;

 private:
  Claim fresh(domain::Date submitted);
  Claim again(domain::Date submitted);
  void add_line(Claim& claim, int code);
  void make_mistakes(Claim& claim);
  void price_lines(Claim& claim);
  bool is_addon(int code) const;
  bool bundled(int paid, int other) const;
  void tell_extras(Claim& claim);

  const World& world_;
  const Population& population_;
  Random random_;
  int next_id_ = 0;
  std::vector<int> claims_upto_;
  std::deque<Claim> recent_;                          // what may be sent once more
  std::map<int, std::vector<const Pair*>> pairs_of_;  // by the code that is paid
};

}  // namespace tideover::claimsim
