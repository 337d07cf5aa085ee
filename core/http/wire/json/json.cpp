#include "core/http/wire/json/json.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

namespace tideover::json {

namespace {

constexpr std::size_t kMostTextBytes = 0x7fff'ffff;  // offsets are 32 bits wide
/// RapidJSON reads as many bytes after the first byte of a UTF-8 character as that byte announces, even a NUL.
constexpr std::size_t kLongestCharacter = 4;
constexpr std::uint32_t kFewMembers = 12;  // up to this count, comparing all pairs is faster than sorting

/// Line and column of its offset.
void locate(ParseError& error, std::string_view text) {
  const std::string_view before = text.substr(0, error.offset);
  const std::size_t last_newline = before.rfind('\n');
  error.line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  error.column = error.offset - (last_newline == std::string_view::npos ? 0 : last_newline + 1) + 1;
}

ParseOutcome failure(std::string_view text, std::size_t offset, const char* message) {
  ParseError error{offset, 1, 1, message};
  locate(error, text);
  return {std::move(error)};
}

/// Checks that need no parsing.
ParseOutcome refusal_of(std::string_view text) {
  if (text.size() > kMostTextBytes) return failure(text, 0, "text is longer than 2 GiB");
  if (text.starts_with("\xEF\xBB\xBF")) return failure(text, 0, "text starts with a byte order mark");
  // RapidJSON reads up to the first NUL and ignores the rest, so a NUL is refused here.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) return failure(text, nul, "NUL byte");
  return {};
}

/// In place of RapidJSON's texts, which speak of its own number types.
const char* message_of(rapidjson::ParseErrorCode code) {
  switch (code) {
    case rapidjson::kParseErrorNumberTooBig:
      return "number is out of range";
    case rapidjson::kParseErrorNumberMissFraction:
      return "number has no digit after its decimal point";
    case rapidjson::kParseErrorNumberMissExponent:
      return "number has no digit in its exponent";
    default:
      return rapidjson::GetParseError_En(code);
  }
}

/// An escape may be half of a surrogate pair (\udc00), which RapidJSON encodes as if it were a character.
bool holds_surrogate(std::string_view text) {
  for (std::size_t at = text.find('\xED'); at != std::string_view::npos; at = text.find('\xED', at + 1)) {
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xA0) return true;
  }
  return false;
}

}  // namespace

/// Receives RapidJSON's events and builds the nodes. A false return stops the parser; `message_` then has the reason.
class TreeBuilder {
 public:
  TreeBuilder(Document& document, const Limits& limits) : document_(document), limits_(limits) {}

  /// Parses the buffer into the nodes. An error has its offset, but no line yet.
  static ParseOutcome read(Document& document, const Limits& limits);

  bool Null() { return add(Kind::null, 0, 0); }
  bool Bool(bool value) { return add(Kind::boolean, 0, value ? 1 : 0); }
  bool RawNumber(const char* text, std::size_t length, bool) {
    if (length > limits_.number_bytes) {
      return stop(offset_of(text), "number is longer than " + std::to_string(limits_.number_bytes) + " characters");
    }
    return add(Kind::number, offset_of(text), length);
  }
  bool String(const char* text, std::size_t length, bool) { return add_text(text, length, "string"); }
  bool Key(const char* text, std::size_t length, bool) { return add_text(text, length, "key"); }
  bool StartObject() { return open(Kind::object); }
  bool EndObject(std::size_t members) { return keys_differ(members) && close(members); }
  bool StartArray() { return open(Kind::array); }
  bool EndArray(std::size_t elements) { return close(elements); }

  // RapidJSON requires these, but does not call them because numbers are kept as text.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

 private:
  std::size_t offset_of(const char* text) const { return static_cast<std::size_t>(text - document_.buffer_.data()); }

  bool stop(std::size_t offset, std::string message) {
    fault_offset_ = offset;
    message_ = std::move(message);
    return false;
  }

  bool add(Kind kind, std::size_t offset, std::size_t length) {
    if (document_.nodes_.size() >= limits_.nodes) {
      return stop(offset, "more than " + std::to_string(limits_.nodes) + " values");
    }
    const auto node = static_cast<std::uint32_t>(document_.nodes_.size());
    document_.nodes_.push_back(
        {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length), node + 1, kind});
    return true;
  }

  bool add_text(const char* text, std::size_t length, const char* what) {
    const std::size_t offset = offset_of(text);
    const std::string_view decoded(text, length);
    if (length > limits_.string_bytes) {
      return stop(offset, std::string(what) + " is longer than " + std::to_string(limits_.string_bytes) + " bytes");
    }
    if (decoded.find('\0') != std::string_view::npos) return stop(offset, std::string(what) + " has a NUL character");
    if (holds_surrogate(decoded)) return stop(offset, std::string(what) + " has half of a surrogate pair");
    return add(Kind::string, offset, length);
  }

  bool open(Kind kind) {
    if (open_.size() >= limits_.depth) {
      return stop(0, "arrays and objects nest deeper than " + std::to_string(limits_.depth) + " levels");
    }
    open_.push_back(static_cast<std::uint32_t>(document_.nodes_.size()));
    return add(kind, 0, 0);
  }

  bool close(std::size_t count) {
    Document::Node& container = document_.nodes_[open_.back()];
    container.length = static_cast<std::uint32_t>(count);
    container.end = static_cast<std::uint32_t>(document_.nodes_.size());
    open_.pop_back();
    return true;
  }

  std::string_view text_of(std::uint32_t node) const {
    return {document_.buffer_.data() + document_.nodes_[node].offset, document_.nodes_[node].length};
  }

  bool duplicate_key(std::uint32_t node) {
    return stop(document_.nodes_[node].offset, "key appears twice in one object");
  }

  /// Sorts instead of hashing: no input makes it quadratic.
  bool keys_differ(std::size_t members) {
    keys_.clear();
    const auto end = static_cast<std::uint32_t>(document_.nodes_.size());
    for (std::uint32_t key = open_.back() + 1; key < end; key = document_.nodes_[key + 1].end) {
      if (members <= kFewMembers) {
        for (const std::uint32_t earlier : keys_) {
          if (text_of(earlier) == text_of(key)) return duplicate_key(key);
        }
      }
      keys_.push_back(key);
    }
    if (members <= kFewMembers) return true;
    std::sort(keys_.begin(), keys_.end(), [this](std::uint32_t left, std::uint32_t right) {
      const std::string_view a = text_of(left);
      const std::string_view b = text_of(right);
      if (a.size() != b.size()) return a.size() < b.size();
      const int order = a.compare(b);
      return order != 0 ? order < 0 : left < right;
    });
    const auto twin = std::adjacent_find(keys_.begin(), keys_.end(), [this](std::uint32_t left, std::uint32_t right) {
      return text_of(left) == text_of(right);
    });
    return twin == keys_.end() || duplicate_key(*(twin + 1));
  }

  Document& document_;
  const Limits& limits_;
  std::vector<std::uint32_t> open_;  // the containers around the current value
  std::vector<std::uint32_t> keys_;  // scratch memory of keys_differ
  std::string message_;
  std::size_t fault_offset_ = 0;  // 0: the position of the parser
};

ParseOutcome TreeBuilder::read(Document& out, const Limits& limits) {
  const std::size_t bytes = out.buffer_.size();
  out.buffer_.append(kLongestCharacter, '\0');
  out.nodes_.reserve(std::min(limits.nodes, bytes / 8 + 1));

  TreeBuilder builder(out, limits);
  rapidjson::InsituStringStream stream(out.buffer_.data());
  rapidjson::Reader reader;
  constexpr unsigned kFlags = rapidjson::kParseInsituFlag | rapidjson::kParseValidateEncodingFlag |
                              rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag;
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);
  if (!result.IsError()) return {};

  out.nodes_.clear();
  const bool stopped = result.Code() == rapidjson::kParseErrorTermination;
  ParseError error;
  error.offset = std::min(stopped && builder.fault_offset_ != 0 ? builder.fault_offset_ : result.Offset(), bytes);
  error.message = stopped ? builder.message_ : message_of(result.Code());
  return {std::move(error)};
}

ParseOutcome parse(std::string_view text, Document& out, const Limits& limits) {
  out.nodes_.clear();
  out.buffer_.clear();
  if (auto refused = refusal_of(text); !refused) return refused;
  out.buffer_.reserve(text.size() + kLongestCharacter);
  out.buffer_.assign(text);
  auto outcome = TreeBuilder::read(out, limits);
  if (!outcome) {
    out.buffer_.clear();
    locate(*outcome.error, text);
  }
  return outcome;
}

ParseOutcome parse_taking(std::string text, Document& out, const Limits& limits) {
  if (text.size() < kLongText) return parse(std::string_view(text), out, limits);
  out.nodes_.clear();
  out.buffer_.clear();
  if (auto refused = refusal_of(text); !refused) return refused;
  const bool has_escapes = text.find('\\') != std::string::npos;
  out.buffer_ = std::move(text);
  auto outcome = TreeBuilder::read(out, limits);
  if (!outcome) {
    if (has_escapes)
      outcome.error->line = outcome.error->column = 0;  // the strings were decoded in place, so lines cannot be counted
    else
      locate(*outcome.error, out.buffer_);
    out.buffer_.clear();
  }
  return outcome;
}

Value Document::root() const {
  assert(!nodes_.empty() && "root() of a document without a successful parse");
  return {*this, 0};
}

Kind Value::kind() const {
  return document_->nodes_[node_].kind;
}

std::string_view Value::text() const {
  const Document::Node& node = document_->nodes_[node_];
  return {document_->buffer_.data() + node.offset, node.length};
}

bool Value::as_bool() const {
  assert(kind() == Kind::boolean);
  return document_->nodes_[node_].length == 1;
}

std::string_view Value::as_text() const {
  assert(kind() == Kind::string);
  return text();
}

std::string_view Value::raw_number() const {
  assert(kind() == Kind::number);
  return text();
}

Items Value::items() const {
  assert(kind() == Kind::array);
  return {*document_, node_};
}

Members Value::members() const {
  assert(kind() == Kind::object);
  return {*document_, node_};
}

std::optional<Value> Value::find(std::string_view key) const {
  if (kind() != Kind::object) return std::nullopt;
  for (const Member& member : members()) {
    if (member.key == key) return member.value;
  }
  return std::nullopt;
}

std::size_t Value::size() const {
  const Kind is = kind();
  return is == Kind::array || is == Kind::object ? document_->nodes_[node_].length : 0;
}

}  // namespace tideover::json
