// PickupFolder on a local disk.
//
// Threads: one thread at a time.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/pickup_folder.hpp"

namespace tideover::pickup {

struct DiskFolderOptions {
  std::filesystem::path path;
  bool is_own_inbox = false;                    // new files are in the folder itself, not in inbox/
  std::vector<std::string> temporary_suffixes;  // names with these ends are left alone, and names that begin with a dot
  std::int64_t most_bytes = std::int64_t{32} << 20;  // of one file
};

class DiskFolder final : public ports::PickupFolder {
 public:
  /// Creates missing folders: the folder itself, archive/, quarantine/ and answers/ with mode 0750, inbox/ with mode
  /// 0770. Error validation_error with path, cause and remedy for a folder that cannot be used.
  static domain::Result<std::unique_ptr<DiskFolder>> open(DiskFolderOptions options);
  ~DiskFolder() override;
  DiskFolder(const DiskFolder&) = delete;
  DiskFolder& operator=(const DiskFolder&) = delete;

  domain::Result<ports::Inbox> list() override;
  domain::Result<ports::FileContent> read(const std::string& place) override;
  domain::Result<bool> exists(const std::string& place) override;
  domain::Status move(const std::string& from, const std::string& to) override;
  domain::Status write(const std::string& place, std::string_view text) override;
  domain::Status remove(const std::string& place) override;
  domain::Status prune_archive(domain::Date day) override;

 private:
  struct Opened;  // an open folder and the name of a file in it
  DiskFolder(DiskFolderOptions options, int base) : options_(std::move(options)), base_(base) {}
  domain::Result<Opened> locate(const std::string& place, bool creates);
  bool is_left_alone(const std::string& name) const;

  const DiskFolderOptions options_;
  const int base_;  // descriptor of the folder
};

}  // namespace tideover::pickup
