// Brings rules into force and takes them back: each step one transaction of the bundle's state, the live row, who did
// it, the audit row and the events. What decides is one row for all nodes; each follows it (node/rule_keeper).
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

/// A bundle as whoever read it found it.
struct RuleFiling {
  std::string sha256;
  std::string version;
  std::string files;    // as core/lua writes a bundle
  std::string problem;  // why it cannot be used; empty when it compiled and its cases passed
};

struct ReleaseRulesOptions {
  bool needs_second_person = false;
  /// Whether this program can decide by a bundle; else Error invalid_state with the first fault. Asked before what a
  /// person names comes into force, outside the transaction.
  std::function<domain::Status(const domain::RuleBundle&)> usable = [](const domain::RuleBundle&) {
    return domain::Status{};
  };
  /// How long every node has to get ready for the switch. Zero where there is one.
  std::chrono::milliseconds notice{0};
};

class ReleaseRules {
 public:
  ReleaseRules(ports::Store& store, const ports::Clock& clock, ports::IdSource& ids, ReleaseRulesOptions options)
      : store_(store), clock_(clock), ids_(ids), options_(std::move(options)) {}

  /// What else a step's transaction writes of what came of it: the trace of a request.
  template <class What>
  using Also = std::function<void(ports::Records&, const What&)>;

  /// Known bundles stay as they are; a rejected one is checked again.
  domain::Result<domain::RuleBundle> file(const RuleFiling& filing, const std::string& actor,
                                          const Also<domain::RuleBundle>& also = {});
  /// Refused for whoever filed it.
  domain::Status approve(const std::string& sha256, const std::string& actor, const std::string& reason,
                         const Also<domain::RuleBundle>& also = {});
  domain::Status reject(const std::string& sha256, const std::string& actor, const std::string& reason);
  /// Takes away the pin of a rollback. `unless_pinned`: on behalf of a folder, which a pin holds off (invalid_state)
  /// and which was compiled just now; what anybody else names must be usable here (invalid_state).
  domain::Result<domain::LiveRules> promote(const std::string& sha256, const std::string& actor,
                                            const std::string& reason, bool unless_pinned = false,
                                            const Also<domain::LiveRules>& also = {});
  /// At a start that has no rules it can use: whatever is live, and without a second operator.
  domain::Result<domain::LiveRules> force(const std::string& sha256, const std::string& actor,
                                          const std::string& reason);
  /// Back to `sha256`, which must have decided before and be usable here (else invalid_state), or to what decided
  /// before the present one; pinned.
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
