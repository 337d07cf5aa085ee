#include "json_row.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>
#include <rapidjson/stream.h>

#include <algorithm>
#include <unordered_set>

namespace ndjson {
namespace {

constexpr std::size_t kDeepest = 32;
constexpr std::size_t kMostFields = 10'000;
/// Up to this number the field names of a row are compared one by one, which is cheaper than a set for an ordinary
/// claim.
constexpr std::size_t kFewFields = 64;

/// The line is UTF-8, but RapidJSON reads an escape of half a surrogate pair (\udc00) as a character.
bool holds_surrogate(std::string_view text) {
  for (auto at = text.find('\xED'); at != std::string_view::npos; at = text.find('\xED', at + 1))
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xA0) return true;
  return false;
}

/// Keeps the path of the current value. A false return stops the reader; `fault` then has the reason.
class Flattener : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Flattener> {
 public:
  Flattener(const claim_rows::Mapping& mapping, tideover::sdk::Pairs& fields) : mapping_(mapping), fields_(fields) {}

  bool Null() { return begin_value(); }
  bool Bool(bool value) { return add(value ? "true" : "false"); }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) { return add({text, length}); }
  bool String(const char* text, rapidjson::SizeType length, bool) { return add({text, length}); }

  bool StartObject() { return begin_container(false); }
  bool EndObject(rapidjson::SizeType) { return end_container(); }
  bool StartArray() { return begin_container(true); }
  bool EndArray(rapidjson::SizeType) { return end_container(); }

  bool Key(const char* text, rapidjson::SizeType length, bool) {
    const std::string_view key(text, length);
    if (key.empty() || key.find('\0') != std::string_view::npos) return stop("a key is empty or contains NUL");
    if (holds_surrogate(key)) return stop("a key contains half a surrogate pair");
    path_.resize(levels_.back().path_length);
    if (!path_.empty()) path_ += '.';
    path_ += levels_.size() == 1 ? mapping_.field_of(key) : key;
    return true;
  }

  const std::string& fault() const { return fault_; }

 private:
  struct Level {
    std::size_t path_length;
    bool is_array;
    std::size_t next_index;
  };

  bool stop(const char* why) {
    fault_ = why;
    return false;
  }

  /// An element of an array has its index in the path; a member already has its key there.
  bool begin_value() {
    if (levels_.empty()) return stop("the line is not a JSON object");
    Level& level = levels_.back();
    if (level.is_array) {
      path_.resize(level.path_length);
      path_ += '[' + std::to_string(level.next_index++) + ']';
    }
    return true;
  }

  bool add(std::string_view text) {
    if (!begin_value()) return false;
    if (text.find('\0') != std::string_view::npos) return stop("a value contains NUL");
    if (holds_surrogate(text)) return stop("a value contains half a surrogate pair");
    if (fields_.size() >= kMostFields) return stop("the row has too many fields");
    if (!is_new()) return stop("a field is duplicate");
    fields_.emplace_back(path_, text);
    return true;
  }

  bool is_new() {
    if (fields_.size() < kFewFields)
      return std::none_of(fields_.begin(), fields_.end(), [&](const auto& field) { return field.first == path_; });
    if (seen_.empty())
      for (const auto& field : fields_) seen_.insert(field.first);
    return seen_.insert(path_).second;
  }

  bool begin_container(bool is_array) {
    if (levels_.empty() ? is_array : !begin_value()) return stop("the line is not a JSON object");
    if (levels_.size() >= kDeepest) return stop("the row is nested deeper than 32 levels");
    levels_.push_back({path_.size(), is_array, 0});
    return true;
  }

  bool end_container() {
    path_.resize(levels_.back().path_length);
    levels_.pop_back();
    return true;
  }

  const claim_rows::Mapping& mapping_;
  tideover::sdk::Pairs& fields_;
  std::vector<Level> levels_;
  std::string path_;
  std::unordered_set<std::string> seen_;  // used when there are many fields
  std::string fault_;
};

}  // namespace

std::string flatten(std::string_view line, const claim_rows::Mapping& mapping, tideover::sdk::Pairs& fields) {
  // Strings are decoded in place, in a copy. The line was checked to be UTF-8 before.
  constexpr unsigned kFlags =
      rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseInsituFlag | rapidjson::kParseIterativeFlag;
  std::string copy(line);
  rapidjson::InsituStringStream stream(copy.data());
  rapidjson::Reader reader;
  fields.reserve(kFewFields / 2);
  Flattener flattener(mapping, fields);
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, flattener);
  if (!flattener.fault().empty()) return flattener.fault();
  if (result.IsError())
    return "not valid JSON at column " + std::to_string(result.Offset() + 1) + ": " +
           rapidjson::GetParseError_En(result.Code());
  return {};
}

}  // namespace ndjson
