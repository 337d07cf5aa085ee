// The hold-out of remittance situations: each ends as its file expects, except those of pending.txt. A situation of
// pending.txt that ends right fails too, so that the list only gets shorter.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/usecases/holdout/situation_runner.hpp"

using namespace tideover;
using tests::SituationRunner;

namespace {

const std::filesystem::path kSource = TIDEOVER_SOURCE_DIR;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  BOOST_REQUIRE_MESSAGE(file, path << " is not readable");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> situations() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "tests/data/holdout/remittances"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::set<std::string> pending() {
  std::set<std::string> names;
  std::istringstream lines(read_file(kSource / "tests/usecases/holdout/pending.txt"));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line.front() != '#') names.insert(line);
  return names;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(holdout)

BOOST_AUTO_TEST_CASE(every_situation_ends_as_its_file_expects) {
  auto not_yet = pending();
  const auto files = situations();
  BOOST_TEST(files.size() == 60u);
  std::size_t right = 0;
  for (const auto& path : files) {
    const auto name = path.stem().string();
    BOOST_TEST_CONTEXT(name) {
      const test::Json situation(read_file(path));
      SituationRunner runner(situation);
      const auto differences = runner.run();
      runner.teardown();
      const bool is_pending = not_yet.erase(name) > 0;
      right += differences.empty() ? 1 : 0;
      for (const auto& difference : differences) {
        if (is_pending)
          BOOST_TEST_MESSAGE(name << ": " << difference);
        else
          BOOST_ERROR(difference);
      }
      BOOST_TEST((!is_pending || !differences.empty()), "ends right: remove it from pending.txt");
    }
  }
  for (const auto& name : not_yet) BOOST_ERROR("pending.txt names " << name << ", which is no situation");
  BOOST_TEST_MESSAGE(right << " of " << files.size() << " situations end right");
}

BOOST_AUTO_TEST_SUITE_END()
