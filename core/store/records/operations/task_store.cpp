#include "core/store/records/operations/task_store.hpp"

#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"

namespace tideover::store {
namespace {

#define TASK_COLUMNS "id, kind, object_id, note, opened_at, opened_by, status, decision, closed_at, finding"

domain::Task read_task(const sql::Row& row) {
  ColumnReader in(row);
  domain::Task task;
  task.id = in.id<domain::TaskId>();
  task.kind = in.text();
  task.object_id = in.text();
  task.note = in.text();
  task.opened_at = in.timestamp();
  task.opened_by = in.optional_id<domain::ClientId>();
  task.status = in.named(domain::task_status_named);
  task.decision = in.text();
  task.closed_at = in.optional_timestamp();
  task.finding = in.optional_text().value_or("");
  return task;
}

domain::TaskId read_id(const sql::Row& row) {
  return domain::TaskId::trusted(row.text(0));
}

domain::TaskVote read_vote(const sql::Row& row) {
  ColumnReader in(row);
  domain::TaskVote vote;
  vote.client = in.id<domain::ClientId>();
  vote.decision = in.text();
  vote.reason = in.text();
  vote.at = in.timestamp();
  return vote;
}

}  // namespace

void TaskStore::open(const domain::TenantId& tenant, const domain::Task& task) {
  insert_row<"tasks", "tenant, " TASK_COLUMNS ", votes = 0">(
      session_, tenant.text(), task.id.text(), task.kind, task.object_id, task.note, task.opened_at.ms(),
      text(task.opened_by), domain::name_of(task.status), task.decision, ms(task.closed_at),
      text_or_null(task.finding));
}

bool TaskStore::is_reported(const domain::TenantId& tenant, std::string_view finding) const {
  return session_
      .first([](const sql::Row& row) { return row.integer(0); }, "SELECT 1 FROM tasks WHERE tenant = ? AND finding = ?",
             tenant.text(), finding)
      .has_value();
}

void TaskStore::amend(const domain::TenantId& tenant, std::string_view finding, std::string_view note) {
  session_.run("UPDATE tasks SET note = ? WHERE tenant = ? AND finding = ? AND status = 'open'", note, tenant.text(),
               finding);
}

std::optional<domain::TaskId> TaskStore::unexpected_payment(const domain::TenantId& tenant,
                                                            const domain::ClaimId& claim,
                                                            std::string_view finding_begins,
                                                            std::string_view except) const {
  const auto behind = std::string(finding_begins) + '~';  // findings are printable ASCII
  auto task = session_.first(read_id,
                             "SELECT id FROM tasks WHERE tenant = ? AND finding > ? AND finding < ? AND kind = ? AND "
                             "status = 'open' AND object_id <> ? ORDER BY id LIMIT 1",
                             tenant.text(), finding_begins, behind, domain::kPaymentUnexpected, except);
  return task ? task : open_on_claim(tenant, claim, domain::kPaymentUnexpected, except);
}

std::optional<domain::TaskId> TaskStore::open_on_claim(const domain::TenantId& tenant, const domain::ClaimId& claim,
                                                       std::string_view kind, std::string_view except) const {
  // CROSS: SQLite would read all open tasks of the tenant first.
  return session_.first(
      read_id,
      "SELECT t.id FROM settlements s CROSS JOIN tasks t ON t.tenant = s.tenant AND t.object_id = s.id "
      "WHERE s.tenant = ? AND s.claim_id = ? AND s.id <> ? AND t.kind = ? AND t.status = 'open' ORDER BY t.id LIMIT 1",
      tenant.text(), claim.text(), except, kind);
}

std::optional<domain::Task> TaskStore::find(const domain::TenantId& tenant, const domain::TaskId& id) const {
  auto task = session_.first(read_task, "SELECT " TASK_COLUMNS " FROM tasks WHERE tenant = ? AND id = ?", tenant.text(),
                             id.text());
  if (task) task->votes = votes_on(tenant, id);
  return task;
}

#define TASKS(KEY)                                                        \
  "SELECT " TASK_COLUMNS " FROM tasks WHERE tenant = ? AND " KEY IN_PAGE( \
      "id", "opened_at") " AND (? = '' OR status = ?) AND (? = '' OR kind = ?) ORDER BY id"

std::vector<domain::Task> TaskStore::list(const domain::TenantId& tenant, const ports::TaskFilter& filter,
                                          const domain::ListPage& page) const {
  const auto in = rows_of<domain::kind::Task>(session_, tenant, page);
  const auto status = filter.status ? domain::name_of(*filter.status) : std::string_view();
  const auto read = [&](sql::Sql sql, const auto&... key) {
    return all(session_, read_task, sql, tenant.text(), key..., in.above, in.below, in.from, in.before, status, status,
               filter.kind, filter.kind, rows(page.limit));
  };
  // By the index of the object, else by the key: for one query with both an engine would read all tasks.
  auto tasks = filter.object_id.empty() ? read(in_order<TASKS("")>(page.order))
                                        : read(in_order<TASKS("object_id = ? AND ")>(page.order), filter.object_id);
  for (auto& task : tasks) task.votes = votes_on(tenant, task.id);
  return tasks;
}

std::vector<domain::TaskVote> TaskStore::votes_on(const domain::TenantId& tenant, const domain::TaskId& id) const {
  return all(
      session_, read_vote,
      "SELECT client_id, decision, reason, at FROM task_votes WHERE tenant = ? AND task_id = ? ORDER BY at, client_id",
      tenant.text(), id.text());
}

bool TaskStore::vote(const domain::TenantId& tenant, const domain::TaskId& id, const domain::TaskVote& vote) {
  if (session_.run("UPDATE tasks SET votes = votes + 1 WHERE tenant = ? AND id = ? AND status = 'open'", tenant.text(),
                   id.text()) == 0)
    return false;
  session_.run("DELETE FROM task_votes WHERE tenant = ? AND task_id = ? AND client_id = ?", tenant.text(), id.text(),
               vote.client.text());
  insert_row<"task_votes", "tenant, task_id, client_id, decision, reason, at">(
      session_, tenant.text(), id.text(), vote.client.text(), vote.decision, vote.reason, vote.at.ms());
  return true;
}

bool TaskStore::close(const domain::TenantId& tenant, const domain::TaskId& id, std::string_view decision,
                      domain::Timestamp at) {
  return session_.run(
             "UPDATE tasks SET status = 'closed', decision = ?, closed_at = ? WHERE tenant = ? AND id = ? AND status = "
             "'open'",
             decision, at.ms(), tenant.text(), id.text()) > 0;
}

}  // namespace tideover::store
