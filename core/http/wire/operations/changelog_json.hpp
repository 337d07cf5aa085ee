// The changelog of the API as JSON (openapi.yaml: GET /v1/changelog). Pure functions.
#pragma once
#include <string>
#include <vector>

namespace tideover::wire {

struct ChangelogSection {
  std::string version;      // empty: after the newest release
  std::string released_on;  // a date; empty: not released yet
  std::vector<std::string> entries;
};

/// An entry that starts with "Breaking:" is marked as such.
std::string encode_changelog(const std::vector<ChangelogSection>& sections);

}  // namespace tideover::wire
