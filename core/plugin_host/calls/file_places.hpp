// Limits how many files the formats read at the same time, and who owns their bytes. Reading blocks the caller, so
// formats that hang could block all workers of the service: requests above the limit are refused at once. Thread-safe.
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

/// Holds a slot during its lifetime; false when none was free.
class FilePlace {
 public:
  explicit FilePlace(FilePlaces& places) : places_(places), is_taken_(--places.left >= 0) {}
  ~FilePlace() { ++places_.left; }
  FilePlace(const FilePlace&) = delete;
  FilePlace& operator=(const FilePlace&) = delete;
  explicit operator bool() const { return is_taken_; }
  static domain::Error refusal() {
    return domain::Error::of(domain::ErrorCode::service_unavailable,
                             "The service is reading too many files at the moment. Retry later.");
  }

 private:
  FilePlaces& places_;
  const bool is_taken_;
};

/// The bytes lent to a parser, and how long its caller waits. A call that can be abandoned owns a copy. A file above
/// the limit of requests comes from an operator's command: it is lent without a copy, and its caller waits for the
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
