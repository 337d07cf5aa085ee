#include "core/usecases/rules/backtest_rules.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/estimators/basics/label.hpp"
#include "core/usecases/learning/learned_claim.hpp"
#include "core/usecases/learning/read_learning.hpp"
#include "core/usecases/reviews/judge_claim.hpp"

namespace tideover::usecases {
namespace {

using domain::Decision;
using domain::Money;

constexpr std::int64_t kTellEvery = 1000;
/// The rail does not matter for a claim, but terms rules may read it.
constexpr const char* kRail = "SAME_DAY";

/// The result of one set of rules for one claim.
struct Verdict {
  int denial_bps = 0;
  bool is_predicted = false;
  bool has_faults = false;
  bool is_refused = false;  // a refused claim gets no advance and is not learned
  Decision decision = Decision::manual_review;
  Money advance, fee;
  std::vector<std::uint32_t> fired;  // without duplicates
  domain::ReviewBasis basis;
};

/// The verdicts of both sets of rules at a review, and its answer.
struct Judged {
  std::string claim_identifier;
  Verdict before, after;
  Money charge;
  domain::Date reviewed;
  bool is_answered = false, is_denied = false, is_taken_back = false;
  Money cash{};
};

/// The judged reviews of a claim in order: each but the last was answered.
using History = std::vector<Judged>;

/// A review replaces the previous one when no answer came between them.
void add(History& history, Judged judged) {
  if (!history.empty() && !history.back().is_answered) history.pop_back();
  history.push_back(std::move(judged));
}

/// After a newer review, a takeback belongs to the review before, if the newer one has no answer of its own. The newer
/// one then stands for both.
void take_back(History& history) {
  const bool is_newest = history.back().is_answered || history.back().is_taken_back;
  const bool is_older = !is_newest && history.size() > 1;
  if ((is_older ? history.end()[-2] : history.back()).is_denied) return;  // a denial at first response stays a denial
  if (is_older) history.erase(history.end() - 2);
  auto& newest = history.back();
  newest.is_answered = newest.is_denied = false;
  newest.is_taken_back = true;
}

void visit(History& history, const estimators::Response& response) {
  const auto label = estimators::label_of(response.remittance);
  if (label.outcome == estimators::Outcome::ignored) return;
  // A takeback of money from before a review does not reduce the review's own payments.
  for (auto& judged : history) judged.cash = std::max(Money{}, judged.cash + response.remittance.paid_amount);
  if (label.outcome == estimators::Outcome::reversal) return take_back(history);
  auto& newest = history.back();
  if (newest.is_answered) return;
  newest.is_answered = true;
  newest.is_denied = label.denied();
}

/// Makes stored reviews again.
class BacktestRunner {
 public:
  BacktestRunner(const domain::TenantId& tenant, const std::vector<domain::ReasonCode>& reason_codes,
                 const domain::TermsLimits& limits, domain::Environment environment, const ports::KeyedDigest& digests)
      : tenant_(tenant), reason_codes_(reason_codes), limits_(limits), environment_(environment), digests_(digests) {}

  Verdict judge(const RecordedReview& recorded, ports::RulePolicy& rules, const estimators::State& known) {
    static const domain::Payer unknown_payer;
    const auto& given = recorded.review;
    const auto& payer = recorded.payer ? *recorded.payer : unknown_payer;
    const auto today = given.created_at.utc_date();
    ports::ClaimFacts facts{recorded.claim,      payer, given.payer_known,
                            given.basis.profile, today, given.basis.duplicates};
    facts.near_payer = given.basis.near_payer;
    const auto review =
        review_with(facts, {tenant_, given.claim_id, &known}, rules, digests_, environment_, reason_codes_);
    Verdict verdict;
    if (!review) {
      verdict.is_refused = true;
      verdict.decision = Decision::declined;
      return verdict;
    }
    for (const auto& rule : review->basis.fired) note(rule.rule_id, verdict);
    for (const auto& finding : review->warnings) note(finding.rule_id, verdict);
    verdict.basis = review->basis;
    verdict.denial_bps = review->forecast.denial_probability_bps;
    verdict.is_predicted = review->forecast.denial_predicted;
    const auto proposed = rules.propose_terms(
        {*review, kRail, today, !given.payer_known || payer.supports_advance, {}, false, recorded.claim.details});
    verdict.has_faults = !review->rule_faults.empty() || !proposed.faults.empty();
    const auto terms = domain::bound_terms(proposed.proposal, *review, limits_,
                                           domain::advance_refusals(recorded.claim.details, environment_));
    verdict.decision = terms.decision;
    if (terms.decision == Decision::approved) {
      verdict.advance = terms.terms.advance_amount;
      verdict.fee = terms.terms.fee_estimate;
    }
    return verdict;
  }

  /// The rules, indexed as in the verdicts.
  const std::vector<std::string>& names() const { return names_; }

 private:
  void note(const std::string& rule_id, Verdict& verdict) {
    const auto [number, is_new] = numbers_.try_emplace(rule_id, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(rule_id);
    if (std::find(verdict.fired.begin(), verdict.fired.end(), number->second) == verdict.fired.end())
      verdict.fired.push_back(number->second);
  }

  const domain::TenantId& tenant_;
  const std::vector<domain::ReasonCode>& reason_codes_;
  const domain::TermsLimits& limits_;
  const domain::Environment environment_;
  const ports::KeyedDigest& digests_;
  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

/// Replays the journal under both sets of rules at once: those before, and the candidate.
class Replay {
 public:
  Replay(BacktestRunner& runner, const ReadLearning& read, ports::RulePolicy& before, ports::RulePolicy& after,
         const BacktestOptions& options)
      : runner_(runner), read_(read), before_(before), after_(after), options_(options) {}

  void visit(const RecordedReview& recorded) {
    std::optional<domain::ReviewBasis> before = recorded.review.basis,
                                       after = before;  // none: the claim is refused and not learned
    if (is_wanted(recorded.review.created_at.utc_date()) && can_be_made_again(recorded)) {
      Judged judged{recorded.review.claim_identifier, runner_.judge(recorded, before_, known_before_),
                    runner_.judge(recorded, after_, known_after_), recorded.claim.submitted_amount,
                    recorded.review.created_at.utc_date()};
      before = taught_by(judged.before);
      after = taught_by(judged.after);
      add(claims_[recorded.review.claim_id.text()], std::move(judged));
    }
    for (const auto& [known, basis] : {std::pair{&known_before_, &before}, {&known_after_, &after}}) {
      if (!*basis) continue;
      auto submission = read_.submission_of(recorded);
      complete(submission, **basis);
      known->submitted(submission, policy_of(**basis));
    }
    ++reviews_;
  }

  void visit(const estimators::Response& response) {
    for (auto* known : {&known_before_, &known_after_}) known->responded(response);
    if (const auto found = claims_.find(response.claim_id); found != claims_.end())
      usecases::visit(found->second, response);
  }

  void visit(const estimators::DayClosed& closed) {
    for (auto* known : {&known_before_, &known_after_}) known->close_day(closed.day);
  }

  std::int64_t reviews() const { return reviews_; }
  std::int64_t left_out() const { return left_out_; }
  const std::unordered_map<std::string, History>& claims() const { return claims_; }

 private:
  /// The verdict without its explanation: there may be millions.
  static std::optional<domain::ReviewBasis> taught_by(Verdict& verdict) {
    auto basis = std::exchange(verdict.basis, {});
    return verdict.is_refused ? std::nullopt : std::optional(std::move(basis));
  }
  bool is_wanted(domain::Date day) const {
    return (!options_.from || day >= *options_.from) && (!options_.to || day <= *options_.to);
  }
  /// Whether the inputs of the review were stored.
  bool can_be_made_again(const RecordedReview& recorded) {
    const bool can = recorded.review.basis.claim_revision && (recorded.payer || !recorded.review.payer_known);
    left_out_ += can ? 0 : 1;
    return can;
  }

  BacktestRunner& runner_;
  const ReadLearning& read_;
  ports::RulePolicy& before_;
  ports::RulePolicy& after_;
  const BacktestOptions& options_;
  estimators::State known_before_, known_after_;     // the models under each set of rules
  std::unordered_map<std::string, History> claims_;  // by claim id
  std::int64_t reviews_ = 0, left_out_ = 0;
};

/// What one of the sets said about a claim's reviews.
void count(BacktestSide& side, const History& history, Verdict Judged::*said, domain::Date mature,
           const std::vector<std::string>& names) {
  bool is_advanced = false;
  for (const auto& judged : history) {
    const auto& verdict = judged.*said;
    ++side.decisions[static_cast<std::size_t>(verdict.decision)];
    side.refused += verdict.is_refused ? 1 : 0;
    side.faults += verdict.has_faults ? 1 : 0;
    if (judged.is_answered && !verdict.is_refused) ++side.predicted[verdict.is_predicted][judged.is_denied];
    for (const auto rule : verdict.fired) {
      auto& record = side.rules[names[rule]];
      record.charge_flagged += judged.charge;
      if (!judged.is_answered) continue;
      ++record.fired;
      record.denied += judged.is_denied ? 1 : 0;
    }
    if (verdict.decision != Decision::approved || std::exchange(is_advanced, true)) continue;
    side.advanced += verdict.advance;
    side.fees += verdict.fee;
    if (!judged.is_answered && judged.reviewed > mature) continue;
    side.matured += verdict.advance;
    side.lost += std::max(Money{}, verdict.advance - judged.cash);
  }
}

Money change_of(const BacktestFlip& flip) {
  return flip.advance_after < flip.advance_before ? flip.advance_before - flip.advance_after
                                                  : flip.advance_after - flip.advance_before;
}

std::string answer_of(const Judged& judged) {
  if (!judged.is_answered) return {};
  return judged.is_denied ? "denied" : "paid " + format_money(judged.cash);
}

BacktestReport report_of(const Replay& replay, const std::vector<std::string>& names, domain::Date today,
                         const BacktestOptions& options) {
  BacktestReport report;
  const auto mature = today.plus(-options.matured_days);
  for (const auto& [claim, history] : replay.claims()) {
    ++report.claims;
    count(report.before, history, &Judged::before, mature, names);
    count(report.after, history, &Judged::after, mature, names);
    for (const auto& judged : history) {
      const auto &before = judged.before, &after = judged.after;
      ++report.reviews;
      report.answered += judged.is_answered ? 1 : 0;
      report.denied += judged.is_denied ? 1 : 0;
      ++report.decisions[static_cast<std::size_t>(before.decision)][static_cast<std::size_t>(after.decision)];
      if (before.decision == after.decision) continue;
      ++report.flips;
      report.examples.push_back({judged.claim_identifier, before.decision, after.decision, before.denial_bps,
                                 after.denial_bps, before.advance, after.advance, answer_of(judged)});
    }
  }
  std::stable_sort(report.examples.begin(), report.examples.end(), [](const BacktestFlip& a, const BacktestFlip& b) {
    return std::pair(change_of(b), a.claim_identifier) < std::pair(change_of(a), b.claim_identifier);
  });
  if (report.examples.size() > options.examples) report.examples.resize(options.examples);
  return report;
}

}  // namespace

domain::Result<BacktestReport> BacktestRules::operator()(const domain::TenantId& tenant, ports::RulePolicy& before,
                                                         ports::RulePolicy& after, domain::Timestamp now,
                                                         const BacktestOptions& options,
                                                         const std::function<bool(std::int64_t)>& progress) {
  BacktestRunner runner(tenant, reason_codes_, limits_, environment_, digests_);
  ReadLearning read(store_, digests_, tenant);
  Replay replay(runner, read, before, after, options);
  const auto done = read.behind(
      0, [&](const domain::LearningBatch&, const std::vector<Observation>& observed) -> domain::Result<bool> {
        for (const auto& one : observed) {
          std::visit([&](const auto& what) { replay.visit(what); }, one);
          if (std::holds_alternative<RecordedReview>(one) && replay.reviews() % kTellEvery == 0 &&
              !progress(replay.reviews()))
            return false;
        }
        return true;
      });
  if (!done) return done.error();
  auto report = report_of(replay, runner.names(), now.utc_date(), options);
  report.left_out = replay.left_out() + read.skipped();
  return report;
}

}  // namespace tideover::usecases
