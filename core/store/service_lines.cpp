#include "core/store/service_lines.hpp"

#include "core/store/columns.hpp"
#include "core/store/record_text.hpp"

namespace tideover::store {

std::string service_lines_column(const std::vector<domain::ServiceLine>& lines) {
  RecordWriter out;
  for (const auto& line : lines) {
    out.text(line.cpt).text(line.modifier).integer(line.units_milli).optional_integer(cents(line.amount)).end_record();
  }
  return out.take();
}

std::vector<domain::ServiceLine> service_lines_of(const std::string& column) {
  std::vector<domain::ServiceLine> lines;
  for (RecordReader in(column); in.next();) {
    auto& line = lines.emplace_back();
    line.cpt = in.text();
    line.modifier = in.text();
    line.units_milli = in.integer();
    if (const auto amount = in.optional_integer()) line.amount = domain::Money::cents(*amount);
  }
  return lines;
}

}  // namespace tideover::store
