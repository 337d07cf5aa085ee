// Reads the fields of one JSON object by name and type, and collects all faults. null counts as absent. Names must be
// literals: they are kept as views. A field that no reader asked for is ignored and listed, or is a fault when the
// client asked for strict handling.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/money.hpp"
#include "core/domain/basics/result.hpp"
#include "core/http/wire/json/json.hpp"

namespace tideover::wire {

/// A client's field name in a form that is safe in an answer and in a header: shortened, and without characters that
/// could end the value.
std::string presentable(std::string_view name);

struct Faults {
  static constexpr std::size_t kMostNamed = 1000;
  static constexpr std::size_t kMostIgnored = 20;

  std::vector<domain::FieldFault> fields;  // the first kMostNamed faults
  std::size_t count = 0;                   // number of all faults
  std::vector<std::string> ignored;        // the first kMostIgnored names

  void add(std::string path, std::string problem) {
    if (++count <= kMostNamed) fields.push_back({std::move(path), std::move(problem)});
  }
  bool has(std::string_view path) const;
  void ignore(std::string path) {
    if (ignored.size() < kMostIgnored) ignored.push_back(std::move(path));
  }
  /// One Error with all faults; nullopt when there are none.
  std::optional<domain::Error> error() const;
};

class ObjectReader {
 public:
  /// `prefix` is the path of the object: "" at the top, else for example "funding.".
  ObjectReader(json::Value object, std::string prefix, Faults& faults)
      : object_(object), prefix_(std::move(prefix)), faults_(faults) {}

  /// Reads the object with this JSON merge patch (RFC 7396) applied to its members, which are not objects themselves.
  /// Only the patch can have names that are ignored.
  ObjectReader& patched_by(json::Value patch) {
    patch_ = patch;
    return *this;
  }

  std::optional<std::string> text(std::string_view name);
  /// A string of at most `max` characters, none of them a control character.
  std::optional<std::string> short_text(std::string_view name, std::size_t max);
  /// The same, required and with a character that is no blank. Adds a fault and returns "" when it is not.
  std::string required_text(std::string_view name, std::size_t max);
  /// Bytes from Base64 (RFC 4648 section 4, padded, without line breaks).
  std::optional<std::string> bytes(std::string_view name);
  std::optional<std::string> number(std::string_view name);  // raw
  /// An amount in US dollars. A `currency` next to it must be USD.
  std::optional<domain::Money> money(std::string_view name, bool negative_allowed = false);
  std::optional<domain::Date> date(std::string_view name);
  /// A date, which means midnight UTC, or an instant in the format of the service.
  std::optional<domain::Timestamp> date_or_timestamp(std::string_view name);
  std::optional<bool> boolean(std::string_view name);
  std::optional<json::Value> array(std::string_view name);
  /// An array of strings; empty when absent.
  std::vector<std::string> texts(std::string_view name);
  std::optional<ObjectReader> object(std::string_view name);

  /// The value; adds a "required" fault and returns the default when it is absent.
  template <class T>
  T required(std::optional<T> value, std::string_view name) {
    if (value) return std::move(*value);
    require(name);
    return T{};
  }
  void require(std::string_view name);
  void fault(std::string_view name, std::string problem) {
    faults_.add(prefix_ + std::string(name), std::move(problem));
  }
  std::string path(std::string_view name) const { return prefix_ + std::string(name); }
  json::Value value() const { return object_; }

  /// Call last: collects the names that no reader asked for.
  void finish();

 private:
  void check_currency();
  std::optional<json::Value> get(std::string_view name, json::Kind kind, const char* wanted);

  json::Value object_;
  std::optional<json::Value> patch_;
  std::string prefix_;
  Faults& faults_;
  std::vector<std::string_view> asked_;
};

/// Calls `each(reader, index)` for every object of an array; other elements are faults.
template <class Each>
void read_objects(const json::Value& array, const std::string& path, Faults& faults, Each each) {
  std::size_t index = 0;
  for (const json::Value item : array.items()) {
    std::string at;
    at.reserve(path.size() + 8);
    at.append(path).append(1, '[').append(std::to_string(index)).append(1, ']');
    if (item.kind() == json::Kind::object) {
      ObjectReader reader(item, std::move(at.append(1, '.')), faults);
      each(reader, index);
      reader.finish();
    } else {
      faults.add(std::move(at), "must be an object");
    }
    ++index;
  }
}

}  // namespace tideover::wire
