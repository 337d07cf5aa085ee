// The one JSON reader, strict (RFC 8259, UTF-8). It builds a small immutable tree whose numbers stay text as sent, so
// that money never passes through a double. It also refuses duplicate keys, NUL and lone surrogates in strings, a byte
// order mark, and input that exceeds Limits. Thread contract: parse() fills a Document; afterwards any number of
// threads may read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::json {

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

inline constexpr std::size_t kLongText = 1 << 20;  // a second copy of such a text would cost too much memory

struct Limits {
  std::size_t depth = 32;                             // nesting of arrays and objects
  std::size_t string_bytes = std::size_t{64} * 1024;  // one string or key, decoded
  std::size_t number_bytes = 128;                     // one number, as written
  std::size_t nodes = 1'000'000;                      // values and keys together
};

struct ParseError {
  std::size_t offset = 0;  // byte offset in the text
  std::size_t line = 1;    // from 1; 0: unknown, for a long text with escapes
  std::size_t column = 1;  // bytes, from 1; 0: unknown
  std::string message;     // what is wrong; never quotes the text
};

/// True when the text was parsed.
struct ParseOutcome {
  std::optional<ParseError> error;
  explicit operator bool() const { return !error; }
};

struct Member;
class Items;
class Members;

/// One value of a Document: a small handle that must not outlive the Document. Moving the Document invalidates its
/// handles.
class Value {
 public:
  Kind kind() const;
  bool is_null() const { return kind() == Kind::null; }

  // Each of these requires the matching kind; another kind is a programming error (assert).
  bool as_bool() const;
  std::string_view as_text() const;     // string, decoded
  std::string_view raw_number() const;  // number, exactly as written
  Items items() const;                  // array
  Members members() const;              // object, in the order written
  /// The member of that name; none when this is not an object or has no such member. Time is linear in the members.
  std::optional<Value> find(std::string_view key) const;

  /// Number of elements of an array or members of an object; else 0.
  std::size_t size() const;

 private:
  friend class Document;
  friend class Items;
  friend class Members;
  Value(const class Document& document, std::uint32_t node) : document_(&document), node_(node) {}
  std::string_view text() const;

  const class Document* document_;
  std::uint32_t node_;
};

struct Member {
  std::string_view key;
  Value value;
};

/// Owns the text (decoded in place) and its nodes. Reuse a Document for many texts to keep its memory.
class Document {
 public:
  /// The root value. Only after a successful parse().
  Value root() const;

 private:
  friend class Value;
  friend class Items;
  friend class Members;
  friend class TreeBuilder;
  friend ParseOutcome parse(std::string_view text, Document& out, const Limits& limits);
  friend ParseOutcome parse_taking(std::string text, Document& out, const Limits& limits);

  // Nodes are in the order of the text: a container precedes its content; a member is its key, then its value.
  struct Node {
    std::uint32_t offset;  // into buffer_: strings, keys, numbers
    std::uint32_t length;  // bytes of text; elements or members of a container; 0 or 1 of a boolean
    std::uint32_t end;     // the node after this one and its content
    Kind kind;
  };

  std::string buffer_;
  std::vector<Node> nodes_;
};

/// Parses `text` into `out`. On failure `out` is empty. Time is linear in the text, and n log n in the keys of one
/// object.
ParseOutcome parse(std::string_view text, Document& out, const Limits& limits = {});
/// As parse(), but takes over the memory of a long text that has capacity for four more bytes, instead of copying it.
ParseOutcome parse_taking(std::string text, Document& out, const Limits& limits = {});

/// A text of `value` that is equal for equal values: keys sorted by bytes, no blanks, one spelling per string and
/// number (1.0, 1.00 and 1e0 are all `1`). For fingerprints of requests, not for output. A long string is replaced by
/// `#` and its `digest`, which saves a copy.
std::string canonical(const Value& value, const std::function<std::string(std::string_view)>& digest);

class Items {
 public:
  class iterator {
   public:
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    Value operator*() const { return {*document_, node_}; }
    iterator& operator++() {
      node_ = document_->nodes_[node_].end;
      return *this;
    }
    bool operator==(const iterator&) const = default;

   private:
    friend class Items;
    iterator(const Document& document, std::uint32_t node) : document_(&document), node_(node) {}
    const Document* document_;
    std::uint32_t node_;
  };

  iterator begin() const { return {*document_, node_ + 1}; }
  iterator end() const { return {*document_, document_->nodes_[node_].end}; }

 private:
  friend class Value;
  Items(const Document& document, std::uint32_t node) : document_(&document), node_(node) {}
  const Document* document_;
  std::uint32_t node_;
};

class Members {
 public:
  class iterator {
   public:
    using value_type = Member;
    using difference_type = std::ptrdiff_t;
    Member operator*() const { return {Value(*document_, node_).text(), Value(*document_, node_ + 1)}; }
    iterator& operator++() {
      node_ = document_->nodes_[node_ + 1].end;
      return *this;
    }
    bool operator==(const iterator&) const = default;

   private:
    friend class Members;
    iterator(const Document& document, std::uint32_t node) : document_(&document), node_(node) {}
    const Document* document_;
    std::uint32_t node_;
  };

  iterator begin() const { return {*document_, node_ + 1}; }
  iterator end() const { return {*document_, document_->nodes_[node_].end}; }

 private:
  friend class Value;
  Members(const Document& document, std::uint32_t node) : document_(&document), node_(node) {}
  const Document* document_;
  std::uint32_t node_;
};

}  // namespace tideover::json
