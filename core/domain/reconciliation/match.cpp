#include "core/domain/reconciliation/match.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <utility>

#include "core/domain/basics/bank_calendar.hpp"
#include "core/domain/basics/enum_names.hpp"
#include "core/domain/claims/claim_number.hpp"
#include "core/domain/reconciliation/answer.hpp"

namespace tideover::domain {
namespace {

/// CAQH CORE 370: money and remittance are at most three banking days apart.
constexpr int kWindowBankingDays = 3;
constexpr int kWindowDays = 10;  // the same in calendar days, with weekends and holidays
/// A bank need not pay an older check (UCC 4-404).
constexpr int kStaleCheckDays = 180;
constexpr std::string_view kCheck = "CHK";  // BPR04

// Stored in the match trail and read back by name: do not rename.
constexpr std::array<std::string_view, 7> kSteps{"trace_number", "claim_identifier", "amount_and_date", "one_to_many",
                                                 "many_to_one",  "scored_search",    "person"};
constexpr std::array<std::string_view, 3> kVerdicts{"taken", "rejected", "undone"};

/// Counts from the earlier date, so that the order of the arguments does not matter.
bool within_banking_days(Date a, Date b) {
  Date from = std::min(a, b);
  const Date to = std::max(a, b);
  for (int steps = 0; steps < kWindowBankingDays && from < to; ++steps) from = next_banking_day(from);
  return from >= to;
}

Date money_date(const Deposit& deposit) {
  return deposit.effective_date.value_or(deposit.received_date);
}

/// Banks do not always report an effective date, so the day of receipt counts as well.
bool dates_agree(const Deposit& deposit, Date announced) {
  return within_banking_days(money_date(deposit), announced) || within_banking_days(deposit.received_date, announced);
}

/// A check brings its money when it is cashed, which may be long after the remittance.
bool is_cashed_in_time(const Deposit& deposit, const RemittanceDraft& remittance) {
  return remittance.payment_method == kCheck && deposit.received_date >= *remittance.payment_date &&
         days_between(*remittance.payment_date, deposit.received_date) <= kStaleCheckDays;
}

/// What is unknown on either side contradicts nothing.
bool differ(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && a != b;
}

bool do_traces_differ(const std::string& a, const std::string& b) {
  return differ(normal_trace(a), normal_trace(b));
}

/// Within one channel and payer, with equal amounts: the same day and trace number. Without a trace number, different
/// references of the sender are different payments.
bool repeats(const Deposit& a, const Deposit& b) {
  if (a.received_date != b.received_date || normal_number(a.trace_number) != normal_number(b.trace_number))
    return false;
  // The numbers are equal in normal form. That proves a repeat only when both deposits have one.
  if (!a.trace_number.empty() || !b.trace_number.empty()) return !a.trace_number.empty() && !b.trace_number.empty();
  const bool are_named_apart = !a.external_id.empty() && !b.external_id.empty() && a.external_id != b.external_id;
  // An unknown payer has no id, so the texts of the senders must agree as well.
  return a.channel != kByRemittance && !are_named_apart && a.payer_id == b.payer_id && a.payer_said == b.payer_said;
}

bool is_within(const RemittanceClaim& paid, const DateRange& days) {
  const auto is_in = [&](const std::optional<Date>& day) { return day && *day >= days.from && *day <= days.to; };
  return is_in(paid.date_of_service) || std::any_of(paid.lines.begin(), paid.lines.end(),
                                                    [&](const auto& line) { return is_in(line.date_of_service); });
}

/// What a payer calls the line: its procedure, or its revenue code where it has none. Some omit the leading zero.
std::string named_by_payer(const std::string& procedure, const std::string& revenue_code) {
  if (procedure.empty()) return revenue_code;
  constexpr std::size_t kShortCode = 3;
  return procedure.size() == kShortCode ? '0' + procedure : procedure;
}

/// Whether the remittance decides on some lines of the claim only (the rest follows), named by procedure and charge.
bool is_part_of(const RemittanceClaim& paid, const ClaimDraft& claim) {
  // Each billed line counts once: two equal lines need two decided lines.
  std::map<std::pair<std::string, Money>, int> billed;
  for (const auto& line : claim.service_lines)
    if (line.amount) ++billed[{named_by_payer(line.cpt, line.revenue_code), *line.amount}];
  Money whole;
  for (const auto& decided : paid.lines) {
    const auto& procedure = decided.submitted_cpt.empty() ? decided.cpt : decided.submitted_cpt;
    // A reversal may have negative charges.
    const Money charge = std::max(decided.charge_amount, -decided.charge_amount);
    const auto line = billed.find({named_by_payer(procedure, ""), charge});
    if (line == billed.end() || line->second-- == 0) return false;
    whole += charge;
  }
  // The lines must explain the whole charge that is decided, and leave a part of the claim open.
  return whole > Money{} && charge_of(paid) == whole && whole < claim.submitted_amount;
}

/// A payer may decide on a claim in parts. Service lines, where both sides have them, must not contradict.
bool may_be_part_of(const RemittanceClaim& paid, const ClaimDraft& claim) {
  if (charge_of(paid) <= Money{} || charge_of(paid) >= claim.submitted_amount) return false;
  return paid.lines.empty() || claim.service_lines.empty() || is_part_of(paid, claim);
}

// Weights of the score. What is unknown on either side does not count.
constexpr int kNumberWeight = 35, kAmountWeight = 30, kPayerWeight = 20, kDateWeight = 15;

/// Adds up what indicates that two belong together.
class Score {
 public:
  void add(int weight, int percent, const char* reason) {
    weights_ += weight;
    points_ += weight * percent;
    score_.reasons.emplace_back(reason);
  }
  MatchScore take() {
    score_.points = weights_ == 0 ? 0 : points_ / weights_;
    return std::move(score_);
  }

 private:
  int weights_ = 0, points_ = 0;
  MatchScore score_;
};

void add_number(Score& score, const std::string& a, const std::string& b,
                bool (*are_alike)(std::string_view, std::string_view), const char* equal, const char* similar,
                const char* differs) {
  if (a.empty() || b.empty()) return;
  if (a == b)
    score.add(kNumberWeight, 100, equal);
  else if (are_alike(a, b))
    score.add(kNumberWeight, 70, similar);
  else
    score.add(kNumberWeight, 0, differs);
}

void add_amount(Score& score, Money a, Money b, const char* differs) {
  const auto off = std::abs(a.cents() - b.cents());
  if (off == 0)
    score.add(kAmountWeight, 100, "amount_equal");
  else if (off <= 100 || off * 100 <= std::abs(b.cents()))
    score.add(kAmountWeight, 70, "amount_near");
  else if (off * 10 <= std::abs(b.cents()))
    score.add(kAmountWeight, 30, "amount_within_a_tenth");
  else
    score.add(kAmountWeight, 0, differs);
}

/// For money of an unknown payer, unless its trace number leads to the remittance: equal amount and day count less
/// then.
void add_unknown_payer(Score& score) {
  score.add(kPayerWeight, 0, mismatch::kPayerUnknown);
}

void add_payer(Score& score, const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return;
  const bool same = a == b;
  score.add(kPayerWeight, same ? 100 : 0, same ? "payer_equal" : mismatch::kPayer);
}

void add_date(Score& score, bool in_window, int days_apart, int far_days) {
  if (in_window)
    score.add(kDateWeight, 100, "date_in_window");
  else if (days_apart <= far_days)
    score.add(kDateWeight, 50, "date_near");
  else
    score.add(kDateWeight, 0, mismatch::kDate);
}

}  // namespace

std::string_view name_of(MatchStep step) {
  return kSteps[static_cast<std::size_t>(step)];
}
std::optional<MatchStep> match_step_named(std::string_view name) {
  return enum_named<MatchStep>(kSteps, name);
}
std::string_view name_of(MatchVerdict verdict) {
  return kVerdicts[static_cast<std::size_t>(verdict)];
}
std::optional<MatchVerdict> match_verdict_named(std::string_view name) {
  return enum_named<MatchVerdict>(kVerdicts, name);
}

MatchReasons differences_by_trace(const Deposit& deposit, const RemittanceDraft& remittance) {
  MatchReasons reasons;
  if (differ(deposit.payer_id, remittance.payer_id)) reasons.emplace_back(mismatch::kPayer);
  // With a known payer, the originator may be the payer's bank. Without one, it alone distinguishes payers.
  if (deposit.payer_id.empty() && differ(deposit.originator, remittance.originator_id))
    reasons.emplace_back(mismatch::kOriginator);
  if (deposit.amount != remittance.payment_amount) reasons.emplace_back(mismatch::kAmount);
  if (remittance.payment_date && !dates_agree(deposit, *remittance.payment_date) &&
      !is_cashed_in_time(deposit, remittance))
    reasons.emplace_back(mismatch::kDate);
  // An unbalanced remittance does not say what it pays, so no money is matched with it.
  if (!balance_of(remittance).balanced()) reasons.emplace_back(mismatch::kUnbalanced);
  return reasons;
}

MatchReasons differences_by_amount(const Deposit& deposit, const RemittanceDraft& remittance) {
  MatchReasons reasons;
  // Amount and date alone are weak evidence: here an unknown payer counts as a difference.
  if (deposit.payer_id.empty() || deposit.payer_id != remittance.payer_id) reasons.emplace_back(mismatch::kPayer);
  if (do_traces_differ(deposit.trace_number, remittance.trace_number)) reasons.emplace_back(mismatch::kTraceNumber);
  if (deposit.amount != remittance.payment_amount) reasons.emplace_back(mismatch::kAmount);
  if (!remittance.payment_date)
    reasons.emplace_back(mismatch::kNoDate);
  else if (!dates_agree(deposit, *remittance.payment_date))
    reasons.emplace_back(mismatch::kDate);
  if (!balance_of(remittance).balanced()) reasons.emplace_back(mismatch::kUnbalanced);
  return reasons;
}

bool may_be_one_payment(const Deposit& a, const Deposit& b) {
  if (differ(a.payer_id, b.payer_id)) return false;
  // Remittance deposits with the same number and day are one payment, possibly sent again with other content.
  const bool stand_for_money = a.channel == kByRemittance && b.channel == kByRemittance;
  if (stand_for_money && !a.trace_number.empty() && a.received_date == b.received_date &&
      normal_trace(a.trace_number) == normal_trace(b.trace_number))
    return true;
  if (a.amount != b.amount) return false;
  // Two reports of one channel are payments of their own, unless number and day repeat.
  if (a.channel == b.channel) return repeats(a, b);
  // Banks shorten and pad trace numbers differently, so similar ones are enough across channels.
  return are_traces_alike(a.trace_number, b.trace_number) &&
         (within_banking_days(a.received_date, b.received_date) || within_banking_days(money_date(a), money_date(b)));
}

DateRange matching_days(const Deposit& deposit) {
  const auto [from, to] = std::minmax({deposit.received_date, money_date(deposit)});
  return {from.plus(-kWindowDays), to.plus(kWindowDays)};
}
DateRange matching_days(Date announced) {
  return {announced.plus(-kWindowDays), announced.plus(kWindowDays)};
}

MatchReasons differences_as_part(const Deposit& part, const RemittanceDraft& remittance) {
  MatchReasons reasons;
  if (part.payer_id.empty() || part.payer_id != remittance.payer_id) reasons.emplace_back(mismatch::kPayer);
  if (do_traces_differ(part.trace_number, remittance.trace_number)) reasons.emplace_back(mismatch::kTraceNumber);
  // Any smaller amount may be a part. deposit_sums() checks that the parts add up.
  if (part.amount > remittance.payment_amount) reasons.emplace_back(mismatch::kAmount);
  if (!remittance.payment_date)
    reasons.emplace_back(mismatch::kNoDate);
  else if (!dates_agree(part, *remittance.payment_date))
    reasons.emplace_back(mismatch::kDate);
  if (!balance_of(remittance).balanced()) reasons.emplace_back(mismatch::kUnbalanced);
  return reasons;
}

MatchReasons differences_by_amount(const Deposit& deposit, const Settlement& settlement) {
  MatchReasons reasons;
  if (deposit.payer_id != settlement.payer_id) reasons.emplace_back(mismatch::kPayer);
  // Without a remittance, only the exact expected amount is evidence.
  if (deposit.amount != settlement.expected_reimbursement) reasons.emplace_back(mismatch::kAmount);
  if (std::abs(days_between(settlement.expected_payment_date, money_date(deposit))) > kUnannouncedWindowDays)
    reasons.emplace_back(mismatch::kDate);
  return reasons;
}

Money charge_of(const RemittanceClaim& paid) {
  return answer_of(paid).charge;
}

std::vector<Date> service_dates(const RemittanceClaim& paid) {
  std::vector<Date> dates;
  if (paid.date_of_service) dates.push_back(*paid.date_of_service);
  for (const auto& line : paid.lines)
    if (line.date_of_service) dates.push_back(*line.date_of_service);
  return dates;
}

MatchReasons differences(const RemittanceDraft& remittance, const RemittanceClaim& paid, const ClaimDraft& claim) {
  MatchReasons reasons;
  if (remittance.payer_id.empty())
    reasons.emplace_back(mismatch::kPayerUnknown);
  else if (differ(remittance.payer_id, claim.payer_id))
    reasons.emplace_back(mismatch::kPayer);
  if (charge_of(paid) != claim.submitted_amount && !may_be_part_of(paid, claim))
    reasons.emplace_back(mismatch::kCharge);
  // A service date that either side lacks contradicts nothing.
  const auto days = service_days(claim);
  if (paid.date_of_service && days && !is_within(paid, *days)) reasons.emplace_back(mismatch::kServiceDate);
  return reasons;
}

MatchReasons differences_of_decision(const RemittanceDraft& remittance, const RemittanceClaim& paid,
                                     const ClaimDraft& claim) {
  auto reasons = differences(remittance, paid, claim);
  if (charge_of(paid) < claim.submitted_amount && !is_part_of(paid, claim)) reasons.emplace_back(mismatch::kCharge);
  return reasons;
}

MatchScore score_of(const Deposit& deposit, const RemittanceDraft& remittance) {
  Score score;
  add_number(score, deposit.trace_number, remittance.trace_number, are_traces_alike, "trace_number_equal",
             "trace_number_similar", mismatch::kTraceNumber);
  add_amount(score, deposit.amount, remittance.payment_amount, mismatch::kAmount);
  const bool by_number = are_traces_alike(deposit.trace_number, remittance.trace_number);
  if (deposit.payer_id.empty() && !by_number)
    add_unknown_payer(score);
  else
    add_payer(score, deposit.payer_id, remittance.payer_id);
  if (remittance.payment_date)
    add_date(score, dates_agree(deposit, *remittance.payment_date),
             std::abs(days_between(*remittance.payment_date, deposit.received_date)), 30);
  return score.take();
}

MatchScore score_of(const Deposit& deposit, const Settlement& settlement) {
  Score score;
  add_amount(score, deposit.amount, settlement.expected_reimbursement, mismatch::kAmount);
  if (deposit.payer_id.empty())
    add_unknown_payer(score);
  else
    add_payer(score, deposit.payer_id, settlement.payer_id);
  const int days_apart = std::abs(days_between(settlement.expected_payment_date, money_date(deposit)));
  add_date(score, days_apart <= kUnannouncedWindowDays, days_apart, 2 * kUnannouncedWindowDays);
  return score.take();
}

MatchScore score_of(const RemittanceDraft& remittance, const RemittanceClaim& paid, const ClaimDraft& claim) {
  Score score;
  // Some payers return the provider's number in the field of their own: compare that when the first differs.
  const auto& number = paid.claim_identifier == claim.claim_identifier || paid.payer_claim_number.empty()
                           ? paid.claim_identifier
                           : paid.payer_claim_number;
  add_number(score, number, claim.claim_identifier, are_numbers_alike, "claim_number_equal", "claim_number_similar",
             "claim_number_differs");
  add_amount(score, charge_of(paid), claim.submitted_amount, mismatch::kCharge);
  add_payer(score, remittance.payer_id, claim.payer_id);
  if (const auto days = service_days(claim); days && paid.date_of_service)
    add_date(score, is_within(paid, *days), std::abs(days_between(*paid.date_of_service, days->from)), 30);
  return score.take();
}

}  // namespace tideover::domain
