#include "core/usecases/read_quality.hpp"

#include <type_traits>
#include <variant>

namespace tideover::usecases {
namespace {

using domain::Date;
using domain::Error;
using domain::ErrorCode;

constexpr std::size_t kBatchesAtOnce = 4;

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

domain::Result<Quality> ReadQuality::operator()(const domain::TenantId& tenant, const GradePeriod& period, const std::function<bool(std::int64_t events)>& go_on) {
  if (period.is_all()) {
    const auto lesson = learner_.lesson(tenant);
    return lesson ? Quality{lesson->name(), lesson->state().grades(), period} : Quality{};
  }
  if (period.from && period.to && *period.to < *period.from) return refusal("to", "is before from", "The period ends before it begins.");
  const std::unique_lock alone(busy_, std::try_to_lock);
  if (!alone) return Error::of(ErrorCode::service_unavailable, "Another period is being looked at; try it in a while.").retry_after(5);

  estimators::State state(options_);
  ReadLearning read(store_, digests_, tenant);
  std::optional<estimators::Grades> before;
  Quality quality{"", {}, period};
  std::int64_t heard = 0;
  bool is_over = false;
  for (std::int64_t seq = 0; !is_over;) {
    std::vector<domain::LearningBatch> batches;
    const auto found = store_.read_one([&](const ports::Records& records) { batches = records.learning().behind(tenant, seq, kBatchesAtOnce); });
    if (!found) return found.error();
    if (batches.empty()) break;
    for (const auto& batch : batches) {
      const auto events = read(batch);
      if (!events) return events.error();
      if (!go_on(heard += static_cast<std::int64_t>(events->size())))
        return refusal("to", "too much was heard by then", "Learning the record anew up to this day takes too long here; ask for an earlier day, or tideover quality, which takes its time.");
      for (const auto& event : *events) {
        const auto day = heard_on(event);
        is_over = period.to && day > *period.to;
        if (is_over) break;
        if (!before && period.from && day >= *period.from) before = state.grades();
        estimators::apply(state, event);
      }
      seq = batch.seq;
      if (is_over) break;
      quality.snapshot = domain::snapshot_id(batch.seq, batch.sha256);
    }
  }
  const auto by_then = state.grades();
  // Nothing was heard since it began: what was known by then is all from before.
  quality.grades = period.from ? estimators::difference(by_then, before.value_or(by_then)) : by_then;
  return quality;
}

}  // namespace tideover::usecases
