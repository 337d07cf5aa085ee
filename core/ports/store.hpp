// The durable store. A read sees one consistent snapshot. A unit of work is committed as a whole or not at all,
// together with units of other requests (group commit). When commit() returns success, the unit is on disk.
#pragma once
#include <functional>
#include <type_traits>
#include <utility>

#include "core/domain/basics/result.hpp"
#include "core/ports/records/alike_records.hpp"
#include "core/ports/records/allocation_records.hpp"
#include "core/ports/records/answer_records.hpp"
#include "core/ports/records/audit_records.hpp"
#include "core/ports/records/banking/bank_statement_records.hpp"
#include "core/ports/records/claim_records.hpp"
#include "core/ports/records/client_records.hpp"
#include "core/ports/records/deposit_records.hpp"
#include "core/ports/records/event_records.hpp"
#include "core/ports/records/files/pickup_records.hpp"
#include "core/ports/records/import_records.hpp"
#include "core/ports/records/invariant_records.hpp"
#include "core/ports/records/learning_records.hpp"
#include "core/ports/records/ledger_records.hpp"
#include "core/ports/records/match_records.hpp"
#include "core/ports/records/node_records.hpp"
#include "core/ports/records/payees/payee_alias_records.hpp"
#include "core/ports/records/payees/payee_records.hpp"
#include "core/ports/records/payer_alias_records.hpp"
#include "core/ports/records/postings/posting_records.hpp"
#include "core/ports/records/rail_sender_records.hpp"
#include "core/ports/records/reconciliation_records.hpp"
#include "core/ports/records/recourse/recourse_records.hpp"
#include "core/ports/records/remittance_records.hpp"
#include "core/ports/records/review_records.hpp"
#include "core/ports/records/rule_records.hpp"
#include "core/ports/records/settlement_records.hpp"
#include "core/ports/records/task_records.hpp"
#include "core/ports/records/webhook_records.hpp"

namespace tideover::ports {

/// All records in one transaction. A const Records only reads.
class Records {
 public:
  virtual ~Records() = default;

// NOLINTBEGIN(bugprone-macro-parentheses): a type takes none
#define TIDEOVER_RECORDS(Type, name) \
  virtual Type& name() = 0;          \
  virtual const Type& name() const = 0
  // NOLINTEND(bugprone-macro-parentheses)
  TIDEOVER_RECORDS(ClaimRecords, claims);
  TIDEOVER_RECORDS(ReviewRecords, reviews);
  TIDEOVER_RECORDS(SettlementRecords, settlements);
  TIDEOVER_RECORDS(RailSenderRecords, rail_senders);
  TIDEOVER_RECORDS(PayeeRecords, payees);
  TIDEOVER_RECORDS(LedgerRecords, ledger);
  TIDEOVER_RECORDS(DepositRecords, deposits);
  TIDEOVER_RECORDS(BankStatementRecords, bank_statements);
  TIDEOVER_RECORDS(RemittanceRecords, remittances);
  TIDEOVER_RECORDS(PostingRecords, postings);
  TIDEOVER_RECORDS(MatchRecords, matches);
  TIDEOVER_RECORDS(AlikeRecords, alike);
  TIDEOVER_RECORDS(PayerAliasRecords, payer_aliases);
  TIDEOVER_RECORDS(PayeeAliasRecords, payee_aliases);
  TIDEOVER_RECORDS(ReconciliationRecords, reconciliations);
  TIDEOVER_RECORDS(RecourseRecords, recourse);
  TIDEOVER_RECORDS(ImportRecords, imports);
  TIDEOVER_RECORDS(PickupRecords, pickups);
  TIDEOVER_RECORDS(AllocationRecords, allocations);
  TIDEOVER_RECORDS(AnswerRecords, answers);
  TIDEOVER_RECORDS(AuditRecords, audit);
  TIDEOVER_RECORDS(EventRecords, events);
  TIDEOVER_RECORDS(WebhookRecords, webhooks);
  TIDEOVER_RECORDS(ClientRecords, clients);
  TIDEOVER_RECORDS(TaskRecords, tasks);
  TIDEOVER_RECORDS(NodeRecords, nodes);
  TIDEOVER_RECORDS(RuleRecords, rules);
  TIDEOVER_RECORDS(LearningRecords, learning);
  TIDEOVER_RECORDS(InvariantRecords, invariants);
#undef TIDEOVER_RECORDS
};

enum class Priority {
  interactive,  // a client waits for it
  background,   // small steps of the service itself
  bulk          // many rows in one unit; other units go first
};

class Store {
 public:
  virtual ~Store() = default;
  /// Runs `look` on one consistent snapshot. Error service_unavailable when the database is unreachable.
  virtual domain::Status read(const std::function<void(const Records&)>& look) = 0;

  /// For a single query, without a transaction, which would cost more than a short query. `look` may run more than
  /// once. Several queries in it may see different snapshots.
  virtual domain::Status read_one(const std::function<void(const Records&)>& look) { return read(look); }

  /// A unit may run more than once (after a conflict, or when a batch is repeated), so it only uses `Records` and
  /// assigns its own outputs. An Error that it returns rolls back its writes and is returned.
  using Unit = std::function<domain::Status(Records&)>;
  /// Blocks until the unit is durable or refused. A unique violation gives `conflict`, so that the caller can try
  /// again. A full queue gives service_unavailable with Retry-After.
  virtual domain::Status commit(const Unit& unit, Priority priority = Priority::interactive) = 0;
  /// The same without waiting. `done` is called once, on any thread; it must be quick and must not throw.
  using Done = std::function<void(domain::Status)>;
  // Functions that override this one keep `unit` and `done`.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  virtual void commit_async(Unit unit, Priority priority, Done done) { done(commit(unit, priority)); }
};

/// What `look` returns on one consistent snapshot, or the error of the read. `look` may run more than once; its last
/// value counts.
///   const auto heads = fetch(store, [](const Records& records) { return records.learning().heads(); });
///   if (!heads) return heads.error();
template <class Look>
auto fetch(Store& store, const Look& look) -> domain::Result<std::invoke_result_t<const Look&, const Records&>> {
  std::invoke_result_t<const Look&, const Records&> value{};
  const auto read = store.read([&](const Records& records) { value = look(records); });
  if (!read) return read.error();
  return value;
}

/// The same for a single query, without a transaction: see Store::read_one.
template <class Look>
auto fetch_one(Store& store, const Look& look) -> domain::Result<std::invoke_result_t<const Look&, const Records&>> {
  std::invoke_result_t<const Look&, const Records&> value{};
  const auto read = store.read_one([&](const Records& records) { value = look(records); });
  if (!read) return read.error();
  return value;
}

/// The value of the optional that `look` returns, or `missing` when it is empty.
template <class Look>
auto fetch(Store& store, domain::Error missing, const Look& look)
    -> domain::Result<typename std::invoke_result_t<const Look&, const Records&>::value_type> {
  auto found = fetch(store, look);
  if (!found) return std::move(found.error());
  if (!*found) return missing;
  return **std::move(found);
}

}  // namespace tideover::ports
