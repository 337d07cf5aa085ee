// Work that waits for a person (contract section 7, "Exceptions are tasks").
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/date.hpp"
#include "core/domain/id.hpp"

namespace tideover::ports {

struct Task {
  domain::TaskId id;
  std::string kind;  // manual_review | deposit_unmatched | remittance_unbalanced | match_ambiguous | funding_unknown
  std::string object_id;
  std::string note;
  domain::Timestamp opened_at;
};

class TaskRecords {
 public:
  virtual ~TaskRecords() = default;
  virtual void open(const domain::TenantId& tenant, const Task& task) = 0;
  virtual std::vector<Task> open_tasks(const domain::TenantId& tenant, std::string_view kind, std::size_t limit) const = 0;
};

}  // namespace tideover::ports
