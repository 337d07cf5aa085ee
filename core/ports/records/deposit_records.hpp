// Bank deposits.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/reconciliation/remittance.hpp"
#include "core/ports/records/waiting.hpp"

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
  virtual std::vector<domain::Deposit> list(const domain::TenantId& tenant, const DepositFilter& filter,
                                            std::string_view after, std::size_t limit) const = 0;
  /// Still wholly unmatched deposits with this trace number, of an amount in `amounts`.
  virtual std::vector<domain::Deposit> waiting_with_trace(const domain::TenantId& tenant, std::string_view trace_number,
                                                          const domain::MoneyRange& amounts,
                                                          std::size_t limit) const = 0;
  /// Still wholly unmatched deposits of this payer, of an amount in `amounts`; nullopt: of any day, else received or
  /// effective in `days`.
  virtual std::vector<domain::Deposit> waiting_of_payer(const domain::TenantId& tenant, std::string_view payer_id,
                                                        const domain::MoneyRange& amounts,
                                                        const std::optional<domain::DateRange>& days,
                                                        std::size_t limit) const = 0;
  /// Wholly posted deposits of this payer and amount without a trace number, received or effective in `days`, that no
  /// notice announces.
  virtual std::vector<domain::Deposit> posted_alone(const domain::TenantId& tenant, std::string_view payer_id,
                                                    domain::Money amount, const domain::DateRange& days,
                                                    std::size_t limit) const = 0;
  /// Deposits of this one's amount that were received in `days` and have its payer or its trace number; no known
  /// duplicates. At most `limit` of either.
  virtual std::vector<domain::Deposit> reported_twice(const domain::TenantId& tenant, const domain::Deposit& deposit,
                                                      const domain::DateRange& days, std::size_t limit) const = 0;
  /// Deposits that this one stands for, by id.
  virtual std::vector<domain::Deposit> pooled_into(const domain::TenantId& tenant,
                                                   const domain::DepositId& id) const = 0;
  /// Deposits of all tenants that nothing was matched with, taken in at or before `latest` and behind `after`.
  virtual std::vector<Waiting> waiting_since(domain::Timestamp latest, const Waiting& after,
                                             std::size_t limit) const = 0;
  virtual void set_payer(const domain::TenantId& tenant, const domain::DepositId& id, std::string_view payer_id) = 0;
  /// Writes status, matched_amount, released and pooled_into.
  virtual void update_match(const domain::TenantId& tenant, const domain::Deposit& deposit) = 0;
};

}  // namespace tideover::ports
