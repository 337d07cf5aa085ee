// The changelog of the API as JSON (openapi.yaml: GET /v1/changelog). Pure functions.
#pragma once
#include <string>
#include <vector>

#include "core/http/document/changelog.hpp"

namespace tideover::wire {

/// An entry that starts with "Breaking:" is marked as such.
std::string encode_changelog(const std::vector<http::ChangelogSection>& sections);

}  // namespace tideover::wire
