#include "core/domain/carried_balance.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace tideover::domain {
namespace {

std::set<std::string> words_of(const std::string& reference) {
  std::istringstream text(reference);
  std::set<std::string> words;
  for (std::string word; text >> word;) words.insert(word);
  return words;
}

/// Under which later notices may name what these carried on.
std::set<std::string> names_of(const std::vector<Remittance>& carriers) {
  std::set<std::string> names;
  for (const auto& carrier : carriers) {
    names.insert(carrier.draft.trace_number);
    for (const auto& plb : carrier.draft.provider_adjustments)
      if (is_carried(plb) && plb.amount < Money{}) names.merge(words_of(plb.reference));
    for (const auto& record : carrier.claims) {
      if (record.claim.paid_amount >= Money{}) continue;
      names.insert(record.claim.claim_identifier);
      names.insert(record.claim.payer_claim_number);
    }
  }
  return names;
}

}  // namespace

bool is_carried(const ProviderAdjustment& plb) { return plb.code == "FB" || plb.code == "WO"; }

Money carries_of(const RemittanceDraft& remittance) {
  Money carries = std::max(Money{}, -remittance.payment_amount);
  for (const auto& plb : remittance.provider_adjustments)
    if (is_carried(plb)) carries -= plb.amount;
  return carries;
}

Money beside_claims_of(const RemittanceDraft& remittance) {
  Money paid;
  for (const auto& plb : remittance.provider_adjustments)
    if (!is_carried(plb)) paid -= plb.amount;
  return paid;
}

Money withheld_of(const RemittanceDraft& remittance, const std::vector<Remittance>& carriers) {
  const auto names = names_of(carriers);
  Money withheld;
  for (const auto& plb : remittance.provider_adjustments) {
    if (!is_carried(plb) || plb.amount <= Money{}) continue;
    const auto words = words_of(plb.reference);
    if (words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& word) { return names.contains(word); })) withheld += plb.amount;
  }
  return withheld;
}

}  // namespace tideover::domain
