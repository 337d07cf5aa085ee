// table('mue'): the queries of a rule on a reference table. Read-only; every query is one look-up that charges its work
// first.
#pragma once
#include <lua.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/lua/vm/bundle_tables.hpp"

namespace tideover::lua {

/// Records the look-ups of one call, in order. Allocates nothing: a Lua error may leave any function that uses it.
class TableReads {
 public:
  enum class Question { get, has, lists };
  struct Read {
    const tables::Table* table;
    Question question;
    bool found;
    std::uint32_t row;           // of `get`, if found
    std::array<char, 96> asked;  // the arguments in the form of a rule, perhaps truncated
  };

  void clear() { count_ = 0; }
  Read* next() { return count_ < reads_.size() ? &reads_[count_++] : nullptr; }
  std::span<const Read> all() const { return {reads_.data(), count_}; }

 private:
  std::array<Read, 64> reads_;
  std::size_t count_ = 0;
};

/// The tables of one Lua state, and the recorder of look-ups. Must outlive the state.
struct TableAccess {
  TableSet tables;
  TableReads* reads = nullptr;
};

/// Pushes the result of table(name): a read-only view { get, has, lists, row_count }. False when there is no such
/// table.
bool push_table(lua_State* state, const TableAccess& access, const char* name);

/// "table('mue').get('99213')", and its result.
std::string name_of(const TableReads::Read& read);
std::string text_of(const TableReads::Read& read);

}  // namespace tideover::lua
