// table('mue'): the queries of rules on a reference table. Read-only. Each query is one look-up that pays in advance.
#pragma once
#include <lua.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/lua/vm/bundle_tables.hpp"

namespace tideover::lua {

/// The look-ups of one call, in order. Allocates nothing, because a Lua error may leave any function.
class TableReads {
 public:
  enum class Question { get, has, lists };
  struct Read {
    const tables::Table* table;
    Question question;
    bool found;
    std::uint32_t row;           // of `get`, if found
    std::array<char, 96> asked;  // the arguments as in the rule, possibly truncated
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

/// Pushes the result of table(name): a read-only view { get, has, lists, row_count }. False for an unknown table.
bool push_table(lua_State* state, const TableAccess& access, const char* name);

/// "table('mue').get('99213')", and the result.
std::string name_of(const TableReads::Read& read);
std::string text_of(const TableReads::Read& read);

}  // namespace tideover::lua
