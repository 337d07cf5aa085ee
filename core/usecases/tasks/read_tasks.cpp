#include "core/usecases/tasks/read_tasks.hpp"

#include <algorithm>

#include "core/usecases/matching/match_trail.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

Error unknown(std::string_view parameter, std::vector<std::string> allowed) {
  Error error = Error::of(ErrorCode::invalid_parameter, std::string(parameter) + " is not one of the allowed values.")
                    .with_list("allowed", std::move(allowed));
  error.fields.push_back({std::string(parameter), "is not one of the allowed values"});
  return error;
}

Error no_task() {
  return Error::of(ErrorCode::not_found, "Task not found.");
}

}  // namespace

TaskView view_of(const ports::Records& records, const domain::TenantId& tenant, domain::Task task) {
  TaskView view{std::move(task), {}, {}, {}};
  view.proposals = find_proposals(records, tenant, view.task);
  if (domain::is_about_matching(view.task.kind)) view.trail = trail_of(records, tenant, view.task.object_id);
  if (const auto settlement = domain::SettlementId::parse(view.task.object_id))
    if (auto stored = records.settlements().find(tenant, *settlement)) view.settlement = std::move(stored->settlement);
  return view;
}

domain::Result<std::vector<domain::Task>> ReadTasks::list(const domain::TenantId& tenant,
                                                          const TaskQuery& query) const {
  const auto status = domain::task_status_named(query.status);
  if (!query.status.empty() && !status) return unknown("status", {"open", "closed"});
  const auto& kinds = domain::task_kinds();
  if (!query.kind.empty() && std::find(kinds.begin(), kinds.end(), query.kind) == kinds.end())
    return unknown("kind", {kinds.begin(), kinds.end()});
  return fetch(store_, [&](const ports::Records& records) {
    return records.tasks().list(tenant, {status, query.kind, query.object_id}, query.page);
  });
}

domain::Result<TaskView> ReadTasks::view(const domain::TenantId& tenant, const std::string& task_id) const {
  const auto id = domain::TaskId::parse(task_id);
  if (!id) return no_task();
  return fetch(store_, no_task(), [&](const ports::Records& records) -> std::optional<TaskView> {
    auto task = records.tasks().find(tenant, *id);
    if (!task) return std::nullopt;
    return view_of(records, tenant, std::move(*task));
  });
}

}  // namespace tideover::usecases
