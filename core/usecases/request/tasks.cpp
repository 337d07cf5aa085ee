#include "core/usecases/request/tasks.hpp"

#include <algorithm>

namespace tideover::usecases {
namespace {

constexpr std::size_t kMostAtOnce = 100;

}  // namespace

domain::TaskId open_task(ports::Records& records, const domain::TenantId& tenant, ports::IdSource& ids,
                         domain::Timestamp now, TaskMatter matter) {
  domain::Task task{ids.next<domain::TaskId>(),
                    std::string(matter.kind),
                    std::move(matter.object_id),
                    std::move(matter.note),
                    now,
                    matter.opened_by};
  task.finding = std::move(matter.finding);
  records.tasks().open(tenant, task);
  records.events().append(tenant,
                          {ids.next<domain::EventId>(), now, domain::TaskOpened{task.id, task.kind, task.object_id}});
  if (task.kind == domain::kDepositUnmatched)
    records.events().append(tenant, {ids.next<domain::EventId>(), now,
                                     domain::DepositUnmatched{domain::DepositId::trusted(task.object_id), task.id}});
  return task.id;
}

void open_task_once(ports::Records& records, const domain::TenantId& tenant, ports::IdSource& ids,
                    domain::Timestamp now, TaskMatter matter) {
  const ports::TaskFilter same{domain::TaskStatus::open, matter.kind, matter.object_id};
  if (records.tasks().list(tenant, same, "", 1).empty()) open_task(records, tenant, ids, now, std::move(matter));
}

void open_task_about(ports::Records& records, const domain::TenantId& tenant, ports::IdSource& ids,
                     domain::Timestamp now, TaskMatter matter) {
  if (!records.tasks().is_reported(tenant, matter.finding)) open_task(records, tenant, ids, now, std::move(matter));
}

bool is_known_to_reviewers(const ports::Records& records, const domain::TenantId& tenant, const std::string& object_id,
                           bool (*such)(std::string_view kind)) {
  const auto any = [&](domain::TaskStatus status, auto is_so) {
    const auto tasks = records.tasks().list(tenant, {status, {}, object_id}, "", kMostAtOnce);
    return std::any_of(tasks.begin(), tasks.end(),
                       [&](const domain::Task& task) { return such(task.kind) && is_so(task); });
  };
  return any(domain::TaskStatus::open, [](const domain::Task&) { return true; }) ||
         any(domain::TaskStatus::closed, [](const domain::Task& task) { return task.decision == domain::kResolved; });
}

bool close_task(ports::Records& records, const domain::TenantId& tenant, ports::IdSource& ids, domain::Timestamp now,
                const domain::Task& task, std::string_view decision) {
  if (!records.tasks().close(tenant, task.id, decision, now)) return false;
  records.events().append(tenant, {ids.next<domain::EventId>(), now,
                                   domain::TaskClosed{task.id, task.kind, task.object_id, std::string(decision)}});
  return true;
}

void close_tasks(ports::Records& records, const domain::TenantId& tenant, ports::IdSource& ids, domain::Timestamp now,
                 std::string_view kind, std::string_view object_id, std::string_view decision) {
  for (const auto& task : records.tasks().list(tenant, {domain::TaskStatus::open, kind, object_id}, "", kMostAtOnce))
    close_task(records, tenant, ids, now, task, decision);
}

}  // namespace tideover::usecases
