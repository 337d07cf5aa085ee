#include "core/store/sql/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include "core/store/sql/error.hpp"

namespace tideover::sql {

FileLock::FileLock(const std::filesystem::path& file) {
  const std::string path = file.string() + ".lock";
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor_ < 0) {
    throw SqlError(SqlError::Kind::io, errno,
                   "cannot create " + path + ": " + std::generic_category().message(errno) +
                       "; the directory must exist and be writable");
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    std::array<char, 32> holder{};
    const ssize_t length = ::pread(descriptor_, holder.data(), holder.size() - 1, 0);
    ::close(descriptor_);
    throw SqlError(SqlError::Kind::in_use, 0,
                   "the database " + file.string() + " is in use by process " +
                       (length > 0 ? std::string(holder.data()) : std::string("(unknown)")) +
                       "; only one process may open it");
  }
  const std::string own = std::to_string(::getpid());
  // The number is only for the message above, so a failed write does not matter.
  if (::ftruncate(descriptor_, 0) == 0) {
    [[maybe_unused]] const ssize_t written = ::pwrite(descriptor_, own.data(), own.size(), 0);
  }
}

FileLock::~FileLock() {
  ::close(descriptor_);
}

}  // namespace tideover::sql
