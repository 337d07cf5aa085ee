#include "core/crypto/key_ring.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "core/crypto/primitives/encoding.hpp"

namespace tideover::crypto {
namespace {

constexpr std::size_t kMasterKeyBytes = 32;
constexpr std::size_t kMaxKidLength = 16;
constexpr std::string_view kLastingKid = "lasting";
constexpr std::size_t kMaxFileBytes = std::size_t{64} * 1024;

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

std::string new_kid() {
  return "k" + hex_encode(random_bytes(4));
}

std::string new_line(std::string_view kid) {
  SecretBytes master(kMasterKeyBytes);
  fill_random(master.writable());
  return std::string(kid) + ":" + hex_encode(master.view()) + "\n";
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

std::optional<KeyRingError> sync_folder(const std::filesystem::path& path) {
  const FileDescriptor directory(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open() || ::fsync(directory.get()) != 0) return failed(path, "cannot sync its directory");
  return std::nullopt;
}

/// Writes a key ring next to the target and moves it there with `place`: the file appears completely or not at all.
template <class Place>
std::optional<KeyRingError> put(const std::filesystem::path& path, std::string_view lines, Place place) {
  const std::string draft = path.string() + ".new." + hex_encode(random_bytes(8));
  const FileDescriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open()) return failed(path, "cannot create a key file in its directory");
  std::optional<KeyRingError> error;
  if (::write(file.get(), lines.data(), lines.size()) != static_cast<ssize_t>(lines.size()) ||
      ::fsync(file.get()) != 0) {
    error = failed(path, "cannot write the keys");
  } else if (!place(draft.c_str())) {
    error = failed(path, "cannot rename the new key file");
  }
  ::unlink(draft.c_str());
  return error ? error : sync_folder(path);
}

/// Creates a key ring with random keys. If another process was faster, its key ring is used.
std::optional<KeyRingError> create(const std::filesystem::path& path) {
  if (::mkdir(folder_of(path).c_str(), 0700) != 0 && errno != EEXIST)
    return failed(path, "cannot create its directory");
  std::string lines = new_line(kLastingKid) + new_line(new_kid());
  auto error = put(path, lines, [&](const char* draft) { return ::link(draft, path.c_str()) == 0 || errno == EEXIST; });
  wipe(lines);
  return error;
}

/// Identifies a version of the file.
struct Version {
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t changed_ns = 0;
  bool operator==(const Version&) const = default;
};

struct Keys {
  std::vector<MasterKey> rotated;  // never empty; the last one is current
  std::shared_ptr<const MasterKey> lasting;

  const MasterKey* find(std::string_view kid) const {
    const auto found =
        std::find_if(rotated.begin(), rotated.end(), [&](const MasterKey& key) { return key.kid() == kid; });
    return found == rotated.end() ? nullptr : &*found;
  }
};

/// A key file as read.
struct File {
  FileDescriptor descriptor;
  Version version;
  std::string text;

  explicit File(int opened) : descriptor(opened) {}
  ~File() { wipe(text); }
};

std::variant<std::unique_ptr<File>, KeyRingError> read_file(const std::filesystem::path& path) {
  auto file = std::make_unique<File>(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file->descriptor.is_open()) return failed(path, "cannot open the key file");
  struct stat status {};
  if (::fstat(file->descriptor.get(), &status) != 0) return failed(path, "cannot inspect the key file");
  if (!S_ISREG(status.st_mode)) return KeyRingError{path.string() + ": is not a regular file"};
  if ((status.st_mode & 077) != 0) {
    return KeyRingError{path.string() + ": other users can read or write the key file; run chmod 600 on it"};
  }
  if (static_cast<std::size_t>(status.st_size) > kMaxFileBytes) {
    return KeyRingError{path.string() + ": larger than 64 KiB; this is not a key file"};
  }
  file->version = {status.st_ino, status.st_size, status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec};
  file->text.resize(static_cast<std::size_t>(status.st_size));
  if (::read(file->descriptor.get(), file->text.data(), file->text.size()) != static_cast<ssize_t>(file->text.size())) {
    return failed(path, "cannot read the key file");
  }
  return file;
}

/// Calls `take(line)` for each line, without its line end.
template <class Take>
void for_each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::variant<std::shared_ptr<const Keys>, KeyRingError> parse(const std::filesystem::path& path,
                                                              std::string_view text) {
  auto keys = std::make_shared<Keys>();
  std::optional<KeyRingError> refusal;
  std::size_t line_number = 0;
  for_each_line(text, [&](std::string_view line) {
    ++line_number;
    if (line.empty() || line.starts_with('#') || refusal) return;
    const auto refuse = [&](std::string_view why) {
      refusal = KeyRingError{path.string() + ":" + std::to_string(line_number) + ": " + std::string(why)};
    };
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return refuse("expected `kid:key`, found no colon");
    const std::string_view kid = line.substr(0, colon);
    if (!is_kid(kid)) return refuse("a key id must be 1 to 16 characters of a-z, 0-9 and -");
    if (keys->find(kid) || (keys->lasting && kid == kLastingKid)) {
      return refuse("duplicate key id; give each key its own id");
    }
    std::optional<Bytes> master = hex_decode(line.substr(colon + 1));
    if (!master || master->size() != kMasterKeyBytes) return refuse("the key is not 64 lower-case hex digits");
    MasterKey key{std::string(kid), SecretBytes(*master)};
    wipe(*master);
    if (kid == kLastingKid) {
      keys->lasting = std::make_shared<const MasterKey>(std::move(key));
    } else {
      keys->rotated.push_back(std::move(key));
    }
  });
  if (refusal) return *refusal;
  if (keys->rotated.empty()) {
    return KeyRingError{path.string() + ": has no key; restore the file, or delete it to have a new one created"};
  }
  if (!keys->lasting) {
    return KeyRingError{path.string() +
                        ": the line `lasting:<64 hex digits>` is missing; restore it. Another value would make "
                        "stored digests useless"};
  }
  return keys;
}

std::string_view kid_of(std::string_view line) {
  return line.substr(0, std::min(line.find(':'), line.size()));
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

struct KeyRing::Shared {
  std::filesystem::path path;
  std::mutex file_mutex;  // only one thread at a time reads or writes the file
  Version version;
  mutable std::mutex keys_mutex;
  std::shared_ptr<const Keys> keys;
  std::shared_ptr<const MasterKey> lasting;  // never changes during the life of the key ring

  std::shared_ptr<const Keys> snapshot() const {
    const std::lock_guard lock(keys_mutex);
    return keys;
  }

  std::variant<bool, KeyRingError> take_over(const File& file) {
    if (file.version == version) return false;
    auto parsed = parse(path, file.text);
    if (auto* error = std::get_if<KeyRingError>(&parsed)) return std::move(*error);
    auto fresh = std::get<std::shared_ptr<const Keys>>(std::move(parsed));
    if (lasting && !lasting->same_as(*fresh->lasting)) {
      return KeyRingError{path.string() + ": the lasting key has changed; restore it. The old keys stay in use"};
    }
    for (const MasterKey& key : fresh->rotated) {
      const MasterKey* known = keys ? keys->find(key.kid()) : nullptr;
      if (known && !known->same_as(key)) {
        return KeyRingError{path.string() + ": key " + key.kid() + " has changed; give a new key its own id"};
      }
    }
    version = file.version;
    if (!lasting) lasting = fresh->lasting;
    const std::lock_guard lock(keys_mutex);
    keys = std::move(fresh);
    return true;
  }

  /// Replaces the text of the file by `edit(text)`, with a lock against other processes.
  template <class Edit>
  std::optional<KeyRingError> rewrite(Edit edit) {
    auto read = read_file(path);
    if (auto* error = std::get_if<KeyRingError>(&read)) return std::move(*error);
    const auto& file = std::get<std::unique_ptr<File>>(read);
    struct stat now {};
    if (::flock(file->descriptor.get(), LOCK_EX | LOCK_NB) != 0 || ::stat(path.c_str(), &now) != 0 ||
        now.st_ino != file->version.inode) {
      return KeyRingError{path.string() + ": another process is changing the key file; try again"};
    }
    std::string lines = edit(file->text);
    auto error = put(path, lines, [&](const char* draft) { return ::rename(draft, path.c_str()) == 0; });
    wipe(lines);
    if (error) return error;
    auto written = read_file(path);
    if (auto* failure = std::get_if<KeyRingError>(&written)) return std::move(*failure);
    auto taken = take_over(*std::get<std::unique_ptr<File>>(written));
    if (auto* failure = std::get_if<KeyRingError>(&taken)) return std::move(*failure);
    return std::nullopt;
  }
};

KeyRing::KeyRing(std::unique_ptr<Shared> shared) : shared_(std::move(shared)) {}
KeyRing::KeyRing(KeyRing&&) noexcept = default;
KeyRing& KeyRing::operator=(KeyRing&&) noexcept = default;
KeyRing::~KeyRing() = default;

std::variant<KeyRing, KeyRingError> KeyRing::open(const std::filesystem::path& path) {
  KeyRing ring(std::make_unique<Shared>());
  ring.shared_->path = path;
  auto loaded = ring.reload();
  if (auto* error = std::get_if<KeyRingError>(&loaded)) return std::move(*error);
  return ring;
}

std::variant<KeyRing, KeyRingError> KeyRing::open_or_create(const std::filesystem::path& path) {
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) {
    if (std::optional<KeyRingError> error = create(path)) return std::move(*error);
  }
  return open(path);
}

std::shared_ptr<const MasterKey> KeyRing::current() const {
  auto keys = shared_->snapshot();
  const MasterKey* key = &keys->rotated.back();
  return {std::move(keys), key};
}

std::shared_ptr<const MasterKey> KeyRing::find(std::string_view kid) const {
  auto keys = shared_->snapshot();
  const MasterKey* key = keys->find(kid);
  if (key == nullptr) return nullptr;
  return {std::move(keys), key};
}

std::vector<std::string> KeyRing::kids() const {
  std::vector<std::string> kids;
  for (const MasterKey& key : shared_->snapshot()->rotated) kids.push_back(key.kid());
  return kids;
}

const MasterKey& KeyRing::lasting() const {
  return *shared_->lasting;
}
const std::filesystem::path& KeyRing::path() const {
  return shared_->path;
}

std::variant<bool, KeyRingError> KeyRing::reload() {
  const std::lock_guard lock(shared_->file_mutex);
  auto read = read_file(shared_->path);
  if (auto* error = std::get_if<KeyRingError>(&read)) return std::move(*error);
  return shared_->take_over(*std::get<std::unique_ptr<File>>(read));
}

std::variant<std::string, KeyRingError> KeyRing::rotate() {
  const std::lock_guard lock(shared_->file_mutex);
  const std::string kid = new_kid();
  auto error = shared_->rewrite([&](std::string_view text) {
    std::string lines(text);
    if (!lines.ends_with('\n')) lines += '\n';
    return lines += new_line(kid);
  });
  if (error) return std::move(*error);
  return kid;
}

std::variant<std::string, KeyRingError> KeyRing::stage() {
  const std::lock_guard lock(shared_->file_mutex);
  const std::string kid = new_kid();
  const std::string current = shared_->snapshot()->rotated.back().kid();
  auto error = shared_->rewrite([&](std::string_view text) {
    std::string lines;
    for_each_line(text, [&](std::string_view line) {
      if (kid_of(line) == current) lines += new_line(kid);
      lines.append(line).append("\n");
    });
    return lines;
  });
  if (error) return std::move(*error);
  return kid;
}

std::optional<KeyRingError> KeyRing::make_current(std::string_view kid) {
  const std::lock_guard lock(shared_->file_mutex);
  if (!shared_->snapshot()->find(kid)) return KeyRingError{shared_->path.string() + ": has no key " + std::string(kid)};
  return shared_->rewrite([&](std::string_view text) {
    std::string lines, moved;
    for_each_line(text,
                  [&](std::string_view line) { (kid_of(line) == kid ? moved : lines).append(line).append("\n"); });
    return lines += moved;
  });
}

std::optional<KeyRingError> KeyRing::remove(std::string_view kid) {
  const std::lock_guard lock(shared_->file_mutex);
  const auto keys = shared_->snapshot();
  if (!keys->find(kid))
    return KeyRingError{shared_->path.string() + ": has no key " + std::string(kid) + " that can be removed"};
  if (keys->rotated.back().kid() == kid) {
    return KeyRingError{shared_->path.string() + ": " + std::string(kid) + " is the current key; rotate first"};
  }
  return shared_->rewrite([&](std::string_view text) {
    std::string rest;
    for_each_line(text, [&](std::string_view line) {
      if (kid_of(line) != kid) rest.append(line).append("\n");
    });
    return rest;
  });
}

}  // namespace tideover::crypto
