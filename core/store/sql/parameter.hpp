// Input of a Session: SQL text that is fixed at compile time, and values that are bound to it.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace tideover::sql {

enum class Dialect { sqlite, mysql };

/// SQL text. Only constants convert to it, so text from outside cannot become SQL by accident. Where the two engines
/// differ, both texts are given: `session.run({"INSERT OR IGNORE …", "INSERT IGNORE …"}, id)`.
class Sql {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): literals are passed directly.
  consteval Sql(const char* both) : sqlite_(both), mysql_(both) {}
  consteval Sql(const char* sqlite, const char* mysql) : sqlite_(sqlite), mysql_(mysql) {}

  /// For text composed at run time from constants (migrations, lists of placeholders). Never pass input through it.
  static Sql composed(std::string_view text) { return Sql(text); }

  constexpr std::string_view text(Dialect dialect) const { return dialect == Dialect::sqlite ? sqlite_ : mysql_; }

 private:
  explicit constexpr Sql(std::string_view both) : sqlite_(both), mysql_(both) {}

  std::string_view sqlite_;
  std::string_view mysql_;
};

/// Number of values that the text takes: its question marks outside of quoted text.
constexpr std::size_t placeholders_in(std::string_view sql) {
  std::size_t count = 0;
  bool quoted = false;
  for (const char c : sql) {
    if (c == '\'') quoted = !quoted;
    if (c == '?' && !quoted) ++count;
  }
  return count;
}

/// SQL text for this many values. A constant with another number of placeholders does not compile; text that is passed
/// on as Sql is checked by the driver when it is executed.
template <std::size_t values>
class SqlFor : public Sql {
 public:
  // NOLINTBEGIN(google-explicit-constructor): literals are passed directly.
  consteval SqlFor(const char* both) : SqlFor(both, both) {}
  consteval SqlFor(const char* sqlite, const char* mysql) : Sql(sqlite, mysql) {
    if (placeholders_in(sqlite) != values || placeholders_in(mysql) != values) throw "a placeholder needs one value";
  }
  constexpr SqlFor(Sql passed_on) : Sql(passed_on) {}
  // NOLINTEND(google-explicit-constructor)
};

using BlobView = std::span<const std::uint8_t>;

/// One bound value; a view that must outlive the call. Text is UTF-8. There is no floating point: money is cents.
class Parameter {
 public:
  using Value = std::variant<std::monostate, std::int64_t, std::string_view, BlobView>;

  // NOLINTBEGIN(google-explicit-constructor): arguments convert silently, that is the purpose.
  Parameter(std::nullopt_t) {}
  template <std::integral T>
  requires(!std::same_as<T, char> && (std::signed_integral<T> || sizeof(T) < sizeof(std::int64_t))) Parameter(T value)
      : value_(static_cast<std::int64_t>(value)) {}
  Parameter(std::string_view text) : value_(text) {}
  Parameter(const std::string& text) : value_(std::string_view(text)) {}
  Parameter(const char* text) : value_(std::string_view(text)) {}
  Parameter(BlobView bytes) : value_(bytes) {}
  template <typename Container>
  requires(std::convertible_to<const Container&, BlobView> && !std::same_as<Container, BlobView>)
      Parameter(const Container& bytes)
      : value_(BlobView(bytes)) {}
  template <typename T>
  requires std::constructible_from<Parameter, const T&> Parameter(const std::optional<T>& maybe) {
    if (maybe) value_ = Parameter(*maybe).value_;
  }
  // NOLINTEND(google-explicit-constructor)

  const Value& value() const { return value_; }

 private:
  Value value_;
};

}  // namespace tideover::sql
