#include "core/usecases/learning/learner.hpp"

#include <array>
#include <new>

namespace tideover::usecases {
namespace {

/// How often an entry may exceed the free memory before it is set aside. Other users of memory may be the cause, and
/// end.
constexpr int kMostTries = 3;

/// The id of the record at this position; empty for the end of a day.
std::string object_of(const domain::LearningBatch& batch, std::size_t position) {
  if (position >= batch.entries.size()) return {};
  const auto* review = std::get_if<domain::ReviewObserved>(&batch.entries[position]);
  return review ? review->authorization.text()
                : std::get<domain::AnswerObserved>(batch.entries[position]).remittance.text();
}

std::string hexadecimal(std::uint64_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[value >> shift & 15];
  return text;
}

}  // namespace

struct Learner::TenantModel {
  TenantModel(ports::Store& store, const ports::KeyedDigest& digests, const domain::TenantId& tenant,
              const estimators::Options& options, const estimators::ApplyEvent& apply)
      : published(options, apply), read(store, digests, tenant) {}
  estimators::Published published;
  // Used by the thread of `follow`.
  ReadLearning read;
  std::int64_t passed_over = 0;  // set-aside entries up to `seq`
  int tries = 0;                 // of the next batch, which lacked memory
  std::atomic<std::int64_t> seq{0};
};

Learner::ModelSnapshot::ModelSnapshot(std::shared_ptr<TenantModel> model)
    : model_(std::move(model)), reader_(model_->published.read()) {}

std::string digest_text(const estimators::State& state) {
  const auto digest = state.digest();
  return hexadecimal(digest.high) + hexadecimal(digest.low);
}

std::shared_ptr<Learner::TenantModel> Learner::model_of(const domain::TenantId& tenant) const {
  const std::lock_guard lock(mutex_);
  const auto found = models_.find(tenant);
  return found == models_.end() ? nullptr : found->second;
}

std::optional<Learner::ModelSnapshot> Learner::model(const domain::TenantId& tenant) const {
  auto model = model_of(tenant);
  if (!model) return std::nullopt;
  return ModelSnapshot(std::move(model));
}

std::int64_t Learner::seq_of(const domain::TenantId& tenant) const {
  const auto model = model_of(tenant);
  return model ? model->seq.load() : 0;
}

std::vector<std::shared_ptr<Learner::TenantModel>> Learner::models() const {
  std::vector<std::shared_ptr<TenantModel>> models;
  const std::lock_guard lock(mutex_);
  for (const auto& [tenant, model] : models_) models.push_back(model);
  return models;
}

std::int64_t Learner::drift_alarms() const {
  std::int64_t sum = 0;
  for (const auto& model : models()) sum += model->published.read()->drift_alarms();
  return sum;
}

std::size_t Learner::memory_bytes() const {
  std::size_t sum = 0;
  for (const auto& model : models()) sum += model->published.bytes();
  return sum;
}

domain::Result<Learner::Progress> Learner::follow(const std::function<bool(const Progress&)>& go_on) {
  const auto heads = fetch_one(store_, [](const ports::Records& records) { return records.learning().heads(); });
  if (!heads) return heads.error();
  Progress progress;
  for (const auto& head : *heads) progress.behind += head.seq - seq_of(head.tenant);
  std::optional<domain::Error> trouble;  // of one tenant; the others continue
  bool goes_on = true;
  for (const auto& head : *heads) {
    if (const auto followed = follow(head, go_on, progress, goes_on); !followed && !trouble) trouble = followed.error();
    if (!goes_on) break;
  }
  if (trouble) return *trouble;
  return progress;
}

domain::Status Learner::follow(const ports::LearningHead& head, const std::function<bool(const Progress&)>& go_on,
                               Progress& progress, bool& goes_on) {
  auto model = model_of(head.tenant);
  bool starts_over = false;
  if (model) {
    const auto too_much = has_learned_what_is_set_aside(*model, head);
    if (!too_much) return too_much.error();
    starts_over = *too_much;
  }
  if (!starts_over && head.seq <= seq_of(head.tenant)) return {};
  if (starts_over) progress.behind += model->seq;
  if (!model || starts_over) model = new_model(head.tenant);
  if (!starts_over) put(head.tenant, model);  // until then, the state with the set-aside entry stays visible
  const auto skipped = model->read.skipped();
  const auto done = model->read.behind(
      model->seq,
      [&](const domain::LearningBatch& batch, const std::vector<Observation>& observed) -> domain::Result<bool> {
        if (const auto learned = learn(*model, head.tenant, batch, observed, progress); !learned)
          return learned.error();
        goes_on = go_on(progress);
        return goes_on && batch.seq < head.seq;
      });
  skipped_ += model->read.skipped() - skipped;
  if (done && goes_on) put(head.tenant, model);
  return done;
}

/// Another node set aside an entry that this one applied: learn the tenant again, so that all nodes agree.
domain::Result<bool> Learner::has_learned_what_is_set_aside(const TenantModel& model,
                                                            const ports::LearningHead& head) const {
  if (head.set_aside <= model.passed_over) return false;
  return fetch_one(store_, [&](const ports::Records& records) {
    const auto set_aside = records.learning().set_aside(head.tenant, 0, model.seq).size();
    return static_cast<std::int64_t>(set_aside) > model.passed_over;
  });
}

std::shared_ptr<Learner::TenantModel> Learner::new_model(const domain::TenantId& tenant) const {
  return std::make_shared<TenantModel>(store_, digests_, tenant, options_, apply_);
}

void Learner::put(const domain::TenantId& tenant, std::shared_ptr<TenantModel> model) {
  const std::lock_guard lock(mutex_);
  models_.insert_or_assign(tenant, std::move(model));
}

/// Applies the whole batch, or nothing and returns an error.
domain::Status Learner::learn(TenantModel& model, const domain::TenantId& tenant, const domain::LearningBatch& batch,
                              const std::vector<Observation>& observed, Progress& progress) {
  const auto out_of_memory = [] {
    return domain::Error::of(
        domain::ErrorCode::service_unavailable,
        "The next batch of the learning journal needs more memory than is free. It is tried again.");
  };
  if (!batch.state_digest.empty() && batch.state_digest != digest_text(*model.published.read())) ++diverged_;
  std::int64_t aside = model.read.passed_over();
  const auto put_aside = [&](const domain::SetAside& entry) -> domain::Status {
    ++aside;
    return put_aside_ ? put_aside_(tenant, entry) : domain::Status();
  };
  const auto not_applied = [&](std::size_t position, const std::string& problem) {
    return put_aside({batch.seq, position, object_of(batch, position), "it cannot be applied: " + problem});
  };
  for (const auto& entry : model.read.not_usable())
    if (auto put = put_aside(entry); !put) return put;
  std::vector<estimators::Event> events;
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    try {
      auto event = model.read.event_of(observed[i]);
      if (!event) continue;
      events.push_back(std::move(*event));
      positions.push_back(model.read.entry_of(i));
    } catch (const std::bad_alloc&) {
      return out_of_memory();
    } catch (const std::exception& thrown) {
      if (auto put = not_applied(model.read.entry_of(i), thrown.what()); !put) return put;
    }
  }
  while (const auto failed = model.published.apply(events, domain::snapshot_id(batch.seq, batch.sha256))) {
    if (!failed->event || (failed->out_of_memory && ++model.tries < kMostTries)) return out_of_memory();
    const auto at = static_cast<std::ptrdiff_t>(*failed->event);
    if (auto put = not_applied(positions[*failed->event], failed->problem); !put) return put;
    events.erase(events.begin() + at);
    positions.erase(positions.begin() + at);
  }
  model.seq = batch.seq;
  model.tries = 0;
  model.passed_over += aside;
  set_aside_ += aside;
  ++progress.batches;
  --progress.behind;
  progress.events += static_cast<std::int64_t>(observed.size());
  return {};
}

}  // namespace tideover::usecases
