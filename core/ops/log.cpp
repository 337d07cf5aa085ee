#include "core/ops/log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "core/domain/basics/date.hpp"
#include "core/ops/json_text.hpp"

namespace tideover::ops {
namespace {

constexpr std::size_t kMaxValueBytes = 2048;
constexpr std::size_t kUsualLineBytes = 384;
constexpr std::array<std::string_view, 4> kLevelNames = {"debug", "info", "warning", "error"};

int open_for_append(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
}

// RFC 3339, UTC, milliseconds.
std::string timestamp(std::chrono::system_clock::time_point now) {
  return domain::format_timestamp(
      domain::Timestamp::from_ms(std::chrono::floor<std::chrono::milliseconds>(now).time_since_epoch().count()));
}

void append_value(std::string& line, const LogValue& value) {
  std::visit(
      [&](const auto& held) {
        using T = std::remove_cvref_t<decltype(held)>;
        if constexpr (std::same_as<T, std::string_view>) {
          append_json_string(line, held.substr(0, kMaxValueBytes));
        } else if constexpr (std::same_as<T, bool>) {
          line += held ? "true" : "false";
        } else {
          line += std::to_string(held);
        }
      },
      value.value());
}

std::string json_line(std::string_view time, std::string_view level, std::string_view event,
                      std::initializer_list<LogField> fields) {
  std::string line;
  line.reserve(kUsualLineBytes);
  line = R"({"time":")";
  line.append(time).append(R"(","level":")").append(level).append(R"(","event":)");
  append_json_string(line, event);
  for (const LogField& field : fields) {
    line += ',';
    append_json_string(line, field.name);
    line += ':';
    append_value(line, field.value);
  }
  line += "}\n";
  return line;
}

std::string text_line(std::string_view time, std::string_view level, std::string_view event,
                      std::initializer_list<LogField> fields) {
  std::string line(time);
  line.append(" ").append(level).append(" ").append(event);
  for (const LogField& field : fields) {
    line.append(" ").append(field.name).append("=");
    append_value(line, field.value);
  }
  line += '\n';
  return line;
}

}  // namespace

LogOutput LogOutput::standard_error() {
  return LogOutput(STDERR_FILENO, {});
}

std::variant<LogOutput, std::string> LogOutput::to_file(std::filesystem::path path) {
  const int descriptor = open_for_append(path);
  if (descriptor < 0) return path.string() + ": cannot open the log file: " + std::strerror(errno);
  return LogOutput(descriptor, std::move(path));
}

LogOutput LogOutput::in_place_of(std::filesystem::path path) {
  return LogOutput(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0), std::move(path));
}

LogOutput::LogOutput(LogOutput&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, STDERR_FILENO)), path_(std::exchange(other.path_, {})) {}

LogOutput::~LogOutput() {
  if (!path_.empty()) ::close(descriptor_);
}

bool LogOutput::write(std::string_view line) {
  if (torn_ && ::write(descriptor_, "\n", 1) != 1) return false;
  torn_ = false;
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      torn_ = rest.size() != line.size();
      return false;
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool LogOutput::reopen() {
  if (path_.empty()) return true;
  const int descriptor = open_for_append(path_);
  if (descriptor < 0) return false;
  ::close(std::exchange(descriptor_, descriptor));
  return true;
}

// A system call per line would cost more than the line itself. Lines are therefore collected, and a thread writes them
// within kDelay. A warning or an error is written at once, together with all earlier lines.
struct Logger::Sink {
  explicit Sink(LogOutput given)
      : output(std::move(given)), writer([this](const std::stop_token& stop) { write_now_and_then(stop); }) {}

  ~Sink() {
    writer.request_stop();
    writer.join();
    write();
  }

  void add(std::string_view line, bool at_once) {
    const std::lock_guard lock(mutex);
    const bool first = gathered.empty();
    gathered += line;
    if (at_once || gathered.size() >= kMostGathered) return write();
    if (first) came.notify_one();
  }

  /// The caller holds the lock.
  void write() {
    if (!output.write(gathered))
      lost_lines += static_cast<std::uint64_t>(std::count(gathered.begin(), gathered.end(), '\n'));
    gathered.clear();
  }

  void write_now_and_then(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (came.wait(lock, stop, [this] { return !gathered.empty(); })) {
      came.wait_for(lock, stop, kDelay, [] { return false; });
      write();
    }
  }

  static constexpr std::chrono::milliseconds kDelay{100};
  static constexpr std::size_t kMostGathered = std::size_t{64} * 1024;

  std::mutex mutex;
  std::condition_variable_any came;
  LogOutput output;
  std::string gathered;
  std::uint64_t lost_lines = 0;
  std::jthread writer;  // last member: it uses all of the above
};

Logger::Logger(LogOutput output, LogLevel least, LogFormat format, Clock clock)
    : least_(least), format_(format), clock_(std::move(clock)), sink_(std::make_unique<Sink>(std::move(output))) {}
Logger::Logger(Logger&&) noexcept = default;
Logger::~Logger() = default;

void Logger::log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (!writes(level)) return;
  const std::string time = timestamp(clock_());
  const std::string_view name = kLevelNames[static_cast<std::size_t>(level)];
  sink_->add(format_ == LogFormat::json ? json_line(time, name, event, fields) : text_line(time, name, event, fields),
             level >= LogLevel::warning);
}

void Logger::flush() {
  const std::lock_guard lock(sink_->mutex);
  sink_->write();
}

bool Logger::reopen() {
  const std::lock_guard lock(sink_->mutex);
  sink_->write();
  return sink_->output.reopen();
}

std::uint64_t Logger::lost_lines() const {
  const std::lock_guard lock(sink_->mutex);
  sink_->write();
  return sink_->lost_lines;
}

}  // namespace tideover::ops
