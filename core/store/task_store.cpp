#include "core/store/task_store.hpp"

#include "core/store/columns.hpp"

namespace tideover::store {
namespace {

ports::Task read_task(const sql::Row& row) {
  ColumnReader in(row);
  ports::Task task;
  task.id = in.id<domain::TaskId>();
  task.kind = in.text();
  task.object_id = in.text();
  task.note = in.text();
  task.opened_at = in.timestamp();
  return task;
}

}  // namespace

void TaskStore::open(const domain::TenantId& tenant, const ports::Task& task) {
  session_.run(
      "INSERT INTO tasks (tenant, id, kind, object_id, note, state, opened_at) VALUES (?, ?, ?, ?, ?, 'open', ?)",
      tenant.text(), task.id.text(), task.kind, task.object_id, task.note, task.opened_at.ms());
}

std::vector<ports::Task> TaskStore::open_tasks(const domain::TenantId& tenant, std::string_view kind,
                                               std::size_t limit) const {
  return all(session_, read_task,
             "SELECT id, kind, object_id, note, opened_at FROM tasks "
             "WHERE tenant = ? AND state = 'open' AND (? = '' OR kind = ?) ORDER BY id LIMIT ?",
             tenant.text(), kind, kind, rows(limit));
}

}  // namespace tideover::store
