#include "core/usecases/learning/put_learning_aside.hpp"

#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {

domain::Status PutLearningAside::operator()(const domain::TenantId& tenant, const domain::SetAside& entry) const {
  const auto now = clock_.now();
  return store_.commit(
      [&](ports::Records& records) -> domain::Status {
        if (!records.learning().put_aside(tenant, entry, now) || entry.object_id.empty()) return {};
        open_task_about(
            {records, tenant, now, ids_},
            {domain::kLearningSetAside, entry.object_id,
             "Not usable for learning, " + entry.reason +
                 ". Predictions do not use it; the posting of money is not affected. Ask the sender whether "
                 "the record is correct.",
             std::nullopt, std::string(domain::kLearningSetAside) + ':' + entry.object_id});
        return {};
      },
      ports::Priority::background);
}

}  // namespace tideover::usecases
