// How many files all formats read at once. Reading holds its caller, so that formats which hang could hold every worker of the service:
// what is above the limit is refused at once. Thread-safe.
#pragma once
#include <atomic>

#include "core/domain/result.hpp"

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
    return domain::Error::of(domain::ErrorCode::service_unavailable, "The service reads as many files as it can at once. Send the file again later.");
  }

 private:
  FilePlaces& places_;
  const bool is_taken_;
};

}  // namespace tideover::plugin_host
