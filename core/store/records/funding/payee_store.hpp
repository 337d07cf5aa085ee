// PayeeRecords over one session.
#pragma once
#include "core/ports/records/payees/payee_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class PayeeStore final : public ports::PayeeRecords {
 public:
  PayeeStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  std::optional<domain::PayeeAccount> account(const domain::TenantId& tenant, std::string_view npi) const override;
  void save(const domain::TenantId& tenant, const domain::PayeeAccount& account) override;
  bool is_known(const domain::TenantId& tenant, std::string_view npi) const override;
  domain::Money due(const domain::TenantId& tenant, std::string_view npi) const override;
  std::vector<domain::PracticeDue> practices_due(domain::Timestamp before, domain::Money minimum,
                                                 const domain::PracticeDue& after, std::size_t limit) const override;
  void cover(const domain::TenantId& tenant, std::string_view npi, const domain::TransferId& payout,
             domain::Timestamp before, domain::Date today) override;
  bool is_takeback_open(const domain::TenantId& tenant, const domain::TransferId& payout) const override;
  std::map<std::string, domain::Money> covered_by_payer(const domain::TenantId& tenant,
                                                        const domain::TransferId& payout) const override;
  std::vector<domain::SettlementId> debts_in(const domain::TenantId& tenant,
                                             const domain::TransferId& payout) const override;
  domain::Money covered_of(const domain::TenantId& tenant, const domain::SettlementId& settlement) const override;
  void carry(const domain::TenantId& tenant, const domain::Payable& payable) override;
  std::vector<domain::Payable> covered(const domain::TenantId& tenant, const domain::TransferId& payout,
                                       std::string_view after, int after_position, std::size_t limit) const override;

 private:
  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
