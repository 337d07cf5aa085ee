// The register of nodes: one process per name, known by its epoch.
#include <barrier>
#include <thread>

#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

ports::Node node(int epoch, const char* process) {
  return {"node-a", process, "0.1.0", epoch, kNow, kNow.plus_ms(10'000)};
}

bool take(StoreUnderTest& store, const ports::Node& wanted) {
  return store.written([&](ports::Records& records) { return records.nodes().take(wanted); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_nodes)

BOOST_DATA_TEST_CASE(a_name_goes_from_one_process_to_the_next_by_its_epoch, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  BOOST_TEST(take(store, node(1, "first")));
  BOOST_TEST(!take(store, node(1, "also first")));
  BOOST_TEST(take(store, node(2, "second")));
  BOOST_TEST(!take(store, node(2, "late")));

  const auto kept = store.seen([](const ports::Records& records) { return records.nodes().find("node-a"); });
  BOOST_REQUIRE(kept);
  BOOST_TEST(kept->process == "second");
  BOOST_TEST(kept->epoch == 2);
  BOOST_TEST((kept->lease_end == kNow.plus_ms(10'000)));
  BOOST_TEST(!store.seen([](const ports::Records& records) { return records.nodes().find("node-b"); }));
}

BOOST_DATA_TEST_CASE(only_the_holder_of_the_name_renews_its_lease, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  take(store, node(1, "first"));
  take(store, node(2, "second"));
  const auto renew = [&](int epoch) {
    return store.written(
        [&](ports::Records& records) { return records.nodes().renew("node-a", epoch, kNow.plus_ms(20'000)); });
  };
  BOOST_TEST(!renew(1));
  BOOST_TEST(renew(2));
  BOOST_TEST(renew(2));  // to the same moment: a heartbeat all the same
  const auto all = store.seen([](const ports::Records& records) { return records.nodes().list(); });
  BOOST_REQUIRE(all.size() == 1U);
  BOOST_TEST((all.front().lease_end == kNow.plus_ms(20'000)));
}

BOOST_DATA_TEST_CASE(shared_work_is_one_nodes_until_its_lease_ends_and_then_done_for_a_while, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  const auto take = [&](const char* node, std::int64_t at_ms) {
    return store.written([&](ports::Records& records) {
      return records.nodes().take_work("compare", node, kNow.plus_ms(at_ms), kNow.plus_ms(at_ms + 100));
    });
  };
  const auto finish = [&](const char* node, std::int64_t next_ms) {
    store.write([&](ports::Records& records) { records.nodes().finish_work("compare", node, kNow.plus_ms(next_ms)); });
  };
  BOOST_TEST(take("a", 0));
  BOOST_TEST(take("a", 20));  // goes on: until 120
  BOOST_TEST(!take("b", 110));
  BOOST_TEST(take("b", 120));  // a was given up
  finish("a", 9'999);          // and comes too late
  BOOST_TEST(!take("a", 150));
  finish("b", 1'000);
  BOOST_TEST(!take("a", 300));
  BOOST_TEST(take("a", 1'000));
}

BOOST_AUTO_TEST_CASE(nodes_that_start_at_once_on_an_empty_database_all_come_up) {
  if (MariaDbInstance::skipped()) return;
  store::StoreOptions options;
  options.driver = store::StoreOptions::Driver::mysql;
  options.mysql = mariadb().create_database("started_at_once");
  const KindEncoder encoder;
  const fakes::PlainCipher cipher;
  std::mutex lock;
  std::vector<std::string> problems;
  {
    std::barrier start(3);
    std::vector<std::jthread> nodes;
    for (int i = 0; i < 3; ++i)
      nodes.emplace_back([&] {
        start.arrive_and_wait();
        const auto opened = store::SqlStore::open(options, encoder, cipher);
        const std::lock_guard held(lock);
        if (!opened) problems.push_back(opened.error().message);
      });
  }
  for (const auto& problem : problems) BOOST_ERROR(problem);
}

BOOST_AUTO_TEST_SUITE_END()
