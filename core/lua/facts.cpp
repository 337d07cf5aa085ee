#include "core/lua/facts.hpp"

#include <optional>
#include <string>

#include "core/lua/seal.hpp"

namespace tideover::lua {
namespace {

using domain::Date;
using domain::Money;

void push(lua_State* s, const std::string& text) {
  lua_pushlstring(s, text.data(), text.size());
}
void push(lua_State* s, bool yes) {
  lua_pushboolean(s, yes ? 1 : 0);
}
void push(lua_State* s, std::int64_t number) {
  lua_pushinteger(s, number);
}
void push(lua_State* s, int number) {
  lua_pushinteger(s, number);
}
void push(lua_State* s, Money amount) {
  lua_pushinteger(s, amount.cents());
}
void push(lua_State* s, Date date) {
  lua_pushinteger(s, date.days());
}
template <class T>
void push(lua_State* s, const std::optional<T>& value) {
  if (value)
    push(s, *value);
  else
    lua_pushnil(s);
}
void push_unless_empty(lua_State* s, const std::string& text) {
  if (text.empty())
    lua_pushnil(s);
  else
    push(s, text);
}

const ports::ClaimFacts& facts(const FactHandle& h) {
  return *h.window->claim;
}
const domain::ClaimDraft& claim(const FactHandle& h) {
  return h.window->claim->claim;
}
const domain::Payer& payer(const FactHandle& h) {
  return h.window->claim->payer;
}
const domain::ServiceLine& line(const FactHandle& h) {
  return claim(h).service_lines[h.line];
}
const domain::Review& review(const FactHandle& h) {
  return h.window->terms->review;
}

void push_days_to_submission(lua_State* s, const FactHandle& h) {
  const auto& draft = claim(h);
  if (draft.date_of_service)
    push(s, days_between(*draft.date_of_service, draft.date_of_submission.value_or(facts(h).today)));
  else
    lua_pushnil(s);
}

void push_lines_total(lua_State* s, const FactHandle& h) {
  Money total;
  for (const auto& each : claim(h).service_lines) total += each.amount.value_or(Money{});
  push(s, total);
}

const char kLinesKey = 0;  // its address is the registry key of the object behind claim.lines

const FactField kClaimFields[] = {
    {"claim_identifier", "string", [](auto* s, auto& h) { push(s, claim(h).claim_identifier); }},
    {"facility", "string?", [](auto* s, auto& h) { push_unless_empty(s, claim(h).facility); }},
    {"servicer_npi", "string", [](auto* s, auto& h) { push(s, claim(h).servicer_npi); }},
    {"billing_npi", "string", [](auto* s, auto& h) { push(s, claim(h).billing_npi); }},
    {"payer_id", "string", [](auto* s, auto& h) { push(s, claim(h).payer_id); }},
    {"amount_cents", "integer", [](auto* s, auto& h) { push(s, claim(h).submitted_amount); }},
    {"date_of_service", "integer?", [](auto* s, auto& h) { push(s, claim(h).date_of_service); }},
    {"date_of_submission", "integer?", [](auto* s, auto& h) { push(s, claim(h).date_of_submission); }},
    {"days_to_submission", "integer?", push_days_to_submission},
    {"today", "integer", [](auto* s, auto& h) { push(s, facts(h).today); }},
    {"lines", "tideover.Line[]", [](auto* s, auto&) { lua_rawgetp(s, LUA_REGISTRYINDEX, &kLinesKey); }},
    {"line_count", "integer", [](auto* s, auto& h) { push(s, static_cast<int>(claim(h).service_lines.size())); }},
    {"lines_total_cents", "integer", push_lines_total},
    {"duplicates", "integer", [](auto* s, auto& h) { push(s, facts(h).duplicates); }},
};

const FactField kLineFields[] = {
    {"cpt", "string", [](auto* s, auto& h) { push(s, line(h).cpt); }},
    {"modifier", "string", [](auto* s, auto& h) { push(s, line(h).modifier); }},
    {"units_milli", "integer", [](auto* s, auto& h) { push(s, line(h).units_milli); }},
    {"amount_cents", "integer?", [](auto* s, auto& h) { push(s, line(h).amount); }},
};

const FactField kPayerFields[] = {
    {"id", "string", [](auto* s, auto& h) { push(s, payer(h).payer_id); }},
    {"known", "boolean", [](auto* s, auto& h) { push(s, facts(h).payer_known); }},
    {"name", "string", [](auto* s, auto& h) { push(s, payer(h).name); }},
    {"status", "string", [](auto* s, auto& h) { push(s, payer(h).status); }},
    {"timely_filing_days", "integer", [](auto* s, auto& h) { push(s, payer(h).timely_filing_days); }},
    {"supports_advance", "boolean", [](auto* s, auto& h) { push(s, payer(h).supports_advance); }},
    {"denial_rate_bps", "integer", [](auto* s, auto& h) { push(s, payer(h).rates.denial_bps); }},
    {"allowed_rate_bps", "integer", [](auto* s, auto& h) { push(s, payer(h).rates.allowed_bps); }},
    {"patient_share_bps", "integer", [](auto* s, auto& h) { push(s, payer(h).rates.patient_share_bps); }},
    {"median_days_to_pay", "integer", [](auto* s, auto& h) { push(s, payer(h).rates.median_days_to_pay); }},
    {"p80_days_to_pay", "integer", [](auto* s, auto& h) { push(s, payer(h).rates.p80_days_to_pay); }},
};

const FactField kReviewFields[] = {
    {"denial_probability_bps", "integer", [](auto* s, auto& h) { push(s, review(h).forecast.denial_probability_bps); }},
    {"denial_predicted", "boolean", [](auto* s, auto& h) { push(s, review(h).forecast.denial_predicted); }},
    {"confidence_bps", "integer", [](auto* s, auto& h) { push(s, review(h).forecast.confidence_bps); }},
    {"expected_cents", "integer", [](auto* s, auto& h) { push(s, review(h).forecast.expected); }},
    {"allowed_cents", "integer", [](auto* s, auto& h) { push(s, review(h).forecast.allowed); }},
    {"submitted_cents", "integer", [](auto* s, auto& h) { push(s, review(h).submitted_amount); }},
    {"days_to_payment", "integer",
     [](auto* s, auto& h) { push(s, days_between(h.window->terms->today, review(h).forecast.payment_date)); }},
    {"warnings", "integer", [](auto* s, auto& h) { push(s, static_cast<int>(review(h).warnings.size())); }},
    {"payer_known", "boolean", [](auto* s, auto& h) { push(s, review(h).payer_known); }},
    {"payer_supports_advance", "boolean", [](auto* s, auto& h) { push(s, h.window->terms->payer_supports_advance); }},
    {"rail", "string", [](auto* s, auto& h) { push(s, h.window->terms->rail); }},
    {"today", "integer", [](auto* s, auto& h) { push(s, h.window->terms->today); }},
};

const FactObject kObjects[] = {
    {"claim", kClaimFields}, {"line", kLineFields}, {"payer", kPayerFields}, {"review", kReviewFields}};
const FactObject& kClaim = kObjects[0];
const FactObject& kLine = kObjects[1];
const FactObject& kPayer = kObjects[2];
const FactObject& kReview = kObjects[3];

/// The handle behind argument 1, or an error when its facts are not on show.
const FactHandle& readable(lua_State* state, bool is_review) {
  const auto& handle = *static_cast<const FactHandle*>(lua_touserdata(state, 1));
  const bool shown = is_review ? handle.window->terms != nullptr : handle.window->claim != nullptr;
  if (!shown) luaL_error(state, "facts can be read during evaluate only");
  return handle;
}

/// __index; upvalues: name -> FactField, the object.
int read_field(lua_State* state) {
  const auto& object = *static_cast<const FactObject*>(lua_touserdata(state, lua_upvalueindex(2)));
  const FactHandle& handle = readable(state, &object == &kReview);
  lua_pushvalue(state, 2);
  if (lua_rawget(state, lua_upvalueindex(1)) == LUA_TLIGHTUSERDATA) {
    const auto* field = static_cast<const FactField*>(lua_touserdata(state, -1));
    field->push(state, handle);
    return 1;
  }
  if (lua_type(state, 2) != LUA_TSTRING) return luaL_error(state, "%s has named fields only", object.name);
  lua_pushfstring(state, "%s.", object.name);
  raise_unknown(state, "field", lua_tostring(state, -1), lua_tostring(state, 2), lua_upvalueindex(1));
}

/// __index of claim.lines; upvalues: line handles made so far, their metatable.
int read_line(lua_State* state) {
  const FactHandle& handle = readable(state, false);
  if (lua_isinteger(state, 2) == 0)
    return luaL_error(state, "claim.lines has the elements 1 to %d only",
                      static_cast<int>(claim(handle).service_lines.size()));
  const lua_Integer at = lua_tointeger(state, 2);
  if (at < 1 || at > static_cast<lua_Integer>(claim(handle).service_lines.size())) {
    lua_pushnil(state);
    return 1;
  }
  if (lua_rawgeti(state, lua_upvalueindex(1), at) != LUA_TNIL) return 1;
  auto* const made = static_cast<FactHandle*>(lua_newuserdatauv(state, sizeof(FactHandle), 0));
  *made = {handle.window, static_cast<std::size_t>(at - 1)};
  lua_pushvalue(state, lua_upvalueindex(2));
  lua_setmetatable(state, -2);
  lua_pushvalue(state, -1);
  lua_rawseti(state, lua_upvalueindex(1), at);
  return 1;
}

int count_lines(lua_State* state) {
  lua_pushinteger(state, static_cast<lua_Integer>(claim(readable(state, false)).service_lines.size()));
  return 1;
}

int refuse_write(lua_State* state) {
  return luaL_error(state, "%s is read-only", lua_tostring(state, lua_upvalueindex(1)));
}

/// Adds what every fact object shares to the metatable on top: no writing, and a name for messages.
void close_metatable(lua_State* state, const char* name) {
  lua_pushstring(state, name);
  lua_pushvalue(state, -1);
  lua_setfield(state, -3, "__name");
  lua_pushcclosure(state, refuse_write, 1);
  lua_setfield(state, -2, "__newindex");
}

void push_metatable(lua_State* state, const FactObject& object) {
  lua_createtable(state, 0, 3);
  lua_createtable(state, 0, static_cast<int>(object.fields.size()));
  for (const auto& field : object.fields) {
    lua_pushlightuserdata(state, const_cast<FactField*>(&field));
    lua_setfield(state, -2, field.name);
  }
  lua_pushlightuserdata(state, const_cast<FactObject*>(&object));
  lua_pushcclosure(state, read_field, 2);
  lua_setfield(state, -2, "__index");
  close_metatable(state, object.name);
}

/// A handle with the metatable on top of the stack, which it takes.
void push_handle(lua_State* state, const Window& window) {
  auto* const handle = static_cast<FactHandle*>(lua_newuserdatauv(state, sizeof(FactHandle), 0));
  *handle = {&window, 0};
  lua_insert(state, -2);
  lua_setmetatable(state, -2);
}

int make_object(lua_State* state, const FactObject& object, const Window& window) {
  push_metatable(state, object);
  push_handle(state, window);
  return luaL_ref(state, LUA_REGISTRYINDEX);
}

}  // namespace

std::span<const FactObject> fact_objects() {
  return kObjects;
}

FactViews::FactViews(lua_State* state)
    : state_(state),
      claim_(make_object(state, kClaim, window_)),
      payer_(make_object(state, kPayer, window_)),
      review_(make_object(state, kReview, window_)) {
  lua_createtable(state, 0, 4);
  lua_newtable(state);
  push_metatable(state, kLine);
  lua_pushcclosure(state, read_line, 2);
  lua_setfield(state, -2, "__index");
  lua_pushcfunction(state, count_lines);
  lua_setfield(state, -2, "__len");
  close_metatable(state, "claim.lines");
  push_handle(state, window_);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &kLinesKey);
}

}  // namespace tideover::lua
