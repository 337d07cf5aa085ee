#include "core/settings/document.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

namespace tideover::settings {
namespace {

std::string place(const std::string& file, const YAML::Mark& mark) {
  return file + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
}

// Thrown from the parser by TreeBuilder and caught in parse_document.
struct Refused {
  SettingsError error;
};

// Builds the tree from the parser's events. open_ has the unfinished lists and mappings, outermost first.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string file) : file_(std::move(file)) {}

  Node take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(begin(mark, anchor, "", Node::Kind::empty));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_reference(mark); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    Node node = begin(mark, anchor, tag, Node::Kind::scalar);
    node.scalar = text;
    node.quoted = tag == "!";
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open_.push_back({begin(mark, anchor, tag, Node::Kind::list), std::nullopt});
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open_.push_back({begin(mark, anchor, tag, Node::Kind::mapping), std::nullopt});
  }
  void OnMapEnd() override { close(); }

 private:
  struct Unfinished {
    Node node;
    std::optional<Node> key;  // of a mapping: read, value still missing
  };

  [[noreturn]] void refuse_reference(const YAML::Mark& mark) const {
    throw Refused{{place(file_, mark), "anchors and aliases are not supported; write the value"}};
  }

  // yaml-cpp reports "?" for a plain node and "!" for a quoted scalar; any other tag is explicit.
  Node begin(const YAML::Mark& mark, YAML::anchor_t anchor, const std::string& tag, Node::Kind kind) const {
    if (anchor != YAML::NullAnchor) refuse_reference(mark);
    if (!tag.empty() && tag != "?" && tag != "!") {
      throw Refused{{place(file_, mark), "tags such as " + tag + " are not supported; write the plain value"}};
    }
    Node node;
    node.kind = kind;
    node.where = place(file_, mark);
    return node;
  }

  void close() {
    Node finished = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(finished));
  }

  void add(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Unfinished& parent = open_.back();
    if (parent.node.kind == Node::Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      parent.key = std::move(node);
    } else {
      parent.node.entries.push_back({std::move(*parent.key), std::move(node)});
      parent.key.reset();
    }
  }

  const std::string file_;
  std::vector<Unfinished> open_;
  Node root_;
};

}  // namespace

std::string_view describe_kind(const Node& node) {
  switch (node.kind) {
    case Node::Kind::empty:
      return "nothing";
    case Node::Kind::scalar:
      return node.quoted ? "a quoted text" : "a single value";
    case Node::Kind::list:
      return "a list";
    case Node::Kind::mapping:
      return "a mapping";
  }
  return "";
}

std::variant<Node, SettingsError> parse_document(std::string_view text, const std::filesystem::path& file) {
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    TreeBuilder first(file.string());
    parser.HandleNextDocument(first);
    TreeBuilder second(file.string());
    if (parser.HandleNextDocument(second)) {
      return SettingsError{second.take_root().where, "a second document starts here; use one document only"};
    }
    Node root = first.take_root();
    if (root.kind == Node::Kind::empty) {
      root.kind = Node::Kind::mapping;
      root.where = file.string() + ":1:1";
    }
    return root;
  } catch (const Refused& refused) {
    return refused.error;
  } catch (const YAML::Exception& error) {
    return SettingsError{place(file.string(), error.mark), "not valid YAML: " + error.msg};
  }
}

std::variant<Node, SettingsError> read_document(const std::filesystem::path& file) {
  const auto refuse = [&](int error) {
    return SettingsError{file.string(), std::string("cannot read the file: ") + std::strerror(error)};
  };
  std::error_code unknown;
  if (std::filesystem::is_directory(file, unknown)) return refuse(EISDIR);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return refuse(errno);
  const auto mode = std::filesystem::status(file, unknown).permissions();
  if ((mode & std::filesystem::perms::others_write) != std::filesystem::perms::none)
    return SettingsError{file.string(),
                         "is writable by all users, so any user could change the configuration; run chmod o-w on it"};
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  return parse_document(text, file);
}

}  // namespace tideover::settings
