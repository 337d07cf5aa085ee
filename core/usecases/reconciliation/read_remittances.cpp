#include "core/usecases/reconciliation/read_remittances.hpp"

#include "core/usecases/matching/match_trail.hpp"

namespace tideover::usecases {

domain::Result<std::vector<domain::RemittanceSummary>> ReadRemittances::list(const domain::TenantId& tenant,
                                                                             const RemittanceQuery& query) const {
  ports::RemittanceFilter filter{domain::remittance_status_named(query.status), query.payer_id, query.trace_number};
  if (!filter.status && !query.status.empty()) {
    auto error =
        domain::Error::of(domain::ErrorCode::invalid_parameter, "status is not one of the allowed values.")
            .with_list("allowed", {domain::kRemittanceStatusNames.begin(), domain::kRemittanceStatusNames.end()});
    error.fields.push_back({"status", "is not one of the allowed values"});
    return error;
  }
  return fetch(store_,
               [&](const ports::Records& records) { return records.remittances().list(tenant, filter, query.page); });
}

domain::Result<RemittanceView> ReadRemittances::one(const domain::TenantId& tenant,
                                                    const std::string& remittance_id) const {
  auto missing = domain::Error::of(domain::ErrorCode::not_found, "Remittance not found.");
  const auto id = domain::RemittanceId::parse(remittance_id);
  if (!id) return missing;
  return fetch(store_, std::move(missing), [&](const ports::Records& records) -> std::optional<RemittanceView> {
    auto remittance = records.remittances().find(tenant, *id);
    if (!remittance) return std::nullopt;
    return RemittanceView{std::move(*remittance), trail_of(records, tenant, id->text()),
                          records.allocations().of(tenant, *id), records.recourse().of_remittance(tenant, *id),
                          records.postings().find(tenant, *id).has_value()};
  });
}

}  // namespace tideover::usecases
