// What waits for a person (contract section 7: GET /v1/tasks).
#pragma once
#include <string>
#include <vector>

#include "core/domain/result.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct TaskQuery {
  std::string status;  // open | closed | empty for both
  std::string kind;    // empty for all
  std::string after;
  std::size_t limit = 25;
};

class ReadTasks {
 public:
  explicit ReadTasks(ports::Store& store) : store_(store) {}
  domain::Result<std::vector<domain::Task>> list(const domain::TenantId& tenant, const TaskQuery& query) const;
  domain::Result<domain::Task> one(const domain::TenantId& tenant, const std::string& task_id) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
