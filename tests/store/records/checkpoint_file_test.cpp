// The signed notes beside the database.
#include <fstream>

#include "core/store/integrity/checkpoint_file.hpp"
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

struct Notes {
  store::CheckpointFile open(char key = 'k') const { return {file, crypto::SigningKey(std::string(32, key))}; }
  static ports::Checkpoint at(std::int64_t position, ports::Checkpoint::Kind kind = ports::Checkpoint::Kind::passed) {
    ports::Checkpoint checkpoint;
    checkpoint.kind = kind;
    checkpoint.at = kNow.plus_ms(position);
    checkpoint.heads["ledger"] = {{"node/0", position, std::string(32, static_cast<char>(position))}};
    checkpoint.heads["audit"] = {};
    return checkpoint;
  }
  /// "1 2 3" and the number of faults, where there are any.
  std::string ledger(char key = 'k') const {
    const auto trail = open(key).trail("ledger");
    BOOST_REQUIRE(bool(trail));
    std::string text;
    for (const auto& [chain, notes] : trail->chains)
      for (const auto& note : notes) text += (text.empty() ? "" : " ") + std::to_string(note.position);
    return trail->faults.empty() ? text : text + " faults " + std::to_string(trail->faults.size());
  }
  void add(const std::string& text) const { std::ofstream(file, std::ios::app) << text; }

  TemporaryFolder folder;
  std::filesystem::path file = folder / "checkpoints";
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(checkpoint_file, Notes)

BOOST_AUTO_TEST_CASE(notes_come_back_as_they_were_made) {
  BOOST_TEST(ledger() == "");
  auto writer = open();
  for (const int position : {1, 5, 9}) BOOST_REQUIRE(bool(writer.append(at(position))));
  BOOST_TEST(ledger() == "1 5 9");
  const auto trail = writer.trail("ledger");
  BOOST_TEST(trail->checkpoints == 3);
  BOOST_TEST((trail->newest == kNow.plus_ms(9)));
  BOOST_TEST(trail->chains.at("node/0").back().hash == std::string(32, 9));
  BOOST_TEST(writer.trail("audit")->chains.empty());
  const auto open_to_others = std::filesystem::perms::group_all | std::filesystem::perms::others_all;
  BOOST_TEST(((std::filesystem::status(file).permissions() & open_to_others) == std::filesystem::perms::none));
}

BOOST_AUTO_TEST_CASE(a_line_that_this_key_did_not_sign_is_a_fault) {
  auto writer = open(), stranger = open('x');
  BOOST_REQUIRE(bool(writer.append(at(1))));
  BOOST_REQUIRE(bool(stranger.append(at(2))));
  add("tideover-checkpoint-1 2026-11-20T00:00:00.000Z sig=00\n");
  BOOST_REQUIRE(bool(writer.append(at(3))));
  BOOST_TEST(ledger() == "1 3 faults 2");
}

BOOST_AUTO_TEST_CASE(half_a_line_left_by_a_crash_is_skipped_and_cut_off) {
  auto writer = open();
  BOOST_REQUIRE(bool(writer.append(at(1))));
  add("tideover-checkpoint-1 2026-11");
  BOOST_TEST(ledger() == "1");
  BOOST_REQUIRE(bool(writer.append(at(2))));
  BOOST_TEST(ledger() == "1 2");
}

BOOST_AUTO_TEST_CASE(two_that_write_into_one_file_may_overtake_each_other) {
  auto one = open(), other = open();
  BOOST_REQUIRE(bool(one.append(at(2))));
  BOOST_REQUIRE(bool(other.append(at(5))));
  BOOST_REQUIRE(bool(one.append(at(4))));
  BOOST_TEST(ledger() == "2 4 5");
}

BOOST_AUTO_TEST_CASE(after_a_restore_the_older_notes_are_void) {
  auto writer = open();
  BOOST_REQUIRE(bool(writer.append(at(7))));
  BOOST_REQUIRE(bool(writer.append(at(3, ports::Checkpoint::Kind::restored))));
  BOOST_REQUIRE(bool(writer.append(at(4))));
  BOOST_TEST(ledger() == "3 4");
  BOOST_TEST((writer.trail("ledger")->restored == kNow.plus_ms(3)));
}

BOOST_AUTO_TEST_SUITE_END()
