#include "core/admin/commands/unpacked_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include "core/admin/commands/disk_file.hpp"
#include "core/jobs/payload_decoder.hpp"

namespace tideover::admin {
namespace {

namespace fs = std::filesystem;
using domain::Error;
using domain::ErrorCode;

/// No size limit for a file of the operator, but protection against decompression bombs.
constexpr jobs::PayloadLimits kLimits{std::numeric_limits<std::int64_t>::max(), 1000};
constexpr std::size_t kPiece = std::size_t{256} * 1024;

/// Closes the descriptor of a file.
struct Descriptor {
  int number = -1;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

Error cannot_write_copy(const fs::path& folder, int problem) {
  return Error::of(ErrorCode::service_unavailable, "Cannot write the decompressed copy to " + folder.string() + " (" +
                                                       std::generic_category().message(problem) +
                                                       "). Set TMPDIR to a directory with enough space.");
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

domain::Result<UnpackedFile> UnpackedFile::of(const fs::path& path) {
  DiskFile file(path);
  jobs::PayloadDecoder decoder(kLimits);
  auto decoded = decoder.decode(coding_of(path), file);
  if (!decoded) return decoded.error();

  const auto folder = fs::temp_directory_path();
  std::string name = (folder / "tideover-XXXXXX").string();
  const Descriptor copy{::mkostemp(name.data(), O_CLOEXEC)};
  if (copy.number < 0) return cannot_write_copy(folder, errno);
  ::unlink(name.c_str());
  std::string piece(kPiece, '\0');
  std::size_t size = 0;
  for (;;) {
    const auto count = (*decoded)->read(piece.data(), piece.size());
    if (!count) return count.error();
    if (*count == 0) break;
    if (!write_all(copy.number, {piece.data(), *count})) return cannot_write_copy(folder, errno);
    size += *count;
  }
  if (size == 0) return UnpackedFile({});
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, copy.number, 0);
  if (mapped == MAP_FAILED) return cannot_write_copy(folder, errno);
  ::madvise(mapped, size, MADV_SEQUENTIAL);
  return UnpackedFile({static_cast<const char*>(mapped), size});
}

UnpackedFile::UnpackedFile(UnpackedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

UnpackedFile::~UnpackedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace tideover::admin
