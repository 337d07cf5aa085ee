// Matches deposits with their remittances, and the claims of a remittance with their settlements
// (core/docs/contract.md#matching; domain/reconciliation/match says what must agree). book_payment then posts the
// money.
//
// Deposits bring money, remittances announce it. A remittance waits for its deposit. A deposit waits for its
// remittance, unless it has no trace number and exactly one settlement fits it to the cent. Either may come first, and
// both may come before the advance is known to be funded: the end state is the same. A step matches only when exactly
// one candidate fits, and every candidate is stored with the reasons against it.
//
// Threads: runs inside the caller's transaction, after guard_matching(): two matchings of one tenant never overlap.
#pragma once
#include <map>
#include <memory>
#include <set>

#include "core/domain/reconciliation/match.hpp"
#include "core/domain/reconciliation/posting.hpp"
#include "core/usecases/allocation/post_allocation.hpp"
#include "core/usecases/matching/alike_advances.hpp"
#include "core/usecases/matching/funds_pool.hpp"
#include "core/usecases/matching/numbered_advances.hpp"
#include "core/usecases/matching/open_posting.hpp"
#include "core/usecases/matching/payer_names.hpp"

namespace tideover::usecases {

class MatchPayments {
 public:
  /// `at_once`: a remittance with more claims is not posted in this transaction; see started(). 0: all are.
  explicit MatchPayments(const UnitOfWork& unit, std::size_t at_once = 0)
      : unit_(unit), at_once_(at_once), booking_(unit), posting_(unit, booking_) {}

  /// The argument is stored before the call. It is updated in place and in the store.
  void deposit_arrived(domain::Deposit& deposit);
  void remittance_arrived(domain::Remittance& remittance);
  /// Posts payments that came before this settlement was known to be funded.
  void settlement_funded(const domain::Settlement& settlement);
  /// Releases what waited for this settlement, which will never be funded. Calls guard_matching() itself.
  void settlement_ended(const domain::SettlementId& settlement);
  /// Sets the payer and matches again.
  void payer_assigned(domain::Deposit& deposit, const std::string& payer_id);
  void payer_assigned(domain::Remittance& remittance, const std::string& payer_id);

  // Decisions of a reviewer, made in `task`.
  enum class Missing { waits, is_a_loss };
  /// Several deposits pay the remittance together. Error invalid_state when the missing amount cannot be accepted as a
  /// loss, or not yet.
  domain::Status join_as_decided(std::vector<domain::Deposit> deposits, domain::Remittance& remittance,
                                 const domain::TaskId& task, Missing missing = Missing::waits);
  /// Opens a task when the deposit is more than the remittances that a reviewer joined to it announce.
  void report_excess(const domain::DepositId& deposit);
  /// The remittance has its money, but less than its claims pay. Error invalid_state when that much cannot be accepted
  /// as a loss.
  domain::Status accept_missing_as_decided(domain::Remittance& remittance, const domain::TaskId& task);
  /// Credits to the provider what is left of the deposit, or the money of the remittance's claims in question. Error
  /// invalid_state when nothing is left.
  domain::Status release_as_decided(domain::Deposit& deposit, const domain::TaskId& task);
  domain::Status release_as_decided(domain::Remittance& remittance, const domain::TaskId& task);
  void name_duplicate_as_decided(domain::Deposit& deposit, const domain::DepositId& known, const domain::TaskId& task);
  void pay_as_decided(domain::Deposit& deposit, const domain::Settlement& settlement, const domain::TaskId& task);
  void name_payer_as_decided(domain::Deposit& deposit, const std::string& payer_id, const domain::TaskId& task);
  void name_payer_as_decided(domain::Remittance& remittance, const std::string& payer_id, const domain::TaskId& task);
  domain::Status post_as_decided(domain::Remittance& remittance, int position, const domain::Settlement& settlement,
                                 const domain::TaskId& task);
  /// The bank took the deposit back: undoes what it paid, and its remittances wait for their money again. Stores the
  /// deposit without matches. The postings take effect on its returned_date. Error invalid_state when a later
  /// remittance or takeback builds on it.
  domain::Status deposit_returned(domain::Deposit& deposit);
  /// Undoes a match that a reviewer accepted.
  domain::Status undo(const domain::MatchCandidate& decided);
  /// Undoes an assigned payer. Error invalid_state when money was matched or posted since.
  domain::Status forget_payer(const domain::MatchCandidate& named);

  /// Remittances that got their money here and are posted in chunks: run PostInChunks after the commit.
  const std::vector<domain::RemittanceId>& started() const { return started_; }
  /// Posts a chunk of an open posting: the claims at these positions.
  PostedChunk post_chunk(const OpenPosting& open, const std::vector<std::size_t>& positions);
  /// Closes the task about claims of the remittance when none of them waits for a decision any more.
  void close_answered_question(const domain::RemittanceId& id);
  /// Posts here what is left of the remittances that this deposit, remittance or settlement is about, before anything
  /// else happens to them.
  void finish_postings(const std::string& object);

  /// Whether a claim of the remittance waits for a reviewer's decision.
  bool holds_open_question(const domain::Remittance& remittance);

  /// Records posted so far, in order.
  const std::vector<domain::ReconciliationRecord>& posted() const { return booking_.posted(); }
  /// Earlier matches were re-evaluated and may have changed: read deposits and remittances again.
  bool has_reevaluated() const { return has_reevaluated_; }
  /// Another unit changed a claim's status in the meantime: run the whole unit again.
  bool collided() const { return collided_; }

 private:
  enum class Found { none, none_that_fits, one, several };
  struct Subject {
    std::string id;
    std::optional<int> claim = std::nullopt;
  };

  /// In the trail of a remittance that took the payer of its deposit.
  static constexpr const char* kPayerOfMoney = "payer_of_its_money";
  static constexpr const char* kNamesakeDiffers =
      "A remittance with this trace number waits but does not fit: amount, date or balance differ. See its match "
      "trail.";

  static constexpr const char* kTraceInAnotherForm =
      "A remittance of this payer and amount waits. Its trace number differs only in form (zeros, case, prefix, "
      "length). Accept the proposal if it belongs to this money.";

  void find_remittance(domain::Deposit& deposit);
  void find_money(domain::Remittance& remittance);
  /// The money has not come: stores which advances the remittance belongs to.
  void announce(domain::Remittance& remittance);
  Found find_remittance_by_trace(domain::Deposit& deposit);
  Found find_remittance_by_amount(domain::Deposit& deposit);
  Found find_settlement(domain::Deposit& deposit);
  Found find_money_by_trace(domain::Remittance& remittance);
  Found find_money_by_amount(domain::Remittance& remittance);
  /// Payer and amount agree, and the trace numbers differ only in form: opens a task about the deposit.
  void report_alike_trace(const domain::Deposit& deposit);
  void report_alike_trace(const domain::Remittance& remittance);
  /// Whether deposits of the payer with other or no trace numbers add up to a remittance, with the arrived record.
  bool may_be_sum(const std::string& payer, const std::string& arrived, const domain::DateRange& days);
  /// Compares all candidates of one step and stores the results. `differences(candidate)` returns what does not agree.
  /// `passed_over`: the number of candidates that another step has compared.
  template <class Candidate, class Differences>
  std::pair<Found, Candidate*> weigh(const Subject& subject, domain::MatchStep step, std::vector<Candidate>& candidates,
                                     Differences differences, std::size_t passed_over = 0);
  void keep(const Subject& subject, domain::MatchStep step, const std::string& candidate, domain::MatchVerdict verdict,
            domain::MatchReasons reasons);

  bool join_all(domain::Deposit& deposit, const std::vector<domain::Remittance>& remittances);
  bool join_parts(domain::Remittance& remittance);
  /// Reads the remittance again with its claims.
  domain::Remittance with_claims(const domain::RemittanceId& id) const {
    return *records_.remittances().find(tenant_, id);
  }
  /// Re-evaluates what waited for the posted payments: a correction that came before the takeback, a takeback that came
  /// before its payment, a payment that recovered a forward balance before it was announced.
  void reevaluate_waiting();
  /// Remittances that wait for a payment of this advance.
  std::vector<domain::RemittanceId> waiting_for(const domain::SettlementId& settlement) const;
  /// Posts recoveries that were charged to their practices against the balances of this payer.
  void use_balances(const std::string& payer);
  void reevaluate(const std::set<domain::RemittanceId>& waiting);
  /// Posts the remittance again when `may(targets, money)` is true.
  template <class May>
  void reevaluate(domain::Remittance& remittance, May may);
  domain::Status undo_release(const domain::MatchCandidate& decided, domain::Remittance& remittance);
  /// Whether the remittance, which may be without its claims, is posted in chunks with this money.
  bool is_long(const domain::Remittance& remittance, const domain::Deposit& money) const;
  /// The remittance as join() needs it.
  domain::Remittance to_join(const domain::Remittance& found, const domain::Deposit& money) const {
    return is_long(found, money) ? found : with_claims(found.id);
  }
  void start_posting(const domain::Remittance& remittance, domain::MatchStep step);
  /// Returns whether it was being posted.
  bool finish_posting(const domain::RemittanceId& id);
  bool finish_all_postings();
  domain::Status take_money_from(domain::Remittance& remittance, FundsPool& pool);
  /// Money that pays nothing and is announced by no remittance is free for another match.
  void free_if_unused(FundsPool& pool);
  /// Notes that nothing of these decisions stands any more: they cannot be undone again.
  void mark_undone(const std::set<domain::TaskId>& decisions);
  /// Makes the posted claims of the remittance wait again: all of them, or only the claim of the decision and those
  /// that the decision freed. Returns their records, which are still posted.
  std::vector<domain::ReconciliationRecord> unlink_records(domain::Remittance& remittance,
                                                           std::optional<int> claim = {},
                                                           const std::set<int>& freed = {});
  /// Removes the deposit. The remittance waits for its money again, and a payer taken from the deposit is removed.
  void unlink_money(domain::Remittance& remittance);
  /// Reopens the claims of other remittances that name this record. `of_money_alone`: a remittance that only confirmed
  /// the record loses its deposit, too.
  domain::Status forget_repeats(const domain::ReconciliationRecord& record, bool of_money_alone);
  void take_payer_of(const domain::Deposit& money, domain::Remittance& remittance);
  /// Unmatched claims without an account wait again: another payer or other money may lead to an advance.
  void reopen_claims(domain::Remittance& remittance);
  void join(domain::Remittance& remittance, domain::Deposit& deposit, domain::MatchStep step);
  /// `accepts_short`: the task in which a reviewer accepted that money is missing. Returns an Error only with it: see
  /// PostAllocation::post_short().
  domain::Status join(domain::Remittance& remittance, FundsPool pool, domain::MatchStep step,
                      const domain::TaskId* accepts_short = nullptr);
  /// Reports a waiting deposit with this trace number that the remittance does not fit.
  void report_namesakes(const domain::Remittance& remittance);
  bool announce_late(domain::Remittance& remittance);
  /// A deposit without a trace number that was posted by its amount alone, when the remittance is about that money.
  Found find_money_posted_alone(domain::Remittance& remittance);
  /// The step that matched the remittance and its deposit.
  domain::MatchStep joined_by(const domain::Remittance& remittance) const;
  void report_reused_trace(const domain::Remittance& remittance);
  /// The balanced remittance replaces held ones of the same payment: closes their tasks.
  std::set<domain::RemittanceId> replace_held(const domain::Remittance& remittance);
  void keep_name(const std::string& subject, const std::string& former_payer, const domain::TaskId& task);

  void post_claims(domain::Remittance& remittance, domain::Deposit* deposit, domain::MatchStep step);
  AllocationTargets targets_of(const domain::Remittance& remittance, bool report);
  struct ClaimsToJudge {
    const domain::Remittance& remittance;                      // with all claims
    const std::vector<domain::RemittanceClaimRecord>& claims;  // those to judge
    const std::set<int>& released;
    AnsweredAdvances& answered;  // extended
    /// If set: takes the claims with the number of no advance that resemble one. They are not reported.
    std::set<int>* postponed = nullptr;
  };
  AllocationTargets targets_of(const ClaimsToJudge& scope, bool report);
  void move_statuses(const domain::Remittance& remittance);
  void move_status(const domain::Remittance& remittance, const domain::RemittanceClaimRecord& paid);
  std::optional<ports::StoredClaim> claim_of(const domain::Remittance& remittance,
                                             const domain::RemittanceClaimRecord& paid);
  /// What the claims of a remittance decide on one advance together.
  struct Fitting {
    struct Charges {
      domain::Money whole, parts;  // of claims with the whole charge, and with less
      int claims = 0;
      /// A whole charge leaves nothing to parts: these belong to another claim.
      domain::Money decided() const { return whole > domain::Money{} ? whole : parts; }
    };
    Charges paid, taken_back;
    bool is_corrected = false;  // a claim corrects the charge that is taken back
  };
  void index_numbers(const domain::Remittance& remittance);
  const Fitting& fitting_of(const domain::Remittance& remittance, const domain::RemittanceClaimRecord& paid,
                            const NumberedAdvance& advance);
  std::set<std::size_t> namesakes_of(const NumberedAdvance& advance, const std::string& payers_number);
  void weigh_charge(const domain::Remittance& remittance, const domain::RemittanceClaimRecord& paid,
                    NumberedAdvance& advance);
  /// The target of a claim by its number. `may_be_ours`: the claim has a target, or a reviewer has to decide whether it
  /// has.
  struct Judged {
    std::optional<AllocationTarget> target;
    bool may_be_ours = false;
    std::optional<domain::SettlementId> named{};  // has this claim's number, whether it fits or not
    bool is_of_known_claim = false;               // a known claim, of no other's visit, has its number and fits
  };
  /// `report`: stores the result in the trail, and opens a task when a reviewer has to decide.
  Judged judge(const domain::Remittance& remittance, const domain::RemittanceClaimRecord& paid, bool report);
  Judged judge_several(const domain::Remittance& remittance, const domain::RemittanceClaimRecord& paid,
                       const std::vector<const NumberedAdvance*>& fits, bool report);
  Judged judge_one(const domain::Remittance& remittance, const domain::RemittanceClaimRecord& paid,
                   const NumberedAdvance& advance, bool report);
  /// Whether an advance resembles this claim, whose number belongs to none. `report`: stores the candidates and opens a
  /// task.
  bool is_alike(const domain::Remittance& remittance, const domain::RemittanceClaimRecord& paid,
                const AlikeSearch& search, bool report);
  void open_task(const char* kind, const std::string& object, std::string note);

  const UnitOfWork unit_;
  const std::size_t at_once_;
  std::vector<domain::RemittanceId> started_;
  ports::Records& records_ = unit_.records;
  const domain::TenantId& tenant_ = unit_.tenant;
  const domain::Timestamp now_ = unit_.now;
  ports::IdSource& ids_ = unit_.ids;
  BookPayment booking_;
  PostAllocation posting_;
  std::size_t reevaluated_ = 0;  // of booking_.posted()
  domain::RemittanceId numbered_;
  std::shared_ptr<const ClaimNumbers> numbers_;  // reads a long remittance once
  // Of numbered_.
  std::map<std::pair<domain::SettlementId, std::string>, Fitting> fitting_;
  bool collided_ = false;
  bool has_reevaluated_ = false;
};

}  // namespace tideover::usecases
