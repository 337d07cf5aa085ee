#include "core/domain/reconciliation/carried_balance.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace tideover::domain {
namespace {

using Names = std::set<std::string>;

bool has_digit(const std::string& word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The whole reference, and those of its words that have a digit.
Names names_in(const std::string& reference) {
  std::istringstream text(reference);
  Names names;
  std::string whole;
  for (std::string word; text >> word;) {
    whole += (whole.empty() ? "" : " ") + word;
    if (has_digit(word)) names.insert(word);
  }
  if (!whole.empty()) names.insert(whole);
  return names;
}

/// The names by which later remittances may refer to the balance of this one.
Names names_of(const Remittance& carrier) {
  Names names = names_in(carrier.draft.trace_number);
  for (const auto& plb : carrier.draft.provider_adjustments)
    // Only balances that are carried forward are named here. A recovery names the balance of another remittance.
    if (is_carried(plb) && plb.amount < Money{}) names.merge(names_in(plb.reference));
  for (const auto& record : carrier.claims) {
    if (record.claim.paid_amount >= Money{}) continue;
    for (const auto* number : {&record.claim.claim_identifier, &record.claim.payer_claim_number})
      if (!number->empty()) names.insert(*number);
  }
  return names;
}

bool meet(const Names& some, const Names& others) {
  return std::any_of(some.begin(), some.end(), [&](const std::string& name) { return others.contains(name); });
}

bool takes(const ProviderAdjustment& plb) {
  return is_carried(plb) && plb.amount > Money{};
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

Money beside_claims_of(const RemittanceDraft& remittance) {
  Money paid;
  for (const auto& plb : remittance.provider_adjustments)
    if (!is_carried(plb)) paid -= plb.amount;
  return paid;
}

bool names_balances(const RemittanceDraft& remittance) {
  return std::any_of(remittance.provider_adjustments.begin(), remittance.provider_adjustments.end(),
                     [](const ProviderAdjustment& plb) { return takes(plb) && !plb.reference.empty(); });
}

namespace {

/// The open balances by name.
class Balances {
 public:
  void add(Names names, Money amount) { open_.push_back({std::move(names), amount}); }
  /// Takes at most `most` from the balances with these names, oldest first.
  Money take(const Names& names, Money most) {
    Money taken;
    for (auto& balance : open_) {
      if (!meet(names, balance.names)) continue;
      const Money part = std::min(balance.left, most - taken);
      balance.left -= part;
      taken += part;
    }
    return taken;
  }

 private:
  struct Open {
    Names names;
    Money left;
  };
  std::vector<Open> open_;
};

}  // namespace

Money withheld_of(const RemittanceDraft& remittance, const std::vector<Remittance>& moved) {
  // Replay the earlier remittances in order: each recovery reduces the balances that were open at that time.
  Balances balances;
  for (const auto& earlier : moved) {
    Money carried_forward = std::max(Money{}, -earlier.draft.payment_amount), taken;
    for (const auto& plb : earlier.draft.provider_adjustments)
      if (is_carried(plb)) carried_forward += std::max(Money{}, -plb.amount);
    for (const auto& plb : earlier.draft.provider_adjustments) {
      if (!takes(plb)) continue;
      const auto names = names_in(plb.reference);
      // `carried` is the posted balance, forwarded less recovered. What it lacks of the forwarded amount was recovered.
      const Money most = std::min(plb.amount, std::max(carried_forward - earlier.carried - taken, Money{}));
      taken += names.empty() ? most : balances.take(names, most);
    }
    if (const Money carried = earlier.carried + taken; carried > Money{}) balances.add(names_of(earlier), carried);
  }
  Money withheld;
  for (const auto& plb : remittance.provider_adjustments) {
    if (!takes(plb)) continue;
    const auto names = names_in(plb.reference);
    // A recovery without a reference may concern any balance, so its whole amount counts.
    withheld += names.empty() ? plb.amount : balances.take(names, plb.amount);
  }
  return withheld;
}

}  // namespace tideover::domain
