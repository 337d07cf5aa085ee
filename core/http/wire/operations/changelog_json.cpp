#include "core/http/wire/operations/changelog_json.hpp"

#include "core/http/wire/basics/list_json.hpp"

namespace tideover::wire {
namespace {

void put_text_or_null(json::Writer& out, const char* name, const std::string& text) {
  out.key(name);
  if (text.empty())
    out.null();
  else
    out.string(text);
}

}  // namespace

std::string encode_changelog(const std::vector<http::ChangelogSection>& sections) {
  return encode_list(
      sections, PageFrame{sections.size()},
      [](json::Writer& out, const http::ChangelogSection& section) {
        out.begin_object();
        put_text_or_null(out, "version", section.version);
        put_text_or_null(out, "released_on", section.released_on);
        out.key("entries").begin_array();
        for (const auto& entry : section.entries) {
          out.begin_object();
          out.key("text").string(entry);
          out.key("breaking").boolean(entry.starts_with("Breaking:"));
          out.end_object();
        }
        out.end_array();
        out.end_object();
      },
      [](const http::ChangelogSection& section) { return section.version; });
}

}  // namespace tideover::wire
