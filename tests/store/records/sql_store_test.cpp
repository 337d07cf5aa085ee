// SqlStore: opening, snapshots, and what becomes of errors.
#include <sys/stat.h>

#include <fstream>
#include <future>
#include <thread>

#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

mode_t mode_of(const std::filesystem::path& path) {
  struct stat found {};
  BOOST_REQUIRE(::stat(path.c_str(), &found) == 0);
  return found.st_mode & 0777;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_sql_store)

BOOST_AUTO_TEST_CASE(only_the_owner_may_read_the_sqlite_folder_and_file) {
  StoreUnderTest store(sql::Dialect::sqlite);
  const auto file = store.options().sqlite_path;
  BOOST_TEST(mode_of(file.parent_path()) == 0700);
  BOOST_TEST(mode_of(file) == 0600);
}

BOOST_AUTO_TEST_CASE(a_database_that_cannot_be_opened_is_an_error_with_the_reason) {
  TemporaryFolder folder;
  KindEncoder encoder;
  const fakes::PlainCipher cipher;
  std::ofstream(folder / "file") << "in the way";
  store::StoreOptions options;
  options.sqlite_path = folder / "file" / "tideover.db";
  const auto opened = store::SqlStore::open(options, encoder, cipher);
  BOOST_REQUIRE(!opened);
  BOOST_TEST(opened.error().message.find((folder / "file").string()) != std::string::npos);
}

BOOST_DATA_TEST_CASE(committed_rows_are_there_after_a_restart, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) { records.claims().insert(kTenant, sample_claim(1)); });
  store.reopen();
  BOOST_TEST(shown(store.seen([](const ports::Records& records) {
               return records.claims().find(kTenant, "claim-1");
             })) == shown(sample_claim(1)));
  BOOST_TEST(bool(store->healthy()));
  BOOST_TEST(store.failures() == "");
}

BOOST_DATA_TEST_CASE(an_error_of_a_unit_discards_its_writes_and_is_returned, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto status = store->commit([](ports::Records& records) -> Status {
    records.claims().insert(kTenant, sample_claim(1));
    return Error::of(ErrorCode::claim_already_advanced, "not again").with("settlement_id", "stl_1");
  });
  BOOST_REQUIRE(!status);
  BOOST_TEST(status.error().code == ErrorCode::claim_already_advanced);
  BOOST_TEST(status.error().message == "not again");
  BOOST_TEST(status.error().details.size() == 1);
  BOOST_TEST(!store.seen([](const ports::Records& records) { return records.claims().find(kTenant, "claim-1"); }));
  BOOST_TEST(store.failures() == "");
}

BOOST_DATA_TEST_CASE(a_unique_violation_is_a_conflict_and_is_not_reported_to_the_operator, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  const auto insert = [](ports::Records& records) { records.claims().insert(kTenant, sample_claim(1)); };
  store.write(insert);
  BOOST_TEST(store.try_to_write(insert).value() == ErrorCode::conflict);
  BOOST_TEST(store.failures() == "");
}

BOOST_DATA_TEST_CASE(a_program_fault_is_internal_and_reported_to_the_operator_without_values, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  const auto status = store->commit([&](ports::Records& records) -> Status {
    records.ledger().append(kTenant, LedgerTransaction{});
    return {};
  });
  BOOST_REQUIRE(!status);
  BOOST_TEST(status.error().code == ErrorCode::internal_error);
  BOOST_TEST(status.error().message.find("ledger") == std::string::npos);
  BOOST_TEST(store.failures().find("does not balance") != std::string::npos);
}

BOOST_DATA_TEST_CASE(a_read_that_throws_is_an_error_and_the_next_one_works, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto status = store->read([](const ports::Records&) { throw std::runtime_error("odd row"); });
  BOOST_REQUIRE(!status);
  BOOST_TEST(status.error().code == ErrorCode::internal_error);
  BOOST_TEST(store.failures().find("odd row") != std::string::npos);
  BOOST_TEST(bool(store->healthy()));
}

BOOST_DATA_TEST_CASE(a_read_sees_one_moment_throughout, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto status = store->read([&](const ports::Records& records) {
    BOOST_TEST(!records.claims().find(kTenant, "claim-1"));
    store.write([](ports::Records& change) { change.claims().insert(kTenant, sample_claim(1)); });
    BOOST_TEST(!records.claims().find(kTenant, "claim-1"));
  });
  BOOST_TEST(status);
  BOOST_TEST(
      store.seen([](const ports::Records& records) { return records.claims().find(kTenant, "claim-1"); }).has_value());
}

BOOST_DATA_TEST_CASE(a_unit_sees_its_own_writes, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([](ports::Records& records) {
    records.claims().insert(kTenant, sample_claim(1));
    BOOST_TEST(records.claims().find(kTenant, "claim-1").has_value());
  });
}

BOOST_DATA_TEST_CASE(a_full_queue_asks_the_caller_to_come_back, bdata::make(engines()), engine) {
  store::CommitterOptions narrow;
  narrow.queue_capacity = 1;
  narrow.max_batch_units = 1;
  StoreUnderTest store(engine, narrow);
  std::promise<void> running;
  std::promise<void> go;
  const auto released = go.get_future().share();
  // Only the main thread checks: the test log is not for two at once.
  auto blocker = std::async(std::launch::async, [&] {
    return store->commit([&, first = true](ports::Records&) mutable -> Status {
      if (std::exchange(first, false)) running.set_value();
      released.wait();
      return {};
    });
  });
  running.get_future().wait();
  // The lane is busy, so one more unit fits and every further one is refused; which of the two comes first is open.
  std::atomic<int> refused = 0;
  std::atomic<int> kept = 0;
  std::optional<Error> refusal;
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < 2; ++i) {
      callers.emplace_back([&] {
        const auto status = store->commit([](ports::Records&) -> Status { return {}; });
        if (status) {
          ++kept;
          return;
        }
        if (++refused == 1) refusal = status.error();
        go.set_value();
      });
    }
  }
  BOOST_TEST(blocker.get());
  BOOST_REQUIRE(refused == 1);
  BOOST_TEST(kept == 1);
  BOOST_TEST(refusal->code == ErrorCode::service_unavailable);
  BOOST_TEST(refusal->retry_after_s.value_or(0) == 1);
}

BOOST_DATA_TEST_CASE(after_drain_units_are_refused_and_reads_still_work, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([](ports::Records& records) { records.claims().insert(kTenant, sample_claim(1)); });
  store->drain();
  BOOST_TEST(store.try_to_write([](ports::Records&) {}).value() == ErrorCode::shutting_down);
  BOOST_TEST(
      store.seen([](const ports::Records& records) { return records.claims().find(kTenant, "claim-1"); }).has_value());
  BOOST_TEST(store->stats().units == 1);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_gone_is_service_unavailable_until_it_is_back) {
  if (MariaDbInstance::skipped()) return;
  MariaDbInstance server;
  KindEncoder encoder;
  const fakes::PlainCipher cipher;
  store::StoreOptions options;
  options.driver = store::StoreOptions::Driver::mysql;
  options.mysql = server.create_database("outage");
  options.committer.reconnect_time = std::chrono::milliseconds(200);
  std::string reported;
  std::mutex mutex;
  options.on_failure = [&](std::string_view what) {
    const std::lock_guard guard(mutex);
    reported = what;
  };
  auto opened = store::SqlStore::open(options, encoder, cipher);
  BOOST_REQUIRE(opened);
  store::SqlStore& store = **opened;
  const auto insert = [](ports::Records& records) -> Status {
    records.claims().insert(kTenant, sample_claim(1));
    return {};
  };
  BOOST_TEST(bool(store.healthy()));

  server.kill();
  const auto failed = store.commit(insert);
  BOOST_REQUIRE(!failed);
  BOOST_TEST(failed.error().code == ErrorCode::service_unavailable);
  BOOST_TEST(failed.error().retry_after_s.has_value());
  BOOST_TEST(store.healthy().error().code == ErrorCode::service_unavailable);
  BOOST_TEST(!reported.empty());

  server.restart();
  BOOST_TEST(bool(store.healthy()));
  BOOST_TEST(store.commit(insert));
}

BOOST_AUTO_TEST_SUITE_END()
