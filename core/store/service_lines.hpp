// The billed lines of a claim in one column.
#pragma once
#include <string>
#include <vector>

#include "core/domain/claim.hpp"

namespace tideover::store {

std::string service_lines_column(const std::vector<domain::ServiceLine>& lines);
std::vector<domain::ServiceLine> service_lines_of(const std::string& column);

}  // namespace tideover::store
