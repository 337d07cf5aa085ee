// Makes what a bundle's files return immutable, so that a rule stays a pure function: tables become read-only views,
// deep, also those that functions hold as upvalues; and every upvalue is remembered, so that one that a call reassigned
// is found and put back. Rules cannot reach metatables, which is what keeps a view closed. One thread at a time.
#pragma once
#include <lua.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/lua/vm/coverage.hpp"

namespace tideover::lua {

/// What reading a name that a view does not hold means.
enum class Unknown { is_nil, is_error };

class Sealer {
 public:
  /// `there` hears of the lines of each function that is sealed, if somebody wants to know.
  explicit Sealer(lua_State* state, FileLines* there = nullptr);

  /// Replaces the value on top of the stack by its immutable form. What cannot be made immutable is named, and the
  /// stack stays as before; null: nothing. `owner` names the file in later complaints.
  const char* seal_top(const std::string& owner);

  struct Reassigned {
    std::string owner;
    std::string variable;
  };
  /// Upvalues are numbered as they are sealed: those of a file stand together.
  struct Cells {
    std::size_t from = 0, to = 0;
  };
  std::size_t cell_count() const { return cells_.size(); }
  /// Puts reassigned upvalues of these and of libraries, which every file can reach, back, and says which those were.
  std::vector<Reassigned> restore(std::span<const Cells> of_files);

 private:
  struct Cell {
    std::string owner;
    std::string variable;
    int upvalue;
  };
  const char* seal_value(const std::string& owner, int depth);
  const char* seal_function(const std::string& owner, int depth);
  /// The tables of functions and of values are on top of the stack.
  bool put_back(std::size_t cell);

  void note_lines(int function);

  lua_State* state_;
  FileLines* there_;
  int seen_, functions_, values_;  // registry references: original -> sealed; per cell its function; per cell its value
  std::vector<Cell> cells_;
  std::vector<std::size_t> library_cells_;
};

/// Replaces the table on top of the stack by a read-only view of it. `name` is how messages call it ("params").
void push_view(lua_State* state, Unknown unknown, const char* name);
/// The table itself, whether `index` holds it or a view of it.
void push_content(lua_State* state, int index);

/// Raises "unknown <kind> <prefix><name> (did you mean ...?)" with the names that the table at `known` holds.
[[noreturn]] void raise_unknown(lua_State* state, const char* kind, const char* prefix, const char* name, int known);

}  // namespace tideover::lua
