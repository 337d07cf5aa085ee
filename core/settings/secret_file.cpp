#include "core/settings/secret_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace tideover::settings {

std::variant<std::string, SettingsError> read_secret_file(const std::filesystem::path& path) {
  constexpr std::size_t kMaxBytes = 4096;
  const auto refuse = [&](std::string message) { return SettingsError{path.string(), std::move(message)}; };

  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return refuse(std::string("cannot open the secret file: ") + std::strerror(errno));
  std::array<char, kMaxBytes + 1> buffer;
  struct stat status {};
  const bool inspected = ::fstat(file, &status) == 0;
  const ssize_t size = inspected ? ::read(file, buffer.data(), buffer.size()) : -1;
  const int failure = errno;
  ::close(file);

  if (size < 0) return refuse(std::string("cannot read the secret file: ") + std::strerror(failure));
  if ((status.st_mode & 077) != 0) return refuse("other users may read or write the secret file; run chmod 600 on it");
  std::string secret(buffer.data(), static_cast<std::size_t>(size));
  if (secret.size() > kMaxBytes) return refuse("the secret file is larger than 4 KiB");
  if (secret.ends_with('\n')) secret.pop_back();
  if (secret.empty()) return refuse("the secret file is empty");
  if (secret.find('\n') != std::string::npos) return refuse("the secret file has more than one line");
  return secret;
}

}  // namespace tideover::settings
