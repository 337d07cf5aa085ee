#include "core/usecases/learner.hpp"

#include <array>

namespace tideover::usecases {
namespace {

std::string hexadecimal(std::uint64_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[value >> shift & 15];
  return text;
}

}  // namespace

struct Learner::Student {
  Student(ports::Store& store, const ports::KeyedDigest& digests, const domain::TenantId& tenant, const estimators::Options& options)
      : published(options), read(store, digests, tenant) {}
  estimators::Published published;
  ReadLearning read;                // of the thread that follows
  std::atomic<std::int64_t> seq{0};
};

Learner::Lesson::Lesson(std::shared_ptr<Student> student) : student_(std::move(student)), reader_(student_->published.read()) {}

std::string digest_text(const estimators::State& state) {
  const auto digest = state.digest();
  return hexadecimal(digest.high) + hexadecimal(digest.low);
}

std::shared_ptr<Learner::Student> Learner::student_of(const domain::TenantId& tenant) const {
  const std::lock_guard lock(mutex_);
  const auto found = students_.find(tenant);
  return found == students_.end() ? nullptr : found->second;
}

std::optional<Learner::Lesson> Learner::lesson(const domain::TenantId& tenant) const {
  auto student = student_of(tenant);
  if (!student) return std::nullopt;
  return Lesson(std::move(student));
}

std::int64_t Learner::seq_of(const domain::TenantId& tenant) const {
  const auto student = student_of(tenant);
  return student ? student->seq.load() : 0;
}

std::vector<std::shared_ptr<Learner::Student>> Learner::students() const {
  std::vector<std::shared_ptr<Student>> students;
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
  if (const auto asked = store_.read_one([&](const ports::Records& records) { heads = records.learning().heads(); }); !asked) return asked.error();
  Progress progress;
  for (const auto& head : heads) progress.behind += head.seq - seq_of(head.tenant);
  bool goes_on = true;
  for (const auto& head : heads) {
    if (head.seq <= seq_of(head.tenant)) continue;
    const auto student = student_for(head.tenant);
    const auto skipped = student->read.skipped();
    const auto told = student->read.behind(student->seq, [&](const domain::LearningBatch& batch, const std::vector<Heard>& heard) -> domain::Result<bool> {
      learn(*student, batch, heard, progress);
      goes_on = go_on(progress);
      return goes_on && batch.seq < head.seq;
    });
    skipped_ += student->read.skipped() - skipped;
    if (!told) return told.error();
    if (!goes_on) break;
  }
  return progress;
}

std::shared_ptr<Learner::Student> Learner::student_for(const domain::TenantId& tenant) {
  auto student = student_of(tenant);
  if (student) return student;
  student = std::make_shared<Student>(store_, digests_, tenant, options_);
  const std::lock_guard lock(mutex_);
  students_.emplace(tenant, student);
  return student;
}

void Learner::learn(Student& student, const domain::LearningBatch& batch, const std::vector<Heard>& heard, Progress& progress) {
  if (!batch.state_digest.empty() && batch.state_digest != digest_text(*student.published.read())) ++diverged_;
  student.published.apply(student.read.events_of(heard), domain::snapshot_id(batch.seq, batch.sha256));
  student.seq = batch.seq;
  ++progress.batches;
  --progress.behind;
  progress.events += static_cast<std::int64_t>(heard.size());
}

}  // namespace tideover::usecases
