// `limit` and `cursor` of every collection (contract section 5).
#pragma once
#include <string>

#include "core/http/context.hpp"

namespace tideover::http {

struct Page {
  std::size_t limit = 25;
  std::string after;
};

/// Error invalid_parameter for a limit that is not 1 to 100.
domain::Result<Page> page_of(const Context& context);

}  // namespace tideover::http
