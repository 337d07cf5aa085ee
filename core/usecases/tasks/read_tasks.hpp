// Reads the tasks that wait for reviewers and operators (GET /v1/tasks; core/docs/contract.md#tasks).
//
// Threads: thread-safe; read-only.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/usecases/matching/find_proposals.hpp"

namespace tideover::usecases {

struct TaskQuery {
  std::string status;     // open | closed | empty for both
  std::string kind;       // empty for all
  std::string object_id;  // empty for all
  domain::ListPage page;
};

/// A task with its proposals, the match trail of its object, and the settlement that it is about.
struct TaskView {
  domain::Task task;
  std::vector<Proposal> proposals;
  std::vector<domain::MatchCandidate> trail;
  std::optional<domain::Settlement> settlement;
};

TaskView view_of(const ports::Records& records, const domain::TenantId& tenant, domain::Task task);

class ReadTasks {
 public:
  explicit ReadTasks(ports::Store& store) : store_(store) {}
  domain::Result<std::vector<domain::Task>> list(const domain::TenantId& tenant, const TaskQuery& query) const;
  domain::Result<TaskView> view(const domain::TenantId& tenant, const std::string& task_id) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
