// The pages below /docs that are built into the program. Without them (TIDEOVER_API_REFERENCE=OFF) there is nothing to
// test.
#include <boost/test/unit_test.hpp>

#include <regex>
#include <set>

#include "core/http/document/reference.hpp"
#include "core/http/gzip.hpp"

using namespace tideover::http;

namespace {

std::set<std::string> matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) found.insert((*at)[1]);
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reference)

BOOST_AUTO_TEST_CASE(a_path_leads_to_its_file_and_another_to_none) {
  for (const auto& file : reference_files()) BOOST_TEST(reference_file(file.path) == &file, file.path);
  for (const char* path : {"", "/docs/", "/docs/guides/", "/docs/guides/none", "/docs/../docs"})
    BOOST_TEST(reference_file(path) == nullptr, path);
}

BOOST_AUTO_TEST_CASE(a_page_loads_nothing_from_another_origin) {
  for (const auto& file : reference_files()) {
    const auto content = gunzip(file.packed);
    BOOST_TEST(content.size() > 500u, file.path);
    if (file.policy.empty()) continue;
    BOOST_TEST(file.type == "text/html; charset=utf-8", file.path);
    BOOST_TEST(file.policy.starts_with("default-src 'none'; "), file.path);
    for (const char* source : {"http:", "https:", "*", "unsafe-eval", "script-src 'unsafe-inline'"})
      BOOST_TEST(file.policy.find(source) == std::string_view::npos, file.path << " allows " << source);
    const auto loaded =
        matches(content, R"re(<(?:script|img|iframe|link|redoc)[^>]*\s(?:src|href|spec-url)="([^"]*)")re");
    for (const auto& address : loaded)
      BOOST_TEST((address.starts_with('/') || address == "data:,"), file.path << " loads " << address);
    BOOST_TEST(content.find("@import") == std::string::npos, file.path);
    BOOST_TEST(content.find("url(") == std::string::npos, file.path);
  }
}

BOOST_AUTO_TEST_CASE(a_link_of_a_page_leads_to_a_page_of_the_service) {
  const std::set<std::string> others{"/docs/errors", "/v1/openapi.json", "/v1/openapi.yaml"};
  for (const auto& file : reference_files()) {
    if (file.policy.empty()) continue;
    const auto content = gunzip(file.packed);
    for (const auto& link : matches(content, R"re(<a href="(/[^"]*)")re")) {
      const auto path = link.substr(0, link.find('#'));
      const auto* target = reference_file(path);
      BOOST_TEST((target || others.contains(path)), file.path << ": " << link);
      if (!target || path == link) continue;
      const auto id = "id=\"" + link.substr(path.size() + 1) + '"';
      BOOST_TEST(gunzip(target->packed).find(id) != std::string::npos, file.path << ": " << link);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_script_is_named_with_its_version_and_loads_no_logo) {
  const auto *page = reference_file("/docs"), *script = reference_file("/docs/redoc.js");
  BOOST_REQUIRE((page == nullptr) == (script == nullptr));
  if (!page) return;
  BOOST_TEST(gunzip(page->packed).find("src=\"/docs/redoc.js?v=" + std::string(script->digest) + '"') !=
             std::string::npos);
  const auto content = gunzip(script->packed);
  BOOST_TEST(content.find("cdn.redoc.ly") == std::string::npos);
  BOOST_TEST(content.find("The MIT License") != std::string::npos);
  BOOST_TEST(script->packed.size() < 500'000u);
}

BOOST_AUTO_TEST_SUITE_END()
