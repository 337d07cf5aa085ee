// Interrupted imports: canceled, stopped, crashed or failing imports review each row once
// (core/docs/contract.md#imports).
#include <string>

#include "tests/usecases/import_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using domain::ImportStatus;
using tests::check_counts;
using tests::ImportWorld;
using tests::refusal_of;
using tests::row;
using tests::rows;

BOOST_FIXTURE_TEST_SUITE(imports, ImportWorld)

BOOST_AUTO_TEST_CASE(a_dry_run_resumed_after_a_stop_still_has_its_first_rows) {
  done("claims\n" + row("CLM-2"));
  const auto id = started(
      "claims\n" + row("CLM-1") + row("CLM-2", "2000.00") + row("CLM-3") + row("CLM-1") + row("CLM-2", "2000.00"),
      [](usecases::ImportRequest& request) { request.dry_run = true; });
  int asked = 0;
  BOOST_REQUIRE(bool((*run_import)([&] { return ++asked > 1; })));
  check_counts(job(id), 3, 2, 1, 0);
  work();
  BOOST_TEST(outcomes(id) == "1 accepted 2 rejected 3 accepted 4 duplicate 5 rejected");
}

BOOST_AUTO_TEST_CASE(a_canceled_import_keeps_reviewed_rows_and_reads_no_more) {
  const auto queued = started(rows(1, 3));
  BOOST_TEST(try_cancel(queued.text())->body == "failed");
  work();
  check_counts(job(queued), 0, 0, 0, 0);
  BOOST_TEST(*job(queued).canceled_at == clock.now());
  BOOST_TEST(!seen([&](const ports::Records& records) { return records.imports().piece(caller.tenant, queued, 0); }));

  const auto running = started(rows(1, 9));
  store->before_commit(3, [&] {
    BOOST_TEST(
        bool(usecases::CancelImport(*sql, ids)(context("cancel"), running.text(), [](const auto&) { return ""; })));
  });
  work();
  BOOST_TEST(job(running).status == ImportStatus::failed);
  check_counts(job(running), 3, 3, 0, 0);
  BOOST_TEST(outcomes(running) == "1 accepted 2 accepted 3 accepted");
  BOOST_TEST(events("import.failed") == 2);

  BOOST_TEST(bool(try_cancel(running.text())));  // again changes nothing
  BOOST_TEST(events("import.failed") == 2);
  const auto ended = done(rows(20, 20));
  BOOST_TEST(refusal_of(try_cancel(ended.id.text())) == ErrorCode::invalid_state);
  BOOST_TEST(refusal_of(try_cancel("imp_nonsense")) == ErrorCode::not_found);
}

BOOST_AUTO_TEST_CASE(an_import_with_abort_on_error_stops_at_the_first_bad_row) {
  const auto ended = done("claims\n" + row("CLM-1") + row("CLM-2", "x") + row("CLM-3") + row("CLM-4"),
                          [](usecases::ImportRequest& request) { request.abort_on_error = true; });
  BOOST_TEST(ended.status == ImportStatus::failed);
  check_counts(ended, 2, 1, 1, 0);
  BOOST_TEST(refusal_of(usecases::GetClaim(*sql).status(caller.tenant, "CLM-3")) == ErrorCode::claim_not_found);
  BOOST_TEST(events("import.failed") == 1);
}

BOOST_AUTO_TEST_CASE(a_stopped_import_resumes_where_it_stopped) {
  const auto id = started(rows(1, 20));
  int asked = 0;
  BOOST_REQUIRE(bool((*run_import)([&] { return ++asked > 2; })));  // two chunks of three
  BOOST_TEST(job(id).status == ImportStatus::running);
  check_counts(job(id), 6, 6, 0, 0);
  work();  // at once: an orderly stop releases the lease
  BOOST_TEST(job(id).status == ImportStatus::succeeded);
  check_counts(job(id), 20, 20, 0, 0);
  BOOST_TEST(events("review.completed") == 20);
}

BOOST_AUTO_TEST_CASE(a_crash_at_any_commit_loses_and_repeats_no_row) {
  const std::string file = rows(1, 7) + "!\n" + row("CLM-1") + row("CLM-9");
  for (int commits = 0; commits < 7; ++commits) {
    ImportWorld world;
    const auto id = world.started(file);
    world.store->die_after(commits);
    (void)(*world.run_import)([] { return false; });
    world.store->revive();
    world.clock.advance_s(61);
    world.work();
    const auto ended = world.job(id);
    BOOST_TEST(ended.status == ImportStatus::succeeded);
    check_counts(ended, 10, 8, 1, 1);
    BOOST_TEST(ended.errors.size() == 1u);
    BOOST_TEST(world.events("review.completed") == 8);
    BOOST_TEST(world.events("import.completed") == 1);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(an_unavailable_directory_rejects_no_row) {
  const auto id = started(rows(1, 5));
  payers.down = true;
  BOOST_TEST(refusal_of((*run_import)([] { return false; })) == ErrorCode::service_unavailable);
  payers.down = false;
  clock.advance_s(61);
  work();
  BOOST_TEST(job(id).status == ImportStatus::succeeded);
  check_counts(job(id), 5, 5, 0, 0);
}

BOOST_AUTO_TEST_CASE(an_import_without_progress_fails_with_the_reason) {
  const auto id = started(rows(1, 5));
  payers.down = true;
  for (int round = 1; round < 10; ++round) {
    BOOST_TEST(refusal_of((*run_import)([] { return false; })) == ErrorCode::service_unavailable);
    BOOST_TEST(job(id).status == ImportStatus::running);
    clock.advance_s(61);
  }
  BOOST_TEST(*(*run_import)([] { return false; }));
  BOOST_TEST(job(id).status == ImportStatus::failed);
  BOOST_TEST(job(id).errors.front().code == ErrorCode::service_unavailable);
  BOOST_TEST(events("import.failed") == 1);
}

BOOST_AUTO_TEST_CASE(an_import_with_progress_between_failures_continues) {
  const auto id = started(rows(1, 20));
  for (int round = 0; round < 12; ++round) {  // each round fails once; round 5 makes progress
    payers.down = true;
    BOOST_TEST(refusal_of((*run_import)([] { return false; })) == ErrorCode::service_unavailable);
    clock.advance_s(61);
    payers.down = false;
    int asked = 0;
    if (round == 5) BOOST_REQUIRE(bool((*run_import)([&] { return ++asked > 1; })));  // one chunk of three
  }
  BOOST_TEST(job(id).status == ImportStatus::running);
  work();
  BOOST_TEST(job(id).status == ImportStatus::succeeded);
  check_counts(job(id), 20, 20, 0, 0);
}

BOOST_AUTO_TEST_CASE(a_chunk_written_on_the_last_try_counts_as_progress) {
  const auto id = started(rows(1, 9));
  payers.down = true;
  for (int round = 1; round < 10; ++round) {
    (void)(*run_import)([] { return false; });
    clock.advance_s(61);
  }
  payers.down = false;
  payers.down_after = 4;  // reviews: the first chunk of three is complete when the second fails
  BOOST_TEST(!(*run_import)([] { return false; }));
  const auto after = job(id);
  BOOST_TEST(after.status == ImportStatus::running);  // it made progress
  check_counts(after, 3, 3, 0, 0);
}

BOOST_AUTO_TEST_CASE(a_chunk_with_a_write_conflict_is_written_again_at_once) {
  const auto id = started(rows(1, 5));
  store->collide_at_commit(2);  // the first takes the job
  work();
  BOOST_TEST(job(id).status == ImportStatus::succeeded);
  check_counts(job(id), 5, 5, 0, 0);
  BOOST_TEST(events("review.completed") == 5);
}

BOOST_AUTO_TEST_SUITE_END()
