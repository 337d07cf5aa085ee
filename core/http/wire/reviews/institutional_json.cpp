#include "core/http/wire/reviews/institutional_json.hpp"

#include "core/domain/claims/claim_input.hpp"

namespace tideover::wire {
namespace {

/// Calls `read(reader)` for the first elements of an array of objects, one more than the limit at most.
template <class Read>
void read_coded(ObjectReader& in, std::string_view name, Faults& faults, Read read) {
  const auto list = in.array(name);
  if (list && list->size() > domain::kMaxClaimCodes)
    in.fault(name, "must have at most " + std::to_string(domain::kMaxClaimCodes) + " entries");
  else if (list)
    read_objects(*list, in.path(name), faults, [&](ObjectReader& item, std::size_t index) { read(item, index); });
}

void put_codes(json::Writer& out, std::string_view name, const std::vector<std::string>& codes) {
  if (codes.empty()) return;
  out.key(name).begin_array();
  for (const auto& code : codes) out.string(code);
  out.end_array();
}

template <class Element, class Put>
void put_coded(json::Writer& out, std::string_view name, const std::vector<Element>& list, Put put) {
  if (list.empty()) return;
  out.key(name).begin_array();
  for (const auto& element : list) {
    out.begin_object();
    out.key("code").string(element.code);
    put(element);
    out.end_object();
  }
  out.end_array();
}

}  // namespace

std::vector<domain::InputText> read_codes(ObjectReader& in, std::string_view name, std::size_t most, Faults& faults,
                                          bool may_be_null) {
  std::vector<domain::InputText> codes;
  const auto list = in.array(name);
  if (!list) return codes;
  for (const json::Value item : list->items()) {
    if (codes.size() > most) break;
    auto& code = codes.emplace_back();
    if (item.kind() == json::Kind::string)
      code = std::string(item.as_text());
    else if (!may_be_null || !item.is_null())
      faults.add(in.path(name) + '[' + std::to_string(codes.size() - 1) + ']', "must be text");
  }
  return codes;
}

domain::InstitutionalInput decode_institutional(ObjectReader& in, Faults& faults) {
  domain::InstitutionalInput read;
  read.type_of_bill = in.text("type_of_bill");
  read.statement_from = in.text("statement_from");
  read.statement_through = in.text("statement_through");
  read.admission_date = in.text("admission_date");
  read.discharge_date = in.text("discharge_date");
  read.admission_type = in.text("admission_type");
  read.admission_source = in.text("admission_source");
  read.patient_status = in.text("patient_status");
  read.attending_npi = in.text("attending_npi");
  read.operating_npi = in.text("operating_npi");
  read.drg = in.text("drg");
  read.present_on_admission = read_codes(in, "present_on_admission", domain::kMaxInstitutionalDiagnoses, faults, true);
  read.condition_codes = read_codes(in, "condition_codes", domain::kMaxClaimCodes, faults);
  read_coded(in, "occurrence_codes", faults, [&](ObjectReader& item, std::size_t index) {
    if (auto* const code = domain::element_at(read.occurrence_codes, index, domain::kMaxClaimCodes))
      *code = {item.text("code"), item.text("date")};
  });
  read_coded(in, "occurrence_spans", faults, [&](ObjectReader& item, std::size_t index) {
    if (auto* const span = domain::element_at(read.occurrence_spans, index, domain::kMaxClaimCodes))
      *span = {item.text("code"), item.text("from"), item.text("through")};
  });
  read_coded(in, "value_codes", faults, [&](ObjectReader& item, std::size_t index) {
    if (auto* const code = domain::element_at(read.value_codes, index, domain::kMaxClaimCodes))
      *code = {item.text("code"), item.number("amount")};
  });
  return read;
}

void put_institutional(json::Writer& out, const domain::InstitutionalDetails& details) {
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) out.key(name).string(value);
  };
  const auto day = [&](const char* name, const std::optional<domain::Date>& date) {
    if (date) out.key(name).string(format_date(*date));
  };
  text("type_of_bill", details.type_of_bill);
  day("statement_from", details.statement_from);
  day("statement_through", details.statement_through);
  day("admission_date", details.admission_date);
  day("discharge_date", details.discharge_date);
  text("admission_type", details.admission_type);
  text("admission_source", details.admission_source);
  text("patient_status", details.patient_status);
  text("attending_npi", details.attending_npi);
  text("operating_npi", details.operating_npi);
  text("drg", details.drg);
  put_codes(out, "present_on_admission", details.present_on_admission);
  put_codes(out, "condition_codes", details.condition_codes);
  put_coded(out, "occurrence_codes", details.occurrence_codes,
            [&](const domain::OccurrenceCode& code) { out.key("date").string(format_date(code.date)); });
  put_coded(out, "occurrence_spans", details.occurrence_spans, [&](const domain::OccurrenceSpan& span) {
    out.key("from").string(format_date(span.from));
    out.key("through").string(format_date(span.through));
  });
  put_coded(out, "value_codes", details.value_codes,
            [&](const domain::ValueCode& code) { out.key("amount").raw_number(format_money(code.amount)); });
}

}  // namespace tideover::wire
