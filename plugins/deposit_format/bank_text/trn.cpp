#include "bank_text/trn.hpp"

#include <algorithm>

#include "bank_text/values.hpp"

namespace bank_text {
namespace {

constexpr std::string_view kBeginning = "TRN*1*";
constexpr std::string_view kTerminators = "~\\";
constexpr std::size_t kLongestSegment = 150;
constexpr std::size_t kMostElements = 5;  // TRN and four

/// Where the line that holds `at` ends, counted in all lines put together.
std::size_t end_of_line(const std::vector<std::string_view>& lines, std::size_t at) {
  std::size_t end = 0;
  for (const auto line : lines) {
    end += line.size();
    if (end > at) break;
  }
  return end;
}

}  // namespace

std::optional<Trn> find_trn(const std::vector<std::string_view>& lines) {
  std::string whole;
  for (const auto line : lines) whole += line;
  for (std::size_t at = whole.find(kBeginning); at != std::string::npos; at = whole.find(kBeginning, at + 1)) {
    const auto terminator = whole.find_first_of(kTerminators, at);
    bool ended = terminator != std::string::npos && terminator - at <= kLongestSegment;
    if (ended && std::count(whole.begin() + static_cast<std::ptrdiff_t>(at), whole.begin() + static_cast<std::ptrdiff_t>(terminator), '*') >=
                     static_cast<std::ptrdiff_t>(kMostElements))
      ended = false;
    const auto end = ended ? terminator : end_of_line(lines, at + kBeginning.size() - 1);
    const auto elements = split(std::string_view(whole).substr(at, end - at), '*');
    const auto element = [&](std::size_t index) { return index < elements.size() ? printable(trim(elements[index])) : std::string(); };
    if (Trn trn{element(2), element(3), element(4), ended}; !trn.trace_number.empty()) return trn;
  }
  return std::nullopt;
}

std::vector<std::string> payer_ids_of(const std::optional<Trn>& trn, const std::string& company_id) {
  std::vector<std::string> ids;
  const auto add = [&](const std::string& id) {
    if (!id.empty() && std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  };
  if (trn) {
    add(trn->supplement);
    // A payer's id of five digits is written with zeros in front.
    add(trn->supplement.substr(std::min(trn->supplement.find_first_not_of('0'), trn->supplement.size())));
    add(trn->originator);
  }
  add(company_id);
  return ids;
}

}  // namespace bank_text
