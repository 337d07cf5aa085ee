// A settlement as it stands.
#pragma once
#include <optional>
#include <string>

#include "core/ports/store.hpp"

namespace tideover::usecases {

/// What a client reads: the terms, and the attempt that says how their funding went.
struct SettlementView {
  domain::Settlement settlement;
  std::optional<domain::DisbursementAttempt> attempt;  // the latest to fund it; none before the first confirmation
};
SettlementView view_of(const ports::Records& records, const domain::TenantId& tenant, domain::Settlement settlement);

class GetSettlement {
 public:
  explicit GetSettlement(ports::Store& store) : store_(store) {}
  domain::Result<SettlementView> operator()(const domain::TenantId& tenant, const std::string& settlement_id) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
