// Returns the value of a result that a command cannot do without, or throws StartError with the reason.
#pragma once

#include <utility>

#include "core/domain/basics/result.hpp"
#include "core/node/start_error.hpp"

namespace tideover::admin {

inline void expect(const domain::Status& done) {
  if (!done) throw node::StartError(done.error().message);
}

template <class Value>
Value expect(domain::Result<Value> result) {
  if (!result) throw node::StartError(result.error().message);
  return *std::move(result);
}

}  // namespace tideover::admin
