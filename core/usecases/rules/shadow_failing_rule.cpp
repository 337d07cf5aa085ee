#include "core/usecases/rules/shadow_failing_rule.hpp"

#include <optional>

#include "core/domain/operations/task.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {

void ShadowFailingRule::open_tasks(ports::Records& records, const FailingRule& failing, const std::string& note) {
  std::set<domain::TenantId> tenants;
  if (const auto tenant =
          options_.operator_tenant.empty() ? std::nullopt : records.clients().find_tenant(options_.operator_tenant))
    tenants.insert(tenant->id);
  else
    for (const auto& client : records.clients().list()) tenants.insert(client.tenant);
  for (const auto& tenant : tenants)
    open_task_about({records, tenant, clock_.now(), ids_}, {domain::kRuleFailing, failing.rule_id, note, std::nullopt,
                                                            failing.sha256.substr(0, 12) + ':' + failing.rule_id});
}

domain::Result<std::string> ShadowFailingRule::operator()(const FailingRule& failing) {
  const auto name = failing.sha256 + failing.rule_id;
  if (done_.contains(name)) return std::string();
  const auto is_live = [&](const std::string& sha256) {
    return fetch(store_, [&](const ports::Records& records) {
      const auto live = records.rules().live();
      return live && live->sha256 == sha256;
    });
  };
  if (const auto decides = is_live(failing.sha256); !decides || !*decides)
    return decides ? domain::Result<std::string>(std::string()) : decides.error();

  const auto what = failing.rule_id + " failed on " + std::to_string(failing.faults) + " of " +
                    std::to_string(failing.calls) + " calls";
  std::string obstacle = failing.is_terms ? "a terms rule has no shadow mode" : "";
  if (obstacle.empty()) {
    const auto edited = library_.with_shadow(failing.sha256, failing.rule_id, true);
    if (!edited) {
      obstacle = edited.error().message;
    } else {
      const auto filed = release_.file({edited->sha256, edited->version, edited->files, ""}, options_.actor);
      if (!filed) return filed.error();
      const auto note = what + "; it is in shadow mode. Correct it and save the rules.";
      const auto promoted = release_.promote(
          edited->sha256, options_.actor, std::string(kRuleFailed) + what, true,
          [&](ports::Records& records, const domain::LiveRules&) { open_tasks(records, failing, note); });
      if (promoted) {
        done_.insert(name);
        return note;
      }
      if (promoted.error().code != domain::ErrorCode::invalid_state) return promoted.error();
      const auto by_another = is_live(edited->sha256);
      if (!by_another) return by_another.error();
      if (*by_another) return std::string();
      obstacle = promoted.error().message;
    }
  }
  const auto note = what + "; it stays in force: " + obstacle;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    open_tasks(records, failing, note);
    return {};
  });
  if (!done) return done.error();
  done_.insert(name);
  return note;
}

}  // namespace tideover::usecases
