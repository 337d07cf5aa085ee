#include "tests/rest/money/x12_reader.hpp"

#include <algorithm>
#include <sstream>

namespace tideover::test {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// Empty for what is no date; one of the files has a month 23.
std::string iso_date(const std::string& compact) {
  if (compact.size() != 8 || compact.substr(4, 2) > "12" || compact.substr(6) > "31") return "";
  return compact.substr(0, 4) + "-" + compact.substr(4, 2) + "-" + compact.substr(6);
}

std::int64_t cents(const std::string& amount) {
  const bool negative = amount.starts_with('-');
  const auto point = amount.find('.');
  std::string fraction = point == std::string::npos ? "" : amount.substr(point + 1);
  fraction.resize(2, '0');
  const std::string whole =
      amount.substr(negative ? 1 : 0, point == std::string::npos ? point : point - (negative ? 1 : 0));
  const std::int64_t value = (whole.empty() ? 0 : std::stoll(whole)) * 100 + std::stoll(fraction);
  return negative ? -value : value;
}

}  // namespace

std::vector<X12Payment> read_835(const std::string& text) {
  const bool has_envelope = text.starts_with("ISA");
  const char element = text[has_envelope ? 3 : 2];
  const char terminator = has_envelope ? text[105] : '~';
  std::vector<X12Payment> payments;
  for (std::string segment : split(text, terminator)) {
    segment.erase(0, std::min(segment.find_first_not_of("\r\n"), segment.size()));
    auto parts = split(segment, element);
    if (parts.empty()) continue;
    const std::string id = parts[0];
    parts.resize(std::max<std::size_t>(parts.size(), 20));
    if (id == "ST") payments.emplace_back();
    if (payments.empty()) continue;
    X12Payment& payment = payments.back();
    X12Claim* claim = payment.claims.empty() ? nullptr : &payment.claims.back();
    if (id == "BPR") {
      payment.amount = parts[2];
      payment.amount_cents = cents(parts[2]);
      payment.date = iso_date(parts[16]);
    } else if (id == "DTM" && parts[1] == "405" && payment.date.empty()) {
      payment.date = iso_date(parts[2]);
    } else if (id == "TRN" && claim == nullptr) {
      payment.trace = parts[2];
    } else if (id == "CLP") {
      payment.claims.push_back({parts[1], parts[2], parts[3], cents(parts[3]), cents(parts[4]), "", {}});
    } else if (id == "SVC" && claim != nullptr) {
      // The separator inside SVC01 stands behind the two-letter qualifier, whatever the envelope says.
      const auto code = split(parts[1], parts[1].size() > 2 ? parts[1][2] : ':');
      X12Line line{code.size() > 1 ? code[1] : "", "", parts[2], parts[5]};
      for (std::size_t i = 2; i < std::min<std::size_t>(code.size(), 6); ++i)
        if (!code[i].empty()) line.modifier += (line.modifier.empty() ? "" : ":") + code[i];
      claim->lines.push_back(line);
    } else if (id == "DTM" && claim != nullptr && (parts[1] == "472" || parts[1] == "150" || parts[1] == "232")) {
      const std::string date = iso_date(parts[2]);
      if (!date.empty() && (claim->service_date.empty() || date < claim->service_date)) claim->service_date = date;
    }
  }
  return payments;
}

}  // namespace tideover::test
