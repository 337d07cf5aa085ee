#include "core/usecases/rules/release_rules.hpp"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tideover::usecases {
namespace {

using domain::BundleState;
using domain::BundleStep;
using domain::Error;
using domain::ErrorCode;
using domain::RuleAct;

std::string short_of(const std::string& sha256) {
  return sha256.substr(0, 12);
}

Error unknown(const std::string& sha256) {
  return Error::of(ErrorCode::not_found,
                   "Rule bundle " + short_of(sha256) + " not found. `tideover rules history` lists the bundles.");
}

/// The reason against the step, as a message.
Error refusal(const domain::RuleBundle& bundle, BundleStep step) {
  const std::string name = "The rule bundle " + short_of(bundle.sha256);
  if (bundle.state == BundleState::rejected)
    return Error::of(ErrorCode::invalid_state, name + " was rejected: " + bundle.reason);
  if (bundle.state == BundleState::live) return Error::of(ErrorCode::invalid_state, name + " is live.");
  const bool is_approval = step == BundleStep::approve;
  return Error::of(ErrorCode::invalid_state, name + " is " + std::string(name_of(bundle.state)) +
                                                 (is_approval ? ": there is nothing to approve." : "."));
}

/// Applies the step in memory and in the store.
domain::Status move(ports::Records& records, domain::RuleBundle bundle, BundleStep step, domain::Timestamp now) {
  const auto next = next_state(bundle.state, step);
  if (!next) return refusal(bundle, step);
  const auto from = std::exchange(bundle.state, *next);
  bundle.changed_at = now;
  if (records.rules().update(bundle, from)) return {};
  return Error::of(ErrorCode::conflict, "The rule bundle " + short_of(bundle.sha256) +
                                            " changed at the same time. Read it and decide again.");
}

}  // namespace

void ReleaseRules::leave_trace(ports::Records& records, RuleAct act, const std::string& sha256,
                               const std::string& actor, const std::string& reason) {
  const auto id = ids_.next<domain::AuditId>();
  const auto now = clock_.now();
  records.rules().append({id.text(), now, act, sha256, actor, reason});
  records.audit().append(
      {}, {id, {}, "", "rules " + std::string(name_of(act)), "sha256:" + sha256 + " by " + actor, "ok", now});
}

domain::Result<domain::RuleBundle> ReleaseRules::file(const RuleFiling& filing, const std::string& actor,
                                                      const Also<domain::RuleBundle>& also) {
  domain::RuleBundle bundle;
  const auto unit = [&](ports::Records& records) -> domain::Status {
    const auto known = records.rules().find(filing.sha256);
    // A bundle that an operator rejected has its files; one that was rejected when it was filed has none.
    if (known && known->state == BundleState::rejected && !known->files.empty())
      return refusal(*known, BundleStep::file);
    if (known && known->state != BundleState::rejected) {
      bundle = *known;
      if (also) also(records, bundle);
      return {};
    }
    const auto now = clock_.now();
    bundle = {filing.sha256,
              filing.version,
              BundleState::candidate,
              filing.problem,
              actor,
              "",
              now,
              now,
              filing.problem.empty() ? filing.files : ""};
    // The actor has compiled and tested the bundle, so it takes both steps at once.
    const auto steps =
        filing.problem.empty() ? std::vector{BundleStep::check, BundleStep::test} : std::vector{BundleStep::reject};
    for (const auto step : steps) bundle.state = *next_state(bundle.state, step);
    if (!known)
      records.rules().insert(bundle);
    else if (!records.rules().update(bundle, known->state))
      return Error::of(ErrorCode::conflict, "The rule bundle " + short_of(filing.sha256) +
                                                " changed at the same time. Read it and decide again.");
    leave_trace(records, filing.problem.empty() ? RuleAct::filed : RuleAct::rejected, filing.sha256, actor,
                filing.problem);
    if (also) also(records, bundle);
    return {};
  };
  auto done = store_.commit(unit);
  if (!done && done.error().code == ErrorCode::conflict)
    done = store_.commit(unit);  // another node filed the same bundle
  if (!done) return done.error();
  return bundle;
}

domain::Status ReleaseRules::step(const std::string& sha256, BundleStep step, RuleAct act, const std::string& actor,
                                  const std::string& reason, const Also<domain::RuleBundle>& also) {
  return store_.commit([&](ports::Records& records) -> domain::Status {
    auto bundle = records.rules().find(sha256);
    if (!bundle) return unknown(sha256);
    if (!next_state(bundle->state, step)) return refusal(*bundle, step);
    if (step == BundleStep::approve && bundle->filed_by == actor)
      return Error::of(ErrorCode::invalid_state, "The rule bundle " + short_of(sha256) + " was filed by " + actor +
                                                     ": another operator must approve it.");
    (step == BundleStep::approve ? bundle->approved_by : bundle->reason) = step == BundleStep::approve ? actor : reason;
    if (const auto moved = move(records, *bundle, step, clock_.now()); !moved) return moved;
    leave_trace(records, act, sha256, actor, reason);
    if (also) also(records, *records.rules().find(sha256));
    return {};
  });
}

domain::Status ReleaseRules::approve(const std::string& sha256, const std::string& actor, const std::string& reason,
                                     const Also<domain::RuleBundle>& also) {
  return step(sha256, BundleStep::approve, RuleAct::approved, actor, reason, also);
}

domain::Status ReleaseRules::reject(const std::string& sha256, const std::string& actor, const std::string& reason) {
  return step(sha256, BundleStep::reject, RuleAct::rejected, actor, reason);
}

domain::Status ReleaseRules::check_usable(const std::string& sha256) const {
  const auto bundle =
      fetch(store_, unknown(sha256), [&](const ports::Records& records) { return records.rules().find(sha256); });
  if (!bundle) return bundle.error();
  if (!next_state(bundle->state, BundleStep::promote))
    return {};  // refused whether it is usable or not: the transaction returns the reason
  return options_.usable(*bundle);
}

domain::Status ReleaseRules::enter_force(ports::Records& records, const std::string& sha256, RuleAct act,
                                         const std::string& actor, const std::string& reason, domain::LiveRules& live) {
  const auto now = clock_.now();
  const auto bundle = records.rules().find(sha256);
  if (!bundle) return unknown(sha256);
  const auto before = records.rules().live();
  if (before && before->sha256 != sha256) {
    const auto replaced = records.rules().find(before->sha256);
    if (!replaced) return unknown(before->sha256);
    if (const auto moved = move(records, *replaced, BundleStep::replace, now); !moved) return moved;
  }
  const bool is_rollback = act == RuleAct::rolled_back;
  live = {sha256, before && !is_rollback ? before->sha256 : "", before ? before->generation + 1 : 1, is_rollback,
          before ? now.plus_ms(options_.switch_delay.count()) : now};
  if (before && before->sha256 == sha256) {
    live.previous_sha256 = before->previous_sha256;  // only the pin is removed
  } else if (const auto moved = move(records, *bundle, BundleStep::promote, now); !moved) {
    return moved;
  }
  if (!before)
    records.rules().insert_live(live);
  else if (!records.rules().update_live(live, before->generation))
    return Error::of(ErrorCode::conflict,
                     "Other rules were promoted at the same time. Read the status and decide again.");
  leave_trace(records, act, sha256, actor, reason);
  std::set<domain::TenantId> tenants;
  for (const auto& client : records.clients().list()) tenants.insert(client.tenant);
  for (const auto& tenant : tenants)
    records.events().append(tenant, {ids_.next<domain::EventId>(), now,
                                     domain::RulesSwitched{bundle->version, sha256, before ? before->sha256 : "",
                                                           is_rollback, live.generation}});
  return {};
}

domain::Result<domain::LiveRules> ReleaseRules::promote(const std::string& sha256, const std::string& actor,
                                                        const std::string& reason, bool unless_pinned,
                                                        const Also<domain::LiveRules>& also) {
  if (!unless_pinned)
    if (auto usable = check_usable(sha256); !usable) return usable.error();
  domain::LiveRules live;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    const auto bundle = records.rules().find(sha256);
    if (!bundle) return unknown(sha256);
    const auto now_live = records.rules().live();
    if (unless_pinned && now_live && now_live->is_pinned)
      return Error::of(ErrorCode::invalid_state, "The rules are pinned to " + short_of(now_live->sha256) +
                                                     " by a rollback. `tideover rules promote` removes the pin.");
    if (bundle->state == BundleState::live && !now_live->is_pinned) return refusal(*bundle, BundleStep::promote);
    if (options_.needs_second_operator && bundle->state == BundleState::tested)
      return Error::of(ErrorCode::invalid_state, "The rule bundle " + short_of(sha256) +
                                                     " waits for a second operator: tideover rules approve " +
                                                     short_of(sha256));
    if (bundle->state != BundleState::live && !next_state(bundle->state, BundleStep::promote))
      return refusal(*bundle, BundleStep::promote);
    if (auto entered = enter_force(records, sha256, RuleAct::promoted, actor, reason, live); !entered) return entered;
    if (also) also(records, live);
    return {};
  });
  if (!done) return done.error();
  return live;
}

domain::Result<domain::LiveRules> ReleaseRules::force(const std::string& sha256, const std::string& actor,
                                                      const std::string& reason) {
  domain::LiveRules live;
  const auto done = store_.commit(
      [&](ports::Records& records) { return enter_force(records, sha256, RuleAct::promoted, actor, reason, live); });
  if (!done) return done.error();
  return live;
}

domain::Result<domain::LiveRules> ReleaseRules::roll_back(const std::string& sha256, const std::string& actor,
                                                          const std::string& reason,
                                                          const Also<domain::LiveRules>& also) {
  const auto read = fetch(store_, [](const ports::Records& records) { return records.rules().live(); });
  if (!read) return read.error();
  const auto& before = *read;
  const auto target = sha256.empty() && before ? before->previous_sha256 : sha256;
  if (target.empty())
    return Error::of(ErrorCode::invalid_state,
                     "There is no earlier bundle to roll back to. Name a bundle from `tideover rules history`.");
  if (auto usable = check_usable(target); !usable) return usable.error();
  domain::LiveRules live;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    const auto now_live = records.rules().live();
    if (sha256.empty() && now_live->generation != before->generation)
      return Error::of(ErrorCode::conflict,
                       "Other rules were promoted at the same time. Read the status and decide again.");
    const auto bundle = records.rules().find(target);
    if (!bundle) return unknown(target);
    if (bundle->state != BundleState::retired)
      return bundle->state == BundleState::live
                 ? refusal(*bundle, BundleStep::promote)
                 : Error::of(ErrorCode::invalid_state,
                             "The rule bundle " + short_of(target) + " was never live. Promote it instead.");
    if (auto entered = enter_force(records, target, RuleAct::rolled_back, actor, reason, live); !entered)
      return entered;
    if (also) also(records, live);
    return {};
  });
  if (!done) return done.error();
  return live;
}

}  // namespace tideover::usecases
