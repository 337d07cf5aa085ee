// Moves an advance, or a residual's payout, over the settlement's rail: at most one payment of what is owed, none
// forgotten (core/docs/reliability.md#protocol-steps). Every step is a transaction of its own and the rail is never
// called inside one; before the first byte goes to a rail its key is in the rail journal. What a crash leaves behind is
// finished by the resolver through the same steps, after it took the attempt over by raising its epoch: a late writer
// is fenced out. Thread-safe.
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
  /// Waits between questions to the rail while an outcome is unknown; the last one repeats.
  std::vector<int> resolve_after_s{1, 5, 30, 120, 600, 900};
  /// An attempt whose worker has been silent this long is taken over.
  std::chrono::milliseconds lease{60'000};
  /// This node's name among those that share the database; empty where the database is this process's own.
  std::string node;
};

/// What a payout of a residual is to pay, and who asked for it.
struct PayoutOrder {
  domain::Money at_least;   // less is not worth a payment
  std::string request_key;  // as `stored_key` gives it; empty: no request, or one without a key
  /// Nobody waits for it: the next round of the resolver may take it, here or on the node that sends over this rail.
  bool for_the_resolver;
};

/// The answer to whoever has to wait for the rail's word.
domain::Error outcome_unknown(const domain::SettlementId& settlement);

/// The answer to whoever asked for a payment that the rail refused.
domain::Error rail_rejected(const domain::DisbursementAttempt& attempt);

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

  /// What is kept of the Idempotency-Key of a request for a payment: a digest, since clients make keys of what must not
  /// lie about. Empty without a key.
  std::string stored_key(const RequestContext& context) const;

  /// `seen` is the settlement as the caller just read it: its plan is renewed; all that decides is read again inside.
  /// Claims the settlement for funding: attempt `intent`, pending ledger entries, and who asked for it. Fails with the
  /// refusal that the settlement's state demands, with `idempotency_in_progress` while another worker has it, and with
  /// `conflict` when the settlement was funded or this request answered meanwhile: try again.
  domain::Result<domain::DisbursementAttempt> claim(const RequestContext& context, const domain::Settlement& seen);

  /// Claims what the settlement owes of its residual, at most what its rail takes at once, for a payout. `on_claimed`
  /// leaves the audit row. Fails with `invalid_state` where nothing is owed, with `idempotency_in_progress` while
  /// another worker has a payout of it, with `rail_outcome_unknown` while the rail has not said what became of the last
  /// one, and with `conflict` when this request made that.
  domain::Result<domain::DisbursementAttempt> claim_residual(const domain::TenantId& tenant,
                                                             const domain::SettlementId& id, const PayoutOrder& order,
                                                             const OnOutcome& on_claimed);

  /// Takes an attempt in `intent` that the caller holds to accepted, settled, rejected, unknown or manual, and returns
  /// it as committed. It stays `intent` where another node sends over this rail. Once the rail was asked, whatever
  /// cannot be written down is an unknown outcome. `idempotency_in_progress`: another worker took it over.
  domain::Result<domain::DisbursementAttempt> carry_out(const domain::TenantId& tenant,
                                                        domain::DisbursementAttempt attempt,
                                                        const OnOutcome& on_outcome);

  /// Takes over an attempt that nobody works on, asks the rail, and ends it or schedules the next question.
  domain::Status resolve(const domain::TenantId& tenant, domain::DisbursementAttempt attempt);

  /// Writes down what was learnt of an attempt outside its own course - from a rail's statement, a follow-up, an
  /// operator
  /// - with all that follows: compensating ledger entries of a return included. `attempt` as it was read;
  /// `invalid_state` where the table has no such step, `idempotency_in_progress` when it was changed meanwhile.
  domain::Result<domain::DisbursementAttempt> record(const domain::TenantId& tenant,
                                                     domain::DisbursementAttempt attempt, domain::AttemptEvent event,
                                                     const ports::RailOutcome& told, const OnOutcome& on_outcome);

  /// Takes up a payment that the rail knows (`told`) and the database does not, without sending anything. `conflict`
  /// when the database knows a later or the same attempt, `idempotency_in_progress` while an earlier one is not at its
  /// end, `settlement_not_found` when there is nothing to fund.
  domain::Result<domain::DisbursementAttempt> adopt(const ports::JournalledSend& sent, const ports::RailOutcome& told);

 private:
  using Attempt = domain::DisbursementAttempt;

  /// How long nobody else takes an attempt over, by a clock that nobody sets.
  class Lease {
   public:
    explicit Lease(std::chrono::milliseconds time) : ends_(std::chrono::steady_clock::now() + time) {}
    bool is_over() const { return std::chrono::steady_clock::now() >= ends_; }

   private:
    const std::chrono::steady_clock::time_point ends_;
  };

  domain::Status commit_step(const domain::TenantId& tenant, const Attempt& after, const ports::Store::Unit& unit);
  OnOutcome recorded_as(const domain::TenantId& tenant, const char* operation);
  bool sends_here(ports::Records& records, const ports::RailDescription& rail, domain::Timestamp now) const;
  std::string rail_key(const domain::TenantId& tenant, const domain::SettlementId& settlement, domain::Purpose purpose,
                       int number) const;

  domain::Result<Attempt> send(const domain::TenantId& tenant, Attempt attempt, domain::AttemptEvent event,
                               const OnOutcome& on_outcome);
  domain::Result<Attempt> keep_back(const domain::TenantId& tenant, const Attempt& attempt, ports::FundingRail& rail,
                                    const OnOutcome& on_outcome);
  domain::Result<Attempt> deliver(const domain::TenantId& tenant, const Attempt& attempt, ports::FundingRail& rail,
                                  const ports::Disbursement& disbursement, const std::string& claim, const Lease& lease,
                                  const OnOutcome& on_outcome);
  domain::Result<Attempt> ask(const domain::TenantId& tenant, const Attempt& attempt, const OnOutcome& on_outcome);
  domain::Result<Attempt> lose_track(const domain::TenantId& tenant, Attempt attempt);
  domain::Error hold_back(const domain::TenantId& tenant, Attempt attempt, domain::Error why);
  domain::Result<Attempt> finish(const domain::TenantId& tenant, Attempt attempt, const ports::RailDescription& rail,
                                 const ports::RailOutcome& outcome, const OnOutcome& on_outcome);
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
