#include "core/usecases/learning/learner.hpp"

#include <array>
#include <new>

namespace tideover::usecases {
namespace {

/// How often an entry may be too large for the memory that is left before it is set aside. Others may be the cause, and
/// end.
constexpr int kMostTries = 3;

/// What the entry at this place names; empty for the end of a day.
std::string object_of(const domain::LearningBatch& batch, std::size_t place) {
  if (place >= batch.entries.size()) return {};
  const auto* review = std::get_if<domain::ReviewObserved>(&batch.entries[place]);
  return review ? review->authorization.text()
                : std::get<domain::AnswerObserved>(batch.entries[place]).remittance.text();
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
  // Of the thread that follows.
  ReadLearning read;
  std::int64_t passed_over = 0;  // entries up to `seq` that are set aside
  int tries = 0;                 // of the next batch, for which there was no memory
  std::atomic<std::int64_t> seq{0};
};

Learner::ModelSnapshot::ModelSnapshot(std::shared_ptr<TenantModel> student)
    : student_(std::move(student)), reader_(student_->published.read()) {}

std::string digest_text(const estimators::State& state) {
  const auto digest = state.digest();
  return hexadecimal(digest.high) + hexadecimal(digest.low);
}

std::shared_ptr<Learner::TenantModel> Learner::student_of(const domain::TenantId& tenant) const {
  const std::lock_guard lock(mutex_);
  const auto found = students_.find(tenant);
  return found == students_.end() ? nullptr : found->second;
}

std::optional<Learner::ModelSnapshot> Learner::lesson(const domain::TenantId& tenant) const {
  auto student = student_of(tenant);
  if (!student) return std::nullopt;
  return ModelSnapshot(std::move(student));
}

std::int64_t Learner::seq_of(const domain::TenantId& tenant) const {
  const auto student = student_of(tenant);
  return student ? student->seq.load() : 0;
}

std::vector<std::shared_ptr<Learner::TenantModel>> Learner::students() const {
  std::vector<std::shared_ptr<TenantModel>> students;
  const std::lock_guard lock(mutex_);
  for (const auto& [tenant, student] : students_) students.push_back(student);
  return students;
}

std::int64_t Learner::drift_alarms() const {
  std::int64_t sum = 0;
  for (const auto& student : students()) sum += student->published.read()->drift_alarms();
  return sum;
}

std::size_t Learner::memory_bytes() const {
  std::size_t sum = 0;
  for (const auto& student : students()) sum += student->published.bytes();
  return sum;
}

domain::Result<Learner::Progress> Learner::follow(const std::function<bool(const Progress&)>& go_on) {
  std::vector<ports::LearningHead> heads;
  if (const auto asked = store_.read_one([&](const ports::Records& records) { heads = records.learning().heads(); });
      !asked)
    return asked.error();
  Progress progress;
  for (const auto& head : heads) progress.behind += head.seq - seq_of(head.tenant);
  std::optional<domain::Error> trouble;  // of one tenant: the others learn
  bool goes_on = true;
  for (const auto& head : heads) {
    if (const auto followed = follow(head, go_on, progress, goes_on); !followed && !trouble) trouble = followed.error();
    if (!goes_on) break;
  }
  if (trouble) return *trouble;
  return progress;
}

domain::Status Learner::follow(const ports::LearningHead& head, const std::function<bool(const Progress&)>& go_on,
                               Progress& progress, bool& goes_on) {
  auto student = student_of(head.tenant);
  bool is_anew = false;
  if (student) {
    const auto too_much = has_learned_what_is_set_aside(*student, head);
    if (!too_much) return too_much.error();
    is_anew = *too_much;
  }
  if (!is_anew && head.seq <= seq_of(head.tenant)) return {};
  if (is_anew) progress.behind += student->seq;
  if (!student || is_anew) student = new_student(head.tenant);
  if (!is_anew)
    put(head.tenant, student);  // else the state that has learned too much is shown until this one has come as far
  const auto skipped = student->read.skipped();
  const auto told = student->read.behind(
      student->seq, [&](const domain::LearningBatch& batch, const std::vector<Heard>& heard) -> domain::Result<bool> {
        if (const auto learned = learn(*student, head.tenant, batch, heard, progress); !learned) return learned.error();
        goes_on = go_on(progress);
        return goes_on && batch.seq < head.seq;
      });
  skipped_ += student->read.skipped() - skipped;
  if (told && goes_on) put(head.tenant, student);
  return told;
}

/// Another node set aside what this one has applied: none has learned it then.
domain::Result<bool> Learner::has_learned_what_is_set_aside(const TenantModel& student,
                                                            const ports::LearningHead& head) const {
  if (head.set_aside <= student.passed_over) return false;
  std::size_t set_aside = 0;
  const auto read = store_.read_one([&](const ports::Records& records) {
    set_aside = records.learning().set_aside(head.tenant, 0, student.seq).size();
  });
  if (!read) return read.error();
  return static_cast<std::int64_t>(set_aside) > student.passed_over;
}

std::shared_ptr<Learner::TenantModel> Learner::new_student(const domain::TenantId& tenant) const {
  return std::make_shared<TenantModel>(store_, digests_, tenant, options_, apply_);
}

void Learner::put(const domain::TenantId& tenant, std::shared_ptr<TenantModel> student) {
  const std::lock_guard lock(mutex_);
  students_.insert_or_assign(tenant, std::move(student));
}

/// All of the batch that can be applied, or nothing and an error.
domain::Status Learner::learn(TenantModel& student, const domain::TenantId& tenant, const domain::LearningBatch& batch,
                              const std::vector<Heard>& heard, Progress& progress) {
  const auto out_of_memory = [] {
    return domain::Error::of(domain::ErrorCode::service_unavailable,
                             "There is no memory to learn the next batch; it is tried again.");
  };
  if (!batch.state_digest.empty() && batch.state_digest != digest_text(*student.published.read())) ++diverged_;
  std::int64_t aside = student.read.passed_over();
  const auto put_aside = [&](const domain::SetAside& entry) -> domain::Status {
    ++aside;
    return put_aside_ ? put_aside_(tenant, entry) : domain::Status();
  };
  const auto not_applied = [&](std::size_t place, const std::string& problem) {
    return put_aside({batch.seq, place, object_of(batch, place), "it cannot be applied: " + problem});
  };
  for (const auto& entry : student.read.not_usable())
    if (auto put = put_aside(entry); !put) return put;
  std::vector<estimators::Event> events;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < heard.size(); ++i) {
    try {
      auto event = student.read.event_of(heard[i]);
      if (!event) continue;
      events.push_back(std::move(*event));
      places.push_back(student.read.entry_of(i));
    } catch (const std::bad_alloc&) {
      return out_of_memory();
    } catch (const std::exception& thrown) {
      if (auto put = not_applied(student.read.entry_of(i), thrown.what()); !put) return put;
    }
  }
  while (const auto failed = student.published.apply(events, domain::snapshot_id(batch.seq, batch.sha256))) {
    if (!failed->event || (failed->out_of_memory && ++student.tries < kMostTries)) return out_of_memory();
    const auto at = static_cast<std::ptrdiff_t>(*failed->event);
    if (auto put = not_applied(places[*failed->event], failed->problem); !put) return put;
    events.erase(events.begin() + at);
    places.erase(places.begin() + at);
  }
  student.seq = batch.seq;
  student.tries = 0;
  student.passed_over += aside;
  set_aside_ += aside;
  ++progress.batches;
  --progress.behind;
  progress.events += static_cast<std::int64_t>(heard.size());
  return {};
}

}  // namespace tideover::usecases
