#include "tests/fault/histories/reference.hpp"

#include <algorithm>

namespace tideover::tests {
namespace {

/// The only one that fits; nullptr when none or several do: then an operator decides.
template <class T, class Fits>
T* only(std::vector<T>& all, Fits fits) {
  T* found = nullptr;
  for (auto& one : all) {
    if (!fits(one)) continue;
    if (found) return nullptr;
    found = &one;
  }
  return found;
}

template <class T, class Fits>
std::size_t count(const std::vector<T>& all, Fits fits) {
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), fits));
}

}  // namespace

Cents Remittance::total() const {
  Cents sum = 0;
  for (const auto& claim : claims) sum += claim.paid;
  return sum;
}

std::map<std::string, Cents> Reference::without_zeros(std::map<std::string, Cents> accounts) {
  std::erase_if(accounts, [](const auto& account) { return account.second == 0; });
  return accounts;
}

Loan Reference::reviewed(std::string claim, Cents submitted) {
  Loan loan;
  loan.claim = std::move(claim);
  loan.submitted = submitted;            // a multiple of 6.25: nothing below is rounded
  loan.expected = submitted * 80 / 100;  // the payer allows 80 %
  loan.advance = loan.expected * 80 / 100;
  loan.fee = loan.advance * 2 / 100;
  return loan;
}

void Reference::begin(Loan& loan) {
  pending_["purchased_receivable:" + loan.settlement] += loan.advance;
  pending_["funding_cash"] -= loan.advance;
}

void Reference::refused(Loan& loan) {
  pending_["purchased_receivable:" + loan.settlement] -= loan.advance;
  pending_["funding_cash"] += loan.advance;
  loan.state = Loan::State::agreed;
}

void Reference::paid(Loan& loan) {
  pending_["purchased_receivable:" + loan.settlement] -= loan.advance;
  pending_["funding_cash"] += loan.advance;
  posted_["purchased_receivable:" + loan.settlement] += loan.advance;
  posted_["funding_cash"] -= loan.advance;
  loan.state = Loan::State::funded;
  post_waiting(loan);
}

void Reference::came_back(Loan& loan) {
  posted_["purchased_receivable:" + loan.settlement] -= loan.advance;
  posted_["funding_cash"] += loan.advance;
  if (loan.record) {  // what was paid is the provider's whole, and nothing was lost
    const Cents recovered = std::min(loan.record->payment, loan.advance),
                fee = std::min(loan.record->payment - recovered, loan.fee);
    posted_["purchased_receivable:" + loan.settlement] += loan.advance;
    posted_["loss_on_receivable"] -= loan.advance - recovered;
    posted_["fee_income"] += fee;
    posted_[payable_] -= recovered + fee;
    if (loan.record->payment > 0)
      loan.record->status = loan.record->payment > loan.expected ? "settled_over" : "settled";
  }
  end(loan, "canceled");
}

void Reference::declined(Loan& loan) {
  end(loan, "declined");
}

/// The claim may be advanced again, by another settlement, unless its payer has spoken.
void Reference::end(Loan& loan, const char* status) {
  ended.push_back({loan.settlement, status, loan.record});
  loan.state = Loan::State::reviewed;
  loan.settlement.clear();
  loan.confirmed_under.clear();
  loan.record.reset();
  loan.approved = false;
  for (auto& remittance : remittances)
    for (auto& claim : remittance.claims)
      if (claim.in_question && &loans[claim.loan] == &loan) {  // no advance's any more
        claim.in_question = false;
        pay_on(claim.paid);
      }
  post_waiting(loan);
}

void Reference::post_waiting(const Loan& loan) {
  for (auto& remittance : remittances)
    if (std::any_of(remittance.claims.begin(), remittance.claims.end(),
                    [&](const auto& claim) { return claim.waits_for_funding && &loans[claim.loan] == &loan; }))
      post_claims(remittance);
}

bool Reference::set_status(Loan& loan, int status) {
  if (status < loan.status) return false;
  loan.status = status;
  loan.decided = loan.decided || status == kDenied;
  return true;
}

bool Reference::is_repeated(const Money& arrived) const {
  const auto is_the_same = [&](const Money& other) {
    const bool named_apart = !arrived.external_id.empty() && !other.external_id.empty();  // each has an id of its own
    return other.amount == arrived.amount && other.day == arrived.day && other.trace == arrived.trace &&
           (!arrived.trace.empty() || !named_apart);
  };
  return count(deposits, is_the_same) + count(held_, is_the_same) > 0;
}

void Reference::deposit(Money arrived) {
  posted_["deposit_clearing"] += arrived.amount;
  posted_["suspense_unmatched"] -= arrived.amount;
  auto& money = deposits.emplace_back(std::move(arrived));
  const auto waits = [&](const Remittance& remittance) {
    return !remittance.joined && remittance.total() == money.amount;
  };
  const auto same_trace = [&](const Remittance& remittance) {
    return waits(remittance) && !money.trace.empty() && remittance.trace == money.trace;
  };
  if (auto* remittance = only(remittances, same_trace)) return join(*remittance, money);
  if (count(remittances, same_trace) > 0) return;
  const auto of_trace = [&](const Remittance& remittance) {
    return !remittance.joined && remittance.total() > 0 && !money.trace.empty() && remittance.trace == money.trace;
  };
  if (auto* whole = only(remittances, of_trace); whole && join_parts(*whole)) return;
  const auto without_trace = [&](const Remittance& remittance) {
    return waits(remittance) && (money.trace.empty() || remittance.trace.empty());
  };
  if (auto* remittance = only(remittances, without_trace)) return join(*remittance, money);
  if (count(remittances, without_trace) > 0 || may_be_sum(money) || !money.trace.empty()) return;
  const auto awaits = [&](const Loan& loan) {
    return loan.state == Loan::State::funded && !loan.record && loan.expected == money.amount;
  };
  if (auto* loan = only(loans, awaits)) {
    money.joined = true;
    post(*loan, money.amount, false, false);
  }
}

void Reference::remittance(Remittance arrived) {
  auto& remittance = remittances.emplace_back(std::move(arrived));
  for (const auto& claim : remittance.claims) loans[claim.loan].decided = true;
  if (remittance.total() == 0) return post_claims(remittance);
  const auto same_trace = [&](const Money& money) {
    return !money.joined && money.amount == remittance.total() && money.trace == remittance.trace;
  };
  const auto without_trace = [&](const Money& money) {
    return !money.joined && money.amount == remittance.total() && (money.trace.empty() || remittance.trace.empty());
  };
  const auto of_trace = remittance.trace.empty() ? 0 : count(deposits, same_trace);
  if (of_trace == 1) return join(remittance, *only(deposits, same_trace));
  if (of_trace == 0 && join_parts(remittance)) return;
  // A deposit that was posted without a remittance: this is its remittance.
  auto& claim = remittance.claims.front();
  const auto& loan = loans[claim.loan];
  if (remittance.claims.size() == 1 && loan.record && !loan.record->by_remittance &&
      loan.record->payment == claim.paid) {
    remittance.joined = true;
    claim.waits = false;
    return;
  }
  if (of_trace > 1) return;
  if (auto* money = only(deposits, without_trace)) join(remittance, *money);
}

/// All deposits of the remittance's trace number pay it where they add up to it.
bool Reference::join_parts(Remittance& remittance) {
  std::vector<Money*> parts;
  Cents total = 0;
  for (auto& one : deposits)
    if (!one.joined && !one.trace.empty() && one.trace == remittance.trace) {
      parts.push_back(&one);
      total += one.amount;
    }
  if (parts.size() < 2 || total != remittance.total()) return false;
  for (auto* part : parts) part->joined = true;
  remittance.joined = true;
  post_claims(remittance);
  return true;
}

/// Whether the deposit and others add up to a remittance. A reviewer has to decide then.
bool Reference::may_be_sum(const Money& money) {
  constexpr std::size_t kMost = 12;
  std::vector<Money*> waiting;
  std::vector<Remittance*> open;
  for (auto& one : deposits)
    if (!one.joined) waiting.push_back(&one);
  for (auto& one : remittances)
    if (!one.joined && one.total() > 0) open.push_back(&one);
  if (waiting.size() < 2 || waiting.size() > kMost || open.size() > kMost) return false;
  const auto own = std::find(waiting.begin(), waiting.end(), &money) - waiting.begin();
  for (const auto* wanted : open)
    for (std::size_t chosen = 1; chosen < std::size_t{1} << waiting.size(); ++chosen) {
      Cents total = 0;
      bool fits = (chosen >> own & 1) != 0 && (chosen & (chosen - 1)) != 0;
      for (std::size_t i = 0; i < waiting.size(); ++i)
        if ((chosen >> i & 1) != 0) {
          total += waiting[i]->amount;
          fits = fits && (waiting[i]->trace.empty() || wanted->trace.empty() || waiting[i]->trace == wanted->trace);
        }
      if (fits && total == wanted->total()) return true;
    }
  return false;
}

void Reference::join(Remittance& remittance, Money& money) {
  remittance.joined = money.joined = true;
  post_claims(remittance);
}

void Reference::post_claims(Remittance& remittance) {
  for (auto& claim : remittance.claims) {
    if (!claim.waits) continue;
    auto& loan = loans[claim.loan];
    const bool agreed = loan.state != Loan::State::reviewed;
    claim.waits_for_funding = agreed && loan.state != Loan::State::funded;
    claim.waits = claim.waits_for_funding;
    // A payer that paid nothing first may pay later; more than that for one advance is an operator's to judge.
    const bool goes_on = !loan.record || (loan.record->payment == 0 && claim.paid > 0);
    if (agreed && !claim.waits && goes_on) post(loan, claim.paid, claim.denied, true);
    claim.in_question = agreed && !claim.waits && !goes_on;
    if (!agreed) pay_on(claim.paid);
  }
}

/// No advance: the payment is credited to the provider.
void Reference::pay_on(Cents payment) {
  posted_["suspense_unmatched"] += payment;
  posted_[payable_] -= payment;
}

/// Principal, fee, the rest to the provider; what is missing of the principal is the funder's loss, and less of one
/// when money comes late.
void Reference::post(Loan& loan, Cents payment, bool denied, bool by_remittance) {
  const Cents recovered = std::min(payment, loan.advance);
  const Cents fee = std::min(payment - recovered, loan.fee);
  const Cents rest = payment - recovered - fee;
  const Cents lost_before = loan.record ? loan.advance : 0;
  posted_["suspense_unmatched"] += payment;
  posted_["loss_on_receivable"] += loan.advance - recovered - lost_before;
  posted_["purchased_receivable:" + loan.settlement] -= loan.advance - lost_before;
  posted_["fee_income"] -= fee;
  posted_[payable_] -= rest;
  const bool short_paid = recovered < loan.advance || fee < loan.fee;
  loan.record = Loan::Record{payment,
                             denied && payment == 0    ? "denied"
                             : short_paid              ? "settled_short"
                             : payment > loan.expected ? "settled_over"
                                                       : "settled",
                             by_remittance};
}

}  // namespace tideover::tests
