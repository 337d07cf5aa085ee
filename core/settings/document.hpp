// A YAML file as a plain tree in which every node knows its line and column. The tree keeps what error messages need:
// duplicate keys stay, and a scalar remembers whether it was quoted.
// A subset of YAML on purpose: one document, no anchors, aliases or tags, so that a file has one meaning. Pure
// functions apart from reading the file.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/settings/settings_error.hpp"

namespace tideover::settings {

struct Node {
  enum class Kind { empty, scalar, list, mapping };

  Kind kind = Kind::empty;
  std::string where;                           // "file:line:col"
  std::string scalar;                          // the text of a scalar
  bool quoted = false;                         // "8080", not 8080
  std::vector<Node> items;                     // of a list
  std::vector<std::pair<Node, Node>> entries;  // of a mapping, in the order of the file
};

/// "a whole number", "a list": the kind of the node in messages.
std::string_view describe_kind(const Node& node);

/// An empty document is an empty mapping. `file` is the name of the document in messages.
std::variant<Node, SettingsError> parse_document(std::string_view text, const std::filesystem::path& file);
std::variant<Node, SettingsError> read_document(const std::filesystem::path& file);

}  // namespace tideover::settings
