#include "core/http/document/changelog.hpp"

#include <algorithm>

namespace tideover::http {
namespace {

/// The first line; `text` becomes the rest.
std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// "## 1.4.0 (2026-11-30)" or "## 1.4.0 (unreleased)", without the mark.
ChangelogSection section_of(std::string_view heading) {
  const auto open = heading.find(" (");
  ChangelogSection section{std::string(heading.substr(0, open)), "", {}};
  if (open == std::string_view::npos || !heading.ends_with(')')) return section;
  const auto day = heading.substr(open + 2, heading.size() - open - 3);
  if (day != "unreleased") section.released_on = day;
  return section;
}

}  // namespace

std::vector<ChangelogSection> changelog_sections(std::string_view changelog, std::string_view fragments) {
  constexpr std::string_view kRelease = "## ", kAudience = "### ", kEntry = "- ", kApi = "### API";
  std::vector<ChangelogSection> sections;
  bool is_api = false;
  while (!changelog.empty()) {
    const auto line = take_line(changelog);
    if (line.starts_with(kRelease)) {
      sections.push_back(section_of(line.substr(kRelease.size())));
      is_api = false;
    } else if (line.starts_with(kAudience)) {
      is_api = line == kApi;
    } else if (is_api && line.starts_with(kEntry) && !sections.empty()) {
      sections.back().entries.emplace_back(line.substr(kEntry.size()));
    }
  }
  if (fragments.empty()) return sections;
  if (sections.empty() || !sections.front().released_on.empty()) sections.insert(sections.begin(), ChangelogSection{});
  while (!fragments.empty())
    if (const auto line = take_line(fragments); line.starts_with(kEntry))
      sections.front().entries.emplace_back(line.substr(kEntry.size()));
  return sections;
}

}  // namespace tideover::http
