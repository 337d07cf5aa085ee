// The only names that a rule file can use. All are pure, bounded and deterministic: no hook interrupts a C function, so
// each one charges its work before it starts or refuses large arguments.
#pragma once
#include <lua.hpp>

namespace tideover::lua {

/// Pushes the environment as a read-only view in which unknown names and assignments are errors, and restricts the
/// methods of strings. `load_library` becomes lib('name'), `open_table` table('name'). Call once per new state.
void push_environment(lua_State* state, lua_CFunction load_library, lua_CFunction open_table);

/// True for the result of pairs(): a function that advances with each call.
bool is_iterator(lua_State* state, int index);

/// The functions of `string`, as a new table on the stack.
void push_text_functions(lua_State* state);
/// Adds usd pct bps npi_check procedure_code_ok modifiers_ok to the table on top of the stack.
void add_claim_functions(lua_State* state);

}  // namespace tideover::lua
