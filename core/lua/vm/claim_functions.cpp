// Money and code helpers of a rule: usd pct bps npi_check procedure_code_ok modifiers_ok.
#include <string_view>

#include "core/domain/basics/money.hpp"
#include "core/domain/claims/npi.hpp"
#include "core/domain/claims/procedure_code.hpp"
#include "core/lua/vm/budget.hpp"
#include "core/lua/vm/environment.hpp"
#include "core/lua/vm/rates.hpp"

namespace tideover::lua {
namespace {

constexpr std::int64_t kMostPercent = 1000;

/// usd(250.00) -> 25000
int usd(lua_State* state) {
  luaL_checktype(state, 1, LUA_TNUMBER);
  const auto cents = exact_scaled(lua_tonumber(state, 1), 100);
  if (!cents) return luaL_error(state, "usd: %f is not a whole number of cents", lua_tonumber(state, 1));
  if (*cents > domain::kLargestAmount.cents() || *cents < -domain::kLargestAmount.cents())
    return luaL_error(state, "usd: %f is above the largest amount", lua_tonumber(state, 1));
  lua_pushinteger(state, *cents);
  return 1;
}

/// pct(cents, 80) -> 80 % of cents, half-even
int pct(lua_State* state) {
  if (lua_isinteger(state, 1) == 0) return luaL_error(state, "pct: the amount must be integer cents; use usd()");
  luaL_checktype(state, 2, LUA_TNUMBER);
  const auto bps = exact_scaled(lua_tonumber(state, 2), 100);
  if (!bps || *bps > kMostPercent * 100 || *bps < -kMostPercent * 100)
    return luaL_error(state, "pct: %f is not a percentage with at most two decimals", lua_tonumber(state, 2));
  const auto amount = domain::Money::cents(lua_tointeger(state, 1));
  if (amount > domain::kLargestAmount || amount < -domain::kLargestAmount)
    return luaL_error(state, "pct: the amount is above the largest amount");
  lua_pushinteger(state, domain::portion(amount, static_cast<int>(*bps)).cents());
  return 1;
}

/// bps(0.20) -> 2000
int bps(lua_State* state) {
  luaL_checktype(state, 1, LUA_TNUMBER);
  const auto points = exact_scaled(lua_tonumber(state, 1), domain::kOneInBps);
  if (!points) return luaL_error(state, "bps: %f is finer than a basis point (0.0001)", lua_tonumber(state, 1));
  lua_pushinteger(state, *points);
  return 1;
}

constexpr std::size_t kLongestCode = 64;

/// A text check of a code. A longer text is not a code.
template <bool (*kCheck)(std::string_view)>
int code_check(lua_State* state) {
  luaL_checktype(state, 1, LUA_TSTRING);
  std::size_t size = 0;
  const char* const text = lua_tolstring(state, 1, &size);
  Budget::charge(state, 4);
  lua_pushboolean(state, size <= kLongestCode && kCheck({text, size}) ? 1 : 0);
  return 1;
}

bool modifiers_ok(std::string_view text) {
  return domain::normalise_modifiers(text).has_value();
}

}  // namespace

void add_claim_functions(lua_State* state) {
  const luaL_Reg functions[] = {{"usd", usd},
                                {"pct", pct},
                                {"bps", bps},
                                {"npi_check", code_check<domain::passes_npi_check>},
                                {"procedure_code_ok", code_check<domain::has_procedure_code_syntax>},
                                {"modifiers_ok", code_check<modifiers_ok>},
                                {nullptr, nullptr}};
  luaL_setfuncs(state, functions, 0);
}

}  // namespace tideover::lua
