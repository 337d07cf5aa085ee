#include <boost/test/unit_test.hpp>

#include "core/settings/secret_file.hpp"
#include "tests/crypto/temp_folder.hpp"

using namespace tideover::settings;
using tideover::testing::TempFolder;

namespace {

std::string refusal(const std::filesystem::path& path) {
  const auto result = read_secret_file(path);
  const auto* error = std::get_if<SettingsError>(&result);
  return error == nullptr ? "(accepted)" : error->text();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(settings_secret_file)

BOOST_AUTO_TEST_CASE(a_private_file_gives_its_line_without_the_line_end) {
  const TempFolder folder;
  BOOST_TEST(std::get<std::string>(read_secret_file(folder.write("a", "pass word \n"))) == "pass word ");
  BOOST_TEST(std::get<std::string>(read_secret_file(folder.write("b", "pass"))) == "pass");
}

BOOST_AUTO_TEST_CASE(anything_else_is_refused_with_the_remedy) {
  const TempFolder folder;
  const auto open = folder.write("open", "secret", std::filesystem::perms(0644));
  BOOST_TEST(refusal(open) == open.string() + ": other users may read or write the secret file; run chmod 600 on it");
  const auto empty = folder.write("empty", "\n");
  BOOST_TEST(refusal(empty) == empty.string() + ": the secret file is empty");
  const auto lines = folder.write("lines", "a\nb\n");
  BOOST_TEST(refusal(lines) == lines.string() + ": the secret file has more than one line");
  const auto large = folder.write("large", std::string(5000, 'a'));
  BOOST_TEST(refusal(large) == large.string() + ": the secret file is larger than 4 KiB");
  const auto missing = folder.path() / "missing";
  BOOST_TEST(refusal(missing) == missing.string() + ": cannot open the secret file: No such file or directory");
  BOOST_TEST(refusal(folder.path()) == folder.path().string() + ": cannot read the secret file: Is a directory");
}

BOOST_AUTO_TEST_SUITE_END()
