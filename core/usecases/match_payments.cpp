#include "core/usecases/match_payments.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/domain/bank_calendar.hpp"
#include "core/usecases/move_claim_status.hpp"
#include "core/usecases/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::Money;
using domain::Remittance;
using domain::RemittanceClaimRecord;
using State = domain::RemittanceClaimRecord::State;

/// CAQH CORE 370: money and notice belong together within three banking days.
constexpr int kWindowBankingDays = 3;
/// How far from the expected date a payment without a notice may still be taken for the expected one.
constexpr int kUnannouncedWindowDays = 45;
/// Settlements of one payer that expect the same cents. Where there are more, none of them is the only one.
constexpr std::size_t kMostCandidates = 100;

constexpr const char* kPayerUnknown = "Nobody knows who paid: add the payer's id or name to the directory, or wait for its remittance.";

bool within_window(domain::Date a, domain::Date b) {
  domain::Date from = std::min(a, b);
  const domain::Date to = std::max(a, b);
  for (int steps = 0; steps < kWindowBankingDays && from < to; ++steps) from = domain::next_banking_day(from);
  return from >= to;
}

domain::Date money_date(const Deposit& deposit) { return deposit.effective_date.value_or(deposit.received_date); }

/// With a common trace number the dates need not agree; without one they must.
bool dates_agree(const Deposit& deposit, const Remittance& remittance) {
  const auto& announced = remittance.draft.payment_date;
  return announced && (within_window(money_date(deposit), *announced) || within_window(deposit.received_date, *announced));
}

/// Trace numbers are a payer's own; a notice that names no payer we know may be anybody's. A deposit that names none is
/// told by its originator (TRN03), where both name one.
bool may_be_of_one_payer(const Deposit& deposit, const Remittance& remittance) {
  if (deposit.payer_id.empty())
    return deposit.originator.empty() || remittance.draft.originator_id.empty() || deposit.originator == remittance.draft.originator_id;
  return remittance.draft.payer_id.empty() || remittance.draft.payer_id == deposit.payer_id;
}

/// The charge that a notice decides on, or takes its decision back on.
Money charge_of(const domain::RemittanceClaim& paid) { return std::max(paid.charge_amount, -paid.charge_amount); }

/// The notice decides on some lines of the claim only - the rest follows - and names them by procedure and charge.
bool is_part_of(const domain::RemittanceClaim& paid, const domain::ClaimDraft& claim) {
  auto lines = claim.service_lines;
  for (const auto& decided : paid.lines) {
    const auto& procedure = decided.submitted_cpt.empty() ? decided.cpt : decided.submitted_cpt;
    const Money charge = std::max(decided.charge_amount, -decided.charge_amount);
    const auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& billed) { return billed.cpt == procedure && billed.amount == charge; });
    if (line == lines.end()) return false;
    lines.erase(line);
  }
  return !paid.lines.empty() && charge_of(paid) < claim.submitted_amount;
}

/// A claim's number alone proves nothing - a secondary payer's notice carries it too, and so may another system's: payer
/// and charge must agree.
bool is_about(const Remittance& remittance, const domain::RemittanceClaim& paid, const domain::ClaimDraft& claim) {
  const bool same_payer = remittance.draft.payer_id.empty() || remittance.draft.payer_id == claim.payer_id;
  return same_payer && (charge_of(paid) == claim.submitted_amount || is_part_of(paid, claim));
}

/// A notice whose claims do not add up to its payment is held for a person.
std::vector<Remittance> balanced_only(std::vector<Remittance> remittances) {
  std::erase_if(remittances, [](const Remittance& remittance) { return !balance_of(remittance.draft).balanced(); });
  return remittances;
}

/// Exactly one, or nothing: never the first hit when two fit.
template <class T>
T* only(std::vector<T>& candidates) {
  return candidates.size() == 1 ? &candidates.front() : nullptr;
}

}  // namespace

void MatchPayments::deposit_arrived(Deposit& deposit) {
  find_notice(deposit);
  look_again();
}

void MatchPayments::remittance_arrived(Remittance& remittance) {
  find_money(remittance);
  look_again();
}

void MatchPayments::find_notice(Deposit& deposit) {
  if (!deposit.trace_number.empty()) {
    auto announced = balanced_only(records_.remittances().waiting(tenant_, deposit.trace_number, "", deposit.amount));
    std::erase_if(announced, [&](const Remittance& remittance) { return !may_be_of_one_payer(deposit, remittance); });
    if (auto* remittance = only(announced))
      join(*remittance, deposit, "trace_number");
    else if (announced.size() > 1)
      open_task("match_ambiguous", deposit.id.text(), "Several remittances carry this trace number and amount.");
    else if (deposit.payer_id.empty())
      open_task("deposit_unmatched", deposit.id.text(), kPayerUnknown);
    return;  // without its remittance it waits in suspense
  }
  if (deposit.payer_id.empty()) return open_task("deposit_unmatched", deposit.id.text(), kPayerUnknown);

  auto announced = balanced_only(records_.remittances().waiting(tenant_, "", deposit.payer_id, deposit.amount));
  std::erase_if(announced, [&](const Remittance& remittance) { return !dates_agree(deposit, remittance); });
  if (auto* remittance = only(announced)) return join(*remittance, deposit, "amount_and_date");
  if (announced.size() > 1) return open_task("match_ambiguous", deposit.id.text(), "Several remittances fit payer, amount and date.");

  // All of them before the window is laid on: a limit of two could hide the second one that fits.
  auto awaited = records_.settlements().awaiting_payment(tenant_, deposit.payer_id, deposit.amount, kMostCandidates);
  if (awaited.size() < kMostCandidates)
    std::erase_if(awaited, [&](const domain::Settlement& settlement) {
      return std::abs(days_between(settlement.expected_payment_date, money_date(deposit))) > kUnannouncedWindowDays;
    });
  if (const auto* settlement = only(awaited)) {
    booking_.payment({*settlement, {}}, {deposit.amount, domain::PaymentWord::none, {}}, &deposit, nullptr, "amount_and_date");
    records_.deposits().update_match(tenant_, deposit);
  } else {
    open_task("deposit_unmatched", deposit.id.text(), awaited.empty() ? "Nothing fits payer, amount and date." : "Several settlements fit payer, amount and date.");
  }
}

void MatchPayments::find_money(Remittance& remittance) {
  if (!balance_of(remittance.draft).balanced())
    return open_task("remittance_unbalanced", remittance.id.text(), "Claims less provider adjustments differ from the payment: held.");
  for (const auto& paid : remittance.claims) move_status(remittance, paid.claim);
  if (remittance.draft.payment_amount.is_zero()) return post_claims(remittance, nullptr, "claim_identifier");

  const auto& trace = remittance.draft.trace_number;
  auto received = trace.empty() ? std::vector<Deposit>{} : records_.deposits().waiting(tenant_, trace, "", remittance.draft.payment_amount);
  std::erase_if(received, [&](const Deposit& deposit) { return !may_be_of_one_payer(deposit, remittance); });
  if (auto* deposit = only(received)) return join(remittance, *deposit, "trace_number");
  if (received.size() > 1) return open_task("match_ambiguous", remittance.id.text(), "Several deposits carry this trace number and amount.");

  // Where only one of the two names a trace number, payer, amount and date decide.
  received = records_.deposits().waiting(tenant_, "", remittance.draft.payer_id, remittance.draft.payment_amount);
  std::erase_if(received, [&](const Deposit& deposit) {
    return deposit.payer_id.empty() || (!trace.empty() && !deposit.trace_number.empty()) || !dates_agree(deposit, remittance);
  });
  if (auto* deposit = only(received)) return join(remittance, *deposit, "amount_and_date");
  announce_late(remittance);
}

void MatchPayments::settlement_funded(const domain::Settlement& settlement) {
  take_up(settlement.id);
  look_again();
}

void MatchPayments::look_again() {
  for (; looked_again_ < booking_.posted().size(); ++looked_again_) {
    const auto settlement = booking_.posted()[looked_again_].settlement;  // a copy: booking adds to them
    take_up(settlement);
  }
}

void MatchPayments::take_up(const domain::SettlementId& settlement) {
  for (auto& remittance : records_.remittances().waiting_for(tenant_, settlement)) {
    auto deposit = remittance.deposit ? records_.deposits().find(tenant_, *remittance.deposit) : std::nullopt;
    auto* money = deposit ? &*deposit : nullptr;
    if (!booking_.may_book(remittance, places_of(remittance, false), money)) continue;
    close_tasks(records_, tenant_, ids_, now_, "match_ambiguous", remittance.id.text(), "matched");
    post_claims(remittance, money, money ? "trace_number" : "claim_identifier");
    if (money) records_.deposits().update_match(tenant_, *money);
  }
}

void MatchPayments::move_status(const Remittance& remittance, const domain::RemittanceClaim& paid) {
  const auto status = domain::claim_status_of_clp02(paid.status);
  const auto claim = status ? claim_of(paid) : std::nullopt;
  if (!claim || !is_about(remittance, paid, claim->claim.draft)) return;
  if (!domain::may_move(claim->status.status, *status, domain::StatusSource::payer)) return;
  if (!move_claim_status(records_, tenant_, claim->status, *status, domain::StatusSource::payer, now_, ids_)) collided_ = true;
}

/// The deposit came first, named no trace number and was posted to the one settlement that it fitted: this notice only
/// confirms it.
void MatchPayments::announce_late(Remittance& remittance) {
  if (remittance.claims.size() != 1) return;
  auto& paid = remittance.claims.front();
  const auto place = place_of(remittance, paid, false);
  if (!place) return;
  const auto records = records_.reconciliations().of(tenant_, place->settlement.id);
  if (records.size() != 1 || !records.front().deposit || records.front().remittance ||
      records.front().payer_payment != paid.claim.paid_amount)
    return;
  paid.state = State::posted;
  paid.settlement = place->settlement.id;
  paid.record = records.front().id;
  remittance.deposit = records.front().deposit;
  records_.remittances().link_deposit(tenant_, remittance.id, *remittance.deposit);
  records_.remittances().update_claim(tenant_, remittance.id, paid);
}

void MatchPayments::join(Remittance& remittance, Deposit& deposit, const char* matched_by) {
  remittance.deposit = deposit.id;
  records_.remittances().link_deposit(tenant_, remittance.id, deposit.id);
  post_claims(remittance, &deposit, matched_by);
  close_tasks(records_, tenant_, ids_, now_, "deposit_unmatched", deposit.id.text(), "matched");
  // Even where none of its claims is ours, this money is announced: no other notice may take it.
  if (deposit.status == domain::MatchState::unmatched) deposit.status = domain::MatchState::partly_matched;
  records_.deposits().update_match(tenant_, deposit);
}

void MatchPayments::post_claims(Remittance& remittance, Deposit* deposit, const char* matched_by) {
  booking_.notice(remittance, places_of(remittance, true), deposit, matched_by);
}

Places MatchPayments::places_of(const Remittance& remittance, bool tell) {
  Places places;
  for (const auto& paid : remittance.claims) places.push_back(place_of(remittance, paid, tell && paid.state == State::waiting));
  return places;
}

/// Ladder step 2: the patient control number, else the payer's claim number.
std::optional<ports::StoredClaim> MatchPayments::claim_of(const domain::RemittanceClaim& paid) const {
  auto claim = records_.claims().find(tenant_, paid.claim_identifier);
  if (!claim && !paid.payer_claim_number.empty()) claim = records_.claims().find(tenant_, paid.payer_claim_number);
  return claim;
}

/// The live settlement of the claim that this one is about. CLP01 is not unique: where several claims of the notice carry
/// it, the service date decides too, and where that does not decide, nobody does.
std::optional<Place> MatchPayments::place_of(const Remittance& remittance, const RemittanceClaimRecord& paid, bool tell) {
  const auto claim = claim_of(paid.claim);
  const auto live = claim ? records_.settlements().live_of(tenant_, claim->claim.id) : std::nullopt;
  if (!live) return std::nullopt;

  const auto& draft = claim->claim.draft;
  if (!is_about(remittance, paid.claim, draft)) {
    if (tell) open_task("match_ambiguous", remittance.id.text(), "A claim has the number of an advanced one, but another payer or charge.");
    return std::nullopt;
  }
  const auto fits = [&](const domain::RemittanceClaim& other) {
    const bool same_date = !other.date_of_service || !draft.date_of_service || *other.date_of_service == *draft.date_of_service;
    return is_about(remittance, other, draft) && same_date;
  };
  // A claim is decided on once, if in parts, and so is a decision taken back: of what goes beyond its charge, some is another's.
  int sharing = 0;
  Money fitting;
  for (const auto& other : remittance.claims) {
    if (other.claim.claim_identifier != paid.claim.claim_identifier) continue;
    if ((other.claim.paid_amount < Money{}) != (paid.claim.paid_amount < Money{})) continue;
    ++sharing;
    if (fits(other.claim)) fitting += charge_of(other.claim);
  }
  if (sharing > 1 && !fits(paid.claim)) return std::nullopt;
  if (fitting > draft.submitted_amount) {
    if (tell) open_task("match_ambiguous", remittance.id.text(), "Several claims of this notice fit one settlement.");
    return std::nullopt;
  }
  return Place{live->settlement, draft.submitted_amount};
}

void MatchPayments::open_task(const char* kind, const std::string& object, std::string note) {
  usecases::open_task(records_, tenant_, ids_, now_, {kind, object, std::move(note)});
}

}  // namespace tideover::usecases
