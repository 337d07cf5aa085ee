#include "core/lua/ruleset/facts.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lua/ruleset/memo_cache.hpp"
#include "core/lua/vm/freeze.hpp"

namespace tideover::lua {
namespace {

using domain::Date;
using domain::Money;

FactValue value(const std::string& text) {
  return std::string_view(text);
}
FactValue value(bool yes) {
  return yes;
}
FactValue value(std::int64_t number) {
  return number;
}
FactValue value(int number) {
  return std::int64_t{number};
}
FactValue value(Money amount) {
  return amount.cents();
}
FactValue value(Date date) {
  return std::int64_t{date.days()};
}
template <class T>
FactValue value(const std::optional<T>& maybe) {
  return maybe ? value(*maybe) : FactValue{};
}
FactValue value_unless_empty(const std::string& text) {
  return text.empty() ? FactValue{} : value(text);
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
std::size_t index_of(const FactHandle& h) {
  return h.line == kAskedLine ? h.window->line : h.line;
}
const domain::ServiceLine& line(const FactHandle& h) {
  return claim(h).service_lines[index_of(h)];
}
const domain::Review& review(const FactHandle& h) {
  return h.window->terms->review;
}

/// Of the current claim, or of the current review's claim.
const domain::ClaimDetails& details(const FactHandle& h) {
  return h.window->claim != nullptr ? claim(h).details : h.window->terms->claim;
}
const domain::ClaimHistory& history(const FactHandle& h) {
  static const domain::ClaimHistory kNothing;
  const auto* const known = facts(h).history;
  return known != nullptr ? *known : kNothing;
}
const domain::LineHistory& line_history(const FactHandle& h) {
  static const domain::LineHistory kNothing;
  const auto& lines = history(h).lines;
  return index_of(h) < lines.size() ? lines[index_of(h)] : kNothing;
}

FactValue days_to_submission(const FactHandle& h) {
  const auto& draft = claim(h);
  if (!draft.date_of_service) return {};
  return value(days_between(*draft.date_of_service, draft.date_of_submission.value_or(facts(h).today)));
}

FactValue lines_total(const FactHandle& h) {
  Money total;
  for (const auto& each : claim(h).service_lines) total += each.amount.value_or(Money{});
  return value(total);
}

FactValue lines_difference(const FactHandle& h) {
  return std::get<std::int64_t>(lines_total(h)) - claim(h).submitted_amount.cents();
}

/// The first of two texts such as "25:59" in order.
bool are_same_modifiers(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (a.size() != b.size()) return false;
  const auto sorted = [](std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at < text.size(); at += 3) parts.push_back(text.substr(at, 2));
    std::sort(parts.begin(), parts.end());
    return parts;
  };
  return sorted(a) == sorted(b);
}

/// The first line with the same code and modifiers, if it is before this one.
FactValue same_as(const FactHandle& h) {
  const auto& lines = claim(h).service_lines;
  for (std::size_t i = 0; i < index_of(h); ++i)
    if (lines[i].cpt == line(h).cpt && are_same_modifiers(lines[i].modifier, line(h).modifier))
      return value(static_cast<std::int64_t>(i) + 1);
  return {};
}

FactValue charge_is_unusual(const FactHandle& h) {
  const auto& unusual = line_history(h).unusual_charge;
  return value(unusual && line(h).amount && *line(h).amount > *unusual);
}

FactValue denied_low_times(const FactHandle& h) {
  const int ordinary = history(h).payer.denied_bps;
  return value(ordinary > 0 ? line_history(h).payer_code.denied_low_bps / ordinary : 0);
}

// Their addresses are registry keys of the objects behind claim.lines and the like, of the table of the objects behind
// line.history, and of the functions of the review.
const char kLinesKey = 0, kDiagnosesKey = 0, kHistoryKey = 0, kLineHistoriesKey = 0, kExpectedLossKey = 0,
           kShortfallKey = 0, kLargestAdvanceKey = 0;

/// The basis of the expected reimbursement, most reliable first.
FactValue amount_source(const FactHandle& h) {
  if (!review(h).payer_known) return "unknown_payer";
  const auto& learned = review(h).learned;
  if (!learned || learned->evidence == 0) return "published";
  return learned->amount_remembered ? "remembered" : "ratio";
}

int denial_low(const domain::Review& review) {
  return review.learned ? review.learned->denial_low_bps : review.forecast.denial_probability_bps;
}
int denial_high(const domain::Review& review) {
  return review.learned ? review.learned->denial_high_bps : review.forecast.denial_probability_bps;
}

const FactField kClaimFields[] = {
    {"claim_identifier", "string", [](auto& h) { return value(claim(h).claim_identifier); }},
    {"facility", "string?", [](auto& h) { return value_unless_empty(claim(h).facility); }},
    {"servicer_npi", "string", [](auto& h) { return value(claim(h).servicer_npi); }},
    {"billing_npi", "string", [](auto& h) { return value(claim(h).billing_npi); }},
    {"payer_id", "string", [](auto& h) { return value(claim(h).payer_id); }},
    {"amount_cents", "integer", [](auto& h) { return value(claim(h).submitted_amount); }},
    {"date_of_service", "integer?", [](auto& h) { return value(claim(h).date_of_service); }},
    {"date_of_submission", "integer?", [](auto& h) { return value(claim(h).date_of_submission); }},
    {"days_to_submission", "integer?", days_to_submission},
    {"today", "integer", [](auto& h) { return value(facts(h).today); }},
    {"lines", "tideover.Line[]", nullptr, FactPart::lines},
    {"line_count", "integer", [](auto& h) { return value(static_cast<int>(claim(h).service_lines.size())); }},
    {"lines_total_cents", "integer", lines_total},
    {"lines_difference_cents", "integer", lines_difference},
    {"duplicates", "integer", [](auto& h) { return value(facts(h).duplicates); }},
    {"diagnosis_codes", "string[]", nullptr, FactPart::diagnoses},
    {"place_of_service", "string?", [](auto& h) { return value_unless_empty(details(h).place_of_service); }},
    {"patient_age_from", "integer?",
     [](auto& h) { return details(h).patient_age ? value(details(h).patient_age->from) : FactValue{}; }},
    {"patient_age_to", "integer?",
     [](auto& h) { return details(h).patient_age ? value(details(h).patient_age->to) : FactValue{}; }},
    {"patient_sex", "string?", [](auto& h) { return value_unless_empty(details(h).patient_sex); }},
    {"prior_authorization", "boolean?", [](auto& h) { return value(details(h).prior_authorization); }},
    {"claim_frequency_code", "string?", [](auto& h) { return value_unless_empty(details(h).claim_frequency_code); }},
    {"payer_sequence", "string?", [](auto& h) { return value_unless_empty(details(h).payer_sequence); }},
    {"paid_by_others_cents", "integer?", [](auto& h) { return value(details(h).paid_by_others); }},
    {"patient_paid_cents", "integer?", [](auto& h) { return value(details(h).patient_paid); }},
    {"benefits_assigned", "boolean?", [](auto& h) { return value(details(h).benefits_assigned); }},
    {"accepts_assignment", "boolean?", [](auto& h) { return value(details(h).accepts_assignment); }},
    {"is_encounter", "boolean?", [](auto& h) { return value(details(h).is_encounter); }},
    {"is_test", "boolean?", [](auto& h) { return value(details(h).is_test); }},
    {"pay_to_plan", "boolean?", [](auto& h) { return value(details(h).pay_to_plan); }},
    {"history", "tideover.History", nullptr, FactPart::history},
};

const FactField kHistoryFields[] = {
    {"known", "boolean", [](auto& h) { return value(facts(h).history != nullptr); }},
    {"payer_responses", "integer", [](auto& h) { return value(history(h).payer.responses); }},
    {"payer_denied_bps", "integer", [](auto& h) { return value(history(h).payer.denied_bps); }},
    {"pair_responses", "integer", [](auto& h) { return value(history(h).pair_responses); }},
    {"pair_paid", "integer", [](auto& h) { return value(history(h).pair_paid); }},
    {"chart_last_payer", "string?", [](auto& h) { return value_unless_empty(history(h).chart_last_paid_payer); }},
    {"chart_last_paid_days", "integer?", [](auto& h) { return value(history(h).chart_last_paid_days); }},
    {"chart_eligibility_denials", "integer", [](auto& h) { return value(history(h).chart_eligibility_denials); }},
    {"chart_seen_by_servicer", "boolean", [](auto& h) { return value(history(h).chart_seen_by_servicer); }},
    {"likely_duplicates", "integer", [](auto& h) { return value(history(h).likely_duplicates); }},
    {"distinct_modifier_bps", "integer", [](auto& h) { return value(history(h).distinct_modifier_bps); }},
    {"distinct_modifier_usual_bps", "integer?", [](auto& h) { return value(history(h).distinct_modifier_usual_bps); }},
    {"days_since_surgery", "integer?", [](auto& h) { return value(history(h).days_since_surgery); }},
    {"surgery_global_days", "integer", [](auto& h) { return value(history(h).surgery_global_days); }},
};

const FactField kLineHistoryFields[] = {
    {"responses", "integer", [](auto& h) { return value(line_history(h).payer_code.responses); }},
    {"denied_bps", "integer", [](auto& h) { return value(line_history(h).payer_code.denied_bps); }},
    {"denied_low_bps", "integer", [](auto& h) { return value(line_history(h).payer_code.denied_low_bps); }},
    {"denied_low_times", "integer", denied_low_times},
    {"charge_is_unusual", "boolean", charge_is_unusual},
    {"top_carc", "string?", [](auto& h) { return value_unless_empty(line_history(h).payer_code.top_code); }},
    {"unusual_charge_cents", "integer?", [](auto& h) { return value(line_history(h).unusual_charge); }},
    {"medicare_fee_cents", "integer?", [](auto& h) { return value(line_history(h).medicare_fee); }},
};

const FactField kLineFields[] = {
    {"cpt", "string", [](auto& h) { return value(line(h).cpt); }},
    {"modifier", "string", [](auto& h) { return value(line(h).modifier); }},
    {"units_milli", "integer", [](auto& h) { return value(line(h).units_milli); }},
    {"amount_cents", "integer?", [](auto& h) { return value(line(h).amount); }},
    {"number", "integer", [](auto& h) { return value(static_cast<std::int64_t>(index_of(h)) + 1); }},
    {"same_as", "integer?", same_as},
    {"history", "tideover.LineHistory", nullptr, FactPart::line_history},
};

const FactField kPayerFields[] = {
    {"id", "string", [](auto& h) { return value(payer(h).payer_id); }},
    {"known", "boolean", [](auto& h) { return value(facts(h).payer_known); }},
    {"near_id", "string?", [](auto& h) { return value_unless_empty(facts(h).near_payer); }},
    {"name", "string", [](auto& h) { return value(payer(h).name); }},
    {"status", "string", [](auto& h) { return value(payer(h).status); }},
    {"timely_filing_days", "integer", [](auto& h) { return value(payer(h).timely_filing_days); }},
    {"supports_advance", "boolean", [](auto& h) { return value(payer(h).supports_advance); }},
    {"denial_rate_bps", "integer", [](auto& h) { return value(payer(h).rates.denial_bps); }},
    {"allowed_rate_bps", "integer", [](auto& h) { return value(payer(h).rates.allowed_bps); }},
    {"patient_share_bps", "integer", [](auto& h) { return value(payer(h).rates.patient_share_bps); }},
    {"median_days_to_pay", "integer", [](auto& h) { return value(payer(h).rates.median_days_to_pay); }},
    {"p80_days_to_pay", "integer", [](auto& h) { return value(payer(h).rates.p80_days_to_pay); }},
};

const FactField kReviewFields[] = {
    {"denial_probability_bps", "integer", [](auto& h) { return value(review(h).forecast.denial_probability_bps); }},
    {"denial_predicted", "boolean", [](auto& h) { return value(review(h).forecast.denial_predicted); }},
    {"confidence_bps", "integer", [](auto& h) { return value(review(h).forecast.confidence_bps); }},
    {"expected_cents", "integer", [](auto& h) { return value(review(h).forecast.expected); }},
    {"allowed_cents", "integer", [](auto& h) { return value(review(h).forecast.allowed); }},
    {"submitted_cents", "integer", [](auto& h) { return value(review(h).submitted_amount); }},
    {"days_to_payment", "integer",
     [](auto& h) { return value(days_between(h.window->terms->today, review(h).forecast.payment_date)); }},
    {"warnings", "integer", [](auto& h) { return value(static_cast<int>(review(h).warnings.size())); }},
    {"payer_known", "boolean", [](auto& h) { return value(review(h).payer_known); }},
    {"payer_supports_advance", "boolean", [](auto& h) { return value(h.window->terms->payer_supports_advance); }},
    {"amount_source", "string", amount_source},
    {"evidence", "integer", [](auto& h) { return value(review(h).learned ? review(h).learned->evidence : 0); }},
    {"record_weight_bps", "integer",
     [](auto& h) { return value(review(h).learned ? review(h).learned->weight_bps : 0); }},
    {"denial_low_bps", "integer", [](auto& h) { return value(denial_low(review(h))); }},
    {"denial_high_bps", "integer", [](auto& h) { return value(denial_high(review(h))); }},
    {"nonpayment_bps", "integer", [](auto& h) { return value(review(h).cash.nonpayment_bps); }},
    {"expected_loss_bps", "fun(advance_bps:integer):integer", nullptr, FactPart::expected_loss},
    {"shortfall_bps", "fun(advance_bps:integer):integer", nullptr, FactPart::shortfall},
    {"largest_advance_bps", "fun(most_bps:integer,loss_bps:integer,shortfall_bps:integer):integer", nullptr,
     FactPart::largest_advance},
    {"payer_open_cents", "integer", [](auto& h) { return value(h.window->terms->portfolio.payer_open); }},
    {"provider_open_cents", "integer", [](auto& h) { return value(h.window->terms->portfolio.provider_open); }},
    {"advanced_30_days_cents", "integer", [](auto& h) { return value(h.window->terms->portfolio.advanced); }},
    {"lost_30_days_cents", "integer", [](auto& h) { return value(h.window->terms->portfolio.lost); }},
    {"claim_frequency_code", "string?", [](auto& h) { return value_unless_empty(details(h).claim_frequency_code); }},
    {"payer_sequence", "string?", [](auto& h) { return value_unless_empty(details(h).payer_sequence); }},
    {"paid_by_others_cents", "integer?", [](auto& h) { return value(details(h).paid_by_others); }},
    {"patient_paid_cents", "integer?", [](auto& h) { return value(details(h).patient_paid); }},
    {"benefits_assigned", "boolean?", [](auto& h) { return value(details(h).benefits_assigned); }},
    {"accepts_assignment", "boolean?", [](auto& h) { return value(details(h).accepts_assignment); }},
    {"is_encounter", "boolean?", [](auto& h) { return value(details(h).is_encounter); }},
    {"is_test", "boolean?", [](auto& h) { return value(details(h).is_test); }},
    {"pay_to_plan", "boolean?", [](auto& h) { return value(details(h).pay_to_plan); }},
    {"rail", "string", [](auto& h) { return value(h.window->terms->rail); }},
    {"today", "integer", [](auto& h) { return value(h.window->terms->today); }},
};

/// The question that reading a line, or the number of lines, stands for: a rule that reads no further has read this.
const FactField kLineThere = {"lines[]", "boolean",
                              [](auto& h) { return value(h.line < claim(h).service_lines.size()); }};
const FactField kLinesCount = {"#lines", "integer",
                               [](auto& h) { return value(static_cast<std::int64_t>(claim(h).service_lines.size())); }};

/// The same for diagnosis codes.
const FactField kDiagnosis = {"diagnosis_codes[]", "string?", [](auto& h) {
                                const auto& codes = details(h).diagnosis_codes;
                                return h.line < codes.size() ? value(codes[h.line]) : FactValue{};
                              }};
const FactField kDiagnosesCount = {"#diagnosis_codes", "integer", [](auto& h) {
                                     return value(static_cast<std::int64_t>(details(h).diagnosis_codes.size()));
                                   }};

/// For rules that need a list: true when the list has elements, else nil.
const FactField kPresent[] = {
    {"lines", "boolean?", [](auto& h) { return claim(h).service_lines.empty() ? FactValue{} : value(true); }},
    {"diagnosis_codes", "boolean?",
     [](auto& h) { return details(h).diagnosis_codes.empty() ? FactValue{} : value(true); }},
    {"history", "boolean?", [](auto& h) { return facts(h).history == nullptr ? FactValue{} : value(true); }},
};

const FactObject kObjects[] = {{"claim", kClaimFields},     {"line", kLineFields},
                               {"payer", kPayerFields},     {"review", kReviewFields},
                               {"history", kHistoryFields}, {"line_history", kLineHistoryFields}};
const FactObject& kHistory = kObjects[4];
const FactObject& kLineHistory = kObjects[5];
const FactObject& kClaim = kObjects[0];
const FactObject& kLine = kObjects[1];
const FactObject& kPayer = kObjects[2];
const FactObject& kReview = kObjects[3];

bool is_among(std::span<const FactField> fields, const FactField& field) {
  return &field >= fields.data() && &field < fields.data() + fields.size();
}

bool is_of_line(const FactField& field) {
  return is_among(kLineFields, field) || is_among(kLineHistoryFields, field);
}

void push(lua_State* state, const FactValue& value) {
  if (const auto* text = std::get_if<std::string_view>(&value))
    lua_pushlstring(state, text->data(), text->size());
  else if (const auto* number = std::get_if<std::int64_t>(&value))
    lua_pushinteger(state, *number);
  else if (const auto* yes = std::get_if<bool>(&value))
    lua_pushboolean(state, *yes ? 1 : 0);
  else
    lua_pushnil(state);
}

/// Reads a fact for a rule and records the read.
FactValue read(const FactField& field, const FactHandle& handle) {
  const FactValue value = field.read(handle);
  if (handle.window->reads != nullptr) handle.window->reads->note({&field, handle.line}, value);
  return value;
}

/// The handle behind argument 1; raises an error when its facts are not available.
const FactHandle& readable(lua_State* state, bool is_review) {
  const auto& handle = *static_cast<const FactHandle*>(lua_touserdata(state, 1));
  const bool shown = is_review ? handle.window->terms != nullptr : handle.window->claim != nullptr;
  if (!shown) luaL_error(state, "facts can be read during evaluate only");
  return handle;
}

/// Pushes the object of a part of the object that `handle` reads. Objects of lines are kept by number; their metatable
/// is at 0.
void push_part(lua_State* state, FactPart part, const FactHandle& handle) {
  if (part == FactPart::lines) lua_rawgetp(state, LUA_REGISTRYINDEX, &kLinesKey);
  if (part == FactPart::diagnoses) lua_rawgetp(state, LUA_REGISTRYINDEX, &kDiagnosesKey);
  if (part == FactPart::history) lua_rawgetp(state, LUA_REGISTRYINDEX, &kHistoryKey);
  if (part == FactPart::expected_loss) lua_rawgetp(state, LUA_REGISTRYINDEX, &kExpectedLossKey);
  if (part == FactPart::shortfall) lua_rawgetp(state, LUA_REGISTRYINDEX, &kShortfallKey);
  if (part == FactPart::largest_advance) lua_rawgetp(state, LUA_REGISTRYINDEX, &kLargestAdvanceKey);
  if (part != FactPart::line_history) return;
  lua_rawgetp(state, LUA_REGISTRYINDEX, &kLineHistoriesKey);
  const int kept = lua_gettop(state);
  const auto number = handle.line == kAskedLine ? -1 : static_cast<lua_Integer>(handle.line) + 1;
  if (lua_rawgeti(state, kept, number) != LUA_TNIL) return;
  auto* const made = static_cast<FactHandle*>(lua_newuserdatauv(state, sizeof(FactHandle), 0));
  *made = handle;
  lua_rawgeti(state, kept, 0);
  lua_setmetatable(state, -2);
  lua_pushvalue(state, -1);
  lua_rawseti(state, kept, number);
}

/// __index; upvalues: name -> FactField, the object.
int read_field(lua_State* state) {
  const auto& object = *static_cast<const FactObject*>(lua_touserdata(state, lua_upvalueindex(2)));
  const FactHandle& handle = readable(state, &object == &kReview);
  lua_pushvalue(state, 2);
  if (lua_rawget(state, lua_upvalueindex(1)) == LUA_TLIGHTUSERDATA) {
    const auto* field = static_cast<const FactField*>(lua_touserdata(state, -1));
    if (field->read == nullptr)
      push_part(state, field->part, handle);
    else
      push(state, read(*field, handle));
    return 1;
  }
  if (lua_type(state, 2) != LUA_TSTRING) return luaL_error(state, "%s has named fields only", object.name);
  lua_pushfstring(state, "%s.", object.name);
  raise_unknown(state, "field", lua_tostring(state, -1), lua_tostring(state, 2), lua_upvalueindex(1));
}

/// __index of claim.lines; upvalues: line handles created so far, their metatable.
int read_line(lua_State* state) {
  const FactHandle& handle = readable(state, false);
  if (lua_isinteger(state, 2) == 0)
    return luaL_error(state, "claim.lines has the elements 1 to %d only",
                      static_cast<int>(claim(handle).service_lines.size()));
  const lua_Integer at = lua_tointeger(state, 2);
  if (!std::get<bool>(read(kLineThere, {handle.window, static_cast<std::size_t>(at) - 1}))) {
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

/// __index of claim.diagnosis_codes.
int read_diagnosis(lua_State* state) {
  const FactHandle& handle = readable(state, false);
  if (lua_isinteger(state, 2) == 0)
    return luaL_error(state, "claim.diagnosis_codes has the elements 1 to %d only",
                      static_cast<int>(details(handle).diagnosis_codes.size()));
  push(state, read(kDiagnosis, {handle.window, static_cast<std::size_t>(lua_tointeger(state, 2)) - 1}));
  return 1;
}

int count_diagnoses(lua_State* state) {
  push(state, read(kDiagnosesCount, readable(state, false)));
  return 1;
}

int count_lines(lua_State* state) {
  push(state, read(kLinesCount, readable(state, false)));
  return 1;
}

/// Returns odds of the current review to one of its functions; upvalue: the window.
const domain::CashOdds& odds_on_show(lua_State* state) {
  const auto* const terms = static_cast<const Window*>(lua_touserdata(state, lua_upvalueindex(1)))->terms;
  if (terms == nullptr) luaL_error(state, "facts can be read during evaluate only");
  return terms->review.cash;
}

int share_argument(lua_State* state, int index, const char* name) {
  const lua_Integer given = lua_isinteger(state, index) != 0 ? lua_tointeger(state, index) : -1;
  if (given < 0 || given > domain::kOneInBps)
    luaL_error(state, "review.%s needs basis points, whole numbers from 0 to 10000 such as bps(0.80)", name);
  return static_cast<int>(given);
}

int tell_expected_loss(lua_State* state) {
  const auto& odds = odds_on_show(state);
  lua_pushinteger(state, expected_loss_bps(odds, share_argument(state, 1, "expected_loss_bps")));
  return 1;
}

int tell_shortfall(lua_State* state) {
  const auto& odds = odds_on_show(state);
  lua_pushinteger(state, shortfall_bps(odds, share_argument(state, 1, "shortfall_bps")));
  return 1;
}

int tell_largest_advance(lua_State* state) {
  constexpr const char* kName = "largest_advance_bps";
  const auto& odds = odds_on_show(state);
  const int most = share_argument(state, 1, kName), loss = share_argument(state, 2, kName),
            shortfall = share_argument(state, 3, kName);
  lua_pushinteger(state, largest_advance_bps(odds, most, {loss, shortfall}));
  return 1;
}

int refuse_fact_write(lua_State* state) {
  return luaL_error(state, "%s is read-only", lua_tostring(state, lua_upvalueindex(1)));
}

/// Completes the metatable on top with what all fact objects share: no writing, and a name for messages.
void close_metatable(lua_State* state, const char* name) {
  lua_pushstring(state, name);
  lua_pushvalue(state, -1);
  lua_setfield(state, -3, "__name");
  lua_pushcclosure(state, refuse_fact_write, 1);
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

/// Creates a handle with the metatable on top of the stack, which it pops.
void push_handle(lua_State* state, const Window& window, std::size_t line = 0) {
  auto* const handle = static_cast<FactHandle*>(lua_newuserdatauv(state, sizeof(FactHandle), 0));
  *handle = {&window, line};
  lua_insert(state, -2);
  lua_setmetatable(state, -2);
}

int make_object(lua_State* state, const FactObject& object, const Window& window, std::size_t line = 0) {
  push_metatable(state, object);
  push_handle(state, window, line);
  return luaL_ref(state, LUA_REGISTRYINDEX);
}

}  // namespace

std::span<const FactObject> fact_objects() {
  return kObjects;
}

std::string name_of(const FactQuestion& question) {
  const auto line =
      question.line == kAskedLine ? std::string("line") : "claim.lines[" + std::to_string(question.line + 1) + "]";
  if (question.field == &kLineThere) return line;
  if (question.field == &kLinesCount) return "#claim.lines";
  if (question.field == &kDiagnosis) return "claim.diagnosis_codes[" + std::to_string(question.line + 1) + "]";
  if (question.field == &kDiagnosesCount) return "#claim.diagnosis_codes";
  if (is_among(kLineHistoryFields, *question.field)) return line + ".history." + question.field->name;
  if (is_among(kHistoryFields, *question.field)) return std::string("claim.history.") + question.field->name;
  if (is_of_line(*question.field)) return line + '.' + question.field->name;
  for (const auto& object : kObjects)
    if (std::any_of(object.fields.begin(), object.fields.end(),
                    [&](const auto& field) { return &field == question.field; }))
      return std::string(object.name) + '.' + question.field->name;
  return question.field->name;
}

const FactField* optional_claim_fact(std::string_view name) {
  for (const auto& field : kPresent)
    if (field.name == name) return &field;
  for (const auto& field : kClaimFields)
    if (field.name == name && field.read != nullptr && std::string_view(field.type).ends_with('?')) return &field;
  return nullptr;
}

bool is_of_code(const FactField& field) {
  return &field == &kLineFields[0] || &field == &kLineFields[1];
}

std::vector<std::string_view> optional_claim_facts() {
  std::vector<std::string_view> names;
  for (const auto& field : kPresent) names.emplace_back(field.name);
  for (const auto& field : kClaimFields)
    if (field.read != nullptr && std::string_view(field.type).ends_with('?')) names.emplace_back(field.name);
  return names;
}

bool is_missing(const FactField& optional_fact, const Window& window) {
  return std::holds_alternative<std::monostate>(optional_fact.read({&window, 0}));
}

std::string text_of(const FactQuestion& question, const FactValue& value) {
  const std::string_view name = question.field->name;
  if (const auto* text = std::get_if<std::string_view>(&value)) return '"' + std::string(*text) + '"';
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr) return "nil";
  const auto plain = std::to_string(*number);
  if (name.ends_with("_cents")) return plain + " (" + format_money(Money::cents(*number)) + ')';
  if (name.starts_with("date_") || name == "today")
    return plain + " (" + format_date(Date::from_days(static_cast<std::int32_t>(*number))) + ')';
  return plain;
}

std::optional<FactValue> answer_now(const FactQuestion& question, const Window& window) {
  const FactHandle handle{&window, question.line};
  if (is_of_line(*question.field) && question.line != kAskedLine && !std::get<bool>(kLineThere.read(handle)))
    return std::nullopt;
  return question.field->read(handle);
}

FactViews::FactViews(lua_State* state)
    : state_(state),
      claim_(make_object(state, kClaim, window_)),
      line_(make_object(state, kLine, window_, kAskedLine)),
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

  lua_createtable(state, 0, 4);
  lua_pushcfunction(state, read_diagnosis);
  lua_setfield(state, -2, "__index");
  lua_pushcfunction(state, count_diagnoses);
  lua_setfield(state, -2, "__len");
  close_metatable(state, "claim.diagnosis_codes");
  push_handle(state, window_);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &kDiagnosesKey);

  push_metatable(state, kHistory);
  push_handle(state, window_);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &kHistoryKey);

  lua_newtable(state);
  push_metatable(state, kLineHistory);
  lua_rawseti(state, -2, 0);
  lua_rawsetp(state, LUA_REGISTRYINDEX, &kLineHistoriesKey);

  const auto keep = [&](lua_CFunction function, const char& key) {
    lua_pushlightuserdata(state, &window_);
    lua_pushcclosure(state, function, 1);
    lua_rawsetp(state, LUA_REGISTRYINDEX, &key);
  };
  keep(tell_expected_loss, kExpectedLossKey);
  keep(tell_shortfall, kShortfallKey);
  keep(tell_largest_advance, kLargestAdvanceKey);
}

}  // namespace tideover::lua
