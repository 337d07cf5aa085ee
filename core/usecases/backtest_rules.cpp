#include "core/usecases/backtest_rules.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/estimators/label.hpp"
#include "core/usecases/judge_claim.hpp"
#include "core/usecases/learned_claim.hpp"
#include "core/usecases/walk_history.hpp"

namespace tideover::usecases {
namespace {

using domain::Decision;
using domain::Money;

constexpr std::int64_t kTellEvery = 1000;
/// The rail decides nothing about a claim; terms rules may look at it all the same.
constexpr const char* kRail = "SAME_DAY";

/// What one set of rules said of one claim.
struct Verdict {
  int denial_bps = 0;
  bool is_predicted = false;
  bool has_faults = false;
  bool is_refused = false;  // a claim that is turned away gets no advance and teaches nothing
  Decision decision = Decision::manual_review;
  Money advance, fee;
  std::vector<std::uint32_t> fired;  // each rule once
  domain::ReviewBasis basis;
};

/// One claim: what both said at its last review, and what came of it.
struct Case {
  Verdict before, after;
  Money charge;
  domain::Date reviewed;
  bool is_answered = false, is_denied = false;
  Money cash;
};

class Replay final : public HistoryListener {
 public:
  using Judge = std::function<Verdict(const RecordedReview&, ports::RulePolicy&, const estimators::State&, int duplicates)>;
  /// The claim as the estimators see it.
  using Describe = std::function<estimators::Submission(const RecordedReview&)>;

  Replay(ports::RulePolicy& before, ports::RulePolicy& after, const BacktestOptions& options, const std::function<bool(std::int64_t)>& progress, Judge judge, Describe describe)
      : before_(before), after_(after), options_(options), progress_(progress), judge_(std::move(judge)), describe_(std::move(describe)) {}

  void reviewed(const RecordedReview& recorded) override {
    const auto& claim = recorded.claim;
    // Look-alikes of another identifier that were there by then.
    auto& alike = alike_[claim.duplicate_key];
    const auto identifier = std::hash<std::string>{}(claim.draft.claim_identifier);
    if (std::find(alike.begin(), alike.end(), identifier) == alike.end()) alike.push_back(identifier);
    const auto day = recorded.review.created_at.utc_date();
    reach(day);
    auto submission = describe_(recorded);
    auto taught_before = recorded.review.basis, taught_after = recorded.review.basis;
    const bool is_wanted = (!options_.from || day >= *options_.from) && (!options_.to || day <= *options_.to);
    if (is_wanted) {
      const int duplicates = static_cast<int>(alike.size()) - 1;
      auto before = judge_(recorded, before_, known_before_, duplicates);
      auto after = judge_(recorded, after_, known_after_, duplicates);
      if (!before.is_refused) taught_before = before.basis;
      if (!after.is_refused) taught_after = after.basis;
      auto& one = cases_[claim.draft.claim_identifier];
      one.before = std::move(before);
      one.after = std::move(after);
      one.charge = claim.draft.submitted_amount;
      one.reviewed = day;
    }
    complete(submission, taught_before);
    known_before_.submitted(submission, policy_of(taught_before));
    complete(submission, taught_after);
    known_after_.submitted(submission, policy_of(taught_after));
    if (++reviews_ % kTellEvery == 0) goes_on_ = progress_(reviews_);
  }

  void responded(const RecordedResponse& recorded) override {
    reach(recorded.heard_at.utc_date());
    learn(recorded);
    const auto found = cases_.find(recorded.claim_identifier);
    if (found == cases_.end()) return;
    auto& one = found->second;
    const auto label = estimators::label_of(recorded.claim);
    if (label.outcome == estimators::Outcome::ignored) return;
    one.cash += recorded.claim.paid_amount;
    if (label.outcome == estimators::Outcome::reversal) {
      one.is_answered = one.is_denied = false;
    } else if (!one.is_answered) {
      one.is_answered = true;
      one.is_denied = label.denied();
    }
  }

  bool go_on() override { return goes_on_; }
  std::unordered_map<std::string, Case>& cases() { return cases_; }

 private:
  /// Days that are over are closed.
  void reach(domain::Date day) {
    if (day_ && *day_ < day)
      for (auto* known : {&known_before_, &known_after_}) known->close_day(day.plus(-1));
    day_ = day_ ? std::max(*day_, day) : day;
  }

  void learn(const RecordedResponse& recorded) {
    estimators::Response response;
    response.claim_id = recorded.claim_id.text();
    response.responded = recorded.heard_at.utc_date();
    if (!recorded.claim.paid_amount.is_zero()) response.posted = recorded.payment_date.value_or(response.responded);
    response.remittance = recorded.claim;
    for (auto* known : {&known_before_, &known_after_}) known->responded(response);
  }

  ports::RulePolicy& before_;
  ports::RulePolicy& after_;
  estimators::State known_before_, known_after_;                         // by what each set of rules would have taught
  std::optional<domain::Date> day_;
  const BacktestOptions& options_;
  const std::function<bool(std::int64_t)>& progress_;
  const Judge judge_;
  const Describe describe_;
  std::unordered_map<std::string, Case> cases_;                          // by claim identifier
  std::unordered_map<std::string, std::vector<std::size_t>> alike_;      // identifiers, by duplicate key
  std::int64_t reviews_ = 0;
  bool goes_on_ = true;
};

void count(BacktestSide& side, const Verdict& verdict, const Case& one, bool is_mature, const std::vector<std::string>& names) {
  ++side.decisions[static_cast<std::size_t>(verdict.decision)];
  side.refused += verdict.is_refused ? 1 : 0;
  side.faults += verdict.has_faults ? 1 : 0;
  if (one.is_answered && !verdict.is_refused) ++side.predicted[verdict.is_predicted][one.is_denied];
  for (const auto rule : verdict.fired) {
    auto& record = side.rules[names[rule]];
    record.charge_flagged += one.charge;
    if (!one.is_answered) continue;
    ++record.fired;
    record.denied += one.is_denied ? 1 : 0;
  }
  if (verdict.decision != Decision::approved) return;
  side.advanced += verdict.advance;
  side.fees += verdict.fee;
  if (!is_mature) return;
  side.matured += verdict.advance;
  side.lost += std::max(Money{}, verdict.advance - std::max(Money{}, one.cash));
}

Money change_of(const BacktestFlip& flip) { return flip.advance_after < flip.advance_before ? flip.advance_before - flip.advance_after : flip.advance_after - flip.advance_before; }

std::string answer_of(const Case& one) {
  if (!one.is_answered) return {};
  return one.is_denied ? "denied" : "paid " + format_money(one.cash);
}

}  // namespace

domain::Result<BacktestReport> BacktestRules::operator()(const domain::Tenant& tenant, ports::RulePolicy& before, ports::RulePolicy& after, domain::Timestamp now,
                                                         const BacktestOptions& options, const std::function<bool(std::int64_t)>& progress) {
  std::vector<std::string> names;  // of rules, as verdicts count them
  std::map<std::string, std::uint32_t, std::less<>> numbers;
  std::map<std::string, std::optional<domain::Payer>> payers;
  std::optional<domain::Error> trouble;

  const auto payer_of = [&](const std::string& id) -> const std::optional<domain::Payer>& {
    const auto known = payers.find(id);
    if (known != payers.end()) return known->second;
    auto found = payers_.get(id);
    if (!found && !trouble) trouble = found.error();
    return payers[id] = found ? std::move(*found) : std::nullopt;
  };
  static const domain::Payer nobody;
  const auto describe = [&](const RecordedReview& recorded) {
    const auto& payer = payer_of(recorded.claim.draft.payer_id);
    return submission_of(tenant.id, recorded.claim.id, recorded.claim.draft, payer ? *payer : nobody, recorded.review.created_at.utc_date(), digests_);
  };
  const auto judge = [&](const RecordedReview& recorded, ports::RulePolicy& rules, const estimators::State& known, int duplicates) -> Verdict {
    const auto& payer = payer_of(recorded.claim.draft.payer_id);
    const auto today = recorded.review.created_at.utc_date();
    const ports::ClaimFacts facts{recorded.claim.draft, payer ? *payer : nobody, payer.has_value(), tenant.profile, today, duplicates};
    const auto review = review_with(facts, {tenant.id, recorded.claim.id, &known}, rules, digests_, environment_, reason_codes_);
    Verdict verdict;
    if (!review) {
      verdict.is_refused = true;
      verdict.decision = Decision::declined;
      return verdict;
    }
    const auto note = [&](const std::string& rule_id) {
      const auto number = numbers.try_emplace(rule_id, static_cast<std::uint32_t>(names.size()));
      if (number.second) names.push_back(rule_id);
      if (std::find(verdict.fired.begin(), verdict.fired.end(), number.first->second) == verdict.fired.end()) verdict.fired.push_back(number.first->second);
    };
    for (const auto& rule : review->basis.fired) note(rule.rule_id);
    for (const auto& finding : review->warnings) note(finding.rule_id);
    verdict.basis = review->basis;
    verdict.has_faults = !review->rule_faults.empty();
    verdict.denial_bps = review->forecast.denial_probability_bps;
    verdict.is_predicted = review->forecast.denial_predicted;
    const auto proposed = rules.propose_terms({*review, kRail, today, !payer || payer->supports_advance});
    verdict.has_faults = verdict.has_faults || !proposed.faults.empty();
    const auto terms = domain::bound_terms(proposed.proposal, *review, limits_);
    verdict.decision = terms.decision;
    if (terms.decision == Decision::approved) {
      verdict.advance = terms.terms.advance_amount;
      verdict.fee = terms.terms.fee_estimate;
    }
    return verdict;
  };

  Replay replay(before, after, options, progress, judge, describe);
  if (const auto walked = walk_history(store_, tenant.id, replay); !walked) return walked.error();
  if (trouble) return *trouble;

  BacktestReport report;
  const auto today = now.utc_date();
  for (const auto& [identifier, one] : replay.cases()) {
    ++report.reviews;
    report.answered += one.is_answered ? 1 : 0;
    report.denied += one.is_denied ? 1 : 0;
    ++report.decisions[static_cast<std::size_t>(one.before.decision)][static_cast<std::size_t>(one.after.decision)];
    const bool is_mature = one.is_answered || one.reviewed.plus(options.matured_days) <= today;
    count(report.before, one.before, one, is_mature, names);
    count(report.after, one.after, one, is_mature, names);
    if (one.before.decision == one.after.decision) continue;
    ++report.flips;
    report.examples.push_back({identifier, one.before.decision, one.after.decision, one.before.denial_bps, one.after.denial_bps, one.before.advance, one.after.advance,
                               answer_of(one)});
  }
  std::sort(report.examples.begin(), report.examples.end(), [](const BacktestFlip& a, const BacktestFlip& b) {
    return std::pair(change_of(b), a.claim_identifier) < std::pair(change_of(a), b.claim_identifier);
  });
  if (report.examples.size() > options.examples) report.examples.resize(options.examples);
  return report;
}

}  // namespace tideover::usecases
