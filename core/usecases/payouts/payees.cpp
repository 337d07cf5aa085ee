#include "core/usecases/payouts/payees.hpp"

#include <charconv>

#include "core/domain/claims/npi.hpp"
#include "core/usecases/allocation/payee_account.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

Error no_payee() {
  return Error::of(ErrorCode::not_found, "No amount was ever owed to a practice with this NPI.");
}

Error no_payout() {
  return Error::of(ErrorCode::not_found, "Payout not found.");
}

struct PayableCursor {
  std::string transaction;
  int position = -1;
};

std::optional<PayableCursor> payable_cursor(const std::string& text) {
  if (text.empty()) return PayableCursor{};
  const auto colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  PayableCursor cursor{text.substr(0, colon)};
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + colon + 1, end, cursor.position);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return cursor;
}

}  // namespace

std::string cursor_behind(const domain::Payable& payable) {
  return payable.transaction + ':' + std::to_string(payable.position);
}

PayeeView Payees::view_of(const ports::Records& records, const domain::TenantId& tenant, const std::string& npi) const {
  PayeeView view;
  view.payee_npi = npi;
  view.due = records.payees().due(tenant, npi);
  view.reserve = records.recourse().practice(tenant, npi).reserve;
  view.rail = default_rail_;
  view.has_account = !payout_account_of(records, tenant, npi).reveal().empty();
  if (const auto account = records.payees().account(tenant, npi)) {
    view.has_own_account = !account->payout_account_token.reveal().empty();
    if (!account->rail.empty()) view.rail = account->rail;
    view.payout_status = account->payout_status;
    view.account_updated_at = account->updated_at;
  }
  return view;
}

domain::Result<PayeeView> Payees::find(const domain::TenantId& tenant, const std::string& npi) const {
  if (!domain::has_npi_format(npi)) return no_payee();
  return fetch(store_, no_payee(), [&](const ports::Records& records) -> std::optional<PayeeView> {
    if (!records.payees().is_known(tenant, npi) && !records.payees().account(tenant, npi)) return std::nullopt;
    return view_of(records, tenant, npi);
  });
}

domain::Status Payees::check(const std::string& npi, const NewPayeeAccount& account) const {
  auto refusal = Error::of(ErrorCode::validation_error, "The account is not valid; see details.fields.");
  if (!domain::passes_npi_check(npi)) refusal.fields.push_back({"payee_npi", "must be a valid NPI"});
  if (!account.rail.empty() && !rails_.find(account.rail))
    refusal.fields.push_back({"rail", "is not a rail of this service; see GET /v1/metadata/funding-rails"});
  return refusal.fields.empty() ? domain::Status() : domain::Status(std::move(refusal));
}

domain::Result<StoredResponse> Payees::set_account(const RequestContext& context, const std::string& npi,
                                                   const NewPayeeAccount& account, const Render<PayeeView>& render) {
  const auto& tenant = context.caller.tenant;
  if (auto fit = check(npi, account); !fit) return fit.error();
  std::string body;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    // Before any other row, as for a payout: a payout that starts at the same time pays one account or the other.
    records.clients().guard_matching(tenant);
    const auto last =
        records.settlements().latest_attempt(tenant, domain::PaymentSubject::practice(npi), domain::Purpose::payable);
    if (last && (is_in_flight(last->state) || is_unclear(last->state)))
      return Error::of(ErrorCode::invalid_state,
                       "A payout to this practice is in progress. Set the account when it has ended.")
          .with("transfer_id", last->id.text());
    auto stored = records.payees().account(tenant, npi).value_or(domain::PayeeAccount{npi});
    stored.payout_account_token = account.payout_account_token;
    stored.rail = account.rail;
    stored.updated_at = context.now;
    // A payout that failed is paid to the new account.
    if (stored.payout_status == domain::FundingStatus::rejected ||
        stored.payout_status == domain::FundingStatus::returned) {
      stored.payout_status = domain::FundingStatus::none;
      close_tasks({records, tenant, context.now, ids_}, domain::kPayoutFailed, npi, "account_changed");
    }
    records.payees().save(tenant, stored);
    body = render(view_of(records, tenant, npi));
    leave_trace(records, context, ids_, npi, body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

domain::Result<std::vector<domain::DisbursementAttempt>> Payees::payouts(const domain::TenantId& tenant,
                                                                         const std::string& npi,
                                                                         const domain::ListPage& page) const {
  return fetch(
      store_, [&](const ports::Records& records) { return records.settlements().practice_payouts(tenant, npi, page); });
}

domain::Result<PayoutView> Payees::payout(const domain::TenantId& tenant, const std::string& id,
                                          const std::string& after, std::size_t limit) const {
  const auto parsed = domain::TransferId::parse(id);
  if (!parsed) return no_payout();
  const auto cursor = payable_cursor(after);
  if (!cursor) return Error::of(ErrorCode::invalid_cursor, "cursor is not a cursor of this list.");
  return fetch(store_, no_payout(), [&](const ports::Records& records) -> std::optional<PayoutView> {
    auto attempt = records.settlements().practice_payout(tenant, *parsed);
    if (!attempt) return std::nullopt;
    return PayoutView{std::move(*attempt),
                      records.payees().covered(tenant, *parsed, cursor->transaction, cursor->position, limit)};
  });
}

}  // namespace tideover::usecases
