// All records over one session, as one transaction sees them. Cheap to make: it holds no data.
#pragma once
#include "core/ports/store.hpp"
#include "core/store/alike_store.hpp"
#include "core/store/answer_store.hpp"
#include "core/store/audit_store.hpp"
#include "core/store/claim_store.hpp"
#include "core/store/client_store.hpp"
#include "core/store/deposit_store.hpp"
#include "core/store/event_store.hpp"
#include "core/store/import_store.hpp"
#include "core/store/invariant_store.hpp"
#include "core/store/learning_store.hpp"
#include "core/store/ledger_store.hpp"
#include "core/store/match_store.hpp"
#include "core/store/node_store.hpp"
#include "core/store/rail_sender_store.hpp"
#include "core/store/reconciliation_store.hpp"
#include "core/store/remittance_store.hpp"
#include "core/store/review_store.hpp"
#include "core/store/rule_store.hpp"
#include "core/store/sealed_cells.hpp"
#include "core/store/settlement_store.hpp"
#include "core/store/task_store.hpp"
#include "core/store/webhook_store.hpp"

namespace tideover::store {

/// What the stores of all sessions share. Must outlive them.
struct RecordServices {
  const ports::EventEncoder& encoder;
  const std::string node;  // whose hash chains are written
  const SealedCells& cells;
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
  TIDEOVER_STORE(AnswerRecords, AnswerStore, answers)
  TIDEOVER_STORE(AuditRecords, AuditStore, audit)
  TIDEOVER_STORE(ClaimRecords, ClaimStore, claims)
  TIDEOVER_STORE(ReviewRecords, ReviewStore, reviews)
  TIDEOVER_STORE(SettlementRecords, SettlementStore, settlements)
  TIDEOVER_STORE(RailSenderRecords, RailSenderStore, rail_senders)
  TIDEOVER_STORE(LedgerRecords, LedgerStore, ledger)
  TIDEOVER_STORE(DepositRecords, DepositStore, deposits)
  TIDEOVER_STORE(RemittanceRecords, RemittanceStore, remittances)
  TIDEOVER_STORE(MatchRecords, MatchStore, matches)
  TIDEOVER_STORE(AlikeRecords, AlikeStore, alike)
  TIDEOVER_STORE(ReconciliationRecords, ReconciliationStore, reconciliations)
  TIDEOVER_STORE(ImportRecords, ImportStore, imports)
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
