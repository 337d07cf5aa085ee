// Tasks and what was said about them. A task closes once, by compare-and-set.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/operations/task.hpp"

namespace tideover::ports {

/// What is empty admits everything.
struct TaskFilter {
  std::optional<domain::TaskStatus> status = std::nullopt;
  std::string_view kind = {};
  std::string_view object_id = {};
};

class TaskRecords {
 public:
  virtual ~TaskRecords() = default;
  /// A second task about one finding is a unique violation.
  virtual void open(const domain::TenantId& tenant, const domain::Task& task) = 0;
  /// Whether a task was opened about this finding, whatever became of it.
  virtual bool is_reported(const domain::TenantId& tenant, std::string_view finding) const = 0;
  /// More is known of what an open task was opened about.
  virtual void amend(const domain::TenantId& tenant, std::string_view finding, std::string_view note) = 0;
  /// The open task about an unexpected payment on the claim: of one of its settlements, or with a finding that begins
  /// so.
  virtual std::optional<domain::TaskId> unexpected_payment(const domain::TenantId& tenant, const domain::ClaimId& claim,
                                                           std::string_view finding_begins) const = 0;
  virtual std::optional<domain::Task> find(const domain::TenantId& tenant, const domain::TaskId& id) const = 0;
  /// By id, hence oldest first; `after` is exclusive.
  virtual std::vector<domain::Task> list(const domain::TenantId& tenant, const TaskFilter& filter,
                                         std::string_view after, std::size_t limit) const = 0;
  /// A client's last word on an open task replaces its earlier one; false when the task is closed or not there. Of two
  /// votes at once one waits for the other, or collides with it: who reads the task behind its own vote overlooks none.
  virtual bool vote(const domain::TenantId& tenant, const domain::TaskId& id, const domain::TaskVote& vote) = 0;
  /// False when it is closed already.
  virtual bool close(const domain::TenantId& tenant, const domain::TaskId& id, std::string_view decision,
                     domain::Timestamp at) = 0;
};

}  // namespace tideover::ports
