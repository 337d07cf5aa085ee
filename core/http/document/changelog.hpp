// What changed in the API: CHANGELOG.md and the fragments of packaging/changes, as they were when the service was
// built.
//
// Threads: thread-safe.
#pragma once
#include <string_view>
#include <vector>

#include "core/http/wire/operations/changelog_json.hpp"

namespace tideover::http {

/// CHANGELOG.md.
std::string_view changelog();
/// The fragments for the audience api: one line `- text` each.
std::string_view changelog_fragments();

/// The lines below the headings "### API", by release, newest first. The fragments belong to the section that is not
/// released, or come before all sections.
std::vector<wire::ChangelogSection> changelog_sections(std::string_view changelog, std::string_view fragments);

}  // namespace tideover::http
