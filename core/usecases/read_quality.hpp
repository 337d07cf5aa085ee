// How the predictions turned out, by the tenant's own remittances: what an operator reads before believing a number.
#pragma once
#include <string>

#include "core/estimators/grade.hpp"
#include "core/usecases/learner.hpp"

namespace tideover::usecases {

struct Quality {
  std::string snapshot;  // of what was learned; empty: nothing
  estimators::Grades grades;
};

inline Quality read_quality(const Learner& learner, const domain::TenantId& tenant) {
  const auto lesson = learner.lesson(tenant);
  return lesson ? Quality{lesson->name(), lesson->state().grades()} : Quality{};
}

}  // namespace tideover::usecases
