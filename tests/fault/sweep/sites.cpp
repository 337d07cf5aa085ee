#include "tests/fault/sweep/sites.hpp"

#include <boost/test/unit_test.hpp>

#include <stdlib.h>

#include <memory>
#include <stdexcept>

#include "tests/fault/driver/child.hpp"
#include "tests/support/mariadb/mariadb_instance.hpp"

namespace tideover::fault {
namespace {

constexpr std::uintmax_t kNeededBytes = std::uintmax_t{2} << 30;

/// One server for the whole program; started on the main thread, ended before main returns.
struct SharedMariaDb {
  /// A killed process loses nothing that it wrote to memory: where there is space for it, no disk is needed.
  SharedMariaDb() {
    std::error_code none;
    const auto space = std::filesystem::space("/dev/shm", none);
    if (!none && space.available >= kNeededBytes) ::setenv("TMPDIR", "/dev/shm", 0);
  }
  ~SharedMariaDb() { server.reset(); }
  static std::unique_ptr<tests::MariaDbInstance> server;
};
std::unique_ptr<tests::MariaDbInstance> SharedMariaDb::server;
BOOST_TEST_GLOBAL_FIXTURE(SharedMariaDb);

}  // namespace

const char* name_of(Engine engine) {
  return engine == Engine::sqlite ? "SQLite" : "MariaDB";
}

std::vector<Engine> engines() {
  if (tests::MariaDbInstance::skipped()) return {Engine::sqlite};
  return {Engine::sqlite, Engine::mariadb};
}

FreshSite::FreshSite(Engine engine, const std::string& recall, bool has_fallback) {
  std::string name = (std::filesystem::temp_directory_path() / "tideover-fault-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  site_.folder = name;
  site_.recall = recall;
  site_.has_fallback = has_fallback;
  site_.store.sqlite_path = site_.folder / "store" / "tideover.db";
  if (engine == Engine::mariadb) {
    static int number = 0;
    if (!SharedMariaDb::server) SharedMariaDb::server = std::make_unique<tests::MariaDbInstance>();
    site_.store.driver = store::StoreOptions::Driver::mysql;
    site_.store.mysql = SharedMariaDb::server->create_database("fault" + std::to_string(++number));
  }
}

void FreshSite::verify() const {
  const auto found = run_in_child({}, [&] {
    std::string broken;
    for (const auto& breach : TestService(site_, kOpening.plus_days(1)).verify()) broken += breach + '\n';
    return broken;
  });
  BOOST_TEST(found.said == "", found.said);
}

FreshSite::~FreshSite() {
  std::error_code ignored;
  std::filesystem::remove_all(site_.folder, ignored);
}

std::string verdict(const Tally& tally) {
  for (const auto& violation : tally.violations) BOOST_ERROR(violation);
  return "; " + std::to_string(tally.doubles) + " double, " + std::to_string(tally.forgotten) + " forgotten, " +
         std::to_string(tally.violations.size()) + " broken invariants";
}

}  // namespace tideover::fault
