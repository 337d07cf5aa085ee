#include "core/usecases/reconciliation/read_deposits.hpp"

#include "core/usecases/matching/match_trail.hpp"

namespace tideover::usecases {

using domain::Error;
using domain::ErrorCode;

domain::Result<std::vector<domain::Deposit>> ReadDeposits::list(const domain::TenantId& tenant,
                                                                const DepositQuery& query) const {
  ports::DepositFilter filter{std::nullopt, query.payer_id};
  if (!query.status.empty()) {
    filter.status = domain::match_state_named(query.status);
    if (name_of(*filter.status) != query.status) {
      Error error = Error::of(ErrorCode::invalid_parameter, "status is not one of the allowed values.")
                        .with_list("allowed", {"unmatched", "partly_matched", "matched", "suspected_duplicate",
                                               "duplicate", "returned"});
      error.fields.push_back({"status", "is not one of the allowed values"});
      return error;
    }
  }
  return fetch(store_,
               [&](const ports::Records& records) { return records.deposits().list(tenant, filter, query.page); });
}

domain::Result<DepositView> ReadDeposits::one(const domain::TenantId& tenant, const std::string& deposit_id) const {
  auto missing = Error::of(ErrorCode::not_found, "Deposit not found.");
  const auto id = domain::DepositId::parse(deposit_id);
  if (!id) return missing;
  return fetch(store_, std::move(missing), [&](const ports::Records& records) -> std::optional<DepositView> {
    auto deposit = records.deposits().find(tenant, *id);
    if (!deposit) return std::nullopt;
    const bool is_posting = records.postings().is_open(tenant, deposit->pooled_into.value_or(*id));
    return DepositView{std::move(*deposit), records.reconciliations().of_deposit(tenant, *id),
                       trail_of(records, tenant, id->text()), is_posting};
  });
}

}  // namespace tideover::usecases
