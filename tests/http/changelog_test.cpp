// The changelog of the API.
#include <boost/test/unit_test.hpp>

#include "core/http/document/changelog.hpp"
#include "core/http/wire/operations/changelog_json.hpp"

using tideover::http::changelog_sections;
using tideover::wire::encode_changelog;

namespace {

constexpr std::string_view kReleased =
    "# Changelog\n\n- no entry\n\n## 1.1.0 (2026-11-30)\n\n### API\n\n- Add a list.\n- Breaking: rename it.\n\n"
    "### Rules\n\n- A rule.\n\n## 1.0.0 (2026-10-01)\n\n### Operations\n\n- A setting.\n";

std::string shown(std::string_view changelog, std::string_view fragments) {
  return encode_changelog(changelog_sections(changelog, fragments));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(changelog)

BOOST_AUTO_TEST_CASE(a_section_has_the_lines_for_clients_of_the_api) {
  BOOST_TEST(shown(kReleased, "") ==
             R"({"data":[{"version":"1.1.0","released_on":"2026-11-30","entries":[)"
             R"({"text":"Add a list.","breaking":false},{"text":"Breaking: rename it.","breaking":true}]},)"
             R"({"version":"1.0.0","released_on":"2026-10-01","entries":[]}],"has_more":false,"next_cursor":null})");
}

BOOST_AUTO_TEST_CASE(fragments_are_what_is_not_released) {
  BOOST_TEST(
      shown(kReleased, "- One more.\n")
          .starts_with(
              R"({"data":[{"version":null,"released_on":null,"entries":[{"text":"One more.","breaking":false}]},)"
              R"({"version":"1.1.0")"));
  BOOST_TEST(shown("## 0.1.0 (unreleased)\n\n### API\n\n- First.\n", "- Second.\n") ==
             R"({"data":[{"version":"0.1.0","released_on":null,"entries":[{"text":"First.","breaking":false},)"
             R"({"text":"Second.","breaking":false}]}],"has_more":false,"next_cursor":null})");
}

BOOST_AUTO_TEST_CASE(the_built_in_changelog_has_sections_and_entries) {
  const auto sections = changelog_sections(tideover::http::changelog(), tideover::http::changelog_fragments());
  BOOST_REQUIRE(!sections.empty());
  BOOST_TEST(!sections.front().entries.empty());
}

BOOST_AUTO_TEST_SUITE_END()
