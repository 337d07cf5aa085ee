// The memory limits of the estimators (core/docs/prediction.md#limits-of-memory). Tests use small ones.
#pragma once
#include <cstddef>

namespace tideover::estimators {

struct Options {
  std::size_t cells = 1'000'000;
  std::size_t prices = 1'000'000;
  std::size_t payers = 5'000;    // with a delay of their own; further ones share their class's
  std::size_t charts = 700'000;  // in each of three memories
  std::size_t look_alikes = 5'000'000;
  std::size_t open_claims = 400'000;  // submitted, and kept while an answer may come
  std::size_t matured = 200'000;      // for the blend and its calibration
  int days_to_live = 400;             // of charts, look-alikes and claims
};

}  // namespace tideover::estimators
