// The rule policy of the service: publishes rulesets and runs them. Each call uses one ruleset, the one that was
// current at its start. Thread-safe; each concurrent caller has its own Lua state, which is rebuilt after a publication
// when it is next used.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/lua/engine/fault_watch.hpp"
#include "core/lua/ruleset/ruleset.hpp"
#include "core/lua/vm/limits.hpp"
#include "core/ports/rules/rule_catalogue.hpp"
#include "core/ports/rules/rule_policy.hpp"

namespace tideover::lua {

class Program;
struct Verdicts;

/// Counts of a rule of the current ruleset since it was published.
struct RuleCounts {
  std::string rule_id;
  RuleMode mode = RuleMode::live;
  std::uint64_t fired = 0;
  std::uint64_t faults = 0;
};

/// A live rule of the current ruleset that failed too often (FaultWatch).
struct Failing {
  std::string sha256;  // of the ruleset
  std::string rule_id;
  bool is_terms = false;
  FaultWatch::TooMany when;
};

class Engine : public ports::RulePolicy, public ports::RuleCatalogue {
 public:
  /// `first` must not be null: a service without rules does not start.
  explicit Engine(std::shared_ptr<const Ruleset> first, const Limits& limits = {});
  ~Engine() override;

  void publish(std::shared_ptr<const Ruleset> next);
  std::shared_ptr<const Ruleset> current() const;
  std::vector<RuleCounts> counts() const;
  std::vector<Failing> failing() const;

  ports::DenialAssessment assess_denial(const ports::ClaimFacts& facts) override;
  ports::TermsAssessment propose_terms(const ports::TermsFacts& facts) override;
  domain::OverduePolicy overdue_policy() const override { return current()->overdue; }
  ports::RecourseAssessment decide_recourse(const domain::RecourseFacts& facts) override;
  domain::RecoursePolicy recourse_policy() const override { return current()->recourse.policy; }
  domain::RulesStamp stamp() const override;
  ports::RuleListing list_rules() const override;

 private:
  struct Counter {
    std::atomic<std::uint64_t> fired{0};
    std::atomic<std::uint64_t> faults{0};
    FaultWatch watch;
  };
  struct Publication {
    explicit Publication(std::shared_ptr<const Ruleset> rules);
    std::shared_ptr<const Ruleset> ruleset;
    std::vector<Counter> denial;  // by index in Ruleset::denial
    Counter terms;
    Counter recourse;
  };
  struct Loan;
  static void count(Loan& loan, const Verdicts& verdicts);
  Loan borrow();
  void give_back(Loan loan);

  const Limits limits_;
  mutable std::mutex mutex_;
  std::shared_ptr<Publication> current_;        // guarded by mutex_
  std::vector<std::unique_ptr<Program>> idle_;  // guarded by mutex_; all belong to the current ruleset
};

}  // namespace tideover::lua
