// Puts a rule that fails too often into shadow mode, because it sends every claim to manual review. The change is a
// bundle that is filed and promoted like any other: all nodes decide alike, and each review names its bundle. A task
// informs the operator. When a rollback pinned the rules, or a second operator must approve, nothing changes and the
// task asks for a decision.
//
// Threads: use from one thread at a time.
#pragma once
#include <set>
#include <string>
#include <string_view>

#include "core/ports/rules/rule_library.hpp"
#include "core/usecases/rules/release_rules.hpp"

namespace tideover::usecases {

/// The prefix of the reason of such a promotion.
inline constexpr std::string_view kRuleFailed = "Rule failed: ";

/// A rule of the bundle `sha256` that failed on `faults` of `calls` calls.
struct FailingRule {
  std::string sha256;
  std::string rule_id;
  bool is_terms = false;  // decisions need it, so it stays in force
  std::uint64_t faults = 0, calls = 0;
};

class ShadowFailingRule {
 public:
  struct Options {
    std::string actor;            // "node a"
    std::string operator_tenant;  // gets the task; empty: each tenant with a client
  };
  ShadowFailingRule(ports::Store& store, const ports::Clock& clock, ports::IdSource& ids, ReleaseRules& release,
                    ports::RuleLibrary& library, Options options)
      : store_(store), clock_(clock), ids_(ids), release_(release), library_(library), options_(std::move(options)) {}

  /// Returns what was done, for log and readiness; empty when it was done before, or when other rules are live now.
  domain::Result<std::string> operator()(const FailingRule& failing);

 private:
  void open_tasks(ports::Records& records, const FailingRule& failing, const std::string& note);

  ports::Store& store_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  ReleaseRules& release_;
  ports::RuleLibrary& library_;
  const Options options_;
  std::set<std::string> done_;
};

}  // namespace tideover::usecases
