// A YAML file as a tree in which every node has its line and column. The tree keeps what messages need: duplicate keys
// stay, and a scalar records whether it was quoted.
// Only a part of YAML is supported, to avoid surprises: one document, no anchors, aliases or tags.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/settings/settings_error.hpp"

namespace tideover::settings {

struct Entry;

struct Node {
  enum class Kind { empty, scalar, list, mapping };

  Kind kind = Kind::empty;
  std::string where;           // "file:line:col"
  std::string scalar;          // the text of a scalar
  bool quoted = false;         // "8080" instead of 8080
  std::vector<Node> items;     // of a list
  std::vector<Entry> entries;  // of a mapping, in order of the file
};

struct Entry {
  Node name;
  Node value;
};

/// The kind of the node for messages: "a whole number", "a list".
std::string_view describe_kind(const Node& node);

/// An empty document is an empty mapping. `file` is the name of the document in messages.
std::variant<Node, SettingsError> parse_document(std::string_view text, const std::filesystem::path& file);
std::variant<Node, SettingsError> read_document(const std::filesystem::path& file);

}  // namespace tideover::settings
