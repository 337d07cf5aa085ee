// Files for formats: how many all formats read at once, and who owns their bytes. Reading holds its caller, so that
// formats which hang could hold every worker of the service: what is above the limit is refused at once. Thread-safe.
#pragma once
#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

#include "core/domain/basics/result.hpp"
#include "core/plugin_host/calls/host_services.hpp"

namespace tideover::plugin_host {

struct FilePlaces {
  explicit FilePlaces(int most) : left(most) {}
  std::atomic<int> left;
};

/// Takes a place while it lives; false when none was left.
class FilePlace {
 public:
  explicit FilePlace(FilePlaces& places) : places_(places), is_taken_(--places.left >= 0) {}
  ~FilePlace() { ++places_.left; }
  FilePlace(const FilePlace&) = delete;
  FilePlace& operator=(const FilePlace&) = delete;
  explicit operator bool() const { return is_taken_; }
  static domain::Error refusal() {
    return domain::Error::of(domain::ErrorCode::service_unavailable,
                             "The service reads as many files as it can at once. Send the file again later.");
  }

 private:
  FilePlaces& places_;
  const bool is_taken_;
};

/// The bytes that a parser is lent, and for how long its caller waits. A call that can be given up owns a copy. A file
/// that is larger than any request comes from an operator's command: it is lent as it is, and its caller waits for the
/// plugin.
class LentFile {
 public:
  LentFile(std::string_view given, std::chrono::milliseconds wanted)
      : is_copied_(wanted != CallBudgets::kNoDeadline && given.size() <= kLargestCopy),
        copy_(is_copied_ ? given : std::string_view()),
        given_(given),
        budget_(is_copied_ ? wanted : CallBudgets::kNoDeadline) {}
  LentFile(const LentFile&) = delete;
  LentFile& operator=(const LentFile&) = delete;
  std::string_view bytes() const { return is_copied_ ? copy_ : given_; }
  std::chrono::milliseconds budget() const { return budget_; }

 private:
  static constexpr std::size_t kLargestCopy = 64 << 20;
  const bool is_copied_;
  const std::string copy_;
  const std::string_view given_;
  const std::chrono::milliseconds budget_;
};

}  // namespace tideover::plugin_host
