// RuleRecords: bundles change by compare-and-set, and one row says what decides.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;
using domain::BundleState;

namespace {

domain::RuleBundle sample_bundle(char first, std::int64_t after_ms = 0) {
  domain::RuleBundle bundle;
  bundle.sha256 = std::string(64, first);
  bundle.version = std::string("1.") + first;
  bundle.state = BundleState::tested;
  bundle.filed_by = "ann";
  bundle.filed_at = bundle.changed_at = kNow.plus_ms(after_ms);
  bundle.files = std::string(
      "ruleset.lua\0"
      "3\0"
      "a\0b",
      17);
  return bundle;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rule_records)

BOOST_DATA_TEST_CASE(a_bundle_comes_back_whole_and_lists_leave_its_files_out, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto rejected = sample_bundle('b', 5);
  rejected.state = BundleState::rejected;
  rejected.reason = "denial/x.lua:3:1: “unknown”";
  rejected.files.clear();
  store.write([&](ports::Records& records) {
    records.rules().insert(sample_bundle('a'));
    records.rules().insert(rejected);
  });
  BOOST_TEST((store.try_to_write([&](ports::Records& records) { records.rules().insert(sample_bundle('a')); }) ==
              ErrorCode::conflict));
  const auto found =
      store.seen([](const ports::Records& records) { return records.rules().find(std::string(64, 'a')); });
  BOOST_REQUIRE(found);
  BOOST_TEST(found->files == sample_bundle('a').files);
  BOOST_TEST(found->version == "1.a");
  BOOST_TEST(found->filed_by == "ann");
  BOOST_TEST((found->filed_at == kNow));
  const auto list = store.seen([](const ports::Records& records) { return records.rules().list(10); });
  BOOST_REQUIRE(list.size() == 2u);
  BOOST_TEST(list[0].reason == rejected.reason);
  BOOST_TEST(list[1].files.empty());
  BOOST_TEST(store.seen([](const ports::Records& records) { return records.rules().list(1); }).size() == 1u);
  const auto behind = [&](const RuleBundle& bundle) {
    return store.seen([&](const ports::Records& records) { return records.rules().list(10, &bundle); });
  };
  BOOST_REQUIRE(behind(list[0]).size() == 1u);
  BOOST_TEST(behind(list[0])[0].sha256 == list[1].sha256);
  BOOST_TEST(behind(list[1]).empty());
  const auto from_the_oldest = [&](const RuleBundle* after) {
    return store.seen([&](const ports::Records& records) {
      return records.rules().list(10, after, domain::ListOrder::oldest_first);
    });
  };
  BOOST_REQUIRE(from_the_oldest(nullptr).size() == 2u);
  BOOST_TEST(from_the_oldest(nullptr)[0].sha256 == list[1].sha256);
  BOOST_REQUIRE(from_the_oldest(&list[1]).size() == 1u);
  BOOST_TEST(from_the_oldest(&list[1])[0].sha256 == list[0].sha256);
  const auto by_prefix = [&](std::string_view prefix) {
    return store.seen([&](const ports::Records& records) { return records.rules().find_by_prefix(prefix, 2); }).size();
  };
  BOOST_TEST(by_prefix("aaaa") == 1u);
  BOOST_TEST(by_prefix("") == 2u);
  BOOST_TEST(by_prefix("ab") == 0u);
  BOOST_TEST(by_prefix("\xC3\xA9") == 0u);
}

BOOST_DATA_TEST_CASE(a_bundle_changes_only_from_the_state_that_was_read, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([](ports::Records& records) { records.rules().insert(sample_bundle('a')); });
  auto approved = sample_bundle('a');
  approved.state = BundleState::approved;
  approved.approved_by = "bob";
  const auto update = [&](BundleState expected) {
    return store.written([&](ports::Records& records) { return records.rules().update(approved, expected); });
  };
  BOOST_TEST(!update(BundleState::checked));
  BOOST_TEST(update(BundleState::tested));
  BOOST_TEST(!update(BundleState::tested));
  BOOST_TEST(store.seen([](const ports::Records& records) { return records.rules().find(std::string(64, 'a')); })
                 ->approved_by == "bob");
}

BOOST_DATA_TEST_CASE(one_row_names_the_deciding_bundle, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto live = [&] { return store.seen([](const ports::Records& records) { return records.rules().live(); }); };
  BOOST_TEST(!live());
  const domain::LiveRules first{std::string(64, 'a'), "", 1, false, kNow};
  store.write([&](ports::Records& records) { records.rules().insert_live(first); });
  BOOST_TEST((store.try_to_write([&](ports::Records& records) { records.rules().insert_live(first); }) ==
              ErrorCode::conflict));
  const domain::LiveRules next{std::string(64, 'b'), first.sha256, 2, true, kNow.plus_ms(2000)};
  const auto update = [&](std::int64_t expected) {
    return store.written([&](ports::Records& records) { return records.rules().update_live(next, expected); });
  };
  BOOST_TEST(!update(7));
  BOOST_TEST(update(1));
  BOOST_TEST(!update(1));
  BOOST_TEST(live()->sha256 == next.sha256);
  BOOST_TEST(live()->previous_sha256 == first.sha256);
  BOOST_TEST(live()->is_pinned);
  BOOST_TEST((live()->effective_at == next.effective_at));
}

BOOST_DATA_TEST_CASE(the_history_lists_the_latest_first, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([](ports::Records& records) {
    records.rules().append({"aud_1", kNow, domain::RuleAct::filed, std::string(64, 'a'), "ann", ""});
    records.rules().append(
        {"aud_2", kNow.plus_ms(1), domain::RuleAct::rolled_back, std::string(64, 'b'), "bob", "too many denials"});
  });
  const auto acts = store.seen([](const ports::Records& records) { return records.rules().history(10); });
  BOOST_REQUIRE(acts.size() == 2u);
  BOOST_TEST((acts[0].act == domain::RuleAct::rolled_back));
  BOOST_TEST(acts[0].reason == "too many denials");
  BOOST_TEST(acts[1].actor == "ann");
}

BOOST_AUTO_TEST_SUITE_END()
