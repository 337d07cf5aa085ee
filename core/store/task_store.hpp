// Tasks in SQL.
// Bound to one session and its thread.
#pragma once
#include "core/ports/task_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class TaskStore final : public ports::TaskRecords {
 public:
  explicit TaskStore(sql::Session& session) : session_(session) {}

  void open(const domain::TenantId& tenant, const ports::Task& task) override;
  std::vector<ports::Task> open_tasks(const domain::TenantId& tenant, std::string_view kind,
                                      std::size_t limit) const override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
