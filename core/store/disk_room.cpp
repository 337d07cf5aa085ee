#include "core/store/disk_room.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

namespace tideover::store {

bool has_space_beside(const std::filesystem::path& file, std::size_t bytes) noexcept {
  const std::string name = file.string() + "-room";
  const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return false;
  const std::array<char, 1 << 16> block{};
  bool written = true;
  for (std::size_t left = bytes; left > 0 && written;) {
    const auto count = ::write(descriptor, block.data(), std::min(left, block.size()));
    written = count > 0;
    if (written) left -= static_cast<std::size_t>(count);
  }
  const bool fits = written && ::fsync(descriptor) == 0;
  ::close(descriptor);
  ::unlink(name.c_str());
  return fits;
}

}  // namespace tideover::store
