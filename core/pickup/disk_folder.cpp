#include "core/pickup/disk_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"
#include "core/pickup/safe_name.hpp"

namespace tideover::pickup {
namespace {

using domain::Error;
using domain::ErrorCode;

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t kFolderMode = 0750, kInboxMode = 0770, kFileMode = 0640;
constexpr std::array kOwnFolders{"archive", "quarantine", "answers"};
constexpr std::string_view kTemporaryName = ".tideover.tmp";
constexpr std::size_t kFilesPrunedAtOnce = 1000;
constexpr std::size_t kMostListed = 10'000;
constexpr std::size_t kMostSkipped = 100;

class Handle {
 public:
  explicit Handle(int number) : number_(number) {}
  Handle(Handle&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Handle() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

using Entries = std::unique_ptr<DIR, int (*)(DIR*)>;

/// The entries of an open folder. Empty when it cannot be read: errno says why.
Entries entries_of(const Handle& folder) {
  Handle copy(::openat(folder.get(), ".", kFolderFlags));
  Entries entries(copy ? ::fdopendir(copy.get()) : nullptr, ::closedir);
  if (entries) copy.release();  // closedir() closes it
  return entries;
}

std::string reason_of(int number) {
  return std::generic_category().message(number);
}

Error failed(const std::string& what, int number) {
  return Error::of(ErrorCode::service_unavailable, what + ": " + reason_of(number) + ".");
}

Error missing() {
  return Error::of(ErrorCode::not_found, "The file is not there, or it is not a regular file.");
}

Error unusable(const std::filesystem::path& path, const std::string& why) {
  return Error::of(ErrorCode::validation_error, "The pickup folder " + path.string() + ' ' + why);
}

std::int64_t changed_ns(const struct stat& status) {
  return status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec;
}

/// Opens a folder below `base`, or creates it. Refuses one that every user can write.
domain::Status prepare(int base, const char* name, mode_t mode, const std::filesystem::path& path) {
  if (::mkdirat(base, name, mode) == 0) {
    // The mode without the umask, so that the group of the SFTP server can use it.
    if (::fchmodat(base, name, mode, 0) != 0) return unusable(path, "cannot get its mode: " + reason_of(errno) + ".");
  } else if (errno != EEXIST) {
    return unusable(path, "is missing and cannot be created: " + reason_of(errno) +
                              ". Create it, or let the service write to the folder above it.");
  }
  const Handle folder(::openat(base, name, kFolderFlags));
  if (!folder)
    return unusable(path, errno == ENOTDIR || errno == ELOOP
                              ? std::string("is a link or a file. Name a directory.")
                              : "cannot be opened: " + reason_of(errno) + ". Give the service read access.");
  struct stat status {};
  if (::fstat(folder.get(), &status) != 0) return unusable(path, "cannot be examined: " + reason_of(errno) + ".");
  if ((status.st_mode & S_IWOTH) != 0)
    return unusable(path, "can be written by every user. Remove that right: chmod o-w.");
  if (::faccessat(folder.get(), ".", W_OK | X_OK, AT_EACCESS) != 0)
    return unusable(path, "cannot be written: " + reason_of(errno) + ". Give the service write access.");
  return {};
}

}  // namespace

struct DiskFolder::Opened {
  Handle folder;
  std::string name;
};

domain::Result<std::unique_ptr<DiskFolder>> DiskFolder::open(DiskFolderOptions options) {
  const auto& path = options.path;
  if (::mkdir(path.c_str(), kFolderMode) != 0 && errno != EEXIST)
    return unusable(path, "is missing and cannot be created: " + reason_of(errno) + ". Create it.");
  Handle base(::open(path.c_str(), kFolderFlags));
  if (!base)
    return unusable(path, errno == ENOTDIR || errno == ELOOP
                              ? std::string("is a link or a file. Name a directory.")
                              : "cannot be opened: " + reason_of(errno) + ". Give the service read access.");
  struct stat status {};
  if (::fstat(base.get(), &status) != 0 || (status.st_mode & S_IWOTH) != 0)
    return unusable(path, "can be written by every user. Remove that right: chmod o-w.");
  if (!options.is_own_inbox)
    if (auto ready = prepare(base.get(), "inbox", kInboxMode, path / "inbox"); !ready) return ready.error();
  for (const char* name : kOwnFolders)
    if (auto ready = prepare(base.get(), name, kFolderMode, path / name); !ready) return ready.error();
  const int number = base.release();
  return std::unique_ptr<DiskFolder>(new DiskFolder(std::move(options), number));
}

DiskFolder::~DiskFolder() {
  ::close(base_);
}

bool DiskFolder::is_left_alone(const std::string& name) const {
  return name.starts_with('.') ||
         std::any_of(options_.temporary_suffixes.begin(), options_.temporary_suffixes.end(),
                     [&](const std::string& suffix) { return name.ends_with(suffix); }) ||
         (options_.is_own_inbox && std::find(kOwnFolders.begin(), kOwnFolders.end(), name) != kOwnFolders.end());
}

/// Opens the folder of a place step by step. "inbox" is the folder itself where configured so.
domain::Result<DiskFolder::Opened> DiskFolder::locate(const std::string& place, bool creates) {
  Handle folder(::openat(base_, ".", kFolderFlags));
  if (!folder) return failed("The pickup folder cannot be opened", errno);
  std::size_t from = 0;
  for (auto slash = place.find('/'); slash != std::string::npos; slash = place.find('/', from)) {
    const auto name = place.substr(from, slash - from);
    const bool is_base = from == 0 && name == "inbox" && options_.is_own_inbox;
    from = slash + 1;
    if (is_base) continue;
    if (creates && ::mkdirat(folder.get(), name.c_str(), kFolderMode) == 0) ::fsync(folder.get());
    Handle next(::openat(folder.get(), name.c_str(), kFolderFlags));
    if (!next) return errno == ENOENT ? missing() : failed("The folder " + name + " cannot be opened", errno);
    folder = std::move(next);
  }
  // Only the inbox has names that others have chosen. The other folders have safe names, byte for byte.
  return Opened{std::move(folder), place.starts_with("inbox/") ? raw_name(place.substr(from)) : place.substr(from)};
}

domain::Result<ports::Inbox> DiskFolder::list() {
  const auto inbox = locate("inbox/", false);
  if (!inbox) return inbox.error();
  const auto entries = entries_of(inbox->folder);
  if (!entries) return failed("The inbox cannot be read", errno);
  ports::Inbox found;
  while (const auto* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (is_left_alone(name)) continue;
    struct stat status {};
    if (::fstatat(inbox->folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;  // it is gone
    if (S_ISREG(status.st_mode))
      found.files.push_back({safe_name(name), status.st_size, changed_ns(status)});
    else if (found.skipped.size() < kMostSkipped)
      found.skipped.push_back(safe_name(name));
    if (found.files.size() == kMostListed) break;
  }
  std::sort(found.files.begin(), found.files.end(), [](const auto& a, const auto& b) {
    return std::tie(a.changed_ns, a.name) < std::tie(b.changed_ns, b.name);
  });
  std::sort(found.skipped.begin(), found.skipped.end());
  return found;
}

domain::Result<ports::FileContent> DiskFolder::read(const std::string& place) {
  const auto at = locate(place, false);
  if (!at) return at.error();
  // O_NONBLOCK: a pipe without a writer would block the open.
  const Handle file(
      ::openat(at->folder.get(), at->name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file && (errno == ENOENT || errno == ELOOP || errno == ENXIO)) return missing();
  if (!file) return failed("The file cannot be opened", errno);
  struct stat before {
  }, after{};
  if (::fstat(file.get(), &before) != 0) return failed("The file cannot be examined", errno);
  if (!S_ISREG(before.st_mode)) return missing();
  const auto too_large = [&] {
    return Error::of(ErrorCode::payload_too_large,
                     "The file is larger than " + std::to_string(options_.most_bytes) + " bytes. Split it.")
        .with("max_bytes", std::to_string(options_.most_bytes));
  };
  if (before.st_size > options_.most_bytes) return too_large();
  ports::FileContent content;
  std::vector<char> buffer(std::size_t{256} * 1024);
  while (true) {
    const auto n = ::read(file.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed("The file cannot be read", errno);
    if (n == 0) break;
    content.bytes.append(buffer.data(), static_cast<std::size_t>(n));
    if (static_cast<std::int64_t>(content.bytes.size()) > options_.most_bytes) return too_large();
  }
  if (::fstat(file.get(), &after) != 0) return failed("The file cannot be examined", errno);
  if (changed_ns(after) != changed_ns(before) || after.st_size != static_cast<off_t>(content.bytes.size()))
    return Error::of(ErrorCode::conflict, "The file changed while it was read.");
  content.sha256 = crypto::hex_encode(crypto::sha256(content.bytes));
  content.changed_ns = changed_ns(after);
  return content;
}

domain::Result<bool> DiskFolder::exists(const std::string& place) {
  const auto at = locate(place, false);
  if (!at && at.error().code == ErrorCode::not_found) return false;
  if (!at) return at.error();
  struct stat status {};
  if (::fstatat(at->folder.get(), at->name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return true;
  if (errno == ENOENT) return false;
  return failed("The file cannot be examined", errno);
}

domain::Status DiskFolder::move(const std::string& from, const std::string& to) {
  const auto source = locate(from, false);
  if (!source) return source.error();
  const auto target = locate(to, true);
  if (!target) return target.error();
  const auto taken = [] { return Error::of(ErrorCode::conflict, "Another file has the name at the target."); };
  const auto& name = target->name;
  int done =
      ::renameat2(source->folder.get(), source->name.c_str(), target->folder.get(), name.c_str(), RENAME_NOREPLACE);
  if (done != 0 && (errno == EINVAL || errno == ENOSYS)) {  // the file system has no such rename
    struct stat status {};
    if (::fstatat(target->folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return taken();
    done = ::renameat(source->folder.get(), source->name.c_str(), target->folder.get(), name.c_str());
  }
  if (done != 0 && errno == EEXIST) return taken();
  if (done != 0 && errno == ENOENT) return missing();
  if (done != 0) return failed("The file cannot be moved to " + to.substr(0, to.find('/')), errno);
  if (::fsync(target->folder.get()) != 0 || ::fsync(source->folder.get()) != 0)
    return failed("The move cannot be made durable", errno);
  return {};
}

domain::Status DiskFolder::write(const std::string& place, std::string_view text) {
  if (const auto known = read(place); known && known->bytes == text) return {};
  const auto there = exists(place);
  if (!there) return there.error();
  if (*there) return Error::of(ErrorCode::conflict, "The file exists with another text.");
  const auto at = locate(place, true);
  if (!at) return at.error();
  const std::string temporary(kTemporaryName);
  ::unlinkat(at->folder.get(), temporary.c_str(), 0);  // of a process that ended
  {
    const Handle file(
        ::openat(at->folder.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFileMode));
    if (!file) return failed("The file " + place + " cannot be written", errno);
    for (std::size_t done = 0; done < text.size();) {
      const auto n = ::write(file.get(), text.data() + done, text.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return failed("The file " + place + " cannot be written", errno);
      done += static_cast<std::size_t>(n);
    }
    if (::fsync(file.get()) != 0) return failed("The file " + place + " cannot be made durable", errno);
  }
  if (::renameat(at->folder.get(), temporary.c_str(), at->folder.get(), at->name.c_str()) != 0 ||
      ::fsync(at->folder.get()) != 0)
    return failed("The file " + place + " cannot be written", errno);
  return {};
}

domain::Status DiskFolder::remove(const std::string& place) {
  const auto at = locate(place, false);
  if (!at) return at.error().code == ErrorCode::not_found ? domain::Status() : at.error();
  if (::unlinkat(at->folder.get(), at->name.c_str(), 0) != 0 && errno != ENOENT)
    return failed("The file " + place + " cannot be removed", errno);
  return {};
}

domain::Status DiskFolder::prune_archive(domain::Date day) {
  const auto refused = [] { return failed("Old files of the archive cannot be removed", errno); };
  const auto archive = locate("archive/", false);
  if (!archive) return archive.error();
  const auto days = entries_of(archive->folder);
  if (!days) return refused();
  std::size_t removed = 0;
  while (const auto* entry = ::readdir(days.get())) {
    const auto date = domain::parse_date(entry->d_name);
    if (!date || *date >= day) continue;
    const Handle folder(::openat(archive->folder.get(), entry->d_name, kFolderFlags));
    if (!folder && (errno == ENOTDIR || errno == ELOOP)) continue;  // a file or a link is none of its days
    const auto files = folder ? entries_of(folder) : Entries(nullptr, ::closedir);
    if (!files) return refused();
    while (const auto* file = ::readdir(files.get())) {
      const std::string_view name = file->d_name;
      if (name == "." || name == "..") continue;
      if (++removed > kFilesPrunedAtOnce) return {};
      if (::unlinkat(folder.get(), file->d_name, 0) != 0) return refused();
    }
    if (::unlinkat(archive->folder.get(), entry->d_name, AT_REMOVEDIR) != 0) return refused();
  }
  return {};
}

}  // namespace tideover::pickup
