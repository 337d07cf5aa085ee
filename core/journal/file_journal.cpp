#include "core/journal/file_journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/domain/basics/scope_exit.hpp"
#include "core/faults/crash_point.hpp"

namespace tideover::journal {
namespace {

using domain::Error;
using domain::ErrorCode;

/// A crash damages at most this many bytes at the end.
constexpr std::uint64_t kTailBytes = 4096;

/// Why the journal cannot be opened; caught in open().
struct OpenError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct InUse : OpenError {
  InUse() : OpenError("another process uses it; every node needs its own journal") {}
};

std::string reason() {
  return std::strerror(errno);
}

/// Closes its file on every error path.
class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  int get() const { return file_; }
  int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

std::string write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? reason() : "nothing was written";
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return "";
}

/// Reads the lines of the file, without their newline.
class LineSource {
 public:
  LineSource(int file, std::uint64_t end) : file_(file), end_(end) {}
  /// False at the end. A last line without a newline is returned too; see `whole()`.
  bool next() {
    line_start_ += line_.size() + (whole_ ? 1 : 0);
    line_.clear();
    whole_ = false;
    for (;;) {
      const auto newline = buffer_.find('\n', at_);
      if (newline != std::string::npos) {
        line_.append(buffer_, at_, newline - at_);
        at_ = newline + 1;
        return whole_ = true;
      }
      line_.append(buffer_, at_);
      buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(1 << 16, end_ - read_)));
      at_ = 0;
      if (buffer_.empty()) return !line_.empty();
      const auto got = ::pread(file_, buffer_.data(), buffer_.size(), static_cast<off_t>(read_));
      if (got <= 0) throw OpenError(got < 0 ? reason() : "it became shorter while it was read");
      buffer_.resize(static_cast<std::size_t>(got));
      read_ += static_cast<std::uint64_t>(got);
    }
  }
  const std::string& line() const { return line_; }
  bool whole() const { return whole_; }
  std::uint64_t start() const { return line_start_; }
  std::uint64_t end() const { return line_start_ + line_.size() + (whole_ ? 1 : 0); }

 private:
  const int file_;
  const std::uint64_t end_;
  std::string buffer_;
  std::size_t at_ = 0;      // in buffer_
  std::uint64_t read_ = 0;  // bytes taken from the file
  std::string line_;
  std::uint64_t line_start_ = 0;
  bool whole_ = false;
};

std::uint64_t size_of(int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0) throw OpenError(reason());
  return static_cast<std::uint64_t>(status.st_size);
}

/// A rename or a new file survives a power failure only after its directory was synced.
void sync_folder_of(const std::filesystem::path& path) {
  const auto folder = path.parent_path().empty() ? std::filesystem::path(".") : path.parent_path();
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.get() < 0 || ::fsync(descriptor.get()) != 0)
    throw OpenError("its directory cannot be synced: " + reason());
}

int open_locked(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (file.get() < 0) throw OpenError(reason());
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) throw InUse();
    throw OpenError(reason());
  }
  return file.release();
}

bool has_ended(domain::AttemptState state) {
  return !domain::is_unclear(state) && !domain::is_in_flight(state);
}

}  // namespace

domain::Result<std::unique_ptr<FileJournal>> FileJournal::open(JournalOptions options, const ports::Clock& clock) {
  auto journal = std::unique_ptr<FileJournal>(new FileJournal(std::move(options), clock));
  try {
    journal->recover();
    return journal;
  } catch (const std::exception& error) {
    const auto code =
        dynamic_cast<const InUse*>(&error) != nullptr ? ErrorCode::conflict : ErrorCode::service_unavailable;
    return Error::of(code, "Rail journal " + journal->options_.path.string() + " cannot be used: " + error.what());
  }
}

domain::Result<std::unique_ptr<const FileJournal>> FileJournal::look_at(const std::filesystem::path& path,
                                                                        const ports::Clock& clock) {
  JournalOptions options;
  options.path = path;
  auto journal = std::unique_ptr<FileJournal>(new FileJournal(std::move(options), clock));
  try {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) throw OpenError(reason());
    std::vector<Entry> salvaged;
    if (journal->read_lines(file.get(), size_of(file.get()), salvaged)) journal->damaged_at_ = clock.now();
    for (const auto& entry : salvaged) journal->take_in(entry);
    return std::unique_ptr<const FileJournal>(std::move(journal));
  } catch (const std::exception& error) {
    return Error::of(ErrorCode::service_unavailable,
                     "Rail journal " + path.string() + " cannot be read: " + error.what());
  }
}

FileJournal::~FileJournal() {
  if (file_ < 0) return;
  std::unique_lock lock(mutex_);
  flushed_.wait(lock, [&] { return !flushing_; });
  try {
    if (!waiting_.empty()) flush(lock);
  } catch (const std::exception&) {
    // Out of memory: notes of outcomes are lost. The database has them.
  }
  ::close(file_);
}

// Reads the file once: index, chain, and the end of its valid part.
void FileJournal::recover() {
  const auto& path = options_.path;
  if (path.has_parent_path() && ::mkdir(path.parent_path().c_str(), 0700) != 0 && errno != EEXIST)
    throw OpenError("its directory cannot be created: " + reason());
  file_ = open_locked(path);
  const std::uint64_t on_disk = size_of(file_);
  const domain::Timestamp now = clock_.now();

  std::vector<Entry> salvaged;
  const bool damaged = read_lines(file_, on_disk, salvaged);
  if (damaged) {
    report_.cut_bytes = on_disk - size_;
    report_.salvaged = salvaged.size();
    damaged_at_ = now;
    for (const auto& entry : salvaged) take_in(entry);
  }
  for (const auto& [key, seen] : seen_) report_.dropped += is_old(seen, now);
  if (report_.dropped < options_.compact_from) report_.dropped = 0;
  report_.created = on_disk == 0;
  if (report_.created || damaged || report_.dropped > 0) rewrite(now, salvaged);
  report_.entries = seen_.size();
  for (const auto& [key, seen] : seen_) report_.open += !seen.outcome || !has_ended(*seen.outcome);
}

bool FileJournal::read_lines(int file, std::uint64_t on_disk, std::vector<Entry>& salvaged) {
  bool damaged = false;
  for (LineSource source(file, on_disk); source.next();) {
    const auto line = source.whole() ? read_line(source.line()) : std::nullopt;
    if (damaged) {
      if (line) salvaged.push_back(line->entry);
      continue;
    }
    // The hash of the first line refers to the file before this one.
    const bool in_place =
        line && (source.start() == 0 ? std::holds_alternative<Begun>(line->entry) : line->previous == last_hash_);
    if (in_place) {
      take_in(line->entry);
      last_hash_ = line->hash;
      size_ = source.end();
      continue;
    }
    if (source.end() + kTailBytes <= on_disk)
      throw OpenError(
          "it is damaged at byte " + std::to_string(source.start()) +
          ", too far from its end for a crash. Restore the file. To continue without it, move it away: payments "
          "that a restored database "
          "lacks are then not found.");
    damaged = true;
  }
  return damaged;
}

// Also compared with the newest entry: a clock far ahead at start must not drop entries that a restored backup may
// need.
bool FileJournal::is_old(const Seen& seen, domain::Timestamp now) const {
  return seen.outcome && has_ended(*seen.outcome) && seen.at < std::min(now, newest_).plus_days(-options_.keep_days);
}

// The new file is complete and on disk before it gets the name of the old one.
void FileJournal::rewrite(domain::Timestamp now, const std::vector<Entry>& salvaged) {
  auto fresh_path = options_.path;
  fresh_path += ".new";
  std::filesystem::remove(fresh_path);
  Descriptor fresh(open_locked(fresh_path));
  std::uint64_t written = 0;
  std::string pending;
  const auto write_out_pending = [&] {
    if (const auto problem = write_all(fresh.get(), pending); !problem.empty())
      throw OpenError("it cannot be rewritten: " + problem);
    written += pending.size();
    pending.clear();
  };
  const auto put = [&](const Entry& entry) {
    pending += write_line(entry, last_hash_);
    if (pending.size() > (1 << 20)) write_out_pending();
  };
  const auto put_send = [&](const Entry& entry) {
    const auto* send = std::get_if<ports::JournalledSend>(&entry);
    const auto seen = send ? seen_.find(send->key) : seen_.end();
    if (seen == seen_.end()) return;
    if (report_.dropped > 0 && is_old(seen->second, now)) {
      seen_.erase(seen);
      return;
    }
    put(entry);
    if (seen->second.outcome) put(Outcome{seen->second.at, send->key, *seen->second.outcome});
  };

  put(Begun{now, report_.dropped});
  if (damaged_at_ != domain::Timestamp()) put(Cut{damaged_at_, report_.cut_bytes});
  for (LineSource source(file_, size_); source.next();)
    if (const auto line = read_line(source.line())) put_send(line->entry);
  for (const auto& entry : salvaged) put_send(entry);
  write_out_pending();
  if (::fdatasync(fresh.get()) != 0) throw OpenError("it cannot be rewritten: " + reason());

  if (!report_.created) {
    auto before = options_.path;
    before += ".before";
    std::filesystem::remove(before);
    if (::link(options_.path.c_str(), before.c_str()) != 0)
      throw OpenError("the old file cannot be renamed to .before: " + reason());
  }
  std::filesystem::rename(fresh_path, options_.path);
  ::close(file_);
  file_ = fresh.release();
  size_ = written;
  sync_folder_of(options_.path);
}

void FileJournal::take_in(const Entry& entry) {
  if (const auto* send = std::get_if<ports::JournalledSend>(&entry)) {
    seen_.try_emplace(send->key, Seen{send->at, std::nullopt});
    newest_ = std::max(newest_, send->at);
  } else if (const auto* outcome = std::get_if<Outcome>(&entry)) {
    newest_ = std::max(newest_, outcome->at);
    if (const auto seen = seen_.find(outcome->key); seen != seen_.end()) seen->second = {outcome->at, outcome->state};
  } else if (const auto* cut = std::get_if<Cut>(&entry)) {
    damaged_at_ = std::max(damaged_at_, cut->at);
  }
}

domain::Result<ports::Witnessed> FileJournal::append(const ports::JournalledSend& send) {
  faults::crash_point("journal.before");
  for (const char letter : send.rail + send.key)
    if (letter <= ' ' || letter > '~')
      return Error::of(ErrorCode::internal_error,
                       "Rail " + send.rail + " has a name or key that is not valid in a journal line.");
  std::unique_lock lock(mutex_);
  flushed_.wait(lock, [&] { return !in_flight_.contains(send.key); });
  if (seen_.contains(send.key)) return ports::Witnessed::before;
  {
    const auto in_flight = in_flight_.insert(send.key).first;
    const domain::ScopeExit landed([&] {
      in_flight_.erase(in_flight);
      flushed_.notify_all();
    });
    if (const std::string problem = write_and_wait(lock, send); !problem.empty()) return not_writable(problem);
  }
  lock.unlock();
  faults::crash_point("journal.after");
  return ports::Witnessed::now;
}

void FileJournal::note(const std::string& key, domain::AttemptState outcome, domain::Timestamp at) {
  std::unique_lock lock(mutex_);
  const auto seen = seen_.find(key);
  if (seen == seen_.end() || seen->second.outcome == outcome) return;
  seen->second = {at, outcome};
  auto ticket = std::make_shared<Ticket>();
  ticket->entry = Outcome{at, key, outcome};
  ticket->synced = false;
  waiting_.push_back(std::move(ticket));
  if (!flushing_) flush(lock);
}

bool FileJournal::may_hold(const std::string& key, domain::Timestamp attempt_created_at) const {
  const std::lock_guard lock(mutex_);
  const bool may_be_dropped = attempt_created_at < clock_.now().plus_days(-options_.keep_days);
  return seen_.contains(key) || in_flight_.contains(key) || attempt_created_at <= damaged_at_ || may_be_dropped;
}

domain::Status FileJournal::ready() {
  std::unique_lock lock(mutex_);
  if (trouble_.empty()) return {};
  const std::string problem = write_and_wait(lock, Resumed{clock_.now()});
  if (!problem.empty()) return not_writable(problem);
  return {};
}

domain::Status FileJournal::visit(const std::function<bool(const ports::JournalledSend&)>& look) const {
  try {
    const Descriptor file(::open(options_.path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) throw OpenError(reason());
    std::uint64_t end = 0;
    {
      const std::lock_guard lock(mutex_);
      end = size_;
    }
    for (LineSource source(file.get(), end); source.next();) {
      auto line = read_line(source.line());
      auto* send = line ? std::get_if<ports::JournalledSend>(&line->entry) : nullptr;
      if (!send) continue;
      {
        const std::lock_guard lock(mutex_);
        if (const auto seen = seen_.find(send->key); seen != seen_.end()) send->outcome = seen->second.outcome;
      }
      if (!look(*send)) break;
    }
  } catch (const std::exception& error) {
    return Error::of(ErrorCode::service_unavailable, std::string("The rail journal cannot be read: ") + error.what());
  }
  return {};
}

domain::Result<std::uint64_t> FileJournal::take_over(const FileJournal& other, std::string_view rail) {
  std::uint64_t taken = 0;
  std::optional<Error> failure;
  const auto read = other.visit([&](const ports::JournalledSend& sent) {
    if (sent.rail != rail) return true;
    const auto witnessed = append(sent);
    if (!witnessed) {
      failure = witnessed.error();
      return false;
    }
    taken += *witnessed == ports::Witnessed::now;
    if (sent.outcome) note(sent.key, *sent.outcome, sent.at);
    return true;
  });
  if (!read) return read.error();
  if (failure) return *failure;
  return taken;
}

domain::Status FileJournal::distrust() {
  std::unique_lock lock(mutex_);
  const std::string problem = write_and_wait(lock, Cut{clock_.now(), 0});
  if (!problem.empty()) return not_writable(problem);
  return {};
}

Error FileJournal::not_writable(const std::string& problem) {
  return Error::of(ErrorCode::service_unavailable,
                   "The rail journal cannot be written (" + problem + "). No payment is sent until it can be written.")
      .retry_after(5);
}

std::string FileJournal::write_and_wait(std::unique_lock<std::mutex>& lock, Entry entry) {
  const auto ticket = std::make_shared<Ticket>();
  ticket->entry = std::move(entry);
  waiting_.push_back(ticket);
  while (!ticket->done) {
    if (!flushing_)
      flush(lock);
    else
      flushed_.wait(lock);
  }
  return *ticket->problem;
}

// An exception here, mainly out of memory, must not leave a ticket of the batch or a later writer waiting for ever.
void FileJournal::flush(std::unique_lock<std::mutex>& lock) {
  flushing_ = true;
  const domain::ScopeExit ended([this] {
    flushing_ = false;
    flushed_.notify_all();
  });
  do {
    const auto problem = std::make_shared<std::string>();
    std::vector<std::shared_ptr<Ticket>> batch;
    batch.swap(waiting_);
    try {
      *problem = write_batch(lock, batch);
    } catch (const std::exception&) {
      *problem = "out of memory";  // short enough to need no allocation
    }
    for (const auto& ticket : batch) {
      ticket->done = true;
      ticket->problem = problem;
    }
    trouble_ = *problem;
    // Notes added meanwhile have no waiting writer that would flush them.
  } while (!waiting_.empty() &&
           std::none_of(waiting_.begin(), waiting_.end(), [](const auto& ticket) { return ticket->synced; }));
}

std::string FileJournal::write_batch(std::unique_lock<std::mutex>& lock,
                                     const std::vector<std::shared_ptr<Ticket>>& batch) {
  std::string text;
  std::string hash = last_hash_;
  bool sync = false;
  for (const auto& ticket : batch) {
    text += write_line(ticket->entry, hash);
    sync = sync || ticket->synced;
  }
  std::string problem;
  {
    lock.unlock();
    const domain::ScopeExit locked([&] { lock.lock(); });
    problem = write_out(text, sync);
  }
  if (!problem.empty()) return problem;
  size_ += text.size();
  last_hash_ = std::move(hash);
  try {
    for (const auto& ticket : batch) take_in(ticket->entry);
  } catch (const std::exception&) {
    damaged_at_ =
        std::max(damaged_at_,
                 clock_.now());  // the lines are on disk but not in memory: attempts until now are asked about
    throw;
  }
  return problem;
}

std::string FileJournal::write_out(const std::string& text, bool sync) {
  if (in_doubt_) {
    if (auto problem = repair(); !problem.empty()) return problem;
  }
  in_doubt_ = true;  // until all bytes are known to be on disk
  std::string problem = write_all(file_, text);
  if (problem.empty() && sync) {
    faults::crash_point("journal.written");
    if (::fdatasync(file_) != 0) problem = reason();
  }
  if (problem.empty()) {
    in_doubt_ = false;
    return problem;
  }
  repair();  // at once, so that a start at this moment finds no partial line; else before the next write
  return problem;
}

std::string FileJournal::repair() {
  if (::ftruncate(file_, static_cast<off_t>(size_)) != 0 || ::fdatasync(file_) != 0) return reason();
  in_doubt_ = false;
  return "";
}

}  // namespace tideover::journal
