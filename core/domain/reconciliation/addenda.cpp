#include "core/domain/reconciliation/addenda.hpp"

#include "core/domain/basics/text.hpp"
#include "core/domain/claims/claim_number.hpp"
#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {
namespace {

constexpr std::string_view kBeginning = "TRN*1*";
constexpr std::string_view kEnds = "~\\\r\n";
constexpr std::size_t kMaxOriginatorCharacters = 80;  // of Deposit::originator in the API

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The text before the next `*`, which is removed from `rest` with it.
std::string_view next_element(std::string_view& rest) {
  const auto end = rest.find('*');
  const auto element = trimmed(rest.substr(0, end));
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return element;
}

}  // namespace

std::optional<AddendaTrace> trace_in(std::string_view addenda) {
  std::optional<AddendaTrace> found;
  for (auto at = addenda.find(kBeginning); at != std::string_view::npos; at = addenda.find(kBeginning, at + 1)) {
    auto rest = addenda.substr(at + kBeginning.size());
    rest = rest.substr(0, rest.find_first_of(kEnds));
    AddendaTrace trace;
    trace.trace_number = next_element(rest);
    trace.originator = next_element(rest);
    if (trace.trace_number.empty()) continue;
    if (count_characters(trace.trace_number) > kMaxTraceNumberCharacters ||
        count_characters(trace.originator) > kMaxOriginatorCharacters)
      return std::nullopt;
    if (found && normal_trace(found->trace_number) != normal_trace(trace.trace_number)) return std::nullopt;
    if (!found) found = std::move(trace);
  }
  return found;
}

}  // namespace tideover::domain
