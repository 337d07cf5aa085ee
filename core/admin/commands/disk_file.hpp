// A file on disk that a command reads.
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/ports/plugins/byte_source.hpp"

namespace tideover::admin {

/// Sequential read of a file. Throws StartError when it cannot be opened.
class DiskFile final : public ports::ByteSource {
 public:
  explicit DiskFile(std::filesystem::path path);
  domain::Result<std::size_t> read(char* into, std::size_t capacity) override;
  std::int64_t size() const { return size_; }
  std::int64_t taken() const { return taken_; }

 private:
  const std::filesystem::path path_;
  std::ifstream stream_;
  std::int64_t size_ = 0;
  std::int64_t taken_ = 0;
};

/// Compression by its first bytes: gzip | zstd | none.
std::string coding_of(const std::filesystem::path& file);
/// Its name without the extension of the compression.
std::filesystem::path unpacked_name(std::filesystem::path file);

/// A new file that only its owner can read: its content names claims. Throws StartError when it cannot be written.
std::ofstream private_file(const std::filesystem::path& path);

}  // namespace tideover::admin
