#include "core/usecases/allocation/payee_account.hpp"

namespace tideover::usecases {

domain::Sensitive<std::string> payout_account_of(const ports::Records& records, const domain::TenantId& tenant,
                                                 const std::string& npi) {
  const auto own = records.payees().account(tenant, npi);
  if (own && !own->payout_account_token.reveal().empty()) return own->payout_account_token;
  return records.clients().payout_account(tenant);
}

void set_payout_status(ports::Records& records, const domain::TenantId& tenant, const std::string& npi,
                       domain::FundingStatus status) {
  auto account = records.payees().account(tenant, npi).value_or(domain::PayeeAccount{npi});
  account.payout_status = status;
  records.payees().save(tenant, account);
}

}  // namespace tideover::usecases
