#include "core/usecases/request/tasks.hpp"

#include <algorithm>

namespace tideover::usecases {
namespace {

constexpr std::size_t kMostAtOnce = 100;

void report_unmatched(const UnitOfWork& unit, const domain::Task& task) {
  // The deposit's events are `deposit.received` and one for each of these tasks.
  const auto tasks =
      unit.records.tasks().list(unit.tenant, {std::nullopt, task.kind, task.object_id}, {"", kMostAtOnce});
  const auto version = static_cast<std::int64_t>(1 + tasks.size());
  unit.records.events().append(
      unit.tenant, {unit.ids.next<domain::EventId>(), unit.now,
                    domain::DepositUnmatched{domain::DepositId::trusted(task.object_id), task.id, version}});
}

}  // namespace

domain::TaskId open_task(const UnitOfWork& unit, TaskMatter matter) {
  domain::Task task{matter.id ? std::move(*matter.id) : unit.ids.next<domain::TaskId>(),
                    std::string(matter.kind),
                    std::move(matter.object_id),
                    std::move(matter.note),
                    unit.now,
                    matter.opened_by};
  task.finding = std::move(matter.finding);
  unit.records.tasks().open(unit.tenant, task);
  unit.records.events().append(unit.tenant, {unit.ids.next<domain::EventId>(), unit.now,
                                             domain::TaskOpened{task.id, task.kind, task.object_id}});
  if (task.kind == domain::kDepositUnmatched) report_unmatched(unit, task);
  return task.id;
}

void open_task_once(const UnitOfWork& unit, TaskMatter matter) {
  const ports::TaskFilter same{domain::TaskStatus::open, matter.kind, matter.object_id};
  if (unit.records.tasks().list(unit.tenant, same, {"", 1}).empty()) open_task(unit, std::move(matter));
}

void open_task_about(const UnitOfWork& unit, TaskMatter matter) {
  if (!unit.records.tasks().is_reported(unit.tenant, matter.finding)) open_task(unit, std::move(matter));
}

bool is_known_to_reviewers(const ports::Records& records, const domain::TenantId& tenant, const std::string& object_id,
                           bool (*such)(std::string_view kind)) {
  const auto any = [&](domain::TaskStatus status, auto is_so) {
    const auto tasks = records.tasks().list(tenant, {status, {}, object_id}, {"", kMostAtOnce});
    return std::any_of(tasks.begin(), tasks.end(),
                       [&](const domain::Task& task) { return such(task.kind) && is_so(task); });
  };
  return any(domain::TaskStatus::open, [](const domain::Task&) { return true; }) ||
         any(domain::TaskStatus::closed, [](const domain::Task& task) { return task.decision == domain::kResolved; });
}

bool close_task(const UnitOfWork& unit, const domain::Task& task, std::string_view decision) {
  if (!unit.records.tasks().close(unit.tenant, task.id, decision, unit.now)) return false;
  unit.records.events().append(unit.tenant,
                               {unit.ids.next<domain::EventId>(), unit.now,
                                domain::TaskClosed{task.id, task.kind, task.object_id, std::string(decision)}});
  return true;
}

void close_tasks(const UnitOfWork& unit, std::string_view kind, std::string_view object_id, std::string_view decision) {
  for (const auto& task :
       unit.records.tasks().list(unit.tenant, {domain::TaskStatus::open, kind, object_id}, {"", kMostAtOnce}))
    close_task(unit, task, decision);
}

}  // namespace tideover::usecases
