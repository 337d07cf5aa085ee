// The facts of institutional claims. A professional claim has none of them.
#pragma once
#include "core/lua/facts/fact_values.hpp"

namespace tideover::lua {

using Institutional = domain::InstitutionalDetails;

inline const Institutional& institutional(const FactHandle& h) {
  static const Institutional kNone;
  const auto& known = details(h).institutional;
  return known ? *known : kNone;
}

template <auto Member>
FactValue institutional_text(const FactHandle& h) {
  return value_unless_empty(institutional(h).*Member);
}
template <auto Member>
FactValue institutional_day(const FactHandle& h) {
  return value(institutional(h).*Member);
}
template <auto Member>
const auto& institutional_list(const FactHandle& h) {
  return institutional(h).*Member;
}

/// Lists of codes, and of what each code has beside it.
inline constexpr FactList kInstitutionalLists[] = {
    list_facts<institutional_list<&Institutional::present_on_admission>>(
        "present_on_admission", "present_on_admission[]", "#present_on_admission", "string?"),
    list_facts<institutional_list<&Institutional::condition_codes>>("condition_codes", "condition_codes[]",
                                                                    "#condition_codes", "string?"),
    list_facts<institutional_list<&Institutional::occurrence_codes>, &domain::OccurrenceCode::code>(
        "occurrence_codes", "occurrence_codes[]", "#occurrence_codes", "string?"),
    list_facts<institutional_list<&Institutional::occurrence_codes>, &domain::OccurrenceCode::date>(
        "occurrence_dates", "occurrence_dates[]", "#occurrence_dates", "integer?"),
    list_facts<institutional_list<&Institutional::occurrence_spans>, &domain::OccurrenceSpan::code>(
        "span_codes", "span_codes[]", "#span_codes", "string?"),
    list_facts<institutional_list<&Institutional::occurrence_spans>, &domain::OccurrenceSpan::from>(
        "span_from_dates", "span_from_dates[]", "#span_from_dates", "integer?"),
    list_facts<institutional_list<&Institutional::occurrence_spans>, &domain::OccurrenceSpan::through>(
        "span_through_dates", "span_through_dates[]", "#span_through_dates", "integer?"),
    list_facts<institutional_list<&Institutional::value_codes>, &domain::ValueCode::code>(
        "value_codes", "value_codes[]", "#value_codes", "string?"),
    list_facts<institutional_list<&Institutional::value_codes>, &domain::ValueCode::amount>(
        "value_amounts_cents", "value_amounts_cents[]", "#value_amounts_cents", "integer?"),
};

inline constexpr FactField kInstitutionalFields[] = {
    {"type_of_bill", "string?", institutional_text<&Institutional::type_of_bill>},
    {"statement_from", "integer?", institutional_day<&Institutional::statement_from>},
    {"statement_through", "integer?", institutional_day<&Institutional::statement_through>},
    {"admission_date", "integer?", institutional_day<&Institutional::admission_date>},
    {"discharge_date", "integer?", institutional_day<&Institutional::discharge_date>},
    {"admission_type", "string?", institutional_text<&Institutional::admission_type>},
    {"admission_source", "string?", institutional_text<&Institutional::admission_source>},
    {"patient_status", "string?", institutional_text<&Institutional::patient_status>},
    {"attending_npi", "string?", institutional_text<&Institutional::attending_npi>},
    {"operating_npi", "string?", institutional_text<&Institutional::operating_npi>},
    {"drg", "string?", institutional_text<&Institutional::drg>},
    {"present_on_admission", "string[]", nullptr, FactPart::list, &kInstitutionalLists[0]},
    {"condition_codes", "string[]", nullptr, FactPart::list, &kInstitutionalLists[1]},
    {"occurrence_codes", "string[]", nullptr, FactPart::list, &kInstitutionalLists[2]},
    {"occurrence_dates", "integer[]", nullptr, FactPart::list, &kInstitutionalLists[3]},
    {"span_codes", "string[]", nullptr, FactPart::list, &kInstitutionalLists[4]},
    {"span_from_dates", "integer[]", nullptr, FactPart::list, &kInstitutionalLists[5]},
    {"span_through_dates", "integer[]", nullptr, FactPart::list, &kInstitutionalLists[6]},
    {"value_codes", "string[]", nullptr, FactPart::list, &kInstitutionalLists[7]},
    {"value_amounts_cents", "integer[]", nullptr, FactPart::list, &kInstitutionalLists[8]},
};

}  // namespace tideover::lua
