#include "core/usecases/learning/read_quality.hpp"

#include <type_traits>
#include <variant>

namespace tideover::usecases {
namespace {

using domain::Date;
using domain::Error;
using domain::ErrorCode;

/// The day on which it was heard. Days follow on each other but for what became visible late, which keeps its own day.
Date heard_on(const estimators::Event& event) {
  return std::visit(
      [](const auto& heard) {
        using Heard = std::decay_t<decltype(heard)>;
        if constexpr (std::is_same_v<Heard, estimators::Submitted>)
          return heard.claim.reviewed;
        else if constexpr (std::is_same_v<Heard, estimators::Response>)
          return heard.responded;
        else
          return heard.day;
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
    const auto lesson = learner_.lesson(tenant);
    return lesson ? Quality{lesson->name(), lesson->state().grades(), period} : Quality{};
  }
  if (period.from && period.to && *period.to < *period.from)
    return refusal("to", "is before from", "The period ends before it begins.");
  const std::unique_lock alone(busy_, std::try_to_lock);
  if (!alone)
    return Error::of(ErrorCode::service_unavailable, "Another report is being computed; try again later.")
        .retry_after(5);

  estimators::State state(options_);
  ReadLearning read(store_, digests_, tenant);
  std::optional<estimators::Grades> before;
  Quality quality{"", {}, period};
  std::int64_t events = 0;
  const auto told =
      read.behind(0, [&](const domain::LearningBatch& batch, const std::vector<Heard>& heard) -> domain::Result<bool> {
        if (!go_on(events += static_cast<std::int64_t>(heard.size())))
          return refusal("to", "there are too many answers by then",
                         "Learning the record anew up to this day takes too long here; ask for an earlier day, or "
                         "tideover quality, which takes its time.");
        for (const auto& event : read.events_of(heard)) {
          const auto day = heard_on(event);
          if (period.to && day > *period.to) return false;
          if (!before && period.from && day >= *period.from) before = state.grades();
          estimators::apply(state, event);
        }
        quality.snapshot = domain::snapshot_id(batch.seq, batch.sha256);
        return true;
      });
  if (!told) return told.error();
  const auto by_then = state.grades();
  // Nothing was heard since it began: what was known by then is all from before.
  quality.grades = period.from ? estimators::difference(by_then, before.value_or(by_then)) : by_then;
  return quality;
}

}  // namespace tideover::usecases
