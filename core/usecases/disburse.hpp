// Moves an advance over its rail: at most one payment per settlement, none forgotten (reliability page, section 3).
// Every step is a transaction of its own and the rail is never called inside one; what a crash leaves behind is finished
// by the resolver through the same steps. Used by confirm_settlement and resolve_disbursements.
#pragma once
#include <chrono>
#include <functional>

#include "core/ports/clock.hpp"
#include "core/ports/funding_rail.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/usecases/act.hpp"

namespace tideover::usecases {

struct DisburseOptions {
  std::chrono::milliseconds submit_timeout{10'000};
  /// Waits between questions to the rail while an outcome is unknown; the last one repeats.
  std::vector<int> resolve_after_s{5, 30, 120, 600, 3600};
  /// An attempt whose worker has been silent this long is taken over.
  std::chrono::milliseconds lease{60'000};
};

/// The answer to whoever has to wait for the rail's word.
domain::Error outcome_unknown(const domain::SettlementId& settlement);

/// The answer to whoever asked for a payment that the rail refused.
domain::Error rail_rejected(const domain::DisbursementAttempt& attempt);

/// What a request adds to the transaction that ends an attempt: its answer and its audit row.
using OnOutcome = std::function<void(ports::Records&, const domain::Settlement&, const domain::DisbursementAttempt&)>;

class Disburse {
 public:
  Disburse(ports::Store& store, ports::FundingRails& rails, const ports::Clock& clock, ports::IdSource& ids,
           const ports::KeyedDigest& digests, DisburseOptions options)
      : store_(store), rails_(rails), clock_(clock), ids_(ids), digests_(digests), options_(std::move(options)) {}

  /// `seen` is the settlement as the caller just read it: its plan is renewed; all that decides is read again inside.
  /// Claims the settlement for funding: attempt `intent`, pending ledger entries, and who asked for it. Fails with the
  /// refusal that the settlement's state demands, and with `conflict` when the settlement was funded or
  /// this request answered meanwhile: look again.
  domain::Result<domain::DisbursementAttempt> claim(const Act& act, const domain::Settlement& seen);
  /// Takes the attempt from where it stands to accepted, rejected or unknown, and returns it as committed. Once the rail
  /// was asked, whatever cannot be written down is an unknown outcome.
  domain::Result<domain::DisbursementAttempt> send(const domain::TenantId& tenant, domain::DisbursementAttempt attempt,
                                                   const OnOutcome& on_outcome);
  /// Takes over an attempt that nobody works on, asks the rail, and ends it or schedules the next question.
  domain::Status resolve(const domain::TenantId& tenant, domain::DisbursementAttempt attempt);

 private:
  domain::Result<domain::DisbursementAttempt> finish(const domain::TenantId& tenant, domain::DisbursementAttempt attempt,
                                                     const ports::RailDescription& rail, const ports::RailOutcome& outcome,
                                                     const OnOutcome& on_outcome);

  ports::Store& store_;
  ports::FundingRails& rails_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  const ports::KeyedDigest& digests_;
  DisburseOptions options_;
};

}  // namespace tideover::usecases
