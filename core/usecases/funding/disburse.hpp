// Moves an advance, a residual's payout or a payout to a practice over a rail: at most one payment of what is owed, and
// none is lost (core/docs/reliability.md#protocol-steps). Every step is a transaction of its own, and no rail is called
// inside one. The rail journal gets the key of a payment before the rail gets its first byte. After a crash the
// resolver ends the attempt by the same steps. It takes the attempt over by raising its epoch, which fences out a late
// writer.
//
// Threads: thread-safe. A call blocks while the rail answers, at most for the configured timeouts.
#pragma once
#include <chrono>

#include "core/ports/clock.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/ports/rail_journal.hpp"
#include "core/usecases/funding/book_outcome.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

struct DisburseOptions {
  std::chrono::milliseconds submit_timeout{10'000};
  /// Pauses between questions to the rail while an outcome is unknown; the last one repeats.
  std::vector<int> resolve_after_s{1, 5, 30, 120, 600, 900};
  /// An attempt is taken over when its worker has been silent this long.
  std::chrono::milliseconds lease{60'000};
  /// The name of this node among those that share the database; empty when the database belongs to this process.
  std::string node;
  /// The rail of payouts to practices without a rail of their own.
  std::string payout_rail = "SAME_DAY";
  ports::RulePolicy* rules = nullptr;  // see UnitOfWork::rules
};

/// An order to pay out a residual, or what a practice is owed.
struct PayoutOrder {
  domain::Money at_least;   // a smaller amount is not paid
  std::string request_key;  // from `stored_key`; empty: no request, or a request without a key
  /// No request waits for the payout: the resolver sends it in its next round, on the node that sends over this rail.
  bool for_the_resolver;
};

/// The note of the task about a payout that the journal proves and the database cannot explain.
inline constexpr const char* kMorePaidThanDue =
    "More was paid out than the ledger shows as due. The database has lost a payment of the payer. Post it again.";

/// The response to a request whose payment has an unknown outcome.
domain::Error outcome_unknown(const domain::PaymentSubject& subject);

/// The response to a request whose payment the rail refused.
domain::Error rail_rejected(const domain::DisbursementAttempt& attempt);

/// The response to a request while another worker pays the same settlement or practice.
domain::Error fenced_out();

/// The response to a request over a rail that this service does not have.
domain::Error rail_missing(const std::string& rail);

class Disburse {
 public:
  Disburse(ports::Store& store, ports::FundingRails& rails, ports::RailJournal& journal, const ports::Clock& clock,
           ports::IdSource& ids, const ports::KeyedDigest& digests, DisburseOptions options)
      : store_(store),
        rails_(rails),
        journal_(journal),
        clock_(clock),
        ids_(ids),
        digests_(digests),
        options_(std::move(options)) {}

  /// Until the end of its block the payments that this thread makes have the time of this tenant.
  ports::InTimeOf in_time_of(const domain::TenantId& tenant) const { return {clock_, tenant}; }
  /// The stored form of a payment request's Idempotency-Key: a digest, because clients may put sensitive data into
  /// keys. Empty without a key.
  std::string stored_key(const RequestContext& context) const;
  /// Whether the journal has a later attempt than this refused one: the database has lost it, and it may have paid. The
  /// refusal is not the result of the confirm then, nor while the journal cannot be read.
  domain::Result<bool> has_lost_fallback(const domain::TenantId& tenant,
                                         const domain::DisbursementAttempt& refused) const;

  /// Claims the settlement for funding: an attempt in `intent`, pending ledger entries and the requester. `seen` is the
  /// settlement as the caller read it. Its plan is renewed, and everything that decides is read again inside the
  /// transaction. Fails with the refusal for the settlement's state, with `idempotency_in_progress` while another
  /// worker has it, and with `conflict` when the settlement was funded or the request answered in the meantime (send
  /// the request again).
  domain::Result<domain::DisbursementAttempt> claim(const RequestContext& context, const domain::Settlement& seen);

  /// Claims the due residual for a payout, at most what the rail takes in one payment. `on_claimed` writes the audit
  /// row. Fails with `invalid_state` when nothing is due, `idempotency_in_progress` while another worker has a payout,
  /// `rail_outcome_unknown` while the outcome of the last payout is unknown, and `conflict` when this request made it.
  domain::Result<domain::DisbursementAttempt> claim_residual(const domain::TenantId& tenant,
                                                             const domain::SettlementId& id, const PayoutOrder& order,
                                                             const OnOutcome& on_claimed);

  /// Claims what a practice is owed of payables from before `before`, at most what the rail takes in one payment. Fails
  /// as claim_residual() does, and with `not_found` when nothing was ever owed to the practice.
  domain::Result<domain::DisbursementAttempt> claim_practice(const domain::TenantId& tenant, const std::string& npi,
                                                             const PayoutOrder& order, domain::Timestamp before,
                                                             const OnOutcome& on_claimed);

  /// Takes an attempt in `intent` that the caller holds to accepted, settled, rejected, unknown or manual, and returns
  /// it as committed. It stays in `intent` when another node sends over this rail. After the rail was asked, a result
  /// that cannot be stored is an unknown outcome. Error `idempotency_in_progress`: another worker took the attempt
  /// over.
  domain::Result<domain::DisbursementAttempt> carry_out(const domain::TenantId& tenant,
                                                        domain::DisbursementAttempt attempt,
                                                        const OnOutcome& on_outcome);

  /// Takes over an attempt without a worker, asks the rail, and ends the attempt or schedules the next question.
  domain::Status resolve(const domain::TenantId& tenant, domain::DisbursementAttempt attempt);

  /// Stores what a statement, a follow-up or an operator says about an attempt, with all consequences, such as the
  /// compensating ledger entries of a return. `attempt` is as it was read. Error `invalid_state` when its state does
  /// not allow the step, `idempotency_in_progress` when it was changed in the meantime.
  domain::Result<domain::DisbursementAttempt> record(const domain::TenantId& tenant,
                                                     domain::DisbursementAttempt attempt, domain::AttemptEvent event,
                                                     const ports::RailOutcome& outcome, const OnOutcome& on_outcome);

  bool knows_rail(const std::string& rail) { return rails_.find(rail) != nullptr; }

  /// Adopts a payment that the rail knows (`outcome`) and the database does not. Sends nothing. Error `conflict` when
  /// the database has this or a later attempt, `idempotency_in_progress` while an earlier attempt is open,
  /// `settlement_not_found` when the settlement is missing.
  domain::Result<domain::DisbursementAttempt> adopt(const ports::JournalledSend& sent,
                                                    const ports::RailOutcome& outcome);

 private:
  using Attempt = domain::DisbursementAttempt;

  /// The next attempt of an advance whose rail refused it, planned before the transaction that books the reject.
  struct Fallback {
    Attempt attempt;
    domain::FundingPlan plan;
    std::vector<std::string> rails_left;
    domain::ClaimId claim;
    domain::Timestamp lease_end;
    bool is_claimed = false;  // by that transaction
  };

  /// The time in which no other worker takes the attempt over, by a monotonic clock.
  class Lease {
   public:
    explicit Lease(std::chrono::milliseconds time) : ends_(std::chrono::steady_clock::now() + time) {}
    bool is_over() const { return std::chrono::steady_clock::now() >= ends_; }

   private:
    const std::chrono::steady_clock::time_point ends_;
  };

  /// Why the claim of this settlement gets no advance now: the payer decided on it, another claim number answers it, or
  /// it was paid, or may have been.
  std::optional<domain::Error> refusal_of_claim(const ports::Records& records, const domain::TenantId& tenant,
                                                const domain::Settlement& settlement, domain::Date today) const;
  domain::Status commit_step(const domain::TenantId& tenant, const Attempt& after, const ports::Store::Unit& unit);
  OnOutcome recorded_as(const domain::TenantId& tenant, const char* operation);
  bool sends_here(ports::Records& records, const ports::RailDescription& rail, domain::Timestamp now) const;
  std::string rail_key(const domain::TenantId& tenant, const domain::PaymentSubject& subject, domain::Purpose purpose,
                       int number) const;
  domain::Result<Attempt> start_payout(const std::string& rail_name);
  domain::Status insert_adopted(ports::Records& records, const ports::JournalledSend& sent, Attempt& attempt,
                                const std::optional<domain::Date>& planned);
  void insert_adopted_practice_payout(ports::Records& records, const domain::TenantId& tenant, const Attempt& attempt);

  domain::Result<Attempt> send(const domain::TenantId& tenant, Attempt attempt, domain::AttemptEvent event,
                               const OnOutcome& on_outcome);
  domain::Result<Attempt> end_unsent_or_ask(const domain::TenantId& tenant, const Attempt& attempt,
                                            ports::FundingRail& rail, const std::string& void_code,
                                            const OnOutcome& on_outcome);
  /// `event`: the step that brought the attempt to `submitting`.
  domain::Result<Attempt> deliver(const domain::TenantId& tenant, const Attempt& attempt, domain::AttemptEvent event,
                                  ports::FundingRail& rail, const ports::Disbursement& disbursement,
                                  const std::string& claim, const Lease& lease, const OnOutcome& on_outcome);
  domain::Result<Attempt> ask(const domain::TenantId& tenant, const Attempt& attempt, const OnOutcome& on_outcome);
  domain::Status follow_journal(Attempt& attempt) const;
  domain::Result<Attempt> lose_track(const domain::TenantId& tenant, Attempt attempt);
  domain::Error hold_back(const domain::TenantId& tenant, Attempt attempt, domain::Error why);
  /// `next`: the attempt over the next rail, which starts in the transaction of a reject; null: none.
  domain::Result<Attempt> finish(const domain::TenantId& tenant, Attempt attempt, const ports::RailDescription& rail,
                                 const ports::RailOutcome& outcome, const OnOutcome& on_outcome,
                                 Fallback* next = nullptr);
  std::optional<Fallback> plan_fallback(const domain::TenantId& tenant, const Attempt& refused);
  /// `on_outcome`, after `next` was claimed where nothing speaks against it. Refers to its arguments.
  OnOutcome started_with(Fallback& next, const domain::TenantId& tenant, const OnOutcome& on_outcome);
  domain::Status claim_fallback(ports::Records& records, const domain::TenantId& tenant, const Attempt& refused,
                                Fallback& next);
  /// Until then no other worker takes an attempt over, whatever the clock of its tenant does.
  domain::Timestamp lease_end() const { return real_now(clock_).plus_ms(options_.lease.count()); }
  domain::Timestamp next_question(const Attempt& attempt, domain::Timestamp now) const;

  ports::Store& store_;
  ports::FundingRails& rails_;
  ports::RailJournal& journal_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  const ports::KeyedDigest& digests_;
  DisburseOptions options_;
};

}  // namespace tideover::usecases
