// Ends terms before they are funded: on request (POST /v1/settlements/{settlement_id}/cancel;
// core/docs/contract.md#settlements), or when they are not confirmed in time. Moves no money: a settlement whose
// payment is at the rail, or may be there, is not canceled.
//
// Threads: thread-safe; each settlement is one transaction.
#pragma once
#include "core/ports/clock.hpp"
#include "core/usecases/claims/get_settlement.hpp"
#include "core/usecases/request/request_context.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

class CancelSettlement {
 public:
  CancelSettlement(ports::Store& store, ports::IdSource& ids, ports::RulePolicy* rules = nullptr)
      : store_(store), ids_(ids), rules_(rules) {}
  domain::Result<StoredResponse> operator()(const RequestContext& context, const std::string& settlement_id,
                                            const Render<SettlementView>& render);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
  ports::RulePolicy* const rules_;
};

class ExpireSettlements {
 public:
  ExpireSettlements(ports::Store& store, ports::IdSource& ids, const ports::Clock& clock,
                    ports::RulePolicy* rules = nullptr)
      : store_(store), ids_(ids), clock_(clock), rules_(rules) {}
  /// One round with at most `limit` settlements, so that a clock error cancels only a few before an operator sees it.
  /// Returns how many were canceled. A settlement that fails does not stop the others.
  domain::Result<int> operator()(std::size_t limit, ports::Tenants of = ports::Tenants::all);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
  const ports::Clock& clock_;
  ports::RulePolicy* const rules_;
};

/// Cancels inside a transaction that holds the claim's guard. False when the row changed in the meantime.
bool cancel(const UnitOfWork& unit, ports::StoredSettlement& stored, std::string_view reason);

}  // namespace tideover::usecases
