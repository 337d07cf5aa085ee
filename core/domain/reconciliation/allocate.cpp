#include "core/domain/reconciliation/allocate.hpp"

#include <algorithm>

#include "core/domain/reconciliation/carried_balance.hpp"

namespace tideover::domain {
namespace {

bool meet(const std::set<std::string>& some, const std::set<std::string>& others) {
  return std::any_of(some.begin(), some.end(), [&](const std::string& name) { return others.contains(name); });
}

bool are_different(const std::string& practice, const std::string& other) {
  return !practice.empty() && !other.empty() && practice != other;
}

class Allocator {
 public:
  /// `counts_together`: payments of the remittance cover takebacks of the same advance.
  Allocator(const AllocationInput& input, bool counts_together)
      : input_(input), counts_together_(counts_together), advances_(input.advances), balances_(input.balances) {
    plan_.outcomes.resize(input.claims.size(), ClaimOutcome::untouched);
    payments_.resize(advances_.size());
    for (const auto& claim : input.claims)
      if (counts_together && claim.is_open && claim.owner == ClaimOwner::of_advance && claim.paid > Money{})
        payments_[*claim.advance] += claim.paid;
    for (std::size_t i = 0; i < adjustments().size(); ++i)
      if (input.adjustments[i].is_open && carries_forward(i))
        forwards_.push_back(
            {AllocationLine::provider_adjustment, i, input.adjustments[i].practice, -adjustments()[i].amount});
    if (input.is_payment_open && input.draft.payment_amount < Money{})
      forwards_.push_back({AllocationLine::payment, 0, input.practice, -input.draft.payment_amount});
  }

  /// nullopt, only where it counts together: takebacks count on payments that are not posted.
  std::optional<AllocationPlan> run() {
    // Takebacks come first: they free the position that corrections in the same remittance need.
    for (std::size_t i = 0; i < input_.claims.size(); ++i)
      if (is_open(i) && claim(i).paid < Money{}) take_back(i);
    for (std::size_t i = 0; i < adjustments().size(); ++i)
      if (input_.adjustments[i].is_open && recovers(i)) recover(i);
    for (std::size_t i = 0; i < input_.claims.size(); ++i)
      if (is_open(i) && claim(i).paid >= Money{}) pay(i);
    for (std::size_t i = 0; i < adjustments().size(); ++i)
      if (input_.adjustments[i].is_open && !recovers(i) && !is_carried(adjustments()[i]))
        add_payable(AllocationLine::provider_adjustment, i, input_.adjustments[i].payee_npi, -adjustments()[i].amount,
                    AllocationReason::beside_claims);
    for (const auto& forward : forwards_) carry(forward);
    for (auto& row : recovered_before_) number(plan_.rows.emplace_back(std::move(row)));
    if (counts_together_ && !plan_.is_held && are_positions_negative()) return std::nullopt;
    check_funds();
    if (plan_.is_held) hold_all();
    return std::move(plan_);
  }

 private:
  const ClaimToAllocate& claim(std::size_t i) const { return input_.claims[i]; }
  const std::vector<ProviderAdjustment>& adjustments() const { return input_.draft.provider_adjustments; }
  bool is_open(std::size_t i) const { return claim(i).is_open; }
  bool recovers(std::size_t i) const { return is_carried(adjustments()[i]) && adjustments()[i].amount > Money{}; }
  bool carries_forward(std::size_t i) const {
    return is_carried(adjustments()[i]) && adjustments()[i].amount < Money{};
  }

  void number(AllocationRow& row) { row.number = input_.next_number + static_cast<int>(plan_.rows.size()) - 1; }
  AllocationRow& add(AllocationLine line, std::size_t index, AllocationAccount account, Money amount,
                     AllocationReason reason) {
    auto& row = plan_.rows.emplace_back();
    number(row);
    row.line = line;
    row.index = static_cast<int>(index);
    row.account = account;
    row.payer_id = input_.draft.payer_id;
    row.amount = amount;
    row.reason = reason;
    return row;
  }
  void add_payable(AllocationLine line, std::size_t index, const std::string& payee, Money amount,
                   AllocationReason reason) {
    if (!amount.is_zero()) add(line, index, AllocationAccount::payable, amount, reason).payee_npi = payee;
  }
  void add_advance(AllocationLine line, std::size_t index, AdvanceToAllocate& advance, const Payment& payment,
                   AllocationReason reason) {
    auto& row = add(line, index, AllocationAccount::advance, payment.amount, reason);
    row.settlement = advance.settlement;
    row.payee_npi = advance.payee_npi;
    advance.position = continued(advance.position, payment, advance.terms);
  }
  void hold(HoldReason reason, std::optional<std::size_t> claim = std::nullopt, Money amount = {}) {
    plan_.holds.push_back({reason, claim, amount, std::nullopt});
  }
  void hold_whole(HoldReason reason, std::optional<std::size_t> claim = std::nullopt) {
    plan_.is_held = true;
    hold(reason, claim);
  }

  /// What may be taken from the advance: the lines of one remittance for one advance count together.
  Money most_of(std::size_t advance) const {
    const auto& [settlement, payee, is_funded, terms, position, recovered] = advances_[advance];
    return is_funded ? std::max(position.paid + payments_[advance], Money{}) : Money{};
  }

  bool are_positions_negative() const {
    return std::any_of(advances_.begin(), advances_.end(),
                       [](const auto& advance) { return advance.position.paid < Money{}; });
  }

  /// What earlier remittances withheld for the claim before this one announced it: it comes from what this remittance
  /// carries forward, not from the advance a second time.
  Money take_recovered(std::size_t i) {
    auto& advance = advances_[*claim(i).advance];
    Money whole;
    if (advance.recovered <= Money{} || input_.draft.payer_id.empty()) return whole;
    for (auto& forward : forwards_) {
      if (are_different(forward.practice, advance.payee_npi)) continue;
      const Money part = std::min(advance.recovered, forward.left);
      if (part <= Money{}) continue;
      advance.recovered -= part;
      forward.left -= part;
      whole += part;
      auto& row = recovered_before_.emplace_back();
      row.line = AllocationLine::claim;
      row.index = static_cast<int>(i);
      row.account = AllocationAccount::carried;
      row.settlement = advance.settlement;
      row.payer_id = input_.draft.payer_id;
      row.amount = -part;
      row.reason = AllocationReason::recovered_before;
      forward.uses.push_back(recovered_before_.size() - 1);
    }
    return whole;
  }

  void take_back(std::size_t i) {
    const auto& taken = claim(i);
    if (taken.owner == ClaimOwner::not_advanced || taken.owner == ClaimOwner::released) {
      add_payable(AllocationLine::claim, i, taken.payee_npi, taken.paid, AllocationReason::not_advanced);
      plan_.outcomes[i] = ClaimOutcome::unmatched;
      return;
    }
    if (taken.owner == ClaimOwner::in_question || !taken.kind) return hold_whole(HoldReason::takeback_in_question, i);
    const Money before = take_recovered(i), rest = -taken.paid - before;
    // What was withheld before and is more than the takeback returns to the advance: the balance covers it. The
    // takeback reverses the decided charge in any case.
    if (before > Money{} && rest <= Money{})
      add_advance(AllocationLine::claim, i, advances_[*taken.advance], {-rest, PaymentKind::taken_back, -taken.charge},
                  AllocationReason::advanced_claim);
    const Money of_advance = rest > Money{} ? take_from(AllocationLine::claim, i, *taken.advance, rest, -taken.charge,
                                                        AllocationReason::advanced_claim, i)
                                            : Money{};
    plan_.outcomes[i] = of_advance + before > Money{} ? ClaimOutcome::posted : ClaimOutcome::unmatched;
  }

  /// Takes `amount` from the advance, at most what was paid for it. The practice owes the rest, if a reviewer accepts.
  /// Returns the part of the advance.
  Money take_from(AllocationLine line, std::size_t index, std::size_t of, Money amount, Money charge,
                  AllocationReason reason, std::optional<std::size_t> claim) {
    auto& advance = advances_[of];
    const Money most = most_of(of);
    if (amount > most && !(input_.accepts_short && advance.is_funded)) {
      hold_whole(HoldReason::takeback_beyond_payments, claim);
      plan_.holds.back().settlement = advance.settlement;
      return {};
    }
    const Money part = std::min(amount, most);
    if (part > Money{}) add_advance(line, index, advance, {-part, PaymentKind::taken_back, charge}, reason);
    add_payable(line, index, advance.payee_npi, part - amount, AllocationReason::takeback_beyond_payments);
    return part;
  }

  /// The payer withholds an amount that it took back before (PLB FB or WO above zero).
  void recover(std::size_t i) {
    if (input_.draft.payer_id.empty()) return hold_whole(HoldReason::payer_unknown);
    const auto& adjustment = input_.adjustments[i];
    Money left = adjustments()[i].amount;
    const auto names = names_in(adjustments()[i].reference);
    for (auto& balance : balances_) {
      if (!uses(adjustment.practice, names, balance)) continue;
      const Money part = std::min(left, balance.left);
      if (part <= Money{}) continue;
      auto& row = add(AllocationLine::provider_adjustment, i, AllocationAccount::carried, -part,
                      AllocationReason::balance_recovered);
      row.payee_npi = balance.payee_npi;
      row.balance = balance.row;
      balance.left -= part;
      left -= part;
    }
    if (left.is_zero()) return;
    if (adjustment.advance)
      take_from(AllocationLine::provider_adjustment, i, *adjustment.advance, left, {},
                AllocationReason::advance_recovered, std::nullopt);
    else
      add_payable(AllocationLine::provider_adjustment, i, adjustment.payee_npi, -left,
                  adjustment.names_claim ? AllocationReason::claim_recovered : AllocationReason::unknown_recovered);
  }

  void pay(std::size_t i) {
    const auto& paid = claim(i);
    auto& outcome = plan_.outcomes[i];
    const auto wait = [&](ClaimOutcome as) {
      outcome = as;
      plan_.waiting += paid.paid;
    };
    if (paid.owner == ClaimOwner::in_question) return wait(ClaimOutcome::unmatched);
    if (paid.owner != ClaimOwner::of_advance) {
      outcome = ClaimOutcome::unmatched;
      return add_payable(
          AllocationLine::claim, i, paid.payee_npi, paid.paid,
          paid.owner == ClaimOwner::released ? AllocationReason::released : AllocationReason::not_advanced);
    }
    auto& advance = advances_[*paid.advance];
    if (!advance.is_funded) return wait(ClaimOutcome::waits);
    if (!paid.kind) {
      if (!paid.moves_nothing) hold(HoldReason::no_rule, i);
      return wait(ClaimOutcome::unmatched);
    }
    // A later answer without a payment changes nothing on a final settlement, or on what it repeats.
    if (paid.paid.is_zero() && (is_final(advance.position.split.status) || repeats(paid, advance))) {
      outcome = ClaimOutcome::duplicate;
      return;
    }
    const Money above = above_charge(advance.position, paid.paid, advance.terms.billed);
    const bool is_expected = continues(advance.position, paid.paid, advance.terms.expected);
    if (!is_expected) hold(HoldReason::paid_twice, i);
    if (is_expected && above > Money{}) hold(HoldReason::above_charge, i, above);
    if (!is_expected || above > Money{}) return wait(ClaimOutcome::waits);
    add_advance(AllocationLine::claim, i, advance, {paid.paid, *paid.kind, paid.charge},
                AllocationReason::advanced_claim);
    outcome = ClaimOutcome::posted;
  }

  /// Whether a payment of nothing denies what was decided before with a payment.
  static bool repeats(const ClaimToAllocate& paid, const AdvanceToAllocate& advance) {
    if (advance.position.paid <= Money{}) return false;
    return paid.refuses_repeat ||
           (paid.kind == PaymentKind::denied && advance.position.charge + paid.charge > advance.terms.billed);
  }

  /// What this remittance carries forward: the payer will withhold it from later payments.
  struct Forward {
    AllocationLine line;
    std::size_t index;
    std::string practice;
    Money amount;
    Money left = amount;              // less `uses`
    std::vector<std::size_t> uses{};  // positions in recovered_before_
  };

  void carry(const Forward& forward) {
    if (input_.draft.payer_id.empty()) {
      hold(HoldReason::payer_unknown);
      plan_.waiting += forward.amount;
      return;
    }
    const bool is_payment = forward.line == AllocationLine::payment;
    auto& row =
        add(forward.line, forward.index, AllocationAccount::carried, forward.amount, AllocationReason::carried_forward);
    row.payee_npi = is_payment ? input_.payee_npi : input_.adjustments[forward.index].payee_npi;
    for (const auto use : forward.uses) {
      recovered_before_[use].balance = {input_.remittance, row.number};
      recovered_before_[use].payee_npi = row.payee_npi;
    }
  }

  void check_funds() {
    if (plan_.is_held) return;
    const Money payment = std::max(input_.draft.payment_amount, Money{});
    const Money announced = payment - input_.standing;
    const Money available = payment > Money{} ? std::min(announced, input_.funds) : announced;
    Money missing = std::max(sum_of(plan_.rows) - available, Money{});
    if (input_.accepts_short) missing = accept(missing);
    plan_.missing = missing;
    if (missing > Money{}) {
      plan_.is_held = true;
      hold(HoldReason::money_missing, std::nullopt, missing);
    }
  }

  /// Distributes the missing money over the payments of advances: the residual bears it first, then the funder.
  /// Returns the part that the advances cannot bear.
  Money accept(Money missing) {
    std::vector<Money> shortfall(input_.claims.size());
    std::vector<Money> residual(advances_.size()), paid(advances_.size());
    for (std::size_t a = 0; a < advances_.size(); ++a) {
      const auto& [settlement, payee, funded, terms, position, recovered] = advances_[a];
      residual[a] = std::max(position.paid - terms.advance - terms.fee, Money{});
      paid[a] = position.paid;  // a part of the payments may cover takebacks of the same advance
    }
    for (const bool of_residual : {true, false})
      for (const auto& row : plan_.rows) {
        if (row.line != AllocationLine::claim || row.account != AllocationAccount::advance || row.amount <= Money{})
          continue;
        const auto i = static_cast<std::size_t>(row.index);
        auto& rest = residual[*claim(i).advance];
        auto& most = paid[*claim(i).advance];
        Money part = std::min({missing, row.amount - shortfall[i], most});
        if (of_residual) {
          part = std::min(part, rest);
          rest -= part;
        }
        shortfall[i] += part;
        most -= part;
        missing -= part;
      }
    for (std::size_t i = 0; i < shortfall.size(); ++i) {
      if (shortfall[i].is_zero()) continue;
      auto& row = add(AllocationLine::shortfall, i, AllocationAccount::advance, -shortfall[i],
                      AllocationReason::accepted_short);
      row.settlement = advances_[*claim(i).advance].settlement;
      row.payee_npi = advances_[*claim(i).advance].payee_npi;
    }
    return missing;
  }

  void hold_all() {
    plan_.rows.clear();
    for (std::size_t i = 0; i < plan_.outcomes.size(); ++i)
      if (is_open(i)) plan_.outcomes[i] = ClaimOutcome::waits;
  }

  const AllocationInput& input_;
  const bool counts_together_;
  std::vector<AdvanceToAllocate> advances_;  // with the rows so far
  std::vector<Money> payments_;              // of the advances, by this remittance
  std::vector<BalanceToAllocate> balances_;
  std::vector<Forward> forwards_;
  std::vector<AllocationRow> recovered_before_;
  AllocationPlan plan_;
};

}  // namespace

bool uses(const std::string& practice, const std::set<std::string>& names, const BalanceToAllocate& balance) {
  return !are_different(practice, balance.practice) && (names.empty() || meet(names, balance.names) ||
                                                        (balance.carrier_names && meet(names, *balance.carrier_names)));
}

AllocationPlan allocate(const AllocationInput& input) {
  if (auto plan = Allocator(input, true).run()) return std::move(*plan);
  return *Allocator(input, false).run();
}

}  // namespace tideover::domain
