// Opens and closes tasks inside the caller's transaction: always the row together with its event.
#pragma once
#include <string>
#include <string_view>

#include "core/domain/operations/task.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

struct TaskMatter {
  std::string_view kind;
  std::string object_id;
  std::string note = {};
  std::optional<domain::ClientId> opened_by = std::nullopt;
  std::string finding = {};                         // see domain::Task
  std::optional<domain::TaskId> id = std::nullopt;  // nullopt: a new one
};

domain::TaskId open_task(const UnitOfWork& unit, TaskMatter matter);
/// As above, unless a task of this kind about this object is open.
void open_task_once(const UnitOfWork& unit, TaskMatter matter);
/// As above, unless a task about `matter.finding` was ever opened: a finding is reported once.
void open_task_about(const UnitOfWork& unit, TaskMatter matter);

/// Whether a task of such a kind about the object is open, or was closed as `resolved` (nothing to do).
bool is_known_to_reviewers(const ports::Records& records, const domain::TenantId& tenant, const std::string& object_id,
                           bool (*such)(std::string_view kind));

/// False when the task was closed before.
bool close_task(const UnitOfWork& unit, const domain::Task& task, std::string_view decision);
/// Closes every open task of this kind about the object, because the question is answered otherwise.
void close_tasks(const UnitOfWork& unit, std::string_view kind, std::string_view object_id, std::string_view decision);

}  // namespace tideover::usecases
