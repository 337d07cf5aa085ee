// What was acknowledged is there after kill -9. The child commits through the committer and tells each acknowledged id
// over a pipe; the parent kills it in the middle and opens the file again.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "core/store/committer/committer.hpp"
#include "tests/store/sql/test_database.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

constexpr int kCallers = 4;

[[noreturn]] void commit_until_killed(const sql::DatabaseOptions& options, int acknowledgements) {
  const auto database = sql::Database::open(options);
  store::Committer committer([&] { return database->writer(); }, {});
  std::vector<std::jthread> callers;
  for (std::int64_t caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&, caller] {
      for (std::int64_t id = caller;; id += kCallers) {
        const auto report = committer.commit([id](sql::Session& session) {
          session.run("INSERT INTO account (id, cents) VALUES (?, 0)", id);
          return store::UnitVerdict::keep;
        });
        if (!report.committed() || ::write(acknowledgements, &id, sizeof id) != sizeof id) ::_exit(1);
      }
    });
  }
  for (auto& caller : callers) caller.join();
  ::_exit(1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_crash)

BOOST_AUTO_TEST_CASE(every_acknowledged_row_survives_kill_9) {
  constexpr std::size_t kKillAfter = 500;
  TemporaryFolder folder;
  sql::DatabaseOptions options;
  options.engine = sql::SqliteOptions{folder / "crash.db"};
  sql::Database::open(options)->writer()->execute(
      "CREATE TABLE account (id INTEGER PRIMARY KEY, cents INTEGER) STRICT");

  int pipe_ends[2];
  BOOST_REQUIRE(::pipe(pipe_ends) == 0);
  const pid_t child = ::fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) commit_until_killed(options, pipe_ends[1]);
  ::close(pipe_ends[1]);

  std::vector<std::int64_t> acknowledged;
  std::int64_t id = 0;
  while (::read(pipe_ends[0], &id, sizeof id) == sizeof id) {
    acknowledged.push_back(id);
    if (acknowledged.size() == kKillAfter) ::kill(child, SIGKILL);
  }
  ::close(pipe_ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(acknowledged.size() >= kKillAfter);

  const auto database = sql::Database::open(options);
  const auto reader = database->reader();
  std::size_t lost = 0;
  for (const std::int64_t each : acknowledged) {
    if (!reader->query("SELECT 1 FROM account WHERE id = ?", each).next()) ++lost;
  }
  BOOST_TEST(lost == 0U);
  BOOST_TEST(*reader->first([](const sql::Row& row) { return row.text(0); }, "PRAGMA integrity_check") == "ok");
}

BOOST_AUTO_TEST_SUITE_END()
