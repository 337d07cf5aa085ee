#include "bank_text/trn.hpp"

#include <algorithm>

#include "bank_text/values.hpp"

namespace bank_text {
namespace {

constexpr std::string_view kBeginning = "TRN*1*";
constexpr std::string_view kTerminators = "~\\";
constexpr std::size_t kLongestSegment = 150;
constexpr std::size_t kMostElements = 5;  // TRN and four
/// Segments without a trace number that are skipped: a file of only such segments must not block the service.
constexpr int kMostAttempts = 100;

/// End of the line that contains `at`, as an offset in all lines together.
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
  std::size_t at = whole.find(kBeginning);
  for (int attempt = 0; at != std::string::npos && attempt < kMostAttempts;
       at = whole.find(kBeginning, at + 1), ++attempt) {
    auto segment = std::string_view(whole).substr(at, kLongestSegment);
    const auto terminator = segment.find_first_of(kTerminators);
    const auto separators = std::count(
        segment.begin(), segment.begin() + static_cast<std::ptrdiff_t>(std::min(terminator, segment.size())), '*');
    const bool ended = terminator != std::string_view::npos && separators < static_cast<std::ptrdiff_t>(kMostElements);
    segment = segment.substr(0, ended ? terminator : end_of_line(lines, at + kBeginning.size() - 1) - at);
    const auto elements = split(segment, '*');
    const auto element = [&](std::size_t index) {
      return index < elements.size() ? printable(trim(elements[index])) : std::string();
    };
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
    // A payer's id of five digits is written with leading zeros.
    add(trn->supplement.substr(std::min(trn->supplement.find_first_not_of('0'), trn->supplement.size())));
    add(trn->originator);
  }
  add(company_id);
  return ids;
}

}  // namespace bank_text
