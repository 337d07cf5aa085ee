// Tasks and their votes. A task closes once, by compare-and-set.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/domain/operations/task.hpp"

namespace tideover::ports {

/// Empty members match everything.
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
  /// Whether a task about this finding was ever opened.
  virtual bool is_reported(const domain::TenantId& tenant, std::string_view finding) const = 0;
  /// Replaces the note of an open task after more became known.
  virtual void amend(const domain::TenantId& tenant, std::string_view finding, std::string_view note) = 0;
  /// The open task about an unexpected payment on the claim: of one of its settlements, or with a finding that starts
  /// so. Tasks about the settlement `except` do not count.
  virtual std::optional<domain::TaskId> unexpected_payment(const domain::TenantId& tenant, const domain::ClaimId& claim,
                                                           std::string_view finding_begins,
                                                           std::string_view except) const = 0;
  /// The open task of this kind about one of the claim's settlements, except `except`.
  virtual std::optional<domain::TaskId> open_on_claim(const domain::TenantId& tenant, const domain::ClaimId& claim,
                                                      std::string_view kind, std::string_view except = {}) const = 0;
  virtual std::optional<domain::Task> find(const domain::TenantId& tenant, const domain::TaskId& id) const = 0;
  /// The bounds of `page` apply to `opened_at`.
  virtual std::vector<domain::Task> list(const domain::TenantId& tenant, const TaskFilter& filter,
                                         const domain::ListPage& page) const = 0;
  /// Stores a client's vote on an open task, replacing its earlier one. False when the task is closed or missing. Of
  /// two simultaneous votes, one waits for the other or collides with it: a worker that reads the task after its vote
  /// misses none.
  virtual bool vote(const domain::TenantId& tenant, const domain::TaskId& id, const domain::TaskVote& vote) = 0;
  /// False when it was closed before.
  virtual bool close(const domain::TenantId& tenant, const domain::TaskId& id, std::string_view decision,
                     domain::Timestamp at) = 0;
};

}  // namespace tideover::ports
