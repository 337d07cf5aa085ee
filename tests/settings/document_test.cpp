#include <boost/test/unit_test.hpp>

#include "core/settings/document.hpp"
#include "tests/crypto/temp_folder.hpp"

using namespace tideover::settings;

namespace {

Node parsed(std::string_view text) {
  return std::get<Node>(parse_document(text, "f"));
}

std::string refusal(std::string_view text) {
  const auto result = parse_document(text, "f");
  const auto* error = std::get_if<SettingsError>(&result);
  return error == nullptr ? "(accepted)" : error->text();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(settings_document)

BOOST_AUTO_TEST_CASE(every_node_knows_its_line_and_column) {
  const Node root = parsed("# comment\nserver:\n  host: 'a'\n  ports: [1, 2]\n");
  BOOST_TEST(root.entries[0].name.where == "f:2:1");
  const Node& server = root.entries[0].value;
  BOOST_TEST(server.where == "f:3:3");
  BOOST_TEST(server.entries[0].value.where == "f:3:9");
  BOOST_TEST(server.entries[0].value.quoted);
  BOOST_TEST(server.entries[1].value.items[1].where == "f:4:14");
  BOOST_TEST(!server.entries[1].value.items[1].quoted);
}

BOOST_AUTO_TEST_CASE(duplicate_keys_stay_visible) {
  BOOST_TEST(parsed("a: 1\na: 2\n").entries.size() == 2u);
}

BOOST_AUTO_TEST_CASE(an_empty_document_is_an_empty_mapping) {
  for (const std::string_view text : {"", "# nothing\n", "---\n"}) {
    const Node root = parsed(text);
    BOOST_TEST((root.kind == Node::Kind::mapping));
    BOOST_TEST(root.entries.empty());
  }
}

BOOST_AUTO_TEST_CASE(surprising_features_of_yaml_are_refused) {
  BOOST_TEST(refusal("a: &x 1\nb: *x\n") == "f:1:4: anchors and aliases are not supported; write the value");
  BOOST_TEST(refusal("a: !!int '1'\n") ==
             "f:1:4: tags such as tag:yaml.org,2002:int are not supported; write the plain value");
  BOOST_TEST(refusal("a: 1\n---\nb: 2\n") == "f:3:1: a second document starts here; use one document only");
}

BOOST_AUTO_TEST_CASE(broken_yaml_is_refused_with_its_position) {
  BOOST_TEST(refusal("a: [1, 2\nb: 3\n") == "f:2:2: not valid YAML: end of sequence flow not found");
  BOOST_TEST(refusal("a:\n\t- 1\n") == "f:2:2: not valid YAML: illegal block entry");
}

BOOST_AUTO_TEST_CASE(deep_nesting_is_refused_not_fatal) {
  BOOST_TEST(refusal(std::string(100'000, '[')).find("not valid YAML") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_unreadable_file_is_named) {
  const tideover::testing::TempFolder folder;
  const auto missing = folder.path() / "missing.yaml";
  BOOST_TEST(std::get<SettingsError>(read_document(missing)).text() ==
             missing.string() + ": cannot read the file: No such file or directory");
  BOOST_TEST(std::get<SettingsError>(read_document(folder.path())).text() ==
             folder.path().string() + ": cannot read the file: Is a directory");
  BOOST_TEST(std::holds_alternative<Node>(read_document(folder.write("empty.yaml", ""))));
}

BOOST_AUTO_TEST_SUITE_END()
