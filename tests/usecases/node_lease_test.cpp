// A node name belongs to one process at a time.
#include "core/usecases/nodes/node_lease.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using namespace tideover::tests;
using namespace std::chrono_literals;
using usecases::ProcessState;

namespace {

/// A store that several processes share, with the state that each sees of the others.
struct SharedStore {
  SharedStore() {
    options.sqlite_path = folder / "tideover.db";
    store = std::move(*store::SqlStore::open(options, encoder, cipher));
  }
  usecases::NodeLease process(const std::string& identity) {
    return {
        *store, clock, {"node-a", identity, "0.1.0", [this](const std::string& other) { return states[other]; }, 10s}};
  }
  /// Waiting only advances the fake clock.
  void wait(std::chrono::milliseconds pause) {
    waited += pause;
    now_ms += pause.count();
    if (now_ms >= 1000) {
      clock.advance_s(now_ms / 1000);
      now_ms %= 1000;
    }
    if (meanwhile) meanwhile();
  }
  domain::Status take(usecases::NodeLease& lease) {
    return lease.take([this](std::chrono::milliseconds pause) { wait(pause); });
  }

  TemporaryFolder folder;
  KindEncoder encoder;
  fakes::PlainCipher cipher;
  store::StoreOptions options;
  std::unique_ptr<store::SqlStore> store;
  fakes::FixedClock clock;
  std::map<std::string, ProcessState> states;
  std::chrono::milliseconds waited{0};
  std::int64_t now_ms = 0;
  std::function<void()> meanwhile;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(node_lease)

BOOST_AUTO_TEST_CASE(a_process_alive_on_this_host_keeps_its_name) {
  SharedStore shared;
  auto first = shared.process("first");
  auto second = shared.process("second");
  BOOST_TEST(bool(shared.take(first)));
  shared.states["first"] = ProcessState::alive;
  const auto refused = shared.take(second);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().message.find("Another process already runs as the node 'node-a'") == 0u);
  BOOST_TEST((shared.waited == 0ms));
}

BOOST_AUTO_TEST_CASE(a_process_takes_its_own_name_again) {
  SharedStore shared;
  shared.states["first"] = ProcessState::alive;
  auto failed_start = shared.process("first");
  BOOST_TEST(bool(shared.take(failed_start)));
  auto next_start = shared.process("first");
  BOOST_TEST(bool(shared.take(next_start)));
  BOOST_TEST((shared.waited == 0ms));
}

BOOST_AUTO_TEST_CASE(a_process_that_ended_on_this_host_is_replaced_at_once) {
  SharedStore shared;
  auto first = shared.process("first");
  auto second = shared.process("second");
  BOOST_TEST(bool(shared.take(first)));
  shared.states["first"] = ProcessState::gone;
  BOOST_TEST(bool(shared.take(second)));
  BOOST_TEST((shared.waited == 0ms));
  // If the first process resumes, its renewal is refused.
  BOOST_TEST((first.renew().error().code == domain::ErrorCode::invalid_state));
  BOOST_TEST(bool(second.renew()));
}

BOOST_AUTO_TEST_CASE(a_process_on_another_host_is_replaced_when_its_lease_expires) {
  SharedStore shared;
  auto first = shared.process("first");
  auto second = shared.process("second");
  BOOST_TEST(bool(shared.take(first)));
  shared.states["first"] = ProcessState::elsewhere;
  BOOST_TEST(bool(shared.take(second)));
  BOOST_TEST((shared.waited > 8s));
  BOOST_TEST((shared.waited <= 11s));
}

BOOST_AUTO_TEST_CASE(a_process_on_another_host_that_renews_its_lease_keeps_its_name) {
  SharedStore shared;
  auto first = shared.process("first");
  auto second = shared.process("second");
  BOOST_TEST(bool(shared.take(first)));
  shared.states["first"] = ProcessState::elsewhere;
  shared.meanwhile = [&] { BOOST_TEST(bool(first.renew())); };
  BOOST_TEST(!shared.take(second));
  BOOST_TEST((shared.waited < 3s));
}

BOOST_AUTO_TEST_CASE(a_process_that_released_its_lease_is_replaced_at_once) {
  SharedStore shared;
  auto first = shared.process("first");
  auto second = shared.process("second");
  BOOST_TEST(bool(shared.take(first)));
  shared.states["first"] = ProcessState::elsewhere;
  first.leave();
  BOOST_TEST(bool(shared.take(second)));
  BOOST_TEST((shared.waited == 0ms));
}

BOOST_AUTO_TEST_CASE(silent_nodes_are_listed_with_their_last_renewal) {
  SharedStore shared;
  auto first = shared.process("first");
  BOOST_TEST(bool(shared.take(first)));
  BOOST_TEST(*first.neighbours() == "nodes: node-a");
  shared.clock.advance_s(60);
  BOOST_TEST(first.neighbours()->find("; silent since 2026-11-20T") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
