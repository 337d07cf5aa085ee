// A rule that fails too often does no good and sends every claim to manual review: it goes into shadow mode, by a
// bundle that is filed and promoted like any other, so that every node decides alike and every review names what it was
// judged by. A task tells the operator. Rules that a rollback pinned, and rules that need a second operator's approval,
// are left as they are: there the task asks for a decision.
#pragma once
#include <set>
#include <string>
#include <string_view>

#include "core/ports/rules/rule_library.hpp"
#include "core/usecases/rules/release_rules.hpp"

namespace tideover::usecases {

/// How the reason of such a promotion begins.
inline constexpr std::string_view kRuleFailed = "Rule failed: ";

/// A rule of the bundle `sha256` that failed on `faults` of `calls` calls.
struct FailingRule {
  std::string sha256;
  std::string rule_id;
  bool is_terms = false;  // without it nothing can be decided, so it stays
  std::uint64_t faults = 0, calls = 0;
};

class ShadowFailingRule {
 public:
  struct Options {
    std::string actor;            // "node a"
    std::string operator_tenant;  // whose task it is; empty: each tenant that has a client
  };
  ShadowFailingRule(ports::Store& store, const ports::Clock& clock, ports::IdSource& ids, ReleaseRules& release,
                    ports::RuleLibrary& library, Options options)
      : store_(store), clock_(clock), ids_(ids), release_(release), library_(library), options_(std::move(options)) {}

  /// What was done, for log and readiness; "" where it was done already, or where other rules are live by now. One
  /// thread at a time.
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
