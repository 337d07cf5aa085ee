// Domain values in columns: money is cents, a date days since 1970, an instant milliseconds since 1970, an enum its
// name, an absent value NULL. ColumnReader reads the columns of a row in SELECT order, without numbers.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class ColumnReader {
  template <class T, class Make>
  static auto mapped(std::optional<T> value, Make make) {
    return value ? std::optional(make(std::move(*value))) : std::nullopt;
  }

 public:
  explicit ColumnReader(const sql::Row& row) : row_(row) {}

  std::string text() { return row_.text(next_++); }
  std::optional<std::string> optional_text() { return row_.optional_text(next_++); }
  std::int64_t integer() { return row_.integer(next_++); }
  std::optional<std::int64_t> optional_integer() { return row_.optional_integer(next_++); }
  int number() { return static_cast<int>(integer()); }
  bool flag() { return integer() != 0; }
  /// Bytes of a blob column.
  std::string bytes() {
    const auto blob = row_.blob(next_++);
    return {blob.begin(), blob.end()};
  }
  std::optional<std::string> optional_bytes() {
    return mapped(row_.optional_blob(next_++), [](const auto& blob) { return std::string(blob.begin(), blob.end()); });
  }

  domain::Money money() { return domain::Money::cents(integer()); }
  std::optional<domain::Money> optional_money() {
    return mapped(optional_integer(), [](std::int64_t value) { return domain::Money::cents(value); });
  }
  domain::Date date() { return domain::Date::from_days(number()); }
  std::optional<domain::Date> optional_date() {
    return mapped(optional_integer(),
                  [](std::int64_t days) { return domain::Date::from_days(static_cast<int>(days)); });
  }
  domain::Timestamp timestamp() { return domain::Timestamp::from_ms(integer()); }
  std::optional<domain::Timestamp> optional_timestamp() {
    return mapped(optional_integer(), domain::Timestamp::from_ms);
  }

  template <class Id>
  Id id() {
    return Id::trusted(text());
  }
  template <class Id>
  std::optional<Id> optional_id() {
    return mapped(optional_text(), Id::trusted);
  }

  /// An enum by its name; `parse` is the domain's `..._named`, which returns nullopt for an unknown name.
  template <class Parse>
  auto named(Parse parse) {
    const auto name = text();
    const auto value = parse(name);
    if constexpr (requires { *value; }) {
      if (!value) throw std::runtime_error("a stored row has an unknown name: " + name);
      return *value;
    } else {
      return value;
    }
  }

 private:
  const sql::Row& row_;
  int next_ = 0;
};

inline std::optional<std::int64_t> cents(const std::optional<domain::Money>& amount) {
  return amount ? std::optional(amount->cents()) : std::nullopt;
}
inline std::optional<std::int64_t> days(const std::optional<domain::Date>& date) {
  return date ? std::optional(std::int64_t{date->days()}) : std::nullopt;
}
inline std::optional<std::int64_t> ms(const std::optional<domain::Timestamp>& at) {
  return at ? std::optional(at->ms()) : std::nullopt;
}
template <class Id>
std::optional<std::string> text(const std::optional<Id>& id) {
  return id ? std::optional(id->text()) : std::nullopt;
}
/// An empty text, which means "none".
inline std::optional<std::string> text_or_null(const std::string& value) {
  return value.empty() ? std::nullopt : std::optional(value);
}
/// The stored names of an enum that has no names in the domain, in order of its enumerators.
template <class Enum, std::size_t N>
class StoredNames {
 public:
  template <class... Names>
  constexpr explicit StoredNames(std::in_place_type_t<Enum>, Names... names) : names_{names...} {}
  constexpr std::string_view of(Enum value) const { return names_[static_cast<std::size_t>(value)]; }
  std::optional<Enum> operator()(std::string_view name) const {
    for (std::size_t i = 0; i < N; ++i)
      if (names_[i] == name) return static_cast<Enum>(i);
    return std::nullopt;
  }

 private:
  std::array<std::string_view, N> names_;
};
template <class Enum, class... Names>
StoredNames(std::in_place_type_t<Enum>, Names...) -> StoredNames<Enum, sizeof...(Names)>;

/// For LIMIT.
inline std::int64_t rows(std::size_t limit) {
  return static_cast<std::int64_t>(limit);
}

/// All rows of a query, each read by `read`.
template <class Read, class... Arguments>
auto all(sql::Session& session, Read read, sql::SqlFor<sizeof...(Arguments)> sql, const Arguments&... arguments) {
  std::vector<std::invoke_result_t<Read, const sql::Row&>> values;
  for (const sql::Row& row : session.query(sql, arguments...)) values.push_back(read(row));
  return values;
}

}  // namespace tideover::store
