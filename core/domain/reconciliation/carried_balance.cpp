#include "core/domain/reconciliation/carried_balance.hpp"

#include <algorithm>
#include <sstream>

namespace tideover::domain {
namespace {

bool has_digit(const std::string& word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool is_carried(const ProviderAdjustment& plb) {
  return plb.code == "FB" || plb.code == "WO";
}

Money carries_of(const RemittanceDraft& remittance) {
  // A negative payment is a balance, too: the payer will withhold it from later payments.
  Money carries = std::max(Money{}, -remittance.payment_amount);
  for (const auto& plb : remittance.provider_adjustments)
    if (is_carried(plb)) carries -= plb.amount;
  return carries;
}

std::set<std::string> names_in(const std::string& reference) {
  std::istringstream text(reference);
  std::set<std::string> names;
  std::string whole;
  for (std::string word; text >> word;) {
    whole += (whole.empty() ? "" : " ") + word;
    if (has_digit(word)) names.insert(word);
  }
  if (!whole.empty()) names.insert(whole);
  return names;
}

std::set<std::string> names_of_carrier(const Remittance& carrier) {
  auto names = names_in(carrier.draft.trace_number);
  for (const auto& record : carrier.claims) {
    if (record.claim.paid_amount >= Money{}) continue;
    for (const auto* number : {&record.claim.claim_identifier, &record.claim.payer_claim_number})
      if (!number->empty()) names.insert(*number);
  }
  return names;
}

}  // namespace tideover::domain
