// Decisions of the recourse policy (openapi.yaml: RecourseEntry). Pure functions.
#pragma once
#include <vector>

#include "core/domain/funding/recourse.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

/// The field `recourse`; nothing where there is no entry.
void put_recourse(json::Writer& out, const std::vector<domain::RecourseEntry>& entries);

}  // namespace tideover::wire
