// Makes the results of a bundle's files immutable, so that a rule is a pure function: tables become read-only views,
// deeply, including those that functions have as upvalues. Every upvalue is recorded, so that one that a call
// reassigned is detected and reset. Rules cannot reach metatables, so views cannot be bypassed. One thread at a time.
#pragma once
#include <lua.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/lua/vm/coverage.hpp"

namespace tideover::lua {

/// The result of reading an unknown name of a view.
enum class Unknown { is_nil, is_error };

class Sealer {
 public:
  /// `there` records the lines of each frozen function; may be null.
  explicit Sealer(lua_State* state, FileLines* there = nullptr);

  /// Replaces the value on top of the stack by its immutable form and returns null. For a value that cannot be frozen
  /// returns its description and leaves the stack unchanged. `owner` names the file in later messages.
  const char* seal_top(const std::string& owner);

  struct Reassigned {
    std::string owner;
    std::string variable;
  };
  /// Upvalues are numbered in order of freezing: those of a file are consecutive.
  struct Cells {
    std::size_t from = 0, to = 0;
  };
  std::size_t cell_count() const { return cells_.size(); }
  /// Resets reassigned upvalues of these files and of libraries, which every file can reach, and returns their names.
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

/// Replaces the table on top of the stack by a read-only view of it. `name` is its name in messages ("params").
void push_view(lua_State* state, Unknown unknown, const char* name);
/// The table itself, whether `index` has it or a view of it.
void push_content(lua_State* state, int index);

/// Raises "unknown <kind> <prefix><name> (did you mean ...?)" with the names of the table at `known`.
[[noreturn]] void raise_unknown(lua_State* state, const char* kind, const char* prefix, const char* name, int known);

}  // namespace tideover::lua
