// A COMMIT whose answer does not come: the store finds out whether it counts, and a request hears the truth. MariaDB
// only.
#include <chrono>

#include "tests/store/records/support/store_under_test.hpp"
#include "tests/support/commit_proxy/commit_proxy.hpp"

using namespace tideover;
using namespace tideover::tests;
using Fault = CommitProxy::Fault;

namespace {

boost::test_tools::assertion_result mariadb_is_wanted(boost::unit_test::test_unit_id) {
  boost::test_tools::assertion_result wanted(!MariaDbInstance::skipped());
  wanted.message() << "TIDEOVER_TEST_MARIADB=skip";
  return wanted;
}

/// A store whose only lane writes through the proxy.
struct Proxied {
  Proxied() : proxy("127.0.0.1", mariadb().options().port) {
    static int number = 0;
    options.driver = store::StoreOptions::Driver::mysql;
    options.mysql = mariadb().create_database("proxied" + std::to_string(++number));
    options.mysql.port = proxy.port();
    options.committer.lanes = 1;
    auto opened = store::SqlStore::open(options, encoder, cipher);
    if (!opened) BOOST_FAIL(opened.error().message);
    store = std::move(*opened);
  }

  domain::Status write_one(int number) {
    return store->commit([&](ports::Records& records) -> domain::Status {
      ++runs;
      records.tasks().open(kTenant, sample_task(static_cast<std::uint64_t>(number)));
      return {};
    });
  }
  std::size_t written() {
    std::size_t count = 0;
    BOOST_TEST(store->read([&](const ports::Records& records) {
      count = records.tasks().list(kTenant, {}, {"", 99}).size();
    }));
    return count;
  }

  CommitProxy proxy;
  KindEncoder encoder;
  fakes::PlainCipher cipher;
  store::StoreOptions options;
  std::unique_ptr<store::SqlStore> store;
  int runs = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(store_lost_commit, *boost::unit_test::precondition(mariadb_is_wanted))

BOOST_AUTO_TEST_CASE(a_commit_whose_answer_is_lost_is_reported_as_what_it_is_kept) {
  Proxied world;
  for (int number = 1; number <= 5; ++number) {
    world.proxy.arm(Fault::lose_answer);
    BOOST_TEST(world.write_one(number));
    BOOST_TEST(world.proxy.has_struck());
  }
  BOOST_TEST(world.runs == 5);  // none was run again
  BOOST_TEST(world.written() == 5U);
}

BOOST_AUTO_TEST_CASE(a_commit_that_never_arrived_is_run_again_once) {
  Proxied world;
  for (int number = 1; number <= 5; ++number) {
    world.proxy.arm(Fault::lose_commit);
    BOOST_TEST(world.write_one(number));
    BOOST_TEST(world.proxy.has_struck());
  }
  BOOST_TEST(world.runs == 10);
  BOOST_TEST(world.written() == 5U);
}

BOOST_AUTO_TEST_CASE(a_refusal_beside_a_commit_whose_answer_is_lost_stands) {
  Proxied world;
  world.proxy.arm(Fault::lose_answer);
  BOOST_TEST(world.write_one(1));
  const auto refused = world.store->commit(
      [](ports::Records&) -> domain::Status { return domain::Error::of(ErrorCode::invalid_state, "no"); });
  BOOST_TEST(refused.error().code == ErrorCode::invalid_state);
}

BOOST_AUTO_TEST_CASE(a_commit_that_hangs_longer_than_one_waits_is_not_reported_as_failed) {
  Proxied world;
  world.options.mysql.read_timeout_s = 1;
  world.options.committer.reconnect_time = std::chrono::milliseconds(1500);
  world.store.reset();
  world.store = *store::SqlStore::open(world.options, world.encoder, world.cipher);
  world.proxy.arm(Fault::hold_commit);
  // The hanging transaction holds its mark: whether it will count cannot be known yet, and no answer says that it does
  // not.
  const auto status = world.write_one(1);
  BOOST_REQUIRE(!status);
  BOOST_TEST(status.error().code == ErrorCode::service_unavailable);
  BOOST_REQUIRE(!status.error().details.empty());
  BOOST_TEST(status.error().details.front().second == "uncertain");
  BOOST_TEST(world.proxy.release() != "");
  BOOST_TEST(world.written() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
