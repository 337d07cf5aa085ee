// Every YAML and JSON file of the repository names each key once: of two, readers take one or the other or refuse the
// file.
#include <yaml-cpp/yaml.h>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <map>

#include "tests/contract/openapi.hpp"
#include "tests/support/service/service_folder.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

void find_duplicates(const YAML::Node& node, const std::string& file, std::vector<std::string>& found) {
  if (node.IsSequence())
    for (const auto& item : node) find_duplicates(item, file, found);
  if (!node.IsMap()) return;
  std::map<std::string, int> first_lines;
  for (const auto& entry : node) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : YAML::Dump(entry.first);
    const int line = entry.first.Mark().line + 1;
    const auto [first, is_new] = first_lines.emplace(key, line);
    if (!is_new)
      found.push_back(file + ":" + std::to_string(line) + ": duplicate key " + key + ", first in line " +
                      std::to_string(first->second));
    find_duplicates(entry.second, file, found);
  }
}

std::vector<std::string> duplicates(const std::string& text, const std::string& file) {
  std::vector<std::string> found;
  for (const auto& document : YAML::LoadAll(text)) find_duplicates(document, file, found);
  return found;
}

BOOST_AUTO_TEST_SUITE(yaml)

BOOST_AUTO_TEST_CASE(a_duplicate_key_is_found_at_any_depth) {
  BOOST_TEST(duplicates("a: [{b: {c: 1, d: 2}}]\ne: 1\n", "x").empty());
  BOOST_TEST(duplicates("a: 1\nb: 2\na: 3\n", "x") == std::vector<std::string>{"x:3: duplicate key a, first in line 1"},
             boost::test_tools::per_element());
  BOOST_TEST(duplicates("a:\n  - b:\n      c: 1\n      'c': 1\n", "x").size() == 1u);
  BOOST_TEST(duplicates("--- {a: 1}\n--- {a: 1, a: 2}\n", "x").size() == 1u);
  BOOST_TEST(duplicates(R"({"a": {"b": 1, "b": 1}})", "x").size() == 1u);
}

BOOST_AUTO_TEST_CASE(no_file_of_the_repository_has_a_duplicate_key) {
  const fs::path root = TIDEOVER_SOURCE_DIR;
  std::size_t files = 0;
  std::vector<std::string> found;
  for (const char* folder : {".ci", ".github", "api", "config", "core", "packaging", "plugins", "rules", "tests"})
    for (auto at = fs::recursive_directory_iterator(root / folder); at != fs::recursive_directory_iterator(); ++at) {
      const std::string ending = at->path().extension();
      if (!at->is_regular_file() || (ending != ".yaml" && ending != ".yml" && ending != ".json")) continue;
      ++files;
      const auto more = duplicates(read_file(at->path()), fs::relative(at->path(), root));
      found.insert(found.end(), more.begin(), more.end());
    }
  BOOST_TEST(files > 20u);
  BOOST_TEST(found.empty(), listed(found));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
