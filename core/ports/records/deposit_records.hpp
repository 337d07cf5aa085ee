// Bank deposits.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/domain/reconciliation/remittance.hpp"
#include "core/ports/records/waiting.hpp"

namespace tideover::ports {

/// Empty members match everything.
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
  virtual std::vector<domain::Deposit> list(const domain::TenantId& tenant, const DepositFilter& filter,
                                            const domain::ListPage& page) const = 0;
  /// Entirely unmatched deposits with this trace number and an amount in `amounts`.
  virtual std::vector<domain::Deposit> waiting_with_trace(const domain::TenantId& tenant, std::string_view trace_number,
                                                          const domain::MoneyRange& amounts,
                                                          std::size_t limit) const = 0;
  /// Entirely unmatched deposits of this payer with an amount in `amounts`; nullopt: any day, otherwise received or
  /// effective in `days`.
  virtual std::vector<domain::Deposit> waiting_of_payer(const domain::TenantId& tenant, std::string_view payer_id,
                                                        const domain::MoneyRange& amounts,
                                                        const std::optional<domain::DateRange>& days,
                                                        std::size_t limit) const = 0;
  /// Entirely posted deposits of this payer and amount without a trace number, received or effective in `days`, that no
  /// remittance announces.
  virtual std::vector<domain::Deposit> posted_alone(const domain::TenantId& tenant, std::string_view payer_id,
                                                    domain::Money amount, const domain::DateRange& days,
                                                    std::size_t limit) const = 0;
  /// Deposits with the same amount, received in `days`, that have the same payer or trace number, without known
  /// duplicates and those that were returned before this one was received. At most `limit` of each.
  virtual std::vector<domain::Deposit> reported_twice(const domain::TenantId& tenant, const domain::Deposit& deposit,
                                                      const domain::DateRange& days, std::size_t limit) const = 0;
  /// Deposits that were pooled into this one, by id.
  virtual std::vector<domain::Deposit> pooled_into(const domain::TenantId& tenant,
                                                   const domain::DepositId& id) const = 0;
  /// Unmatched deposits of all tenants, created at or before `latest` and after `after`.
  virtual std::vector<Waiting> waiting_since(domain::Timestamp latest, const Waiting& after,
                                             std::size_t limit) const = 0;
  virtual void set_payer(const domain::TenantId& tenant, const domain::DepositId& id, std::string_view payer_id) = 0;
  /// Writes what update_match() writes, returned_date and return_reason.
  virtual void set_returned(const domain::TenantId& tenant, const domain::Deposit& deposit) = 0;
  /// Writes status, matched_amount, released and pooled_into.
  virtual void update_match(const domain::TenantId& tenant, const domain::Deposit& deposit) = 0;
};

}  // namespace tideover::ports
