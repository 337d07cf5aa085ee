// Promotes rules and rolls them back. Each step is one transaction with the bundle's state, the live row, the actor,
// the audit row and the events. One row says which bundle is live on all nodes; each node follows it
// (node/rule_keeper).
//
// Threads: thread-safe.
#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "core/domain/basics/result.hpp"
#include "core/domain/reviews/rule_bundle.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// A bundle as it was read.
struct RuleFiling {
  std::string sha256;
  std::string version;
  std::string files;    // in the form that core/lua writes
  std::string problem;  // why it is unusable; empty: it compiled and its cases passed
};

struct ReleaseRulesOptions {
  bool needs_second_operator = false;
  /// Whether this program can use a bundle; otherwise Error invalid_state with the first fault. Called outside the
  /// transaction, before a named bundle becomes live.
  std::function<domain::Status(const domain::RuleBundle&)> usable = [](const domain::RuleBundle&) {
    return domain::Status{};
  };
  /// The time for all nodes to get ready for the switch. Zero with one node.
  std::chrono::milliseconds switch_delay{0};
};

class ReleaseRules {
 public:
  ReleaseRules(ports::Store& store, const ports::Clock& clock, ports::IdSource& ids, ReleaseRulesOptions options)
      : store_(store), clock_(clock), ids_(ids), options_(std::move(options)) {}

  /// What else a step writes in its transaction: the trace of a request.
  template <class What>
  using Also = std::function<void(ports::Records&, const What&)>;

  /// Known bundles stay as they are; a rejected one is checked again.
  domain::Result<domain::RuleBundle> file(const RuleFiling& filing, const std::string& actor,
                                          const Also<domain::RuleBundle>& also = {});
  /// Refused for the actor that filed the bundle.
  domain::Status approve(const std::string& sha256, const std::string& actor, const std::string& reason,
                         const Also<domain::RuleBundle>& also = {});
  domain::Status reject(const std::string& sha256, const std::string& actor, const std::string& reason);
  /// Removes the pin of a rollback. `unless_pinned`: for a rules folder, which a pin blocks (invalid_state) and which
  /// was just compiled. A bundle that is named otherwise must be usable here (invalid_state).
  domain::Result<domain::LiveRules> promote(const std::string& sha256, const std::string& actor,
                                            const std::string& reason, bool unless_pinned = false,
                                            const Also<domain::LiveRules>& also = {});
  /// For a start without usable rules: replaces the live bundle, without a second operator.
  domain::Result<domain::LiveRules> force(const std::string& sha256, const std::string& actor,
                                          const std::string& reason);
  /// Rolls back to `sha256`, which must have been live before and be usable here (else invalid_state), or to the bundle
  /// before the live one. Pins it.
  domain::Result<domain::LiveRules> roll_back(const std::string& sha256, const std::string& actor,
                                              const std::string& reason, const Also<domain::LiveRules>& also = {});

 private:
  domain::Status step(const std::string& sha256, domain::BundleStep step, domain::RuleAct act, const std::string& actor,
                      const std::string& reason, const Also<domain::RuleBundle>& also = {});
  domain::Status check_usable(const std::string& sha256) const;
  domain::Status enter_force(ports::Records& records, const std::string& sha256, domain::RuleAct act,
                             const std::string& actor, const std::string& reason, domain::LiveRules& live);
  void leave_trace(ports::Records& records, domain::RuleAct act, const std::string& sha256, const std::string& actor,
                   const std::string& reason);

  ports::Store& store_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  const ReleaseRulesOptions options_;
};

}  // namespace tideover::usecases
