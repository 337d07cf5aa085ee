// The Review (spec: Review; contract section 2).
#pragma once
#include <string>

#include "core/domain/review.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

void put_review(json::Writer& out, const domain::Review& review);
std::string encode_review(const domain::Review& review);

}  // namespace tideover::wire
