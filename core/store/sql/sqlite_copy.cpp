#include "core/store/sql/sqlite_copy.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <system_error>

#include "core/store/sql/session.hpp"

namespace tideover::sql {

namespace {

constexpr int kPagesAtOnce = 1024;

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& why) {
  throw CopyFailed("the copy " + file.string() + " cannot be written: " + why);
}

std::string last_system_error() {
  return std::generic_category().message(errno);
}

void create(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) fail(file, last_system_error());
  ::close(descriptor);
}

void write_copy(sqlite3* source, const std::filesystem::path& file,
                const std::function<bool(std::int64_t, std::int64_t)>& step) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> target(opened, sqlite3_close);
  if (code != SQLITE_OK) fail(file, sqlite3_errstr(code));
  // The file is unused until it is complete and synced, so no crash safety is needed before.
  for (const char* pragma : {"PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF"}) {
    if (sqlite3_exec(opened, pragma, nullptr, nullptr, nullptr) != SQLITE_OK) fail(file, sqlite3_errmsg(opened));
  }
  const std::unique_ptr<sqlite3_backup, decltype(&sqlite3_backup_finish)> backup(
      sqlite3_backup_init(opened, "main", source, "main"), sqlite3_backup_finish);
  if (!backup) fail(file, sqlite3_errmsg(opened));
  for (;;) {
    const int outcome = sqlite3_backup_step(backup.get(), kPagesAtOnce);
    if (outcome != SQLITE_OK && outcome != SQLITE_DONE) fail(file, sqlite3_errstr(outcome));
    const int all = sqlite3_backup_pagecount(backup.get());
    const bool wanted = step(all - sqlite3_backup_remaining(backup.get()), all);
    if (outcome == SQLITE_DONE) return;
    if (!wanted) fail(file, "it was stopped");
  }
}

void make_durable(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const auto why = last_system_error();
  if (descriptor >= 0) ::close(descriptor);
  if (!synced) fail(file, why);
}

}  // namespace

void copy_sqlite(sqlite3* source, const std::filesystem::path& file,
                 const std::function<bool(std::int64_t done, std::int64_t all)>& step) {
  create(file);
  try {
    write_copy(source, file, step);
    make_durable(file);
  } catch (...) {
    ::unlink(file.c_str());
    throw;
  }
}

}  // namespace tideover::sql
