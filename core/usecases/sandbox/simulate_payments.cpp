#include "core/usecases/sandbox/simulate_payments.hpp"

#include <optional>

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

constexpr std::size_t kAtOnce = 100;
constexpr int kMostTries = 5;

/// Posts again what collided with another transaction.
template <class Post>
domain::Result<StoredResponse> unless_it_collides(const Post& post) {
  auto posted = post();
  for (int tried = 1; tried < kMostTries && !posted && posted.error().code == ErrorCode::conflict; ++tried)
    posted = post();
  return posted;
}

}  // namespace

domain::Result<domain::Settlement> SimulatePayments::settlement_of(const domain::TenantId& tenant,
                                                                   const std::string& id) const {
  const auto missing = Error::of(ErrorCode::settlement_not_found, "Settlement not found.");
  const auto parsed = domain::SettlementId::parse(id);
  if (!parsed) return missing;
  auto stored = fetch(store_, missing,
                      [&](const ports::Records& records) { return records.settlements().find(tenant, *parsed); });
  if (!stored) return stored.error();
  return std::move(stored->settlement);
}

domain::Result<SimulatePayments::Payment> SimulatePayments::payment_of(const domain::TenantId& tenant,
                                                                       const domain::Settlement& settlement,
                                                                       domain::PaymentOutcome outcome,
                                                                       domain::Date today) const {
  Payment payment{simulated_payment(settlement, outcome, today), {}, {}};
  auto& [made, remittance, deposit] = payment;
  const std::string trace = made.remittance.trace_number;
  const auto read = store_.read([&](const ports::Records& records) {
    const auto sent = records.remittances().list(tenant, {std::nullopt, "", trace}, {"", 1});
    remittance = sent.empty() ? std::nullopt : std::optional(sent.front().remittance);
    deposit = records.deposits().find_external(tenant, trace);
  });
  if (!read) return read.error();
  // The date is part of the identity of both halves.
  const auto day = remittance ? remittance->draft.payment_date.value_or(today)
                   : deposit  ? deposit->received_date
                              : today;
  made.remittance.payment_date = day;
  if (made.deposit) made.deposit->received_date = day;
  return payment;
}

domain::Result<StoredResponse> SimulatePayments::remittance(const RequestContext& context, const PaymentOrder& order,
                                                            const Render<std::vector<PostedRemittance>>& render) {
  const auto& tenant = context.caller.tenant;
  const auto settlement = settlement_of(tenant, order.settlement_id);
  if (!settlement) return settlement.error();
  const auto payment = payment_of(tenant, *settlement, order.outcome, context.now.utc_date());
  if (!payment) return payment.error();
  return post_remittance_(context, {payment->made.remittance}, render);
}

domain::Result<StoredResponse> SimulatePayments::deposit(const RequestContext& context, const PaymentOrder& order,
                                                         const Render<PostedDeposit>& render) {
  const auto& tenant = context.caller.tenant;
  const auto settlement = settlement_of(tenant, order.settlement_id);
  if (!settlement) return settlement.error();
  const auto payment = payment_of(tenant, *settlement, order.outcome, context.now.utc_date());
  if (!payment) return payment.error();
  if (!payment->made.deposit) {
    auto refusal = Error::of(ErrorCode::validation_error, "No money arrives with this outcome.");
    refusal.fields.push_back({"outcome", "must be paid, short or overpaid"});
    return refusal;
  }
  return post_deposit_(context, *payment->made.deposit, render);
}

domain::Result<bool> SimulatePayments::send(const domain::TenantId& tenant, const domain::Settlement& settlement,
                                            domain::PaymentOutcome outcome) {
  RequestContext context;
  context.caller.tenant = tenant;
  context.operation = "sandbox payment";
  context.now = clock_.now();
  const auto payment = payment_of(tenant, settlement, outcome, context.now.utc_date());
  if (!payment) return payment.error();
  const auto& [made, remittance, deposit] = *payment;
  bool has_money = remittance && remittance->deposit;
  if (!remittance) {
    const auto posted = unless_it_collides([&] {
      return post_remittance_(context, {made.remittance}, [&](const std::vector<PostedRemittance>& stored) {
        has_money = stored.front().remittance.deposit.has_value();
        return std::string();
      });
    });
    if (!posted) return posted.error();
  }
  // For a tenant without a bank feed the remittance has made its deposit itself.
  if (!made.deposit || deposit || has_money) return !remittance;
  const auto paid = unless_it_collides(
      [&] { return post_deposit_(context, *made.deposit, [](const PostedDeposit&) { return std::string(); }); });
  if (!paid) return paid.error();
  return true;
}

domain::Result<bool> SimulatePayments::send_if_expected(const domain::TenantId& tenant, const domain::SettlementId& id,
                                                        std::optional<domain::PaymentOutcome> outcome) {
  const ports::InTimeOf in_time(clock_, tenant);
  const auto settlement = settlement_of(tenant, id.text());
  if (!settlement) return settlement.error();
  if (clock_.now().utc_date() < settlement->expected_payment_date) return false;
  if (!outcome) outcome = magic_outcome(settlement->billed.charge);
  return outcome ? send(tenant, *settlement, *outcome) : false;
}

domain::Result<int> SimulatePayments::send_due(const std::function<bool()>& stopping) {
  using domain::PaymentOutcome;
  int sent = 0;
  std::optional<Error> first_failure;
  const auto note = [&](const domain::Result<bool>& done) {
    sent += done && *done;
    if (!done && !first_failure) first_failure = done.error();
  };
  ports::Overdue after;
  for (bool more = true; more && !stopping();) {
    const auto due = fetch(store_, [&](const ports::Records& records) {
      return records.settlements().overdue(clock_.now().utc_date(), after, kAtOnce);
    });
    if (!due) return due.error();
    more = due->size() == kAtOnce;
    if (more) after = due->back();
    for (const auto& open : *due) {
      if (stopping()) break;
      note(send_if_expected(open.tenant, open.settlement, std::nullopt));
    }
  }
  // A settlement that was paid is not among those above any more.
  const auto paid = domain::simulated_trace_prefix(PaymentOutcome::paid),
             taken_back = domain::simulated_trace_prefix(PaymentOutcome::taken_back);
  std::string last;
  for (bool more = true; more && !stopping();) {
    const auto due = fetch(store_, [&](const ports::Records& records) {
      return records.remittances().posted_without(domain::kTakenBackCents, paid, taken_back, last, kAtOnce);
    });
    if (!due) return due.error();
    more = due->size() == kAtOnce;
    if (more) last = due->back().second.text();
    for (const auto& [tenant, settlement] : *due) {
      if (stopping()) break;
      note(send_if_expected(tenant, settlement, PaymentOutcome::taken_back));
    }
  }
  if (first_failure) return *first_failure;
  return sent;
}

}  // namespace tideover::usecases
