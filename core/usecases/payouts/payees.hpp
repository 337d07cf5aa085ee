// A practice: what it is owed, the account that it is paid to, and its payouts.
//
// Threads: thread-safe.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/funding/payable.hpp"
#include "core/ports/plugins/funding_rail.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

struct PayeeView {
  std::string payee_npi;
  domain::Money due;        // that a payout would pay now; below zero: the practice owes it
  domain::Money reserve{};  // held for later takebacks and losses
  bool has_own_account = false;
  bool has_account = false;  // its own or the tenant's
  std::string rail;
  domain::FundingStatus payout_status = domain::FundingStatus::none;
  std::optional<domain::Timestamp> account_updated_at{};
};

struct PayoutView {
  domain::DisbursementAttempt attempt;
  std::vector<domain::Payable> payables{};  // one page, oldest first
};

struct NewPayeeAccount {
  domain::Sensitive<std::string> payout_account_token;
  std::string rail;  // empty: the service's default rail
};

class Payees {
 public:
  Payees(ports::Store& store, ports::FundingRails& rails, ports::IdSource& ids, std::string default_rail)
      : store_(store), rails_(rails), ids_(ids), default_rail_(std::move(default_rail)) {}

  /// Error not_found when nothing was ever owed to the practice and it has no account.
  domain::Result<PayeeView> find(const domain::TenantId& tenant, const std::string& npi) const;
  /// Error validation_error for a malformed NPI and an unknown rail.
  domain::Status check(const std::string& npi, const NewPayeeAccount& account) const;
  /// Sets the account of a practice. Payouts that were refused or returned are paid to it with the next payout. Errors:
  /// those of `check`.
  domain::Result<StoredResponse> set_account(const RequestContext& context, const std::string& npi,
                                             const NewPayeeAccount& account, const Render<PayeeView>& render);
  /// Newest first. Empty `npi`: of all practices.
  domain::Result<std::vector<domain::DisbursementAttempt>> payouts(const domain::TenantId& tenant,
                                                                   const std::string& npi,
                                                                   const domain::ListPage& page) const;
  /// A payout with at most `limit` of its payables after the cursor `transaction:position`. Error not_found.
  domain::Result<PayoutView> payout(const domain::TenantId& tenant, const std::string& id, const std::string& after,
                                    std::size_t limit) const;

 private:
  PayeeView view_of(const ports::Records& records, const domain::TenantId& tenant, const std::string& npi) const;

  ports::Store& store_;
  ports::FundingRails& rails_;
  ports::IdSource& ids_;
  const std::string default_rail_;
};

/// The cursor behind a payable.
std::string cursor_behind(const domain::Payable& payable);

}  // namespace tideover::usecases
