// Compares the recourse policies of two sets of rules on the stored events of a period, in money: who would have borne
// what payers took back, and which fees would have been collected. The reserve of each practice follows the decisions
// of its side; what the practice is owed stays as it was then.
//
// Threads: thread-safe.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/ports/clock.hpp"
#include "core/ports/rules/rule_policy.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct RecourseSums {
  domain::Money funder_loss;
  domain::Money practice_debt;
  domain::Money reserve_used;
  domain::Money reserve_filled;  // by overpayments
  domain::Money fees;
  friend bool operator==(const RecourseSums&, const RecourseSums&) = default;
};

struct RecourseComparison {
  struct OfPayer {
    std::int64_t events = 0;
    RecourseSums before, after;
  };
  std::map<std::string, OfPayer> payers;  // by payer id
  OfPayer total;
  std::int64_t changed = 0;  // events with other bearers
  std::int64_t refused = 0;  // events in which the domain refused the answer of the candidate, or its rule failed
};

struct RecoursePeriod {
  std::optional<domain::Date> from, to;  // days of posting in UTC, both inclusive
};

class BacktestRecourse {
 public:
  BacktestRecourse(ports::Store& store, const domain::TermsLimits& limits) : store_(store), limits_(limits) {}
  domain::Result<RecourseComparison> operator()(const domain::TenantId& tenant, ports::RulePolicy& before,
                                                ports::RulePolicy& after, const RecoursePeriod& period);

 private:
  ports::Store& store_;
  const domain::TermsLimits limits_;
};

}  // namespace tideover::usecases
