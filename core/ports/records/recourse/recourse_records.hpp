// The decisions of the recourse policy, the parts of residuals that are held in reserves, and what practices are owed.
#pragma once
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/basics/tenant.hpp"
#include "core/domain/funding/recourse.hpp"

namespace tideover::ports {

/// What a practice is owed by all payers together, from the posted ledger.
struct PracticeBalance {
  domain::Money owed{};     // below zero: its debt
  domain::Money carried{};  // payers will withhold it
  domain::Money reserve{};
};

/// A record that collected a fee, for comparisons of fee policies.
struct CollectedFee {
  domain::SettlementId settlement;
  int number = 0;
  std::string payer_id{};
  domain::Money fee{};
  domain::Terms terms{};
  int days = 0;  // from the funding to the posting of the record
};

class RecourseRecords {
 public:
  virtual ~RecourseRecords() = default;
  virtual void append(const domain::TenantId& tenant, const domain::RecourseEntry& entry) = 0;
  virtual std::vector<domain::RecourseEntry> of(const domain::TenantId& tenant,
                                                const domain::SettlementId& settlement) const = 0;
  virtual std::vector<domain::RecourseEntry> of_remittance(const domain::TenantId& tenant,
                                                           const domain::RemittanceId& remittance) const = 0;
  /// The held part of a settlement's residual.
  virtual domain::Money held_of(const domain::TenantId& tenant, const domain::SettlementId& settlement) const = 0;
  /// The held part less what others bear of a taken back residual: what of the residual is not due.
  virtual domain::Money not_due_of(const domain::TenantId& tenant, const domain::SettlementId& settlement) const = 0;
  /// The sums of one practice; reads three rows.
  virtual PracticeBalance practice(const domain::TenantId& tenant, std::string_view payee_npi) const = 0;
  /// Posted from `from` to before `until`, ordered by id, after the id `after`.
  virtual std::vector<domain::RecourseEntry> between(const domain::TenantId& tenant, domain::Timestamp from,
                                                     domain::Timestamp until, std::string_view after,
                                                     std::size_t limit) const = 0;
  /// Records with a fee, posted from `from` to before `until`, ordered by settlement and number, after this settlement.
  virtual std::vector<CollectedFee> fees_between(const domain::TenantId& tenant, domain::Timestamp from,
                                                 domain::Timestamp until, std::string_view after,
                                                 std::size_t limit) const = 0;
  /// Held parts that are due for release on this day, oldest first, all tenants.
  virtual std::vector<std::pair<domain::TenantId, domain::RecourseEntry>> due(domain::Date today,
                                                                              std::size_t limit) const = 0;
  /// Ends the wait of a held part. False: another node did.
  virtual bool end_hold(const domain::TenantId& tenant, const domain::LedgerTransactionId& id) = 0;
};

}  // namespace tideover::ports
