// Reads a table that a rule file returned, field by field, and collects all faults. Host code only: it never runs
// scripts and never raises a Lua error.
#pragma once
#include <lua.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lua/vm/bundle.hpp"

namespace tideover::lua {

class TableReader {
 public:
  /// Called for each fault: the word in the file to point at, and what is wrong.
  using Complain = std::function<void(std::string_view word, std::string message)>;

  /// Reads the table (or view) at `index`; `what` is its name in messages ("the rule"). Other values are a fault.
  TableReader(lua_State* state, int index, std::string what, Complain complain);
  ~TableReader();
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  bool is_table() const { return content_ != 0; }

  /// Each reads an optional field; a wrong type is a fault and reads as absent. Keys are kept as views, so they must be
  /// literals.
  std::optional<std::string> text(const char* key);
  std::optional<std::int64_t> integer(const char* key);
  std::optional<double> number(const char* key);
  std::optional<bool> boolean(const char* key);
  /// True when the field exists; it then counts as known.
  bool has(const char* key);
  /// Pushes the field's value (nil when absent) and returns its type.
  int push(const char* key);
  std::optional<std::vector<std::string>> texts(const char* key);
  /// One of the given names.
  std::optional<std::string> one_of(const char* key, const std::vector<std::string_view>& names);

  void require(const char* key);
  void complain(std::string_view word, std::string message) const { complain_(word, std::move(message)); }

  /// Reports every named field that was not read.
  void refuse_other_fields();
  /// The elements 1..n: pushes each, calls, pops.
  void each_element(const std::function<void(int index)>& visit);

 private:
  void wrong_type(const char* key, const char* wanted);

  lua_State* state_;
  int content_ = 0;  // stack index; 0 when there is no table
  int top_;
  std::string what_;
  Complain complain_;
  std::vector<std::string_view> known_;
};

}  // namespace tideover::lua
