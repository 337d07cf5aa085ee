// A long remittance that is posted in chunks, each in a transaction of its own, so that other writers go in between.
// The posting goes through the claims three times: takebacks with the provider adjustments and the payments that they
// may count on; then the other claims; then those that wait for the result of another claim.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"

namespace tideover::domain {

enum class PostingPhase { takebacks, claims, rest };

struct RemittancePosting {
  RemittanceId remittance;
  std::string matched_by;  // the name of the matching step that joined remittance and deposit
  PostingPhase phase = PostingPhase::takebacks;
  int next = 0;               // position of the first claim of this phase that is not done
  std::int64_t revision = 0;  // changes with the claims of the remittance
  bool again = false;         // go through the claims once more before the posting ends
  Timestamp moved_at{};
};

/// A remittance with more claims is posted in chunks of this many.
struct PostingSizes {
  std::size_t at_once = 500;
  std::size_t chunk = 200;
};

}  // namespace tideover::domain
