// The process ends at every step of a round: each file is posted once and archived nevertheless.
#include "tests/usecases/pickup/pickup_world.hpp"

using namespace tideover;
using tests::PickupWorld;

namespace {

constexpr int kMostSteps = 12;

/// Runs `world` until nothing changes, as a new process.
void end_well(PickupWorld& world) {
  world.store->revive();
  world.restart();
  for (int i = 0; i < 3; ++i) {
    world.clock.advance_s(3600);
    world.look();
  }
}

void check_remittance_posted_once(PickupWorld& world, const std::string& when) {
  BOOST_TEST_CONTEXT(when) {
    BOOST_TEST(world.remittance_count() == 1u);
    BOOST_TEST(world.events("remittance.received") == 1);
    BOOST_TEST(world.statuses() == "posted");
    BOOST_TEST(world.files("inbox") == "");
    BOOST_TEST(world.files("archive") == "2026-11-20/june.835");
    BOOST_TEST(world.log().front().result.objects.size() == 1u);
    BOOST_TEST(world.log().front().place == "archive/2026-11-20/june.835");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pickup_exactly_once)

BOOST_AUTO_TEST_CASE(an_end_at_any_call_of_the_folder_posts_and_archives_once) {
  int ended = 0;
  for (int step = 1; step <= kMostSteps; ++step)
    for (const bool is_done : {false, true}) {
      PickupWorld world;
      world.put("june.835", "REM T1 5000");
      world.fragile->end_at(step, is_done);
      try {
        world.look();
      } catch (const tests::ProcessEnded&) {
        ++ended;
      }
      end_well(world);
      check_remittance_posted_once(world, "step " + std::to_string(step) + (is_done ? " done" : " not done"));
    }
  BOOST_TEST(ended == 8);  // reading, looking twice for a new file, moving: each before and behind the call
}

BOOST_AUTO_TEST_CASE(an_end_behind_any_commit_posts_and_archives_once) {
  for (int commits = 0; commits <= kMostSteps; ++commits) {
    PickupWorld world;
    world.put("june.835", "REM T1 5000");
    world.store->die_after(commits);
    world.look();
    end_well(world);
    check_remittance_posted_once(world, "after commit " + std::to_string(commits));
  }
}

BOOST_AUTO_TEST_CASE(a_lost_answer_of_any_commit_posts_and_archives_once) {
  for (int commit = 1; commit <= 4; ++commit)
    for (const bool is_kept : {false, true}) {
      PickupWorld world;
      world.put("june.835", "REM T1 5000");
      is_kept ? world.store->lose_answer_of_commit(commit) : world.store->lose_commit(commit);
      world.look();
      end_well(world);
      check_remittance_posted_once(world, "commit " + std::to_string(commit) + (is_kept ? " kept" : " lost"));
    }
}

BOOST_AUTO_TEST_CASE(a_collision_with_another_writer_posts_and_archives_once) {
  for (int commit = 1; commit <= 4; ++commit) {
    PickupWorld world;
    world.put("june.835", "REM T1 5000");
    world.store->collide_at_commit(commit);
    world.look();
    end_well(world);
    check_remittance_posted_once(world, "collision at commit " + std::to_string(commit));
  }
}

BOOST_AUTO_TEST_CASE(a_deposit_file_and_a_file_of_claims_are_posted_once_as_well) {
  for (int commits = 0; commits <= kMostSteps; ++commits)
    for (const std::string text : {"DEP R1 700", "claims\nclaim_identifier=C1"}) {
      PickupWorld world;
      world.put("file", text);
      world.store->die_after(commits);
      world.look();
      end_well(world);
      BOOST_TEST_CONTEXT("after commit " << commits << " of " << text) {
        BOOST_TEST(world.deposit_count() == (text.starts_with("DEP") ? 1u : 0u));
        const auto jobs = world.seen([&](const ports::Records& records) {
          return records.imports().list(world.caller.tenant, {"", 10});
        });
        BOOST_TEST(jobs.size() == (text.starts_with("DEP") ? 0u : 1u));
        BOOST_TEST(world.statuses() == "posted");
        BOOST_TEST(world.files("archive") == "2026-11-20/file");
        BOOST_TEST(world.files("answers") == (text.starts_with("DEP") ? "" : "file.999 file.ta1"));
      }
    }
}

BOOST_AUTO_TEST_CASE(an_end_at_any_call_quarantines_a_refused_file_once) {
  for (int step = 1; step <= kMostSteps; ++step)
    for (const bool is_done : {false, true}) {
      PickupWorld world;
      world.put("bad.835", "nothing");
      world.fragile->end_at(step, is_done);
      try {
        world.look();
      } catch (const tests::ProcessEnded&) {
      }
      end_well(world);
      BOOST_TEST_CONTEXT("step " << step << (is_done ? " done" : " not done")) {
        BOOST_TEST(world.statuses() == "quarantined");
        BOOST_TEST(world.files("quarantine") == "bad.835 bad.835.error.txt");
        BOOST_TEST(world.files("inbox") == "");
      }
    }
}

BOOST_AUTO_TEST_CASE(a_committed_posting_is_found_without_its_reader) {
  // The row and the posting are committed, the result is not.
  PickupWorld world;
  world.put("june.835", "REM T1 5000");
  world.store->die_after(2);
  world.look();
  BOOST_TEST(world.remittance_count() == 1u);
  BOOST_TEST(world.statuses() == "received");
  world.line_remittances.is_away = true;
  end_well(world);
  check_remittance_posted_once(world, "without its reader");
}

BOOST_AUTO_TEST_CASE(a_new_file_of_the_same_name_after_an_end_behind_the_move_is_read) {
  for (const std::string text : {"REM T2 700", "REM T1 5000"}) {
    PickupWorld world;
    world.put("june.835", "REM T1 5000");
    world.fragile->end_at(4, true);
    BOOST_CHECK_THROW(world.look(), tests::ProcessEnded);
    BOOST_TEST(world.files("archive") == "2026-11-20/june.835");
    world.put("june.835", text);
    end_well(world);
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST(world.statuses() == (text == "REM T2 700" ? "posted posted" : "posted duplicate"));
      BOOST_TEST(world.remittance_count() == (text == "REM T2 700" ? 2u : 1u));
      BOOST_TEST(world.text_of("archive/2026-11-20/june.835") == "REM T1 5000");
      BOOST_TEST(world.files("inbox") == "");
    }
  }
}

BOOST_AUTO_TEST_CASE(two_nodes_at_once_post_once) {
  // The second node looks between any two commits of the first.
  for (int commit = 1; commit <= 4; ++commit) {
    PickupWorld world;
    world.put("june.835", "REM T1 5000");
    tests::FragileFolder folder(*world.disk);
    usecases::PickUpFiles second(*world.sql, world.post, folder, world.clock, world.ids, world.terms);
    world.store->before_commit(commit, [&] { second([] { return false; }); });
    world.look();
    end_well(world);
    BOOST_TEST_CONTEXT("before commit " << commit) {
      BOOST_TEST(world.remittance_count() == 1u);
      BOOST_TEST(world.files("archive") == "2026-11-20/june.835");
      BOOST_TEST(world.statuses() == "posted");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_moved_is_posted_once_and_moved_later) {
  PickupWorld world;
  world.put("june.835", "REM T1 5000");
  world.fragile->cannot_move = true;
  for (int i = 0; i < 3; ++i) {
    const auto round = world.look();
    BOOST_REQUIRE(round.problems.size() == 1u);
    BOOST_TEST(round.problems.front() == "inbox/june.835: Permission denied.");
    BOOST_TEST(round.waiting == 1);
  }
  BOOST_TEST(world.remittance_count() == 1u);
  BOOST_TEST(world.files("inbox") == "june.835");
  world.fragile->cannot_move = false;
  BOOST_TEST(world.look().posted == 1);
  check_remittance_posted_once(world, "moved later");
}

BOOST_AUTO_TEST_SUITE_END()
