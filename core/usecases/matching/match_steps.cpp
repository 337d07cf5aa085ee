// The matching steps: which candidates are compared, and which one is matched.
#include <algorithm>
#include <map>
#include <set>

#include "core/domain/claims/claim_number.hpp"
#include "core/domain/reconciliation/answer.hpp"
#include "core/domain/reconciliation/carried_balance.hpp"
#include "core/domain/reconciliation/deposit_sums.hpp"
#include "core/usecases/matching/match_payments.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::MatchReasons;
using domain::MatchStep;
using domain::MatchVerdict;
using domain::Money;
using domain::MoneyRange;
using domain::Remittance;
using domain::Settlement;
namespace mismatch = domain::mismatch;

/// Candidates per step. With more than this, no candidate counts as the only one.
constexpr std::size_t kMostLookedAt = 100;

/// The candidates of one step. When there are too many to compare, only those that can match.
template <class Search>
auto candidates_of(Search search, const MoneyRange& that_match, const domain::DateRange& days_that_match) {
  auto found = search(MoneyRange::any(), std::optional<domain::DateRange>());
  if (found.size() < kMostLookedAt) return found;
  return search(that_match, std::optional(days_that_match));
}

/// Two payers may use the same trace number. It proves nothing then.
bool is_another_payers(const MatchReasons& reasons) {
  return std::any_of(reasons.begin(), reasons.end(),
                     [](const auto& reason) { return reason == mismatch::kPayer || reason == mismatch::kOriginator; });
}

bool names_same_claims(const Remittance& one, const Remittance& other) {
  const auto numbers_of = [](const Remittance& remittance) {
    std::multiset<std::string> numbers;
    for (const auto& paid : remittance.claims) numbers.insert(paid.claim.claim_identifier);
    return numbers;
  };
  return numbers_of(one) == numbers_of(other);
}

/// Remittances with the trace number of a deposit are its parts when only the amount differs: together they are the
/// sum.
bool is_part(const MatchReasons& reasons) {
  return reasons == MatchReasons{mismatch::kAmount};
}

}  // namespace

template <class Candidate, class Differences>
std::pair<MatchPayments::Found, Candidate*> MatchPayments::weigh(const Subject& subject, MatchStep step,
                                                                 std::vector<Candidate>& candidates,
                                                                 Differences differences, std::size_t passed_over) {
  Candidate* fitting = nullptr;
  int fit = 0, of_this_payer = 0;
  std::vector<MatchReasons> reasons;
  for (auto& candidate : candidates) {
    reasons.push_back(differences(candidate));
    if (!is_another_payers(reasons.back())) ++of_this_payer;
    if (!reasons.back().empty()) continue;
    ++fit;
    fitting = &candidate;
  }
  const bool is_cut_off = candidates.size() + passed_over >= kMostLookedAt;
  const bool is_only = fit == 1 && !is_cut_off;  // beyond the limit, another candidate may fit
  if (candidates.empty()) keep(subject, step, "", MatchVerdict::rejected, {mismatch::kNothingFound});
  if (is_cut_off) keep(subject, step, "", MatchVerdict::rejected, {mismatch::kTooMany});
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool fits = reasons[i].empty();
    if (fits && !is_only) reasons[i].emplace_back(mismatch::kSeveralFit);
    keep(subject, step, candidates[i].id.text(), fits && is_only ? MatchVerdict::taken : MatchVerdict::rejected,
         std::move(reasons[i]));
  }
  if (is_only) return {Found::one, fitting};
  return {fit > 0 ? Found::several : of_this_payer > 0 ? Found::none_that_fits : Found::none, nullptr};
}

void MatchPayments::keep(const Subject& subject, MatchStep step, const std::string& candidate, MatchVerdict verdict,
                         MatchReasons reasons) {
  records_.matches().insert(tenant_, {ids_.next<domain::MatchCandidateId>(), subject.id, subject.claim, step, candidate,
                                      verdict, std::move(reasons), now_});
}

MatchPayments::Found MatchPayments::find_remittance_by_trace(Deposit& deposit) {
  const auto search = [&](const MoneyRange& amounts, const auto&) {
    return records_.remittances().waiting_with_trace(tenant_, deposit.trace_number, amounts, kMostLookedAt);
  };
  auto remittances = candidates_of(search, MoneyRange::just(deposit.amount), matching_days(deposit));
  const auto differences = [&](const Remittance& remittance) {
    return differences_by_trace(deposit, remittance.draft);
  };
  const auto [found, match] = weigh({deposit.id.text()}, MatchStep::trace_number, remittances, differences);
  if (match) {
    auto remittance = to_join(*match, deposit);
    join(remittance, deposit, MatchStep::trace_number);
  }
  // Nothing fits alone: several remittances with this trace number may share the deposit.
  if (found != Found::none_that_fits) return found;

  std::erase_if(remittances, [&](const Remittance& part) { return !is_part(differences(part)); });
  if (join_all(deposit, remittances)) return Found::one;
  // The only remittance of this number may be larger, because several deposits pay it.
  if (remittances.size() != 1) return found;
  auto whole = with_claims(remittances.front().id);
  if (!join_parts(whole)) return found;
  deposit = *records_.deposits().find(tenant_, deposit.id);
  return Found::one;
}

MatchPayments::Found MatchPayments::find_money_by_trace(Remittance& remittance) {
  const auto& trace = remittance.draft.trace_number;
  const auto search = [&](const MoneyRange& amounts, const auto&) {
    return records_.deposits().waiting_with_trace(tenant_, trace, amounts, kMostLookedAt);
  };
  auto deposits = candidates_of(search, MoneyRange::just(remittance.draft.payment_amount), {});
  const auto differences = [&](const Deposit& deposit) { return differences_by_trace(deposit, remittance.draft); };
  const auto [found, deposit] = weigh({remittance.id.text()}, MatchStep::trace_number, deposits, differences);
  if (deposit) join(remittance, *deposit, MatchStep::trace_number);
  if (found != Found::none_that_fits) return found;

  // The deposit may be larger, because it pays several remittances of this trace number.
  for (auto& whole : deposits) {
    if (!is_part(differences(whole))) continue;
    auto parts = records_.remittances().waiting_with_trace(tenant_, trace, MoneyRange::any(), kMostLookedAt);
    std::erase_if(parts, [&](const Remittance& part) { return !is_part(differences_by_trace(whole, part.draft)); });
    if (!join_all(whole, parts)) continue;
    remittance = with_claims(remittance.id);
    return Found::one;
  }
  return join_parts(remittance) ? Found::one : found;
}

void MatchPayments::report_namesakes(const Remittance& remittance) {
  for (const auto& namesake :
       records_.deposits().waiting_with_trace(tenant_, remittance.draft.trace_number, MoneyRange::any(), kMostLookedAt))
    if (!is_another_payers(differences_by_trace(namesake, remittance.draft)))
      open_task_once(unit_, {"deposit_unmatched", namesake.id.text(), kNamesakeDiffers});
}

void MatchPayments::report_alike_trace(const Deposit& deposit) {
  const auto remittances = records_.remittances().waiting_of_payer(
      tenant_, deposit.payer_id, MoneyRange::just(deposit.amount), std::nullopt, kMostLookedAt);
  const bool is_announced = std::any_of(remittances.begin(), remittances.end(), [&](const Remittance& remittance) {
    return balance_of(remittance.draft).balanced() &&
           domain::are_traces_alike(deposit.trace_number, remittance.draft.trace_number);
  });
  if (is_announced) open_task_once(unit_, {"deposit_unmatched", deposit.id.text(), kTraceInAnotherForm});
}

void MatchPayments::report_alike_trace(const Remittance& remittance) {
  const auto& draft = remittance.draft;
  if (draft.payer_id.empty() || draft.trace_number.empty()) return;
  for (const auto& deposit : records_.deposits().waiting_of_payer(
           tenant_, draft.payer_id, MoneyRange::just(draft.payment_amount), std::nullopt, kMostLookedAt))
    if (domain::are_traces_alike(deposit.trace_number, draft.trace_number))
      open_task_once(unit_, {"deposit_unmatched", deposit.id.text(), kTraceInAnotherForm});
}

/// One deposit may pay several remittances with its trace number, but only all of them, and to the cent.
bool MatchPayments::join_all(Deposit& deposit, const std::vector<Remittance>& remittances) {
  Money sum;
  for (const auto& part : remittances) sum += part.draft.payment_amount;
  if (remittances.size() < 2 || remittances.size() >= kMostLookedAt || sum != deposit.amount) return false;
  // The amounts add up exactly, so that each join finds the money that it announces.
  for (const auto& each : remittances) {
    auto part = with_claims(each.id);
    keep({deposit.id.text()}, MatchStep::one_to_many, part.id.text(), MatchVerdict::taken, {});
    join(part, deposit, MatchStep::one_to_many);
    close_tasks(unit_, "trace_reused", part.id.text(), "matched");  // they are parts of one payment
  }
  return true;
}

/// Several deposits may pay one remittance of their trace number, but only all of them, and to the cent.
bool MatchPayments::join_parts(Remittance& remittance) {
  const auto& draft = remittance.draft;
  auto parts = records_.deposits().waiting_with_trace(tenant_, draft.trace_number, MoneyRange::any(), kMostLookedAt);
  const bool is_cut_off = parts.size() >= kMostLookedAt;
  std::erase_if(parts, [&](const Deposit& part) { return is_another_payers(differences_by_trace(part, draft)); });
  Money sum;
  for (const auto& part : parts) sum += part.amount;
  const bool are_parts = std::all_of(parts.begin(), parts.end(),
                                     [&](const Deposit& part) { return is_part(differences_by_trace(part, draft)); });
  if (is_cut_off || parts.size() < 2 || !are_parts || sum != draft.payment_amount) return false;
  // Another remittance of this number may need a part of the money.
  const auto others =
      records_.remittances().waiting_with_trace(tenant_, draft.trace_number, MoneyRange::any(), kMostLookedAt);
  if (std::any_of(others.begin(), others.end(), [&](const Remittance& other) {
        const auto& payer = other.draft.payer_id;
        const bool is_of_payer = payer.empty() || draft.payer_id.empty() || payer == draft.payer_id;
        return other.id != remittance.id && is_of_payer && balance_of(other.draft).balanced();
      }))
    return false;
  for (const auto& part : parts)
    keep({part.id.text()}, MatchStep::many_to_one, remittance.id.text(), MatchVerdict::taken, {});
  (void)join(remittance, FundsPool::pool(std::move(parts)), MatchStep::many_to_one);  // cannot fail: no loss
  return true;
}

/// Deposits of one payer that add up to a remittance without its trace number prove too little: the sum may be an
/// accident. It is a proposal for a reviewer.
bool MatchPayments::may_be_sum(const std::string& payer, const std::string& arrived, const domain::DateRange& days) {
  constexpr std::size_t kOneTooMany = domain::kMostSummed + 1;
  // The deposits are near the remittance's date, and other remittances of those deposits are near theirs.
  const domain::DateRange around{matching_days(days.from).from, matching_days(days.to).to};
  const auto deposits = records_.deposits().waiting_of_payer(tenant_, payer, MoneyRange::any(), around, kOneTooMany);
  const auto remittances = deposits.size() < 2 ? std::vector<Remittance>()
                                               : records_.remittances().waiting_of_payer(
                                                     tenant_, payer, MoneyRange::any(), around, kOneTooMany);
  if (std::max(deposits.size(), remittances.size()) == kOneTooMany && std::min(deposits.size(), remittances.size()) > 0)
    keep({arrived}, MatchStep::many_to_one, "", MatchVerdict::rejected, {mismatch::kTooMany});
  auto sums = domain::deposit_sums(deposits, remittances, [](const auto& part, const auto& announced) {
    return differences_as_part(part, announced).empty();
  });
  // Only sums that contain the new record matter now; the others were proposed when their records came.
  std::erase_if(sums, [&](const domain::DepositSum& sum) {
    return sum.deposits.size() < 2 || (remittances[sum.remittance].id.text() != arrived &&
                                       std::none_of(sum.deposits.begin(), sum.deposits.end(),
                                                    [&](std::size_t i) { return deposits[i].id.text() == arrived; }));
  });
  if (sums.size() > kMostLookedAt) {  // more entries would only repeat the reason
    sums.resize(kMostLookedAt);
    keep({arrived}, MatchStep::many_to_one, "", MatchVerdict::rejected, {mismatch::kTooMany});
  }
  for (const auto& sum : sums)
    for (const auto i : sum.deposits)
      keep({deposits[i].id.text()}, MatchStep::many_to_one, remittances[sum.remittance].id.text(),
           MatchVerdict::rejected, {mismatch::kNoTrace});
  return !sums.empty();
}

MatchPayments::Found MatchPayments::find_remittance_by_amount(Deposit& deposit) {
  const auto search = [&](const auto&, const auto& days) {
    return records_.remittances().waiting_of_payer(tenant_, deposit.payer_id, MoneyRange::just(deposit.amount), days,
                                                   kMostLookedAt);
  };
  auto remittances = candidates_of(search, MoneyRange::just(deposit.amount), matching_days(deposit));
  const auto trace = domain::normal_trace(deposit.trace_number);
  const auto passed_over = trace.empty() ? 0 : std::erase_if(remittances, [&](const Remittance& remittance) {
    return domain::normal_trace(remittance.draft.trace_number) == trace;  // step 1 compared those
  });
  const auto [found, match] = weigh(
      {deposit.id.text()}, MatchStep::amount_and_date, remittances,
      [&](const Remittance& candidate) { return differences_by_amount(deposit, candidate.draft); }, passed_over);
  if (match) {
    auto remittance = to_join(*match, deposit);
    join(remittance, deposit, MatchStep::amount_and_date);
  }
  return found;
}

MatchPayments::Found MatchPayments::find_money_by_amount(Remittance& remittance) {
  const auto& draft = remittance.draft;
  if (draft.payer_id.empty()) return Found::none;
  const auto search = [&](const auto&, const auto& days) {
    return records_.deposits().waiting_of_payer(tenant_, draft.payer_id, MoneyRange::just(draft.payment_amount), days,
                                                kMostLookedAt);
  };
  auto deposits = draft.payment_date ? candidates_of(search, MoneyRange::just(draft.payment_amount),
                                                     matching_days(*draft.payment_date))
                                     : search(MoneyRange::any(), std::nullopt);
  const auto trace = domain::normal_trace(draft.trace_number);
  const auto passed_over = trace.empty() ? 0 : std::erase_if(deposits, [&](const Deposit& deposit) {
    return domain::normal_trace(deposit.trace_number) == trace;
  });
  const auto [found, deposit] = weigh(
      {remittance.id.text()}, MatchStep::amount_and_date, deposits,
      [&](const Deposit& candidate) { return differences_by_amount(candidate, draft); }, passed_over);
  if (deposit) join(remittance, *deposit, MatchStep::amount_and_date);
  return found;
}

MatchPayments::Found MatchPayments::find_settlement(Deposit& deposit) {
  const auto search = [&](const auto&, const auto& days) {
    return records_.settlements().awaiting_payment(tenant_, deposit.payer_id, MoneyRange::just(deposit.amount), days,
                                                   kMostLookedAt);
  };
  const auto paid_on = deposit.effective_date.value_or(deposit.received_date);
  const auto candidates = [&] {
    return candidates_of(search, MoneyRange::just(deposit.amount),
                         {paid_on.plus(-domain::kUnannouncedWindowDays), paid_on.plus(domain::kUnannouncedWindowDays)});
  };
  auto awaited = candidates();
  // An advance that a remittance pays is not awaited any more when the remittance is posted.
  if (!awaited.empty() && finish_all_postings()) awaited = candidates();
  const auto [found, settlement] =
      weigh({deposit.id.text()}, MatchStep::amount_and_date, awaited,
            [&](const Settlement& candidate) { return differences_by_amount(deposit, candidate); });
  if (settlement) {
    // Exactly one settlement expects this amount from this payer around this day, so the deposit pays it in full.
    booking_.payment({*settlement, {}}, {deposit.amount, domain::PaymentKind::none, {}}, &deposit, nullptr,
                     name_of(MatchStep::amount_and_date));
    records_.deposits().update_match(tenant_, deposit);
  }
  return found;
}

/// A deposit without a trace number came first and was posted to the only settlement that it fitted. This remittance
/// confirms it, and adds what the payer decided.
bool MatchPayments::announce_late(Remittance& remittance) {
  if (remittance.claims.size() != 1) return false;
  auto& paid = remittance.claims.front();
  if (!domain::answer_of(paid.claim).contradiction.empty()) return false;  // needs a reviewer
  const auto target = judge(remittance, paid, false).target;
  if (!target) return false;
  const auto& settlement = target->settlement.id;
  const auto records = records_.reconciliations().of(tenant_, settlement);
  if (records.size() != 1 || !records.front().deposit || records.front().remittance ||
      records.front().payer_payment != paid.claim.paid_amount)
    return false;
  // Payer, amount and date must agree as for a first match: the settlement alone proves nothing.
  auto deposit = records_.deposits().find(tenant_, *records.front().deposit);
  if (!deposit || !differences_by_amount(*deposit, remittance.draft).empty()) return false;
  // Each deposit is confirmed once: a second remittance of the same amount has other money.
  if (records_.remittances().announced_of(tenant_, deposit->id) > Money{})
    return false;  // another remittance confirmed it
  remittance.deposit = deposit->id;
  records_.remittances().link_deposit(tenant_, remittance.id, deposit->id);
  keep({remittance.id.text()}, MatchStep::amount_and_date, deposit->id.text(), MatchVerdict::taken, {});
  if (paid.settlement != settlement)
    keep({remittance.id.text(), paid.index}, MatchStep::claim_identifier, settlement.text(), MatchVerdict::taken, {});
  posting_.confirm(*target, remittance, paid, &*deposit, name_of(MatchStep::amount_and_date));
  records_.remittances().update_claim(tenant_, remittance.id, paid);
  posting_.post(remittance, targets_of(remittance, false), &*deposit, name_of(MatchStep::amount_and_date));
  records_.deposits().update_match(tenant_, *deposit);
  return true;
}

MatchPayments::Found MatchPayments::find_money_posted_alone(Remittance& remittance) {
  const auto& draft = remittance.draft;
  if (draft.payer_id.empty() || !draft.payment_date) return Found::none;
  auto deposits = records_.deposits().posted_alone(tenant_, draft.payer_id, draft.payment_amount,
                                                   matching_days(*draft.payment_date), kMostLookedAt);
  std::map<domain::DepositId, domain::ReconciliationRecord> posted;
  // Only money that was posted by its amount alone is moved. Decisions and confirmed payments stay.
  std::erase_if(deposits, [&](const Deposit& deposit) {
    auto records = records_.reconciliations().of_deposit(tenant_, deposit.id);
    const bool is_by_amount = records.size() == 1 && !records.front().remittance &&
                              records.front().matched_by == name_of(MatchStep::amount_and_date);
    if (is_by_amount) posted.emplace(deposit.id, std::move(records.front()));
    return !is_by_amount;
  });
  if (deposits.empty()) return Found::none;
  const auto [found, deposit] =
      weigh({remittance.id.text()}, MatchStep::amount_and_date, deposits,
            [&](const Deposit& candidate) { return differences_by_amount(candidate, draft); });
  if (!deposit) return found;
  // The remittance names other claims than the advance that the amount led to: undo the guess, then match by it.
  const auto& record = posted.at(deposit->id);
  if (auto undone = booking_.undo(record.settlement, record.id, deposit); !undone) {
    keep({remittance.id.text()}, MatchStep::amount_and_date, deposit->id.text(), MatchVerdict::undone,
         {});  // the match above did not take effect
    open_task("match_ambiguous", remittance.id.text(),
              "The money of this remittance was posted to an advance that expected the same amount. It cannot be moved "
              "automatically: " +
                  undone.error().message);
    return Found::none_that_fits;
  }
  keep({deposit->id.text()}, MatchStep::amount_and_date, record.settlement.text(), MatchVerdict::undone, {});
  (void)forget_repeats(record, true);  // cannot fail: no remittance has this deposit
  deposit->status = domain::MatchState::unmatched;
  records_.deposits().update_match(tenant_, *deposit);
  join(remittance, *deposit, MatchStep::amount_and_date);
  return Found::one;
}

MatchStep MatchPayments::joined_by(const Remittance& remittance) const {
  return records_.matches()
      .joined_by(tenant_, remittance.deposit->text(), remittance.id.text())
      .value_or(MatchStep::trace_number);
}

/// A reused trace number does not hold the remittance: payers restart their numbers. But it may be the same remittance
/// sent twice with different content.
void MatchPayments::report_reused_trace(const Remittance& remittance) {
  const bool moves_money = remittance.draft.payment_amount > Money{} || !domain::carries_of(remittance.draft).is_zero();
  if (remittance.draft.trace_number.empty() || !moves_money) return;
  const auto replaced = replace_held(remittance);
  const auto& day = remittance.draft.payment_date;
  const auto since = day ? std::optional(domain::matching_days(*day).from) : std::nullopt;
  if (const auto other = records_.remittances().another_with_trace(tenant_, remittance, since);
      other && !replaced.contains(*other))
    open_task("trace_reused", remittance.id.text(),
              "Another remittance of this payer has the same trace number: " + other->text() + ".");
}

std::set<domain::RemittanceId> MatchPayments::replace_held(const Remittance& remittance) {
  std::set<domain::RemittanceId> replaced;
  const auto& draft = remittance.draft;
  if (!balance_of(draft).balanced()) return replaced;
  for (const auto& held :
       records_.remittances().waiting_with_trace(tenant_, draft.trace_number, MoneyRange::any(), kMostLookedAt)) {
    // Only a remittance of the same payer and day can be an earlier version of this one.
    if (balance_of(held.draft).balanced() || held.draft.payer_id != draft.payer_id ||
        held.draft.payment_date != draft.payment_date)
      continue;
    if (held.draft.payment_amount != draft.payment_amount && !names_same_claims(with_claims(held.id), remittance))
      continue;  // another part of the same payment
    close_tasks(unit_, "remittance_unbalanced", held.id.text(), domain::kCorrected);
    replaced.insert(held.id);
  }
  return replaced;
}

}  // namespace tideover::usecases
