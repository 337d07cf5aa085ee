// What a write inside the caller's transaction needs: the records of the transaction, the tenant whose records they
// are, the time of the write, the source of new ids, and the rules where a payment may be posted. Every function that
// writes several rows takes it first.
//
//   open_task({records, tenant, context.now, ids_}, {domain::kManualReview, settlement.id.text()});
//
// Threads: belongs to the transaction. Refers to its parts, which must outlive it.
#pragma once
#include "core/domain/basics/date.hpp"
#include "core/domain/basics/tenant.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"

namespace tideover::ports {
class RulePolicy;
}

namespace tideover::usecases {

struct UnitOfWork {
  ports::Records& records;
  const domain::TenantId& tenant;
  domain::Timestamp now;
  ports::IdSource& ids;
  ports::RulePolicy* rules = nullptr;  // decides who bears takebacks; null: the usual bearers
};

}  // namespace tideover::usecases
