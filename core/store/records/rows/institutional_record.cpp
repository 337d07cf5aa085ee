#include "core/store/records/rows/institutional_record.hpp"

#include <array>

#include "core/store/records/rows/columns.hpp"

namespace tideover::store {
namespace {

using Details = domain::InstitutionalDetails;

constexpr std::array kCodeTexts{&Details::type_of_bill,
                                &Details::admission_type,
                                &Details::admission_source,
                                &Details::patient_status,
                                &Details::attending_npi,
                                &Details::operating_npi,
                                &Details::drg};
constexpr std::array kDays{&Details::statement_from, &Details::statement_through, &Details::admission_date,
                           &Details::discharge_date};

/// The number of elements before them.
template <class Element, class Write>
void write_list(RecordWriter& out, const std::vector<Element>& list, Write write) {
  out.integer(static_cast<std::int64_t>(list.size()));
  for (const auto& element : list) write(element);
}

template <class Element, class Read>
std::vector<Element> list_of(RecordReader& in, Read read) {
  std::vector<Element> list;
  for (auto count = in.integer(); count > 0; --count) list.push_back(read());
  return list;
}

domain::Date day_of(RecordReader& in) {
  return domain::Date::from_days(in.number());
}

}  // namespace

void write_institutional(RecordWriter& out, const Details& details) {
  for (const auto member : kCodeTexts) out.text(details.*member);
  for (const auto member : kDays) out.optional_integer(days(details.*member));
  const auto text = [&](const std::string& code) { out.text(code); };
  write_list(out, details.present_on_admission, text);
  write_list(out, details.condition_codes, text);
  write_list(out, details.occurrence_codes,
             [&](const domain::OccurrenceCode& code) { out.text(code.code).integer(code.date.days()); });
  write_list(out, details.occurrence_spans, [&](const domain::OccurrenceSpan& span) {
    out.text(span.code).integer(span.from.days()).integer(span.through.days());
  });
  write_list(out, details.value_codes,
             [&](const domain::ValueCode& code) { out.text(code.code).integer(code.amount.cents()); });
}

Details institutional_of(RecordReader& in) {
  Details details;
  for (const auto member : kCodeTexts) details.*member = in.text();
  for (const auto member : kDays)
    if (const auto day = in.optional_integer()) details.*member = domain::Date::from_days(static_cast<int>(*day));
  const auto text = [&] { return in.text(); };
  details.present_on_admission = list_of<std::string>(in, text);
  details.condition_codes = list_of<std::string>(in, text);
  details.occurrence_codes = list_of<domain::OccurrenceCode>(in, [&] {
    auto code = in.text();
    return domain::OccurrenceCode{std::move(code), day_of(in)};
  });
  details.occurrence_spans = list_of<domain::OccurrenceSpan>(in, [&] {
    auto code = in.text();
    const auto from = day_of(in);
    return domain::OccurrenceSpan{std::move(code), from, day_of(in)};
  });
  details.value_codes = list_of<domain::ValueCode>(in, [&] {
    auto code = in.text();
    return domain::ValueCode{std::move(code), domain::Money::cents(in.integer())};
  });
  return details;
}

}  // namespace tideover::store
