#include "core/lua/facts/facts.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/domain/claims/claim_input.hpp"
#include "core/lua/facts/institutional_facts.hpp"

namespace tideover::lua {
namespace {

using domain::Date;
using domain::Money;

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

const domain::RecourseFacts& event(const FactHandle& h) {
  return *h.window->event;
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
  const auto days = service_days(draft);
  if (!days) return {};
  return value(days_between(days->to, draft.date_of_submission.value_or(facts(h).today)));
}

FactValue lines_total(const FactHandle& h) {
  Money total;
  for (const auto& each : claim(h).service_lines) total += each.amount.value_or(Money{});
  return value(total);
}

FactValue lines_difference(const FactHandle& h) {
  return std::get<std::int64_t>(lines_total(h)) - claim(h).submitted_amount.cents();
}

/// Texts such as "59:25" in order.
std::vector<std::string_view> in_order(std::string_view modifiers) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < modifiers.size(); at += 3) parts.push_back(modifiers.substr(at, 2));
  std::sort(parts.begin(), parts.end());
  return parts;
}

bool are_same_modifiers(std::string_view a, std::string_view b) {
  return a == b || (a.size() == b.size() && in_order(a) == in_order(b));
}

/// The first line with the same codes and modifiers, if it is before this one.
FactValue same_as(const FactHandle& h) {
  const auto& lines = claim(h).service_lines;
  const auto own = index_of(h);
  if (h.window->alike != nullptr && lines.size() > domain::kMaxServiceLines) {
    const auto first = h.window->alike->first_of(claim(h), own);
    return first < own ? value(static_cast<std::int64_t>(first) + 1) : FactValue{};
  }
  for (std::size_t i = 0; i < own; ++i)
    if (lines[i].cpt == lines[own].cpt && lines[i].revenue_code == lines[own].revenue_code &&
        are_same_modifiers(lines[i].modifier, lines[own].modifier))
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

/// The facts that a claim and its review have in common.
constexpr FactField kCoordinationFields[] = {
    {"claim_type", "string", [](auto& h) { return FactValue(domain::name_of(details(h).type())); }},
    {"claim_frequency_code", "string?", [](auto& h) { return value_unless_empty(details(h).claim_frequency_code); }},
    {"payer_sequence", "string?", [](auto& h) { return value_unless_empty(details(h).payer_sequence); }},
    {"paid_by_others_cents", "integer?", [](auto& h) { return value(details(h).paid_by_others); }},
    {"patient_paid_cents", "integer?", [](auto& h) { return value(details(h).patient_paid); }},
    {"benefits_assigned", "boolean?", [](auto& h) { return value(details(h).benefits_assigned); }},
    {"accepts_assignment", "boolean?", [](auto& h) { return value(details(h).accepts_assignment); }},
    {"is_encounter", "boolean?", [](auto& h) { return value(details(h).is_encounter); }},
    {"is_test", "boolean?", [](auto& h) { return value(details(h).is_test); }},
    {"pay_to_plan", "boolean?", [](auto& h) { return value(details(h).pay_to_plan); }},
};

template <std::size_t... Sizes>
constexpr auto joined(const FactField (&... parts)[Sizes]) {
  std::array<FactField, (Sizes + ...)> all{};
  auto end = all.begin();
  ((end = std::copy(std::begin(parts), std::end(parts), end)), ...);
  return all;
}

const std::vector<std::string>& diagnoses(const FactHandle& h) {
  return details(h).diagnosis_codes;
}
constexpr FactList kDiagnoses =
    list_facts<diagnoses>("diagnosis_codes", "diagnosis_codes[]", "#diagnosis_codes", "string?");

constexpr FactField kOwnClaimFields[] = {
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
    {"diagnosis_codes", "string[]", nullptr, FactPart::list, &kDiagnoses},
    {"place_of_service", "string?", [](auto& h) { return value_unless_empty(details(h).place_of_service); }},
    {"patient_age_from", "integer?",
     [](auto& h) { return details(h).patient_age ? value(details(h).patient_age->from) : FactValue{}; }},
    {"patient_age_to", "integer?",
     [](auto& h) { return details(h).patient_age ? value(details(h).patient_age->to) : FactValue{}; }},
    {"patient_sex", "string?", [](auto& h) { return value_unless_empty(details(h).patient_sex); }},
    {"prior_authorization", "boolean?", [](auto& h) { return value(details(h).prior_authorization); }},
};

constexpr FactField kClaimHistoryField[] = {
    {"history", "tideover.History", nullptr, FactPart::history},
};

constexpr auto kClaimFields = joined(kOwnClaimFields, kCoordinationFields, kInstitutionalFields, kClaimHistoryField);

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
    {"revenue_code", "string?", [](auto& h) { return value_unless_empty(line(h).revenue_code); }},
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

constexpr FactField kOwnReviewFields[] = {
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
};

constexpr FactField kReviewCallFields[] = {
    {"rail", "string", [](auto& h) { return value(h.window->terms->rail); }},
    {"today", "integer", [](auto& h) { return value(h.window->terms->today); }},
};

constexpr auto kReviewFields = joined(kOwnReviewFields, kCoordinationFields, kReviewCallFields);

/// Of an event that a recourse rule decides.
const FactField kEventFields[] = {
    {"kind", "string", [](auto& h) { return FactValue(domain::name_of(event(h).event)); }},
    {"amount_cents", "integer", [](auto& h) { return value(event(h).amount); }},
    {"usual_future_residuals_cents", "integer", [](auto& h) { return value(event(h).usual.future_residuals); }},
    {"usual_reserve_cents", "integer", [](auto& h) { return value(event(h).usual.reserve); }},
    {"usual_funder_cents", "integer", [](auto& h) { return value(event(h).usual.funder); }},
    {"payer_id", "string", [](auto& h) { return value(event(h).payer_id); }},
    {"payee_npi", "string?", [](auto& h) { return value_unless_empty(event(h).payee_npi); }},
    {"advance_cents", "integer", [](auto& h) { return value(event(h).advance); }},
    {"paid_out_cents", "integer", [](auto& h) { return value(event(h).paid_out); }},
    {"owed_cents", "integer", [](auto& h) { return value(event(h).owed); }},
    {"carried_cents", "integer", [](auto& h) { return value(event(h).carried); }},
    {"reserve_cents", "integer", [](auto& h) { return value(event(h).reserve); }},
    {"days_since_funding", "integer?", [](auto& h) { return value(event(h).days_since_funding); }},
};

/// For rules that need them: true when there are any, else nil.
const FactField kPresent[] = {
    {"lines", "boolean?", [](auto& h) { return claim(h).service_lines.empty() ? FactValue{} : value(true); }},
    {"history", "boolean?", [](auto& h) { return facts(h).history == nullptr ? FactValue{} : value(true); }},
};

using Kind = FactObject::Kind;
/// In the order of the kinds.
const FactObject kObjects[] = {
    {"claim", kClaimFields, Kind::claim},       {"line", kLineFields, Kind::line},
    {"payer", kPayerFields, Kind::payer},       {"review", kReviewFields, Kind::review},
    {"history", kHistoryFields, Kind::history}, {"line_history", kLineHistoryFields, Kind::line_history},
    {"event", kEventFields, Kind::event}};
bool is_among(std::span<const FactField> fields, const FactField& field) {
  return &field >= fields.data() && &field < fields.data() + fields.size();
}

bool is_of_line(const FactField& field) {
  return is_among(kLineFields, field) || is_among(kLineHistoryFields, field);
}

}  // namespace

const FactField kLineThere = {"lines[]", "boolean",
                              [](auto& h) { return value(h.line < claim(h).service_lines.size()); }};
const FactField kLinesCount = {"#lines", "integer",
                               [](auto& h) { return value(static_cast<std::int64_t>(claim(h).service_lines.size())); }};

std::span<const FactList* const> fact_lists() {
  static const auto kAll = [] {
    std::vector<const FactList*> all{&kDiagnoses};
    for (const auto& list : kInstitutionalLists) all.push_back(&list);
    return all;
  }();
  return kAll;
}

std::size_t AlikeLines::first_of(const domain::ClaimDraft& claim, std::size_t line) {
  if (first_.empty()) {
    std::unordered_map<std::string, std::size_t> known;
    std::string key;
    for (std::size_t i = 0; i < claim.service_lines.size(); ++i) {
      const auto& each = claim.service_lines[i];
      key.assign(each.cpt).append(1, '\0').append(each.revenue_code);
      for (const auto modifier : in_order(each.modifier)) key.append(1, '\0').append(modifier);
      first_.push_back(known.try_emplace(key, i).first->second);
    }
  }
  return first_[line];
}

const FactObject& fact_object(FactObject::Kind kind) {
  return kObjects[static_cast<std::size_t>(kind)];
}

std::span<const FactObject> fact_objects() {
  return kObjects;
}

std::string name_of(const FactQuestion& question) {
  const auto line =
      question.line == kAskedLine ? std::string("line") : "claim.lines[" + std::to_string(question.line + 1) + "]";
  if (question.field == &kLineThere) return line;
  if (question.field == &kLinesCount) return "#claim.lines";
  for (const auto* const list : fact_lists()) {
    const auto name = std::string("claim.") + list->name;
    if (question.field == &list->element) return name + '[' + std::to_string(question.line + 1) + ']';
    if (question.field == &list->count) return '#' + name;
  }
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
  for (const auto* const list : fact_lists())
    if (list->name == name) return &list->present;
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
  for (const auto* const list : fact_lists()) names.emplace_back(list->name);
  for (const auto& field : kClaimFields)
    if (field.read != nullptr && std::string_view(field.type).ends_with('?')) names.emplace_back(field.name);
  return names;
}

bool is_missing(const FactField& optional_fact, const Window& window) {
  return std::holds_alternative<std::monostate>(optional_fact.read({&window, 0}));
}

namespace {

/// Of a fact that is a day number.
bool is_day(std::string_view name) {
  return name == "today" || name.starts_with("date_") || name.starts_with("statement_") || name.ends_with("_date") ||
         name.ends_with("_dates[]");
}

}  // namespace

std::string text_of(const FactQuestion& question, const FactValue& value) {
  const std::string_view name = question.field->name;
  if (const auto* text = std::get_if<std::string_view>(&value)) return '"' + std::string(*text) + '"';
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr) return "nil";
  const auto plain = std::to_string(*number);
  if (name.ends_with("_cents") || name.ends_with("_cents[]"))
    return plain + " (" + format_money(Money::cents(*number)) + ')';
  if (is_day(name)) return plain + " (" + format_date(Date::from_days(static_cast<std::int32_t>(*number))) + ')';
  return plain;
}

std::optional<FactValue> answer_now(const FactQuestion& question, const Window& window) {
  const FactHandle handle{&window, question.line};
  if (is_of_line(*question.field) && question.line != kAskedLine && !std::get<bool>(kLineThere.read(handle)))
    return std::nullopt;
  return question.field->read(handle);
}

}  // namespace tideover::lua
