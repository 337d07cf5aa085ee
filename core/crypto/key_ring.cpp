#include "core/crypto/key_ring.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "core/crypto/encoding.hpp"

namespace tideover::crypto {
namespace {

constexpr std::size_t kMasterKeyBytes = 32;
constexpr std::size_t kMaxKidLength = 16;
constexpr std::string_view kLastingKid = "lasting";
constexpr std::size_t kMaxFileBytes = 64 * 1024;

class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  ~FileDescriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

KeyRingError failed(const std::filesystem::path& path, std::string_view doing) {
  return {path.string() + ": " + std::string(doing) + ": " + std::strerror(errno)};
}

bool is_kid(std::string_view text) {
  const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !text.empty() && text.size() <= kMaxKidLength && std::all_of(text.begin(), text.end(), allowed);
}

std::string new_line(std::string_view kid) {
  SecretBytes master(kMasterKeyBytes);
  fill_random(master.writable());
  return std::string(kid) + ":" + hex_encode(master.view()) + "\n";
}

// Writes a fresh ring beside the target and links it into place: the file appears whole or not at all, and a process
// that was faster wins.
std::optional<KeyRingError> create(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return failed(path, "cannot create its folder");

  const std::string draft = path.string() + ".new." + hex_encode(random_bytes(8));
  const FileDescriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open()) return failed(path, "cannot create a key file in its folder");

  const std::string kid = "k" + hex_encode(random_bytes(4));
  std::string lines = new_line(kLastingKid) + new_line(kid);
  const bool written =
      ::write(file.get(), lines.data(), lines.size()) == static_cast<ssize_t>(lines.size()) && ::fsync(file.get()) == 0;
  wipe(lines);
  std::optional<KeyRingError> error;
  if (!written) {
    error = failed(path, "cannot write a new key");
  } else if (::link(draft.c_str(), path.c_str()) != 0 && errno != EEXIST) {
    error = failed(path, "cannot put the new key file in place");
  }
  ::unlink(draft.c_str());
  if (!error) {
    const FileDescriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory.is_open() || ::fsync(directory.get()) != 0) error = failed(path, "cannot sync its folder");
  }
  return error;
}

}  // namespace

MasterKey::MasterKey(std::string kid, SecretBytes master)
    : kid_(std::move(kid)),
      master_(std::move(master)),
      access_token_key_(derive("access-token-v1", 32).view()),
      client_secret_key_(derive("client-secret-v1", 32).view()) {}

SecretBytes MasterKey::derive(std::string_view label, std::size_t size) const {
  return hkdf_sha256(master_.view(), label, size);
}

std::variant<KeyRing, KeyRingError> KeyRing::parse(const std::filesystem::path& path, std::string_view text) {
  std::vector<MasterKey> keys;
  std::optional<MasterKey> lasting;
  std::size_t line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;

    const auto refuse = [&](std::string_view why) {
      return KeyRingError{path.string() + ":" + std::to_string(line_number) + ": " + std::string(why)};
    };
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return refuse("expected `kid:key`, found no colon");
    const std::string_view kid = line.substr(0, colon);
    if (!is_kid(kid)) return refuse("a key id is 1 to 16 characters of a-z, 0-9 and -");
    const auto same_kid = [&](const MasterKey& key) { return key.kid() == kid; };
    if (std::any_of(keys.begin(), keys.end(), same_kid) || (lasting && kid == kLastingKid)) {
      return refuse("the key id appears twice; give each key its own");
    }
    std::optional<Bytes> master = hex_decode(line.substr(colon + 1));
    if (!master || master->size() != kMasterKeyBytes) return refuse("the key is not 64 lower-case hex digits");
    MasterKey key{std::string(kid), SecretBytes(*master)};
    wipe(*master);
    if (kid == kLastingKid) {
      lasting = std::move(key);
    } else {
      keys.push_back(std::move(key));
    }
  }
  if (keys.empty()) {
    return KeyRingError{path.string() + ": holds no key; delete the file to have one created, or restore it"};
  }
  if (!lasting) {
    return KeyRingError{path.string() +
                        ": the line `lasting:<64 hex digits>` is missing; restore it, for another value would make "
                        "stored digests useless"};
  }
  return KeyRing(std::move(keys), std::move(*lasting));
}

std::variant<KeyRing, KeyRingError> KeyRing::open(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return failed(path, "cannot open the key file");
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return failed(path, "cannot inspect the key file");
  if (!S_ISREG(status.st_mode)) return KeyRingError{path.string() + ": is not a regular file"};
  if ((status.st_mode & 077) != 0) {
    return KeyRingError{path.string() + ": other users may read or write the key file; run chmod 600 on it"};
  }
  if (static_cast<std::size_t>(status.st_size) > kMaxFileBytes) {
    return KeyRingError{path.string() + ": larger than 64 KiB; this is not a key file"};
  }

  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  if (::read(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return failed(path, "cannot read the key file");
  }
  auto parsed = parse(path, text);
  wipe(text);
  return parsed;
}

std::variant<KeyRing, KeyRingError> KeyRing::open_or_create(const std::filesystem::path& path) {
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) {
    if (std::optional<KeyRingError> error = create(path)) return std::move(*error);
  }
  return open(path);
}

const MasterKey* KeyRing::find(std::string_view kid) const {
  const auto found = std::find_if(keys_.begin(), keys_.end(), [&](const MasterKey& key) { return key.kid() == kid; });
  return found == keys_.end() ? nullptr : &*found;
}

}  // namespace tideover::crypto
