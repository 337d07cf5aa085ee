// Opening and closing tasks inside a transaction: the row and its event, always together.
#pragma once
#include <string>
#include <string_view>

#include "core/domain/operations/task.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct TaskMatter {
  std::string_view kind;
  std::string object_id;
  std::string note = {};
  std::optional<domain::ClientId> opened_by = std::nullopt;
  std::string finding = {};  // see domain::Task
};

domain::TaskId open_task(ports::Records& records, const domain::TenantId& tenant, ports::IdSource& ids,
                         domain::Timestamp now, TaskMatter matter);
/// As above, unless a task of this kind about this object is open.
void open_task_once(ports::Records& records, const domain::TenantId& tenant, ports::IdSource& ids,
                    domain::Timestamp now, TaskMatter matter);
/// As above, unless one was ever opened about `matter.finding`: what an operator has seen is not shown again.
void open_task_about(ports::Records& records, const domain::TenantId& tenant, ports::IdSource& ids,
                     domain::Timestamp now, TaskMatter matter);

/// Whether an operator is asked about the object by a task of such a kind, or was and said that nothing is to be done
/// here
/// (`resolved`).
bool is_known_to_a_person(const ports::Records& records, const domain::TenantId& tenant, const std::string& object_id,
                          bool (*such)(std::string_view kind));

/// False when somebody closed it before.
bool close_task(ports::Records& records, const domain::TenantId& tenant, ports::IdSource& ids, domain::Timestamp now,
                const domain::Task& task, std::string_view decision);
/// Every open task of this kind about the object, because it was answered otherwise.
void close_tasks(ports::Records& records, const domain::TenantId& tenant, ports::IdSource& ids, domain::Timestamp now,
                 std::string_view kind, std::string_view object_id, std::string_view decision);

}  // namespace tideover::usecases
