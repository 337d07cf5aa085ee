// Reports how accurate the predictions were, measured by the tenant's own remittances.
//
// Threads: thread-safe; one report for a period at a time.
#pragma once
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "core/estimators/effects/grade.hpp"
#include "core/usecases/learning/learner.hpp"

namespace tideover::usecases {

/// Days on which answers were observed, both included; either end may be open.
struct GradePeriod {
  std::optional<domain::Date> from, to;
  bool is_all() const { return !from && !to; }
};

struct Quality {
  std::string snapshot;  // the model snapshot; empty: none
  estimators::Grades grades;
  GradePeriod period{};
};

class ReadQuality {
 public:
  ReadQuality(ports::Store& store, const ports::KeyedDigest& digests, const Learner& learner,
              estimators::Options options = {})
      : store_(store), digests_(digests), learner_(learner), options_(options) {}

  /// A report for a period learns everything again up to its end, one request at a time, and subtracts what was
  /// observed before its start. The report for the whole record is ready at once. `go_on` gets the number of reviews
  /// and answers from time to time and may stop the report. Error invalid_parameter for a period that ends before it
  /// begins or that was stopped, service_unavailable while another report is computed.
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
