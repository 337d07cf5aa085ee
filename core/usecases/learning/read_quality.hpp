// How the predictions turned out, by the tenant's own remittances: what an operator reads before believing a number.
#pragma once
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "core/estimators/effects/grade.hpp"
#include "core/usecases/learning/learner.hpp"

namespace tideover::usecases {

/// Days on which answers were heard, both included; either end may be open.
struct GradePeriod {
  std::optional<domain::Date> from, to;
  bool is_all() const { return !from && !to; }
};

struct Quality {
  std::string snapshot;  // of what was learned; empty: nothing
  estimators::Grades grades;
  GradePeriod period{};
};

class ReadQuality {
 public:
  ReadQuality(ports::Store& store, const ports::KeyedDigest& digests, const Learner& learner,
              estimators::Options options = {})
      : store_(store), digests_(digests), learner_(learner), options_(options) {}

  /// Of a period everything is learned anew up to its end, one request at a time: what was heard before is taken away
  /// from what was heard by then. The whole record is at hand. `go_on` hears now and then how many reviews and answers
  /// that were, and may end it. Error invalid_parameter for a period that ends before it begins and for one that was
  /// ended, service_unavailable while another one is being learned.
  domain::Result<Quality> operator()(const domain::TenantId& tenant, const GradePeriod& period,
                                     const std::function<bool(std::int64_t events)>& go_on);

 private:
  ports::Store& store_;
  const ports::KeyedDigest& digests_;
  const Learner& learner_;
  const estimators::Options options_;
  std::mutex busy_;
};

}  // namespace tideover::usecases
