// What changed in the API: CHANGELOG.md and the fragments of packaging/changes, as they were when the service was
// built.
//
// Threads: thread-safe.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tideover::http {

struct ChangelogSection {
  std::string version;      // empty: after the newest release
  std::string released_on;  // a date; empty: not released yet
  std::vector<std::string> entries;
};

/// CHANGELOG.md.
std::string_view changelog();
/// The fragments for the audience api: one line `- text` each.
std::string_view changelog_fragments();

/// The lines below the headings "### API", by release, newest first. The fragments belong to the section that is not
/// released, or come before all sections.
std::vector<ChangelogSection> changelog_sections(std::string_view changelog, std::string_view fragments);

}  // namespace tideover::http
