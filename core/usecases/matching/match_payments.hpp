// Finds what belongs together: deposits with their remittances, the claims of a remittance with their settlements
// (core/docs/contract.md#matching; what must agree is domain/reconciliation/match). What the money then does is
// book_payment's.
//
// Money posts, remittances announce. A remittance waits for its deposit; a deposit waits for its remittance, unless it
// names no trace number and exactly one settlement fits it to the cent. Either may come first, and both may come before
// the advance is known to be funded: the end state is the same. Each step is taken only where exactly one candidate
// fits, and every candidate is kept with the reasons against it. Runs inside the caller's transaction, after
// guard_matching(): two matchings of one tenant never overlap.
#pragma once
#include <map>
#include <set>
#include <unordered_map>

#include "core/domain/reconciliation/match.hpp"
#include "core/usecases/matching/alike_advances.hpp"
#include "core/usecases/matching/book_payment.hpp"
#include "core/usecases/matching/funds_pool.hpp"

namespace tideover::usecases {

/// Positions of the claims of the remittance whose money persons gave to the provider.
std::set<int> released_claims(const ports::Records& records, const domain::TenantId& tenant,
                              const domain::Remittance& remittance);

class MatchPayments {
 public:
  MatchPayments(ports::Records& records, const domain::TenantId& tenant, domain::Timestamp now, ports::IdSource& ids)
      : records_(records), tenant_(tenant), now_(now), ids_(ids), booking_(records, tenant, now, ids) {}

  /// Both are stored already; they are updated in place and in the store.
  void deposit_arrived(domain::Deposit& deposit);
  void remittance_arrived(domain::Remittance& remittance);
  /// Posts what came for this settlement before it was known to be funded.
  void settlement_funded(const domain::Settlement& settlement);
  /// Lets go of what waited for this settlement, which will never be funded. Guards the matching itself.
  void settlement_ended(const domain::SettlementId& settlement);
  /// Its payer is known now, whoever found out: it is matched again.
  void payer_assigned(domain::Deposit& deposit, const std::string& payer_id);
  void payer_assigned(domain::Remittance& remittance, const std::string& payer_id);

  // What a reviewer decided, in `task`.
  enum class Missing { waits, is_a_loss };
  /// Several deposits pay the remittance together. Error invalid_state where what is missing cannot be given up, or not
  /// yet.
  domain::Status join_as_decided(std::vector<domain::Deposit> deposits, domain::Remittance& remittance,
                                 const domain::TaskId& task, Missing missing = Missing::waits);
  /// More came than the remittances announce that a reviewer joined to it: opens a task.
  void tell_of_excess(const domain::DepositId& deposit);
  /// The remittance has its money, and that is less than its advances were paid. Error invalid_state where that much
  /// cannot be given up.
  domain::Status give_up_missing_as_decided(domain::Remittance& remittance, const domain::TaskId& task);
  /// Gives to the provider what is left of the deposit, or of the remittance for claims in question. Error
  /// invalid_state where nothing is.
  domain::Status release_as_decided(domain::Deposit& deposit, const domain::TaskId& task);
  domain::Status release_as_decided(domain::Remittance& remittance, const domain::TaskId& task);
  void name_duplicate_as_decided(domain::Deposit& deposit, const domain::DepositId& known, const domain::TaskId& task);
  void pay_as_decided(domain::Deposit& deposit, const domain::Settlement& settlement, const domain::TaskId& task);
  void name_payer_as_decided(domain::Deposit& deposit, const std::string& payer_id, const domain::TaskId& task);
  void name_payer_as_decided(domain::Remittance& remittance, const std::string& payer_id, const domain::TaskId& task);
  domain::Status post_as_decided(domain::Remittance& remittance, int position, const domain::Settlement& settlement,
                                 const domain::TaskId& task);
  /// Takes apart what a reviewer brought together.
  domain::Status undo(const domain::MatchCandidate& decided);
  /// Takes a payer's name back. Error invalid_state where money was matched or posted since.
  domain::Status forget_payer(const domain::MatchCandidate& named);

  /// Whether a claim of the remittance waits for a reviewer's word.
  bool holds_open_question(const domain::Remittance& remittance);

  /// Records posted so far, in order.
  const std::vector<domain::ReconciliationRecord>& posted() const { return booking_.posted(); }
  /// What was matched before it was re-evaluated may have changed: deposits and remittances are to be read anew.
  bool took_up() const { return took_up_; }
  /// A claim's status was changed by somebody else meanwhile: the whole unit has to try again.
  bool collided() const { return collided_; }

 private:
  enum class Found { nobody, none_that_fits, one, several };
  struct Subject {
    std::string id;
    std::optional<int> claim = std::nullopt;
  };

  /// In the trail of a remittance whose payer was unknown until its money came.
  static constexpr const char* kPayerOfMoney = "payer_of_its_money";
  static constexpr const char* kNamesakeDiffers =
      "A remittance with this trace number waits, but does not fit: amount, date or balance differ, as its trail says.";

  static constexpr const char* kTraceInAnotherForm =
      "A remittance of this payer and amount waits, whose trace number differs in its form only (zeros, case, prefix, "
      "length): accept the proposal if it is about this money.";

  void find_notice(domain::Deposit& deposit);
  void find_money(domain::Remittance& remittance);
  /// Its money has not come: notes which advances it is about.
  void announce(domain::Remittance& remittance);
  Found find_notice_by_trace(domain::Deposit& deposit);
  Found find_notice_by_amount(domain::Deposit& deposit);
  Found find_settlement(domain::Deposit& deposit);
  Found find_money_by_trace(domain::Remittance& remittance);
  Found find_money_by_amount(domain::Remittance& remittance);
  /// Payer and amount agree, and the trace numbers but for their form: opens a task about the deposit.
  void report_alike_trace(const domain::Deposit& deposit);
  void report_alike_trace(const domain::Remittance& remittance);
  Found find_sum_of(domain::Deposit& deposit);
  Found find_sum_of(domain::Remittance& remittance);
  /// `notice`: the one that arrived, where it was a remittance.
  Found find_sum(const std::string& payer, const std::string& arrived, const domain::DateRange& days,
                 domain::Remittance* notice);
  /// Weighs all candidates of one step and keeps what it thought of them; `differences(candidate)` names what does not
  /// agree, `passed_over` are those that another step has looked at.
  template <class Candidate, class Differences>
  std::pair<Found, Candidate*> weigh(const Subject& subject, domain::MatchStep step, std::vector<Candidate>& candidates,
                                     Differences differences, std::size_t passed_over = 0);
  void keep(const Subject& subject, domain::MatchStep step, const std::string& candidate, domain::MatchVerdict verdict,
            domain::MatchReasons reasons);

  bool join_all(domain::Deposit& deposit, const std::vector<domain::Remittance>& remittances);
  /// One with its claims, of those that were read without.
  domain::Remittance with_claims(const domain::RemittanceId& id) const {
    return *records_.remittances().find(tenant_, id);
  }
  /// Gives what waited for the payments that were posted another chance: a correction that came before the takeback, a
  /// takeback that came before what it takes back, a payment out of which a balance was taken before that was carried
  /// on.
  void look_again();
  void take_up_waiting(const std::set<domain::RemittanceId>& waiting);
  /// Books the remittance once more where `may(targets, money)` says so.
  template <class May>
  void take_up(domain::Remittance& remittance, May may);
  domain::Status undo_release(const domain::MatchCandidate& decided, domain::Remittance& remittance);
  /// It waits for its money again, and who pays is as unknown as before that came.
  void let_go_of_money(domain::Remittance& remittance);
  /// What other remittances said was posted by this record already is open again. `of_money_alone`: a notice that only
  /// confirmed it lets go of its money.
  domain::Status forget_repeats(const domain::ReconciliationRecord& record, bool of_money_alone);
  void take_payer_of(const domain::Deposit& money, domain::Remittance& remittance);
  /// What was nobody's may be somebody's now: under another payer, or with other money.
  void reopen_claims(domain::Remittance& remittance);
  void join(domain::Remittance& remittance, domain::Deposit& deposit, domain::MatchStep step);
  /// An Error only of Missing::is_a_loss: see BookPayment::give_up_missing().
  domain::Status join(domain::Remittance& remittance, FundsPool pool, domain::MatchStep step,
                      Missing missing = Missing::waits);
  /// Money waits under this number that is not what the remittance announces.
  void tell_of_namesakes(const domain::Remittance& remittance);
  bool announce_late(domain::Remittance& remittance);
  /// Money without a number that was posted by its amount alone, where this remittance is all about that money.
  Found find_money_posted_alone(domain::Remittance& remittance);
  /// The step that brought the remittance and its deposit together.
  domain::MatchStep joined_by(const domain::Remittance& remittance) const;
  void tell_of_reused_trace(const domain::Remittance& remittance);
  /// The notice adds up, and says the same payment anew that these were held about: nobody has to look at them any
  /// more.
  std::set<domain::RemittanceId> replace_held(const domain::Remittance& remittance);
  void keep_name(const std::string& subject, const std::string& former_payer, const domain::TaskId& task);

  void post_claims(domain::Remittance& remittance, domain::Deposit* deposit, domain::MatchStep step);
  AllocationTargets targets_of(const domain::Remittance& remittance, bool tell);
  void move_statuses(const domain::Remittance& remittance);
  void move_status(const domain::Remittance& remittance, const domain::RemittanceClaim& paid);
  bool is_about(const domain::RemittanceDraft& draft, const domain::RemittanceClaim& paid,
                const domain::Claim& claim) const;
  std::optional<ports::StoredClaim> claim_of(const domain::RemittanceClaim& paid) const;
  domain::Money fitting_charge(const domain::Remittance& remittance, const domain::RemittanceClaimRecord& paid,
                               const domain::ClaimId& id, const domain::ClaimDraft& claim);
  /// Where a claim of a remittance belongs by its number; `may_be_ours`: it has a target, or a reviewer has to say
  /// whether it has.
  struct Judged {
    std::optional<AllocationTarget> target;
    bool may_be_ours = false;
    std::optional<domain::SettlementId> named{};  // whose number it has, whether it is about that one or not
    bool is_of_known_claim = false;               // its number is that of a claim of ours which it fits
  };
  /// `tell`: keeps what was thought of it, and opens a task where it is for a reviewer.
  Judged judge(const domain::Remittance& remittance, const domain::RemittanceClaimRecord& paid, bool tell);
  /// Whether an advance is like this claim, which has the number of none: then a reviewer says which. `tell`: keeps it,
  /// and opens the task.
  bool is_alike(const domain::Remittance& remittance, const domain::RemittanceClaimRecord& paid,
                const AlikeSearch& search, bool tell);
  void open_task(const char* kind, const std::string& object, std::string note);

  ports::Records& records_;
  const domain::TenantId& tenant_;
  domain::Timestamp now_;
  ports::IdSource& ids_;
  BookPayment booking_;
  std::size_t looked_again_ = 0;   // of booking_.posted()
  std::size_t balances_seen_ = 0;  // of booking_.carried_on()
  domain::RemittanceId numbered_;
  /// The claims of a remittance with one number, and what of their charges fits each claim of ours.
  struct Namesakes {
    std::vector<std::size_t> positions;
    struct Fitting {
      domain::Money charge, taken_back;
    };
    std::map<domain::ClaimId, Fitting> fitting;  // payers' own numbers may lead to several claims under one number
  };
  std::unordered_map<std::string, Namesakes> by_number_;  // of numbered_: a long remittance is gone through once
  bool collided_ = false;
  bool took_up_ = false;
};

}  // namespace tideover::usecases
