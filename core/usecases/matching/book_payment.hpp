// Moves money in: what a payment that has found its settlement does to it - the reconciliation record, the ledger
// entries and the event (core/docs/contract.md#allocation). Which payment belongs to which settlement is
// match_payments'.
//
// Runs inside the caller's transaction, after guard_matching().
#pragma once
#include "core/domain/funding/settlement.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// Where a claim of a remittance belongs.
struct AllocationTarget {
  domain::Settlement settlement;
  domain::Money billed;  // the claim's charge
};
/// Where the claims of a remittance belong, one each.
struct AllocationTargets {
  /// in_question: a reviewer has yet to say; released: a reviewer gave it to the provider.
  enum class Whose { an_advances, in_question, nobodys, released };
  std::vector<std::optional<AllocationTarget>> of;  // nullopt: no advance's
  std::vector<Whose> whose;

  const std::optional<AllocationTarget>& operator[](std::size_t claim) const { return of[claim]; }
};

/// What a reviewer is told of a remittance without a known payer.
inline constexpr const char* kAdviserUnknown =
    "The payer of this remittance is unknown, and nothing else identifies it. Assign the payer (assign_payer).";

/// Why no reviewer can post this claim of the remittance to the advance; empty where one can.
std::string_view why_not(const ports::Records& records, const domain::TenantId& tenant, const AllocationTarget& target,
                         const domain::Remittance& remittance, const domain::RemittanceClaimRecord& paid,
                         const domain::Deposit* deposit);

/// Whether an advance of the remittance waits for its funding: what is missing for it may turn out to be nobody's loss.
bool awaits_funding(const domain::Remittance& remittance, const AllocationTargets& targets);

/// What the remittance's waiting claims pay back of their advances and fees, less what was given up of it already. A
/// reviewer may give up that much of what is missing for them: the rest is the provider's, and is not paid from a loss.
domain::Money may_be_given_up(const ports::Records& records, const domain::TenantId& tenant,
                              const domain::Remittance& remittance, const AllocationTargets& targets);

/// What the payer's payments of an advance, with this one, are above the charge of its claim; zero or less: they are
/// not.
domain::Money above_charge(const ports::Records& records, const domain::TenantId& tenant,
                           const domain::Settlement& settlement, domain::Money amount);

/// What the remittance's money is more than its waiting advances were paid; negative: what is missing for them.
domain::Money left_over(const ports::Records& records, const domain::TenantId& tenant,
                        const domain::Remittance& remittance, const AllocationTargets& targets,
                        const domain::Deposit* deposit);

class BookPayment {
 public:
  BookPayment(ports::Records& records, const domain::TenantId& tenant, domain::Timestamp now, ports::IdSource& ids)
      : records_(records), tenant_(tenant), now_(now), ids_(ids) {}

  /// Books the claims of a notice that still wait, takebacks first, and what it adjusts beside them (PLB); what has no
  /// place is `unmatched`. A claim goes on waiting where its advance is not funded, where it takes back what was never
  /// paid, or where the same was perhaps paid twice or the payments go beyond the claim's charge. All of them wait
  /// where the advances would be paid more than the money that came, what is taken back of others and what the payer
  /// had carried on. `deposit` (nullptr: no money came) gets its match updated, not stored.
  void notice(domain::Remittance& remittance, const AllocationTargets& targets, domain::Deposit* deposit,
              std::string_view matched_by);
  /// Whether notice() would book one of the waiting claims.
  bool may_book(const domain::Remittance& remittance, const AllocationTargets& targets,
                const domain::Deposit* deposit) const;
  /// Books a payment out of the deposit, whose match is updated, not stored.
  void payment(const AllocationTarget& target, const domain::Payment& payment, domain::Deposit* deposit,
               const domain::Remittance* remittance, std::string_view matched_by);
  /// The advance came back: what the payer paid goes to the provider whole, who is charged nothing, and what was given
  /// up is not lost: what a reviewer gave up of the remittances that paid it (`accept_short`) never came, and is not
  /// the provider's. Nothing where nothing was booked.
  void advance_returned(const AllocationTarget& target);
  /// The notice of money that the settlement got without one, which `paid` announces: books what it decides on, where
  /// that was still waited for.
  void confirmation(const AllocationTarget& target, const domain::Remittance& remittance,
                    domain::RemittanceClaimRecord& paid, domain::Deposit* deposit, std::string_view matched_by);

  /// Books a claim of the remittance because a reviewer says so. Error invalid_state where no person can: it is no
  /// payment, takes back more than was paid, or the money is not there.
  domain::Status claim_as_decided(const AllocationTarget& target, const domain::Remittance& remittance,
                                  domain::RemittanceClaimRecord& paid, domain::Deposit* deposit);
  /// Takes a record back by one of the opposite amounts. Error invalid_state where a later one was built on it, or its
  /// residual was paid out or is on its way.
  domain::Status undo(const domain::ReconciliationRecord& record, domain::Deposit* deposit);

  /// Books what the remittance does beside its advances, as far as there is money for it: what it pays to the provider
  /// - interest and the like, and for claims that nobody advanced -, what it carries on to later payments (once all of
  /// its claims are posted) and takes of what earlier ones carried.
  void adjust(domain::Remittance& remittance, const AllocationTargets& targets, domain::Deposit* deposit);
  /// Takes back what it paid to the provider and what was given up of it. Balances between payments are not taken back.
  void undo_adjustments(domain::Remittance& remittance, domain::Deposit* deposit);
  /// Books as the funder's loss what is missing for the remittance's advances; what comes of it later is lost less.
  /// Error invalid_state, and nothing is booked, where that is more than may_be_given_up().
  domain::Status give_up_missing(domain::Remittance& remittance, const AllocationTargets& targets,
                                 domain::Deposit* deposit);
  /// Gives to the provider what pays no advance: of the deposit, whose match is updated, not stored, or of the
  /// remittance's money.
  void release(domain::Deposit& deposit, domain::Money amount) { book_release(deposit, amount); }
  void release(domain::Remittance& remittance, domain::Money amount, domain::Deposit* deposit) {
    book_adjustments(remittance, {}, amount, deposit);
  }
  /// Error invalid_state where the provider has it already.
  domain::Status undo_release(domain::Deposit& deposit);
  domain::Status undo_release(domain::Remittance& remittance, domain::Money amount, domain::Deposit* deposit);
  /// Whether the money is there for all of the remittance's advances.
  bool covers(const domain::Remittance& remittance, const AllocationTargets& targets,
              const domain::Deposit* deposit) const {
    return left_over(records_, tenant_, remittance, targets, deposit) >= domain::Money{};
  }

  /// Records posted so far, in order.
  const std::vector<domain::ReconciliationRecord>& posted() const { return posted_; }
  /// Payers of whom a balance was carried on so far, in order.
  const std::vector<std::string>& carried_on() const { return carried_on_; }

 private:
  /// Error invalid_state where less is owed to the provider.
  domain::Status owes(domain::Money released, const std::string& object) const;
  void book_loss(domain::Remittance& remittance, domain::Money loss, domain::Deposit* deposit);
  void book_release(domain::Deposit& deposit, domain::Money amount);
  void book_adjustments(domain::Remittance& remittance, domain::Money carried, domain::Money paid,
                        domain::Deposit* deposit);
  void claim(const AllocationTarget& target, const domain::Remittance& remittance, domain::RemittanceClaimRecord& paid,
             domain::Deposit* deposit, std::string_view matched_by);
  void go_on(const AllocationTarget& target, const domain::Payment& payment, domain::Money advance, domain::Money fee,
             domain::Deposit* deposit, const domain::Remittance* remittance, std::string_view matched_by);
  void post(domain::ReconciliationRecord record, domain::FinalStatus before, domain::Deposit* deposit);
  void open_task(const domain::Remittance& remittance, std::string note);

  ports::Records& records_;
  const domain::TenantId& tenant_;
  domain::Timestamp now_;
  ports::IdSource& ids_;
  std::vector<domain::ReconciliationRecord> posted_;
  std::vector<std::string> carried_on_;
};

}  // namespace tideover::usecases
