// All records over one session, as seen by one transaction. Cheap to create: it has no data.
#pragma once
#include "core/ports/store.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/integrity/invariant_store.hpp"
#include "core/store/records/claims/alike_store.hpp"
#include "core/store/records/claims/answer_store.hpp"
#include "core/store/records/claims/claim_store.hpp"
#include "core/store/records/claims/import_store.hpp"
#include "core/store/records/claims/learning_store.hpp"
#include "core/store/records/claims/review_store.hpp"
#include "core/store/records/funding/ledger_store.hpp"
#include "core/store/records/funding/payee_store.hpp"
#include "core/store/records/funding/rail_sender_store.hpp"
#include "core/store/records/funding/settlement_store.hpp"
#include "core/store/records/operations/audit_store.hpp"
#include "core/store/records/operations/client_store.hpp"
#include "core/store/records/operations/event_store.hpp"
#include "core/store/records/operations/node_store.hpp"
#include "core/store/records/operations/pickup_store.hpp"
#include "core/store/records/operations/rule_store.hpp"
#include "core/store/records/operations/task_store.hpp"
#include "core/store/records/operations/webhook_store.hpp"
#include "core/store/records/reconciliation/allocation_store.hpp"
#include "core/store/records/reconciliation/bank_statement_store.hpp"
#include "core/store/records/reconciliation/deposit_store.hpp"
#include "core/store/records/reconciliation/match_store.hpp"
#include "core/store/records/reconciliation/payee_alias_store.hpp"
#include "core/store/records/reconciliation/payer_alias_store.hpp"
#include "core/store/records/reconciliation/posting_store.hpp"
#include "core/store/records/reconciliation/reconciliation_store.hpp"
#include "core/store/records/reconciliation/recourse_store.hpp"
#include "core/store/records/reconciliation/remittance_store.hpp"

namespace tideover::store {

/// Shared by the stores of all sessions. Must outlive them.
struct RecordServices {
  const ports::EventEncoder& encoder;
  const std::string node;  // names the hash chains that are written
  const EncryptedCells& cells;
};

class SqlRecords final : public ports::Records {
 public:
  SqlRecords(sql::Session& session, const RecordServices& services);

#define TIDEOVER_STORE(Port, Store, name)    \
  ports::Port& name() override {             \
    return name##_;                          \
  }                                          \
  const ports::Port& name() const override { \
    return name##_;                          \
  }                                          \
                                             \
 private:                                    \
  Store name##_;                             \
                                             \
 public:
  TIDEOVER_STORE(AllocationRecords, AllocationStore, allocations)
  TIDEOVER_STORE(AnswerRecords, AnswerStore, answers)
  TIDEOVER_STORE(AuditRecords, AuditStore, audit)
  TIDEOVER_STORE(ClaimRecords, ClaimStore, claims)
  TIDEOVER_STORE(ReviewRecords, ReviewStore, reviews)
  TIDEOVER_STORE(SettlementRecords, SettlementStore, settlements)
  TIDEOVER_STORE(RailSenderRecords, RailSenderStore, rail_senders)
  TIDEOVER_STORE(PayeeRecords, PayeeStore, payees)
  TIDEOVER_STORE(LedgerRecords, LedgerStore, ledger)
  TIDEOVER_STORE(DepositRecords, DepositStore, deposits)
  TIDEOVER_STORE(BankStatementRecords, BankStatementStore, bank_statements)
  TIDEOVER_STORE(RemittanceRecords, RemittanceStore, remittances)
  TIDEOVER_STORE(PostingRecords, PostingStore, postings)
  TIDEOVER_STORE(MatchRecords, MatchStore, matches)
  TIDEOVER_STORE(AlikeRecords, AlikeStore, alike)
  TIDEOVER_STORE(PayerAliasRecords, PayerAliasStore, payer_aliases)
  TIDEOVER_STORE(PayeeAliasRecords, PayeeAliasStore, payee_aliases)
  TIDEOVER_STORE(ReconciliationRecords, ReconciliationStore, reconciliations)
  TIDEOVER_STORE(RecourseRecords, RecourseStore, recourse)
  TIDEOVER_STORE(ImportRecords, ImportStore, imports)
  TIDEOVER_STORE(PickupRecords, PickupStore, pickups)
  TIDEOVER_STORE(EventRecords, EventStore, events)
  TIDEOVER_STORE(WebhookRecords, WebhookStore, webhooks)
  TIDEOVER_STORE(ClientRecords, ClientStore, clients)
  TIDEOVER_STORE(TaskRecords, TaskStore, tasks)
  TIDEOVER_STORE(NodeRecords, NodeStore, nodes)
  TIDEOVER_STORE(RuleRecords, RuleStore, rules)
  TIDEOVER_STORE(LearningRecords, LearningStore, learning)
  TIDEOVER_STORE(InvariantRecords, InvariantStore, invariants)
#undef TIDEOVER_STORE
};

}  // namespace tideover::store
