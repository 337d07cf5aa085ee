#include "core/usecases/reconciliation/post_deposit.hpp"

#include "core/domain/reconciliation/addenda.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/ledger/post_entry.hpp"
#include "core/usecases/matching/find_proposals.hpp"
#include "core/usecases/matching/match_payments.hpp"
#include "core/usecases/request/external_id.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::Error;
using domain::ErrorCode;

/// Whether two reports under one external_id are about the same money.
bool same_money(const Deposit& a, const Deposit& b) {
  // The payer may have been unknown when the file came first, or the directory may have changed since.
  const bool same_payer =
      a.payer_said == b.payer_said || a.payer_id == b.payer_id || a.payer_id.empty() || b.payer_id.empty();
  // An earlier version did not read the trace number of the addenda.
  const bool same_trace = a.trace_number == b.trace_number ||
                          ((a.trace_number.empty() || b.trace_number.empty()) && a.addenda == b.addenda);
  return same_payer && same_trace && a.amount == b.amount && a.received_date == b.received_date;
}

/// Posts the money as received and matches it.
domain::Status book(const UnitOfWork& unit, std::size_t at_once, PostedDeposit& taken) {
  auto& deposit = taken.deposit;
  auto received = domain::LedgerTransaction::of(unit.ids.next<domain::LedgerTransactionId>(),
                                                {"deposit", deposit.id.text()}, unit.now, domain::paid_on(deposit));
  // All received money goes into suspense first. Matching moves it out, so that unmatched money is always accounted
  // for.
  received.debit(std::string(domain::account::kDepositClearing), deposit.amount);
  received.credit(std::string(domain::account::kSuspenseUnmatched), deposit.amount);
  post_entry(unit, std::move(received));
  faults::crash_point("deposit.booked");

  MatchPayments matching(unit, at_once);
  matching.deposit_arrived(deposit);
  faults::crash_point("deposit.matched");
  if (matching.collided())
    return Error::of(ErrorCode::conflict, "A claim changed at the same time. Send the request again.");
  // Matching may have re-evaluated earlier records and changed this deposit in the store.
  if (matching.has_reevaluated()) deposit = *unit.records.deposits().find(unit.tenant, deposit.id);
  taken.records = matching.posted();
  taken.posting = matching.started();
  return {};
}

/// The addenda name the payment where the sender gives no trace number beside them.
void read_trace(Deposit& deposit) {
  auto trace = domain::trace_in(deposit.addenda);
  if (!trace) return;
  deposit.trace_number = std::move(trace->trace_number);
  if (deposit.originator.empty()) deposit.originator = std::move(trace->originator);
}

std::string known_from(const Deposit& twin, const Deposit& deposit) {
  if (twin.channel != deposit.channel) return "Another channel (" + twin.channel + ") reported this payment before";
  if (deposit.channel == domain::kByRemittance) return "Another remittance stood for this payment before";
  return "There is a deposit with this payer, amount, day and trace number (" + twin.id.text() + ")";
}

void add_event(const UnitOfWork& unit, const Deposit& deposit) {
  unit.records.events().append(unit.tenant, {unit.ids.next<domain::EventId>(), unit.now,
                                             domain::DepositReceived{deposit.id, deposit.amount, deposit.status}});
}

/// The long remittances that it pays may still be posted.
PostedDeposit repeat_of(const UnitOfWork& unit, Deposit known) {
  PostedDeposit repeat{std::move(known), {}, true};
  const auto& records = unit.records;
  const auto payer = repeat.deposit.pooled_into.value_or(repeat.deposit.id);
  if (records.postings().is_open(unit.tenant, payer))
    for (auto& remittance : records.remittances().paid_by(unit.tenant, payer))
      if (records.postings().find(unit.tenant, remittance)) repeat.posting.push_back(std::move(remittance));
  return repeat;
}

}  // namespace

domain::Result<PostedDeposit> take_deposit(const UnitOfWork& unit, Deposit deposit, std::size_t at_once) {
  if (deposit.trace_number.empty()) read_trace(deposit);
  if (!deposit.external_id.empty())
    if (auto known = unit.records.deposits().find_external(unit.tenant, deposit.external_id)) {
      if (same_money(*known, deposit)) {
        // The repeat adds nothing: the payer is known, or still unknown, or the deposit is matched or held.
        if (!known->payer_id.empty() || deposit.payer_id.empty() || known->status != domain::MatchState::unmatched)
          return repeat_of(unit, std::move(*known));
        // The repeated deposit names the payer that was missing: match it again, without posting it twice.
        close_tasks(unit, domain::kDepositUnmatched, known->id.text(), domain::kCorrected);
        MatchPayments matching(unit, at_once);
        matching.payer_assigned(*known, deposit.payer_id);
        if (matching.collided())
          return Error::of(ErrorCode::conflict, "A claim changed at the same time. Send the request again.");
        return PostedDeposit{*unit.records.deposits().find(unit.tenant, known->id), matching.posted(), true, true,
                             matching.started()};
      }
      // Other content may be another payment: refuse it instead of dropping it as a repeat.
      return external_id_in_use("deposit", "deposit_id", known->id.text());
    }

  // The same money may come over two channels. Posting it twice would pay two advances with one payment.
  const auto twins = twins_of(unit.records, unit.tenant, deposit);
  if (!twins.empty()) deposit.status = domain::MatchState::suspected_duplicate;
  const bool is_held = deposit.status == domain::MatchState::suspected_duplicate;
  unit.records.deposits().insert(unit.tenant, deposit);
  faults::crash_point("deposit.recorded");
  // The ledger gets this money only when a reviewer decides that it is another payment.
  if (is_held) {
    const auto why = twins.empty() ? "Another remittance with this trace number names the same claim"
                                   : known_from(twins.front(), deposit);
    open_task(unit, {domain::kDepositDuplicate, deposit.id.text(),
                     why + ": held and not posted. Decide whether it is a duplicate."});
    add_event(unit, deposit);
    return PostedDeposit{std::move(deposit), {}};
  }
  PostedDeposit taken{std::move(deposit), {}};
  if (auto booked = book(unit, at_once, taken); !booked) return booked.error();
  add_event(unit, taken.deposit);
  return taken;
}

void read_again(const ports::Records& records, const domain::TenantId& tenant, PostedDeposit& posted) {
  posted.deposit = *records.deposits().find(tenant, posted.deposit.id);
  if (posted.seen_before && !posted.payer_learned) return;
  posted.records = records.reconciliations().of_deposit(tenant, posted.deposit.pooled_into.value_or(posted.deposit.id));
}

domain::Status admit_deposit(const UnitOfWork& unit, const std::string& deposit_id) {
  const auto id = domain::DepositId::parse(deposit_id);
  auto deposit = id ? unit.records.deposits().find(unit.tenant, *id) : std::nullopt;
  if (!deposit || deposit->status != domain::MatchState::suspected_duplicate)
    return Error::of(ErrorCode::invalid_state, "This deposit is not held as a suspected duplicate.");
  // A reviewer decided that this is another payment: post it as if it had just come.
  deposit->status = domain::MatchState::unmatched;
  unit.records.deposits().update_match(unit.tenant, *deposit);
  PostedDeposit taken{std::move(*deposit), {}};
  return book(unit, 0, taken);
}

domain::Result<StoredResponse> PostDeposit::operator()(const RequestContext& context, Deposit deposit,
                                                       const Render<PostedDeposit>& render) {
  if (deposit.received_date > context.now.utc_date().plus(kDepositDaysAhead)) {
    auto error =
        Error::of(ErrorCode::validation_error,
                  "received_date is in the future: the money is not received. Send the deposit again on that day.");
    error.fields.push_back({"received_date", "must not be later than tomorrow (UTC)"});
    return error;
  }
  deposit.channel = "api";
  // Keep the sender's own text: the directory may know the payer under another id later.
  deposit.payer_said = domain::plain_payer_id(deposit.payer_id);
  const auto payer = payers_.get(deposit.payer_id);
  if (!payer) return payer.error();
  deposit.payer_id = *payer ? (*payer)->payer_id : domain::plain_payer_id(deposit.payer_id);
  deposit.id = ids_.next<domain::DepositId>();
  deposit.created_at = context.now;

  const auto& tenant = context.caller.tenant;
  StoredResponse answer;
  std::optional<PostedDeposit> accepted;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    // One matching per tenant at a time: two of them could spend the same deposit.
    records.clients().guard_matching(tenant);
    const auto taken =
        take_deposit({records, tenant, context.now, ids_, rules_}, deposit, post_in_chunks_.sizes().at_once);
    if (!taken) return taken.error();
    accepted = *taken;
    answer = {render(*taken), taken->seen_before};
    // A repeat that changed nothing leaves no audit row and no second response.
    if (taken->seen_before && !taken->payer_learned) return {};
    leave_trace(records, context, ids_, taken->deposit.id.text(), answer.body);
    faults::crash_point("deposit.traced");
    return {};
  });
  faults::crash_point("deposit.committed");
  if (!done) return done.error();
  if (!accepted->posting.empty()) finish(context, *accepted, render, answer.body);
  return answer;
}

void PostDeposit::finish(const RequestContext& context, const PostedDeposit& taken, const Render<PostedDeposit>& render,
                         std::string& body) {
  const auto& tenant = context.caller.tenant;
  for (const auto& remittance : taken.posting)
    if (!post_in_chunks_(tenant, remittance, context.now)) return;
  auto posted = taken;
  posted.posting.clear();
  const auto read = store_.read([&](const ports::Records& records) { read_again(records, tenant, posted); });
  if (!read) return;
  auto whole = render(posted);
  if (replace_answer(store_, context, whole)) body = std::move(whole);
}

}  // namespace tideover::usecases
