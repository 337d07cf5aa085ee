// Cache of table files: an unchanged file is neither hashed nor read again, so that a change of a rule does not wait
// for millions of rows. A file is recognized by inode, size and time of change. Thread-safe.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/tables/table_file.hpp"

namespace tideover::tables {

class TableFileCache {
 public:
  /// SHA-256 of the file in hex; "" when it is unreadable or larger than kLargestTableFile.
  std::string digest_of(const std::filesystem::path& file);
  /// The rows of the file. Its digest is compared with `provenance`: a file that has changed since is a fault.
  std::shared_ptr<const TableReading> read(const std::filesystem::path& file, const Schema& schema,
                                           const Provenance& provenance);

 private:
  struct Stamp {
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t changed_ns = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Known {
    Stamp stamp;
    std::string sha256;
  };
  struct Read {
    std::string made_of;  // digest, schema and provenance
    std::shared_ptr<const TableReading> reading;
  };
  static bool look_at(const std::filesystem::path& file, Stamp& stamp);

  std::mutex mutex_;
  std::map<std::filesystem::path, Known> digests_;
  std::map<std::filesystem::path, Read> readings_;
};

}  // namespace tideover::tables
