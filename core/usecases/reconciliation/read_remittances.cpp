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
  std::vector<domain::RemittanceSummary> found;
  const auto read = store_.read([&](const ports::Records& records) {
    found = records.remittances().list(tenant, filter, query.after, query.limit);
  });
  if (!read) return read.error();
  return found;
}

domain::Result<RemittanceView> ReadRemittances::one(const domain::TenantId& tenant,
                                                    const std::string& remittance_id) const {
  std::optional<RemittanceView> view;
  if (const auto id = domain::RemittanceId::parse(remittance_id)) {
    const auto read = store_.read([&](const ports::Records& records) {
      if (auto remittance = records.remittances().find(tenant, *id))
        view = {std::move(*remittance), trail_of(records, tenant, id->text())};
    });
    if (!read) return read.error();
  }
  if (!view) return domain::Error::of(domain::ErrorCode::not_found, "Remittance not found.");
  return std::move(*view);
}

}  // namespace tideover::usecases
