// Sets an entry of the learning journal aside for all nodes, and opens a task about its record. Runs once per entry;
// one task per record.
#pragma once
#include "core/domain/reviews/learning.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

class PutLearningAside {
 public:
  PutLearningAside(ports::Store& store, const ports::Clock& clock, ports::IdSource& ids)
      : store_(store), clock_(clock), ids_(ids) {}

  domain::Status operator()(const domain::TenantId& tenant, const domain::SetAside& entry) const;

 private:
  ports::Store& store_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
