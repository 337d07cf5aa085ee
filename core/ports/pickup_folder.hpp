// A watched folder: `inbox`, `archive`, `quarantine` and `answers`. A place is "inbox/june.835" or
// "archive/2026-11-20/june.835". Names are in safe form: printable ASCII, where any other byte and '%' is written as
// %XX.
//
// Threads: one thread at a time.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/result.hpp"

namespace tideover::ports {

/// A regular file of the inbox that is not a temporary one.
struct InboxEntry {
  std::string name;
  std::int64_t bytes = 0;
  std::int64_t changed_ns = 0;  // its modification time
};

struct Inbox {
  std::vector<InboxEntry> files;     // by modification time, oldest first
  std::vector<std::string> skipped;  // names of directories, links, pipes and other things that are no regular file
};

struct FileContent {
  std::string bytes;
  std::string sha256;  // hex
  std::int64_t changed_ns = 0;
};

class PickupFolder {
 public:
  virtual ~PickupFolder() = default;
  virtual domain::Result<Inbox> list() = 0;
  /// Error not_found for a missing file and for anything that is no regular file, payload_too_large beyond the limit,
  /// conflict when the file changes meanwhile, service_unavailable when it cannot be read.
  virtual domain::Result<FileContent> read(const std::string& place) = 0;
  virtual domain::Result<bool> exists(const std::string& place) = 0;
  /// Durable when it returns. Never replaces a file: Error conflict when `to` exists. Error not_found without `from`.
  virtual domain::Status move(const std::string& from, const std::string& to) = 0;
  /// Writes a file as a whole or not at all; durable when it returns. The same text again changes nothing. Error
  /// conflict when the file has another text.
  virtual domain::Status write(const std::string& place, std::string_view text) = 0;
  /// A missing file is no error.
  virtual domain::Status remove(const std::string& place) = 0;
  /// Removes the folders of the archive of days before `day`, a few at a time.
  virtual domain::Status prune_archive(domain::Date day) = 0;
};

}  // namespace tideover::ports
