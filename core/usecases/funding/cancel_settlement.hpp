// Ends terms before they are funded: because a client asks (POST
// /v1/settlements/{settlement_id}/cancel; core/docs/contract.md#settlements), or because nobody confirmed them in time.
// Never touches money: what is at the rail, or may be, is not canceled.
#pragma once
#include "core/ports/clock.hpp"
#include "core/usecases/claims/get_settlement.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

class CancelSettlement {
 public:
  CancelSettlement(ports::Store& store, ports::IdSource& ids) : store_(store), ids_(ids) {}
  domain::Result<StoredResponse> operator()(const RequestContext& context, const std::string& settlement_id,
                                            const Render<SettlementView>& render);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
};

class ExpireSettlements {
 public:
  ExpireSettlements(ports::Store& store, ports::IdSource& ids, const ports::Clock& clock)
      : store_(store), ids_(ids), clock_(clock) {}
  /// One round of at most `limit`: a clock that jumped ahead ends few before somebody notices. How many were canceled;
  /// one that fails does not hold up the others.
  domain::Result<int> operator()(std::size_t limit);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
  const ports::Clock& clock_;
};

/// The step itself, inside a transaction that holds the claim's guard. False when the row changed meanwhile.
bool cancel(ports::Records& records, const domain::TenantId& tenant, ports::IdSource& ids, domain::Timestamp now,
            ports::StoredSettlement& stored, std::string_view reason);

}  // namespace tideover::usecases
