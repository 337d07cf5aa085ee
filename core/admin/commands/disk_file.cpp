#include "core/admin/commands/disk_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "core/node/start_error.hpp"

namespace tideover::admin {

namespace fs = std::filesystem;

DiskFile::DiskFile(fs::path path) : path_(std::move(path)), stream_(path_, std::ios::binary) {
  std::error_code problem;
  const auto size = fs::file_size(path_, problem);
  const int reason = errno;
  if (!stream_ || problem)
    throw node::StartError("The file " + path_.string() + " cannot be read: " +
                           (problem ? problem : std::error_code(reason, std::generic_category())).message() +
                           ". Note that a running service reads it with the rights of its own user.");
  size_ = static_cast<std::int64_t>(size);
}

domain::Result<std::size_t> DiskFile::read(char* into, std::size_t capacity) {
  stream_.read(into, static_cast<std::streamsize>(capacity));
  if (stream_.bad())
    return domain::Error::of(domain::ErrorCode::service_unavailable,
                             "The file " + path_.string() + " cannot be read to its end.");
  const auto count = static_cast<std::size_t>(stream_.gcount());
  taken_ += static_cast<std::int64_t>(count);
  return count;
}

std::string coding_of(const fs::path& file) {
  std::array<char, 4> magic{};
  std::ifstream(file, std::ios::binary).read(magic.data(), magic.size());
  const std::string_view begins(magic.data(), magic.size());
  return begins.starts_with("\x1f\x8b") ? "gzip" : begins == "\x28\xb5\x2f\xfd" ? "zstd" : "none";
}

fs::path unpacked_name(fs::path file) {
  if (file.extension() == ".gz" || file.extension() == ".zst") file.replace_extension();
  return file;
}

std::ofstream private_file(const fs::path& path) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  if (!stream) throw node::StartError("The file " + path.string() + " cannot be written.");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  return stream;
}

}  // namespace tideover::admin
