#include "core/usecases/learning/read_quality.hpp"

#include <type_traits>
#include <variant>

namespace tideover::usecases {
namespace {

using domain::Date;
using domain::Error;
using domain::ErrorCode;

/// The day of observation. Days are in order, apart from records that became visible late, which keep their day.
Date observed_on(const estimators::Event& event) {
  return std::visit(
      [](const auto& observed) {
        using Observation = std::decay_t<decltype(observed)>;
        if constexpr (std::is_same_v<Observation, estimators::Submitted>)
          return observed.claim.reviewed;
        else if constexpr (std::is_same_v<Observation, estimators::Response>)
          return observed.responded;
        else
          return observed.day;
      },
      event);
}

Error refusal(const char* parameter, const char* problem, const char* message) {
  auto error = Error::of(ErrorCode::invalid_parameter, message);
  error.fields.push_back({parameter, problem});
  return error;
}

}  // namespace

domain::Result<Quality> ReadQuality::operator()(const domain::TenantId& tenant, const GradePeriod& period,
                                                const std::function<bool(std::int64_t events)>& go_on) {
  if (period.is_all()) {
    const auto model = learner_.model(tenant);
    return model ? Quality{model->name(), model->state().grades(), period} : Quality{};
  }
  if (period.from && period.to && *period.to < *period.from)
    return refusal("to", "is before from", "The period ends before it begins.");
  const std::unique_lock alone(busy_, std::try_to_lock);
  if (!alone)
    return Error::of(ErrorCode::service_unavailable, "Another report is being computed. Retry later.").retry_after(5);

  estimators::State state(options_);
  ReadLearning read(store_, digests_, tenant);
  std::optional<estimators::Grades> before;
  Quality quality{"", {}, period};
  std::int64_t events = 0;
  const auto done = read.behind(
      0, [&](const domain::LearningBatch& batch, const std::vector<Observation>& observed) -> domain::Result<bool> {
        if (!go_on(events += static_cast<std::int64_t>(observed.size())))
          return refusal("to", "there are too many answers by then",
                         "The period is too long for a request. Use an earlier end day, or the command `tideover "
                         "quality`.");
        for (const auto& event : read.events_of(observed)) {
          const auto day = observed_on(event);
          if (period.to && day > *period.to) return false;
          if (!before && period.from && day >= *period.from) before = state.grades();
          estimators::apply(state, event);
        }
        quality.snapshot = domain::snapshot_id(batch.seq, batch.sha256);
        return true;
      });
  if (!done) return done.error();
  const auto by_then = state.grades();
  // No answer in the period: everything was observed before it.
  quality.grades = period.from ? estimators::difference(by_then, before.value_or(by_then)) : by_then;
  return quality;
}

}  // namespace tideover::usecases
