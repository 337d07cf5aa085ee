// Returns the value of a result that a command cannot do without, or throws StartError with the reason.
#pragma once

#include <utility>

#include "core/domain/basics/result.hpp"
#include "core/node/start_error.hpp"

namespace tideover::main {

inline void expect(const domain::Status& done) {
  if (!done) throw StartError(done.error().message);
}

template <class Value>
Value expect(domain::Result<Value> result) {
  if (!result) throw StartError(result.error().message);
  return *std::move(result);
}

}  // namespace tideover::main
