#include "core/domain/banking/clearing.hpp"

#include <algorithm>
#include <map>

namespace tideover::domain {
namespace {

constexpr std::size_t kMostKeys = 12;
constexpr std::size_t kShortestWord = 6;
constexpr std::size_t kLongestKey = 128;

bool is_of_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '.';
}

void add_key(std::vector<SearchKey>& keys, std::string text, bool is_reference) {
  if (text.empty() || text.size() > kLongestKey || keys.size() == kMostKeys) return;
  if (std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return key.text == text; })) return;
  keys.push_back({std::move(text), is_reference});
}

bool is_same(const ClearingCandidate& a, const ClearingCandidate& b) {
  return a.kind == b.kind && a.id == b.id;
}

}  // namespace

DateRange clearing_window(Date day) {
  return {day.plus(-kClearingWindowDays), day.plus(kClearingWindowDays)};
}

std::vector<SearchKey> search_keys(const BankLine& line) {
  std::vector<SearchKey> keys;
  for (const auto& reference : line.references) add_key(keys, reference, true);
  for (std::size_t at = 0; at < line.text.size();) {
    auto end = at;
    while (end < line.text.size() && is_of_word(line.text[end])) ++end;
    const auto word = line.text.substr(at, end - at);
    const bool has_digit = std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (word.size() >= kShortestWord && has_digit) add_key(keys, word, false);
    at = std::max(end, at + 1);
  }
  return keys;
}

void settle_line(BankLine& line, const std::vector<FoundCandidate>& found) {
  std::vector<ClearingCandidate> fitting;
  bool has_other_amount = false;
  for (const auto& [candidate, by_reference] : found) {
    if (candidate.is_settled) continue;
    if (candidate.amount != line.amount) {
      // A word of the text with another amount is too weak to say that the two belong together.
      has_other_amount |= by_reference;
      continue;
    }
    if (std::none_of(fitting.begin(), fitting.end(), [&](const auto& one) { return is_same(one, candidate); }))
      fitting.push_back(candidate);
  }
  line.finding.reset();
  if (fitting.size() == 1) {
    if (fitting.front().kind == ClearingCandidate::Kind::deposit)
      line.deposit = DepositId::trusted(fitting.front().id);
    else
      line.payment = TransferId::trusted(fitting.front().id);
  } else if (fitting.size() > 1) {
    line.finding = line.is_debit ? BankExceptionKind::ambiguous_debit : BankExceptionKind::ambiguous_credit;
  } else if (has_other_amount) {
    line.finding = BankExceptionKind::amount_differs;
  } else {
    line.finding = line.is_debit ? BankExceptionKind::debit_without_payment : BankExceptionKind::credit_without_deposit;
  }
}

std::string movement_of(const BankLine& line) {
  std::string text = (line.is_debit ? "D" : "C") + std::to_string(line.amount.cents()) + '|' +
                     std::to_string(line.date.days()) + '|' + line.type_code + '|' + line.text;
  for (const auto& reference : line.references) text += '|' + reference;
  return text;
}

std::optional<BankLine> carry_settlements(const std::vector<BankLine>& earlier, std::vector<BankLine>& lines) {
  std::multimap<std::string, BankLine*> unused;
  for (auto& line : lines) unused.emplace(movement_of(line), &line);
  for (const auto& before : earlier) {
    if (!before.deposit && !before.payment) continue;
    const auto same = unused.find(movement_of(before));
    if (same == unused.end()) return before;
    same->second->deposit = before.deposit;
    same->second->payment = before.payment;
    same->second->finding.reset();
    unused.erase(same);
  }
  return std::nullopt;
}

}  // namespace tideover::domain
