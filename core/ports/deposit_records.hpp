// Bank deposits.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/remittance.hpp"

namespace tideover::ports {

/// What is empty admits everything.
struct DepositFilter {
  std::optional<domain::MatchState> status = std::nullopt;
  std::string_view payer_id = {};
};

class DepositRecords {
 public:
  virtual ~DepositRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::Deposit& deposit) = 0;
  virtual std::optional<domain::Deposit> find(const domain::TenantId& tenant, const domain::DepositId& id) const = 0;
  virtual std::optional<domain::Deposit> find_external(const domain::TenantId& tenant,
                                                       std::string_view external_id) const = 0;
  /// By id, hence oldest first; `after` is exclusive.
  virtual std::vector<domain::Deposit> list(const domain::TenantId& tenant, const DepositFilter& filter, std::string_view after,
                                            std::size_t limit) const = 0;
  /// Still wholly unmatched deposits with this trace number, of any amount.
  virtual std::vector<domain::Deposit> waiting_with_trace(const domain::TenantId& tenant, std::string_view trace_number,
                                                          std::size_t limit) const = 0;
  /// Still wholly unmatched deposits of this payer, of an amount in `amounts`.
  virtual std::vector<domain::Deposit> waiting_of_payer(const domain::TenantId& tenant, std::string_view payer_id,
                                                        const domain::MoneyRange& amounts, std::size_t limit) const = 0;
  /// Still wholly unmatched deposits of this payer, of any amount.
  virtual std::vector<domain::Deposit> waiting_of_payer(const domain::TenantId& tenant, std::string_view payer_id, std::size_t limit) const = 0;
  /// Deposits that this one stands for, by id.
  virtual std::vector<domain::Deposit> pooled_into(const domain::TenantId& tenant, const domain::DepositId& id) const = 0;
  /// Writes status, matched_amount and pooled_into.
  virtual void update_match(const domain::TenantId& tenant, const domain::Deposit& deposit) = 0;
};

}  // namespace tideover::ports
