#include "core/lua/engine/engine.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

#include "core/lua/engine/explain.hpp"
#include "core/lua/facts/facts.hpp"
#include "core/lua/ruleset/program.hpp"

namespace tideover::lua {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
const char kEngineFault[] = "rules";  // the rule id of faults that belong to no single rule

/// A call to explain() runs the same rules as a review; an error in the explanation must not change the result.
template <class Explain>
std::vector<ports::RuleExplanation> unless_it_fails(Explain explain) {
  try {
    return explain();
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

Engine::Publication::Publication(std::shared_ptr<const Ruleset> rules)
    : ruleset(std::move(rules)), denial(ruleset->denial.size()) {}

/// A program for one call, with the publication it belongs to.
struct Engine::Loan {
  std::shared_ptr<Publication> publication;
  std::unique_ptr<Program> program;
};

Engine::Engine(std::shared_ptr<const Ruleset> first, const Limits& limits) : limits_(limits) {
  if (!first) throw std::invalid_argument("the rule engine needs a ruleset");
  publish(std::move(first));
}

Engine::~Engine() = default;

void Engine::publish(std::shared_ptr<const Ruleset> next) {
  auto publication = std::make_shared<Publication>(std::move(next));
  std::vector<std::unique_ptr<Program>> outdated;  // freed outside the lock, as the old publication
  const std::lock_guard lock(mutex_);
  std::swap(current_, publication);
  outdated.swap(idle_);
}

std::shared_ptr<const Ruleset> Engine::current() const {
  const std::lock_guard lock(mutex_);
  return current_->ruleset;
}

domain::RulesStamp Engine::stamp() const {
  return current()->stamp;
}

Engine::Loan Engine::borrow() {
  Loan loan;
  {
    const std::lock_guard lock(mutex_);
    loan.publication = current_;
    if (!idle_.empty()) {
      loan.program = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!loan.program)
    loan.program = std::make_unique<Program>(loan.publication->ruleset, loan.publication->ruleset->tables, limits_);
  return loan;
}

void Engine::give_back(Loan loan) {
  const std::lock_guard lock(mutex_);
  if (loan.publication == current_) idle_.push_back(std::move(loan.program));
}

void Engine::count(Loan& loan, const Verdicts& verdicts) {
  auto& counters = loan.publication->denial;
  std::vector<bool> failed(counters.size());
  for (const auto& ended : verdicts.ended) {
    Counter& counter = counters[ended.rule];
    if (ended.fired) counter.fired.fetch_add(1, kRelaxed);
    if (!ended.failed || failed[ended.rule]) continue;
    failed[ended.rule] = true;
    counter.faults.fetch_add(1, kRelaxed);
    counter.watch.failed();
  }
  for (std::size_t rule = 0; rule < counters.size(); ++rule)
    if (counters[rule].watch.is_watching() && !failed[rule] && loan.program->was_asked(rule))
      counters[rule].watch.went_well();
}

ports::DenialAssessment Engine::assess_denial(const ports::ClaimFacts& given) {
  ports::DenialAssessment assessment;
  ports::ClaimFacts facts = given;
  try {
    Loan loan = borrow();
    const Ruleset& rules = *loan.publication->ruleset;
    assessment.policy = rules.policy;
    if (rules.fees) assessment.fees = (*rules.fees)(facts.claim, facts.today);
    if (facts.answered_claims < rules.policy.learn_from_answers)
      facts.history = nullptr;
    else if (facts.history_of)
      facts.history = facts.history_of(assessment.fees);
    assessment.rules = rules.stamp;
    const auto spared = loan.program->spared_calls();
    auto verdicts = loan.program->judge(facts, Program::Call::when_needed);
    // Another rule of this call may have read what the rule kept.
    if (verdicts.kept_something && loan.program->spared_calls() != spared)
      verdicts = loan.program->judge(facts, Program::Call::always);
    count(loan, verdicts);
    assessment.findings = std::move(verdicts.findings);
    assessment.shadowed = std::move(verdicts.shadowed);
    assessment.faults = std::move(verdicts.faults);
    if (facts.explain)
      assessment.explained = unless_it_fails([&] { return explain_denial(loan.publication->ruleset, limits_, facts); });
    give_back(std::move(loan));
  } catch (const std::exception& failed) {
    assessment.findings.clear();
    assessment.shadowed.clear();
    assessment.faults.push_back({kEngineFault, failed.what()});
  }
  return assessment;
}

ports::TermsAssessment Engine::propose_terms(const ports::TermsFacts& facts) {
  ports::TermsAssessment assessment;
  try {
    Loan loan = borrow();
    const Ruleset& rules = *loan.publication->ruleset;
    assessment.rules = rules.stamp;
    if (auto problem = loan.program->run_terms(facts, assessment.proposal)) {
      loan.publication->terms.faults.fetch_add(1, kRelaxed);
      loan.publication->terms.watch.failed();
      assessment.faults.push_back({rules.terms.id, std::move(*problem)});
    } else {
      loan.publication->terms.fired.fetch_add(1, kRelaxed);
      if (loan.publication->terms.watch.is_watching()) loan.publication->terms.watch.went_well();
    }
    for (auto& fault : loan.program->settle()) assessment.faults.push_back(std::move(fault));
    if (facts.explain)
      assessment.explained =
          unless_it_fails([&] { return std::vector{explain_terms(loan.publication->ruleset, limits_, facts)}; });
    give_back(std::move(loan));
  } catch (const std::exception& failed) {
    assessment.faults.push_back({kEngineFault, failed.what()});
  }
  if (!assessment.faults.empty()) assessment.proposal = {domain::Decision::manual_review, 0, 0, {"rule_error"}};
  return assessment;
}

ports::RecourseAssessment Engine::decide_recourse(const domain::RecourseFacts& facts) {
  ports::RecourseAssessment assessment;
  try {
    Loan loan = borrow();
    const Ruleset& rules = *loan.publication->ruleset;
    assessment.rules = rules.stamp;
    if (rules.recourse.file.empty()) {
      give_back(std::move(loan));
      return assessment;
    }
    assessment.rule_id = rules.recourse.id;
    assessment.rule_rev = static_cast<int>(rules.recourse.rev);
    if (auto problem = loan.program->run_recourse(facts, assessment.proposal))
      assessment.faults.push_back({rules.recourse.id, std::move(*problem)});
    for (auto& fault : loan.program->settle()) assessment.faults.push_back(std::move(fault));
    auto& counter = loan.publication->recourse;
    (assessment.faults.empty() ? counter.fired : counter.faults).fetch_add(1, kRelaxed);
    give_back(std::move(loan));
  } catch (const std::exception& failed) {
    assessment.faults.push_back({kEngineFault, failed.what()});
  }
  if (!assessment.faults.empty()) assessment.proposal.reset();
  return assessment;
}

std::vector<RuleCounts> Engine::counts() const {
  std::shared_ptr<Publication> publication;
  {
    const std::lock_guard lock(mutex_);
    publication = current_;
  }
  std::vector<RuleCounts> counts;
  const auto add = [&](const std::string& id, RuleMode mode, const Counter& counter) {
    counts.push_back({id, mode, counter.fired.load(kRelaxed), counter.faults.load(kRelaxed)});
  };
  for (std::size_t i = 0; i < publication->denial.size(); ++i)
    add(publication->ruleset->denial[i].id, publication->ruleset->denial[i].mode, publication->denial[i]);
  add(publication->ruleset->terms.id, RuleMode::live, publication->terms);
  if (const auto& recourse = publication->ruleset->recourse; !recourse.file.empty())
    add(recourse.id, RuleMode::live, publication->recourse);
  return counts;
}

std::vector<Failing> Engine::failing() const {
  std::shared_ptr<Publication> publication;
  {
    const std::lock_guard lock(mutex_);
    publication = current_;
  }
  std::vector<Failing> failing;
  const Ruleset& rules = *publication->ruleset;
  for (std::size_t i = 0; i < rules.denial.size(); ++i)
    if (const auto when = publication->denial[i].watch.too_many(); when && rules.denial[i].mode == RuleMode::live)
      failing.push_back({rules.stamp.sha256, rules.denial[i].id, false, *when});
  if (const auto when = publication->terms.watch.too_many())
    failing.push_back({rules.stamp.sha256, rules.terms.id, true, *when});
  return failing;
}

ports::RuleListing Engine::list_rules() const {
  std::shared_ptr<Publication> publication;
  {
    const std::lock_guard lock(mutex_);
    publication = current_;
  }
  ports::RuleListing listing{publication->ruleset->stamp, {}};
  for (std::size_t i = 0; i < publication->ruleset->denial.size(); ++i) {
    const auto& rule = publication->ruleset->denial[i];
    const auto& counter = publication->denial[i];
    ports::RuleEntry entry{rule.id,
                           rule.rev,
                           std::string(name_of(rule.mode)),
                           rule.family,
                           rule.group,
                           rule.code,
                           rule.carc,
                           std::string(name_of(rule.severity)),
                           rule.weight_bps,
                           rule.strength,
                           rule.lock,
                           rule.asks_lines,
                           rule.claim_type ? std::string(domain::name_of(*rule.claim_type)) : "",
                           rule.summary,
                           rule.fix,
                           {},
                           rule.payers,
                           rule.codes,
                           ports::RuleEntry::Counts{counter.fired.load(kRelaxed), counter.faults.load(kRelaxed)}};
    for (const auto* const fact : rule.needs) entry.needs.emplace_back(fact->name);
    listing.rules.push_back(std::move(entry));
  }
  return listing;
}

}  // namespace tideover::lua
