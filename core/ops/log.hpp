// The log of the service: one line per event. An event has a constant name and named values of a few plain types. There
// is no format string and no stream, so that no value gets in by accident: domain::Sensitive does not compile here.
// Never log bodies, keys, secrets or names of patients. Thread-safe. Passed by reference from core/service; there is no
// global logger.
#pragma once
#include <chrono>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace tideover::ops {

enum class LogLevel { debug, info, warning, error };
enum class LogFormat { json, text };

/// A value in a log line: text, a whole number, true or false. Refers to the text, so use it within the call only.
class LogValue {
 public:
  LogValue(std::string_view text) : value_(text) {}
  LogValue(const std::string& text) : value_(std::string_view(text)) {}
  LogValue(const char* text) : value_(std::string_view(text)) {}
  template <std::same_as<bool> T>
  LogValue(T value) : value_(value) {}
  template <std::signed_integral T>
  requires(!std::same_as<T, char>) LogValue(T value) : value_(static_cast<std::int64_t>(value)) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char>) LogValue(T value)
      : value_(static_cast<std::uint64_t>(value)) {}

  const std::variant<std::string_view, bool, std::int64_t, std::uint64_t>& value() const { return value_; }

 private:
  std::variant<std::string_view, bool, std::int64_t, std::uint64_t> value_;
};

struct LogField {
  std::string_view name;
  LogValue value;
};

/// The output of the log: a file, which is appended to and can be reopened after rotation, or standard error.
class LogOutput {
 public:
  static LogOutput standard_error();
  /// Opens the output, or returns the reason. The file is created with mode 640.
  static std::variant<LogOutput, std::string> to_file(std::filesystem::path path);

  /// Standard error while the file cannot be opened; reopen() tries again.
  static LogOutput in_place_of(std::filesystem::path path);

  LogOutput(LogOutput&& other) noexcept;
  LogOutput& operator=(LogOutput&&) = delete;
  ~LogOutput();

  /// False when the line was not written completely; the next line then starts on a new line.
  bool write(std::string_view line);
  /// Reopens the path after log rotation; keeps the old file on failure. Standard error stays as it is.
  bool reopen();

 private:
  LogOutput(int descriptor, std::filesystem::path path) : descriptor_(descriptor), path_(std::move(path)) {}

  int descriptor_;
  bool torn_ = false;           // a line was written partly
  std::filesystem::path path_;  // empty = standard error, which is not closed here
};

class Logger {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;

  Logger(LogOutput output, LogLevel least, LogFormat format, Clock clock = &std::chrono::system_clock::now);
  Logger(Logger&&) noexcept;
  ~Logger();

  bool writes(LogLevel level) const { return level >= least_; }

  /// log.info("http_request", {{"request_id", id}, {"status", 200}});
  void info(std::string_view event, std::initializer_list<LogField> fields = {}) { log(LogLevel::info, event, fields); }
  void warning(std::string_view event, std::initializer_list<LogField> fields = {}) {
    log(LogLevel::warning, event, fields);
  }
  void error(std::string_view event, std::initializer_list<LogField> fields = {}) {
    log(LogLevel::error, event, fields);
  }
  void log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields);

  /// Writes the waiting lines: lines below warning may wait for a tenth of a second.
  void flush();
  /// For SIGHUP; false when the file could not be reopened.
  bool reopen();
  /// Number of lines that could not be written, e.g. because the disk is full. Logging never fails its caller.
  std::uint64_t lost_lines() const;

 private:
  struct Sink;

  const LogLevel least_;
  const LogFormat format_;
  const Clock clock_;
  std::unique_ptr<Sink> sink_;
};

}  // namespace tideover::ops
