#include "core/admin/commands/backup_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <functional>
#include <span>
#include <sstream>
#include <system_error>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"
#include "core/node/start_error.hpp"
#include "core/store/sql/sqlite_copy.hpp"

namespace tideover::admin {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "tideover-backup-1";

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
  throw node::StartError(
      fmt::format("{} cannot be {}: {}.", file.string(), what, std::generic_category().message(errno)));
}

class Descriptor {
 public:
  Descriptor(const fs::path& file, int flags, const char* purpose)
      : file_(file), number_(::open(file.c_str(), flags | O_CLOEXEC, 0600)) {
    if (number_ < 0) fail(file, purpose);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(number_); }

  std::size_t read(std::uint8_t* bytes, std::size_t most) const {
    for (;;) {
      const auto got = ::read(number_, bytes, most);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) fail(file_, "read");
    }
  }
  void write(const std::uint8_t* bytes, std::size_t count) const {
    while (count > 0) {
      const auto took = ::write(number_, bytes, count);
      if (took < 0 && errno == EINTR) continue;
      if (took < 0) fail(file_, "written");
      bytes += took;
      count -= static_cast<std::size_t>(took);
    }
  }
  void sync() const {
    if (::fsync(number_) != 0) fail(file_, "made durable");
  }

 private:
  const fs::path file_;
  const int number_;
};

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

void rename_durably(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail(to, "created");
  Descriptor(folder_of(to), O_RDONLY | O_DIRECTORY, "opened").sync();
}

/// Passes the content of the file to `each` in pieces, and returns its digest.
std::string pass_on(const fs::path& file, const std::function<void(const std::uint8_t*, std::size_t)>& take) {
  const Descriptor source(file, O_RDONLY, "opened");
  std::vector<std::uint8_t> piece(1 << 20);
  crypto::Sha256 digest;
  while (const auto count = source.read(piece.data(), piece.size())) {
    digest.update(std::span<const std::uint8_t>(piece.data(), count));
    take(piece.data(), count);
  }
  return crypto::hex_encode(digest.finish());
}

BackupManifest parse(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  if (!stream || !std::getline(stream, line))
    throw node::StartError(file.string() +
                           " cannot be read. A backup without a manifest is incomplete; use another backup.");
  if (line != kFormat)
    throw node::StartError(file.string() + " is not a backup manifest of this version: it starts with " + line);
  BackupManifest manifest;
  while (std::getline(stream, line)) {
    std::istringstream words(line);
    std::string name, value;
    words >> name >> std::ws;
    std::getline(words, value);
    if (name == "created_at")
      manifest.created_at = value;
    else if (name == "program")
      manifest.program = value;
    else if (name == "engine")
      manifest.engine = value;
    else if (name == "schema")
      manifest.schema = std::atoi(value.c_str());
    else if (name == "bytes")
      manifest.bytes = std::atoll(value.c_str());
    else if (name == "sha256")
      manifest.sha256 = value;
    else if (name.starts_with("rows."))
      manifest.rows.emplace_back(name.substr(5), std::atoll(value.c_str()));
    else
      throw node::StartError(file.string() + " has an unknown line: " + name);
  }
  return manifest;
}

void expect_digest(const fs::path& file, const std::string& is, const std::string& should) {
  if (is == should) return;
  throw node::StartError(fmt::format("{} is damaged: its SHA-256 is {}, its manifest says {}. Use another backup.",
                                     file.string(), is, should));
}

}  // namespace

std::string BackupManifest::text() const {
  std::string lines = fmt::format("{}\ncreated_at {}\nprogram {}\nengine {}\nschema {}\nbytes {}\nsha256 {}\n", kFormat,
                                  created_at, program, engine, schema, bytes, sha256);
  for (const auto& [table, count] : rows) lines += fmt::format("rows.{} {}\n", table, count);
  return lines;
}

fs::path manifest_of(const fs::path& file) {
  return file.string() + ".manifest";
}

std::string sha256_of(const fs::path& file) {
  return pass_on(file, [](const std::uint8_t*, std::size_t) {});
}

fs::path checkpoints_of(const fs::path& file) {
  return file.string() + ".checkpoints";
}

void copy_durably(const fs::path& from, const fs::path& to) {
  const Descriptor copy(to, O_WRONLY | O_CREAT | O_TRUNC, "created");
  pass_on(from, [&](const std::uint8_t* bytes, std::size_t count) { copy.write(bytes, count); });
  copy.sync();
}

void publish(const fs::path& copy, const fs::path& file, const BackupManifest& manifest) {
  rename_durably(copy, file);
  const fs::path unfinished = manifest_of(file).string() + ".part";
  const auto text = manifest.text();
  const Descriptor target(unfinished, O_WRONLY | O_CREAT | O_TRUNC, "created");
  target.write(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  target.sync();
  rename_durably(unfinished, manifest_of(file));
}

BackupManifest read_backup(const fs::path& file) {
  auto manifest = parse(manifest_of(file));
  expect_digest(file, sha256_of(file), manifest.sha256);
  return manifest;
}

fs::path stage_copy(const fs::path& file, const fs::path& target, const std::string& sha256) {
  const fs::path staged = target.string() + sql::kStagedCopy;
  const Descriptor copy(staged, O_WRONLY | O_CREAT | O_TRUNC, "created");
  try {
    const auto written = pass_on(file, [&](const std::uint8_t* bytes, std::size_t count) { copy.write(bytes, count); });
    expect_digest(file, written, sha256);
    copy.sync();
    expect_digest(staged, sha256_of(staged), sha256);
  } catch (...) {
    ::unlink(staged.c_str());
    throw;
  }
  return staged;
}

void put_in_place(const fs::path& staged, const fs::path& target) {
  rename_durably(staged, target);
}

fs::path move_aside(const fs::path& database, const std::string& suffix) {
  const fs::path aside = database.string() + suffix;
  // Rename the database before its log. A log without its database stops the next start; a database without its log
  // does not.
  if (fs::exists(database)) rename_durably(database, aside);
  const fs::path log = database.string() + "-wal";
  if (fs::exists(log)) rename_durably(log, aside.string() + "-wal");
  std::error_code absent;
  fs::remove(database.string() + "-shm", absent);
  return aside;
}

}  // namespace tideover::admin
