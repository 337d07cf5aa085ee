// RailSenderRecords: one sender per rail, taken once and moved by compare-and-set; and whose intents are due where.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

BOOST_AUTO_TEST_SUITE(rail_senders)

BOOST_DATA_TEST_CASE(the_first_node_takes_a_rail_and_only_a_move_gives_it_to_another, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto insert = [&](const std::string& node) {
    return store.try_to_write([&](ports::Records& records) { records.rail_senders().insert({"RTP", node, 1, kNow}); });
  };
  const auto move = [&](const std::string& node, int epoch) {
    return store.written([&](ports::Records& records) {
      return records.rail_senders().update({"RTP", node, epoch + 1, kNow.plus_ms(1)}, epoch);
    });
  };
  const auto sender = [&] {
    return *store.seen([](const ports::Records& records) { return records.rail_senders().find("RTP"); });
  };

  BOOST_TEST(!store.seen([](const ports::Records& records) { return records.rail_senders().find("RTP"); }));
  BOOST_TEST(!insert("node-a"));
  BOOST_TEST(insert("node-b").value() == ErrorCode::conflict);
  BOOST_TEST(sender().node == "node-a");
  BOOST_TEST(!move("node-b", 2));
  BOOST_TEST(move("node-b", 1));
  BOOST_TEST(!move("node-c", 1));
  BOOST_TEST(sender().node == "node-b");
  BOOST_TEST(sender().epoch == 2);
  BOOST_TEST((sender().since == kNow.plus_ms(1)));
  BOOST_TEST(store.seen([](const ports::Records& records) { return records.rail_senders().all(); }).size() == 1u);
}

BOOST_DATA_TEST_CASE(an_intent_is_due_at_its_rail_s_sender_and_everything_else_everywhere, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  const auto attempt = [](std::uint64_t n, const std::string& rail, AttemptState state) {
    auto made = sample_attempt(n, 1);
    made.rail = rail;
    made.state = state;
    made.next_resolve_at = kNow;
    return made;
  };
  store.write([&](ports::Records& records) {
    records.rail_senders().insert({"SAME_DAY", "node-a", 1, kNow});
    records.settlements().insert_attempt(kTenant, attempt(1, "SAME_DAY", AttemptState::intent));
    records.settlements().insert_attempt(kTenant, attempt(2, "SAME_DAY", AttemptState::unknown));
    records.settlements().insert_attempt(kTenant, attempt(3, "SAME_DAY", AttemptState::submitting));
    records.settlements().insert_attempt(kTenant, attempt(4, "RTP", AttemptState::intent));
  });
  const auto due_at = [&](std::string_view node) {
    return store.seen(
        [&](const ports::Records& records) { return records.settlements().attempts_due(node, kNow, 10).size(); });
  };
  BOOST_TEST(due_at("node-a") == 4u);
  BOOST_TEST(due_at("node-b") == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
