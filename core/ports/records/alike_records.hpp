// Searches for claims whose number came back in another form. Each uses an index, because a long remittance searches
// for each of its claims.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"
#include "core/domain/basics/tenant.hpp"

namespace tideover::ports {

/// A live settlement that a payment may belong to.
struct AdvanceAlike {
  domain::SettlementId settlement;
  std::string payer_id;
  domain::Money charge;
  std::optional<domain::Date> date_of_service;
};

/// A claim of a remittance that belongs to no settlement.
struct AnswerAlike {
  domain::RemittanceId remittance;
  int claim = 0;  // position in the remittance
  std::string claim_identifier;
  std::string payer_id;  // empty: unknown
  std::string status;    // CLP02
  domain::Money charge;
  domain::Money paid;
  std::optional<domain::Date> date_of_service;
};

class AlikeRecords {
 public:
  virtual ~AlikeRecords() = default;
  /// Live settlements of claims whose number has this normal form, whole or truncated (domain/claims/claim_number.hpp).
  /// Many may share a truncated number: those of `payer_id` come first, then those with this charge, then the open
  /// ones.
  virtual std::vector<AdvanceAlike> advances_numbered(const domain::TenantId& tenant, std::string_view normal_number,
                                                      std::string_view payer_id, domain::Money charge,
                                                      std::size_t limit) const = 0;
  /// Live settlements for which an earlier remittance gave a payer's claim number (CLP07) with this normal form.
  virtual std::vector<AdvanceAlike> advances_known_as(const domain::TenantId& tenant, std::string_view normal_number,
                                                      std::size_t limit) const = 0;
  /// Live settlements of this payer (empty: any) and charge, whose service date is in `days` or missing (nullopt: any),
  /// and whose payer owes: funded and open, not funded yet, or, only with `days`, closed at a loss.
  virtual std::vector<AdvanceAlike> advances_billed(const domain::TenantId& tenant, std::string_view payer_id,
                                                    domain::Money charge, const std::optional<domain::DateRange>& days,
                                                    std::size_t limit) const = 0;
  /// Claims of balanced remittances whose number has one of these normal forms, paid on `since` or later. Newest first
  /// per form.
  virtual std::vector<AnswerAlike> answers_numbered(const domain::TenantId& tenant,
                                                    const std::vector<std::string>& normal_forms,
                                                    const std::optional<domain::Date>& since,
                                                    std::size_t limit) const = 0;
  /// Claims of balanced remittances of this payer or an unknown one, with this charge, whose service date is in
  /// `days` or missing (nullopt: any), paid on `since` or later.
  virtual std::vector<AnswerAlike> answers_charged(const domain::TenantId& tenant, std::string_view payer_id,
                                                   domain::Money charge, const std::optional<domain::DateRange>& days,
                                                   domain::Date since, std::size_t limit) const = 0;
};

}  // namespace tideover::ports
