// Freezes what a bundle's files return, so that rules stay pure functions. Tables become read-only views, deeply,
// including those in upvalues of functions. Every upvalue is recorded, so that a reassigned one is found and restored.
// Rules cannot reach metatables, so a view cannot be opened. One thread at a time.
#pragma once
#include <lua.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/lua/vm/coverage.hpp"

namespace tideover::lua {

/// The effect of reading a name that a view lacks.
enum class Unknown { is_nil, is_error };

class Sealer {
 public:
  /// `there` (may be null) records the lines of each frozen function.
  explicit Sealer(lua_State* state, FileLines* there = nullptr);

  /// Replaces the value on top of the stack by its frozen form. For a value that cannot be frozen, returns its name and
  /// leaves the stack unchanged; null: success. `owner`: the file in later messages.
  const char* seal_top(const std::string& owner);

  struct Reassigned {
    std::string owner;
    std::string variable;
  };
  /// Upvalues are numbered in the order of freezing: those of a file are consecutive.
  struct Cells {
    std::size_t from = 0, to = 0;
  };
  std::size_t cell_count() const { return cells_.size(); }
  /// Restores reassigned upvalues of these files and of libraries, which every file can reach, and names them.
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
  int seen_, functions_, values_;  // registry references: original -> frozen; per cell its function; per cell its value
  std::vector<Cell> cells_;
  std::vector<std::size_t> library_cells_;
};

/// Replaces the table on top of the stack by a read-only view. `name` is its name in messages ("params").
void push_view(lua_State* state, Unknown unknown, const char* name);
/// The table itself, whether `index` has it or a view of it.
void push_content(lua_State* state, int index);

/// Raises "unknown <kind> <prefix><name> (did you mean ...?)" with the names of the table at `known`.
[[noreturn]] void raise_unknown(lua_State* state, const char* kind, const char* prefix, const char* name, int known);

}  // namespace tideover::lua
