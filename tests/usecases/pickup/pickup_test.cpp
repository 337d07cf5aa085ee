// What becomes of the files of a watched folder, and the log about them.
#include "tests/usecases/pickup/pickup_world.hpp"

using namespace tideover;
using domain::PickupKind;
using domain::PickupStatus;
using tests::PickupWorld;
using tests::refusal_of;

namespace {

struct LogWorld : PickupWorld {
  usecases::ReadPickupFiles reading{*store, ids};
  domain::Result<usecases::StoredResponse> retry(const domain::PickupFileId& id) {
    return reading.retry(context("retry"), id.text(),
                         [](const domain::PickupFile& file) { return std::string(name_of(file.status)); });
  }
  std::string listed(const usecases::PickupQuery& query) {
    const auto found = reading.list(caller.tenant, query);
    BOOST_REQUIRE_MESSAGE(found, tests::why(found));
    std::string names;
    for (const auto& file : *found) names += (names.empty() ? "" : " ") + file.name;
    return names;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(pickup_files, LogWorld)

BOOST_AUTO_TEST_CASE(the_content_decides_the_kind) {
  put("a", "REM T1 5000");
  put("b", "DEP R1 700");
  put("c", "claims\nclaim_identifier=C1");
  BOOST_TEST(look().posted == 3);
  std::map<std::string, domain::PickupFile> by_name;
  for (const auto& file : log()) by_name[file.name] = file;
  BOOST_TEST((by_name["a"].result.kind == PickupKind::remittance));
  BOOST_TEST(by_name["a"].result.format == "rem");
  BOOST_TEST(by_name["a"].result.objects.front().starts_with("rmt_"));
  BOOST_TEST((by_name["b"].result.kind == PickupKind::deposit));
  BOOST_TEST(by_name["b"].result.objects.front().starts_with("dep_"));
  BOOST_TEST((by_name["c"].result.kind == PickupKind::claims));
  BOOST_TEST(by_name["c"].result.objects.front().starts_with("imp_"));
  BOOST_TEST(by_name["c"].sha256.size() == 64u);
  BOOST_TEST(files("archive") == "2026-11-20/a 2026-11-20/b 2026-11-20/c");
}

BOOST_AUTO_TEST_CASE(a_kind_admits_its_formats_only) {
  terms.kind = PickupKind::deposit;
  start();
  put("a", "REM T1 5000");
  BOOST_TEST(look().quarantined == 1);
  BOOST_TEST(text_of("quarantine/a.error.txt") == "invalid_payload: The file is no statement.\n");
  BOOST_TEST(remittance_count() == 0u);
}

BOOST_AUTO_TEST_CASE(a_file_is_left_until_it_is_complete) {
  terms.stable_for = std::chrono::seconds(10);
  start();
  put("a", "REM T1");
  BOOST_TEST(look().posted == 0);
  clock.advance_s(9);
  BOOST_TEST(look().posted == 0);
  put("a", "REM T1 5000");  // it grows
  clock.advance_s(9);
  BOOST_TEST(look().posted == 0);
  clock.advance_s(9);
  BOOST_TEST(look().posted == 0);
  clock.advance_s(1);
  BOOST_TEST(look().posted == 1);
}

BOOST_AUTO_TEST_CASE(temporary_names_are_left_alone) {
  put("a.part", "REM T1 5000");
  put(".b", "REM T2 5000");
  const auto round = look();
  BOOST_TEST(round.posted == 0);
  BOOST_TEST(round.problems.empty());
  BOOST_TEST(log().empty());
  std::filesystem::rename(folder_path / "inbox/a.part", folder_path / "inbox/a");
  BOOST_TEST(look().posted == 1);
}

BOOST_AUTO_TEST_CASE(the_same_content_again_is_a_duplicate_with_the_earlier_id) {
  put("a", "REM T1 5000");
  look();
  put("a", "REM T1 5000");
  put("b", "REM T1 5000");
  BOOST_TEST(look().duplicates == 2);
  const auto files_now = log();
  BOOST_TEST(statuses() == "posted duplicate duplicate");
  BOOST_REQUIRE(files_now[1].duplicate_of.has_value());
  BOOST_TEST(files_now[1].duplicate_of->text() == files_now[0].id.text());
  BOOST_TEST(files_now[2].duplicate_of->text() == files_now[0].id.text());
  BOOST_TEST(files("inbox") == "");
  BOOST_TEST(remittance_count() == 1u);
  BOOST_TEST(std::filesystem::exists(folder_path / "archive/2026-11-20" / ("a." + files_now[1].id.text())));
}

BOOST_AUTO_TEST_CASE(a_content_that_came_over_the_api_is_not_posted_twice) {
  const auto posted = post_remittances.file(context("remittance"), {"rem", "REM T1 5000"},
                                            [](const auto&) { return std::string("ok"); });
  BOOST_REQUIRE(bool(posted));
  put("a", "REM T1 5000");
  BOOST_TEST(look().posted == 1);
  BOOST_TEST(remittance_count() == 1u);
}

BOOST_AUTO_TEST_CASE(a_refused_file_is_in_quarantine_with_the_reason_of_every_reader) {
  put("bad", "nothing");
  BOOST_TEST(look().quarantined == 1);
  const auto file = log().front();
  BOOST_TEST((file.status == PickupStatus::quarantined));
  BOOST_TEST(file.error_code == "invalid_payload");
  BOOST_TEST(file.error ==
             "No format accepts the file. rem: The file is no remittance. dep: The file is no statement. x12_lines: "
             "The file does not begin with 'claims'.");
  BOOST_TEST(text_of("quarantine/bad.error.txt") == "invalid_payload: " + file.error + "\n");
  BOOST_TEST(file.place == "quarantine/bad");
}

BOOST_AUTO_TEST_CASE(a_quarantined_file_is_read_again_on_request) {
  terms.kind = PickupKind::deposit;
  start();
  put("a", "REM T1 5000");
  look();
  const auto id = log().front().id;
  BOOST_TEST(tests::why(retry(id)) == "");
  BOOST_TEST(statuses() == "waiting");
  BOOST_TEST((refusal_of(retry(id)) == domain::ErrorCode::invalid_state));
  look();  // it is still no deposit
  BOOST_TEST(statuses() == "quarantined");
  BOOST_TEST(files("quarantine") == "a a.error.txt");
  terms.kind = PickupKind::remittance;
  start();
  BOOST_TEST(tests::why(retry(id)) == "");
  BOOST_TEST(look().posted == 1);
  BOOST_TEST(statuses() == "posted");
  BOOST_TEST(log().front().error == "");
  BOOST_TEST(files("quarantine") == "");
  BOOST_TEST(files("archive") == "2026-11-20/a");
  BOOST_TEST(remittance_count() == 1u);
}

BOOST_AUTO_TEST_CASE(a_retry_is_refused_when_the_content_came_again) {
  terms.kind = PickupKind::deposit;
  start();
  put("a", "REM T1 5000");
  look();
  const auto id = log().front().id;
  terms.kind = PickupKind::remittance;
  start();
  put("b", "REM T1 5000");
  BOOST_TEST(look().posted == 1);
  const auto refused = retry(id);
  BOOST_TEST((refusal_of(refused) == domain::ErrorCode::invalid_state));
  BOOST_TEST(tests::detail_of(refused.error(), "file_id") == log().back().id.text());
}

BOOST_AUTO_TEST_CASE(a_failure_of_the_service_leaves_the_file_and_backs_off) {
  terms.kind = PickupKind::remittance;
  start();
  line_remittances.is_away = true;
  put("a", "REM T1 5000");
  const auto round = look();
  BOOST_TEST(round.waiting == 1);
  BOOST_REQUIRE(round.problems.size() == 1u);
  BOOST_TEST(round.problems.front() == "inbox/a: The plugin is busy.");
  BOOST_TEST(statuses() == "waiting");
  BOOST_TEST(log().front().error_code == "service_unavailable");
  BOOST_TEST(files("inbox") == "a");
  clock.advance_s(4);
  BOOST_TEST(look().problems.empty());  // no attempt yet
  clock.advance_s(1);
  BOOST_TEST(look().problems.size() == 1u);
  BOOST_TEST(log().front().attempts == 2);
  line_remittances.is_away = false;
  clock.advance_s(9);
  BOOST_TEST(look().posted == 0);
  clock.advance_s(1);
  BOOST_TEST(look().posted == 1);
  BOOST_TEST(log().front().error == "");
}

BOOST_AUTO_TEST_CASE(a_format_that_is_not_loaded_leaves_the_file) {
  terms.format = "bai2";
  start();
  put("a", "REM T1 5000");
  BOOST_TEST(look().waiting == 1);
  BOOST_TEST(files("inbox") == "a");
  BOOST_TEST(log().front().error ==
             "The format bai2 of the folder is not loaded. Add its plugin to the setting plugins, or correct the "
             "setting format of the folder.");
}

BOOST_AUTO_TEST_CASE(a_folder_without_its_tenant_waits) {
  terms.tenant = "other";
  pick_up = std::make_unique<usecases::PickUpFiles>(*store, post, *fragile, clock, ids, terms);
  put("a", "REM T1 5000");
  const auto round = look();
  BOOST_REQUIRE(round.problems.size() == 1u);
  BOOST_TEST(round.problems.front() == "era: The tenant other is not found. Create it with `tideover client create`.");
  BOOST_TEST(files("inbox") == "a");
}

BOOST_AUTO_TEST_CASE(answers_to_claims_have_control_numbers_of_their_own) {
  put("a.837", "claims\nclaim_identifier=C1");
  put("b.837", "claims\nclaim_identifier=C2");
  look();
  BOOST_TEST(files("answers") == "a.837.999 a.837.ta1 b.837.999 b.837.ta1");
  BOOST_TEST(text_of("answers/a.837.999") + text_of("answers/b.837.999") == "999 1999 2");
  put("a.837", "claims\nclaim_identifier=C3");
  look();
  const auto third = log().back();
  BOOST_TEST(text_of("answers/a.837." + third.id.text() + ".999") == "999 3");
  BOOST_TEST(text_of("answers/a.837.999") == "999 1");
  const auto answer = reading.acknowledgment(caller.tenant, third.result.objects.front());
  BOOST_REQUIRE(bool(answer));
  BOOST_TEST(answer->implementation == "999 3");
  BOOST_TEST((refusal_of(reading.acknowledgment(caller.tenant, "imp_x")) == domain::ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(two_imports_at_once_do_not_share_a_control_number) {
  const usecases::ImportRequest request{"x12_lines", "none", "claims\nclaim_identifier=C1", {}};
  store->before_commit(1, [&] {
    usecases::StartImport other(*sql, answered_lines, decoder, digests, ids, 500'000);
    BOOST_TEST(bool(other(context("other"), request, [](const auto&) { return std::string("ok"); })));
  });
  const auto started =
      start_imports(context("one"), request, [](const domain::ImportJob& job) { return job.id.text(); });
  BOOST_REQUIRE_MESSAGE(started, tests::why(started));
  BOOST_TEST(reading.acknowledgment(caller.tenant, started->body)->implementation == "999 2");
}

BOOST_AUTO_TEST_CASE(the_log_is_filtered_by_folder_status_and_day) {
  put("a", "REM T1 5000");
  look();
  clock.advance_days(1);
  put("b", "nothing");
  look();
  BOOST_TEST(listed({}) == "a b");
  BOOST_TEST(listed({"era", "posted", {}, {}, {}}) == "a");
  BOOST_TEST(listed({"other", "", {}, {}, {}}) == "");
  const auto day = domain::Date::from_ymd(2026, 11, 21);
  BOOST_TEST(listed({"", "", day, {}, {}}) == "b");
  BOOST_TEST(listed({"", "", {}, day->plus(-1), {}}) == "a");
  const auto first = log().front().id.text();
  BOOST_TEST(listed({"", "", {}, {}, {first, 25}}) == "b");
  BOOST_TEST(
      (refusal_of(reading.list(caller.tenant, {"", "gone", {}, {}, {}})) == domain::ErrorCode::invalid_parameter));
  BOOST_TEST((refusal_of(reading.one(caller.tenant, "pkf_x")) == domain::ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_removed_or_replaced_while_it_waits_is_closed) {
  terms.kind = PickupKind::remittance;
  start();
  line_remittances.is_away = true;
  put("a", "REM T1 5000");
  put("b", "REM T2 5000");
  look();
  std::filesystem::remove(folder_path / "inbox/a");
  put("b", "REM T3 5000");
  line_remittances.is_away = false;
  clock.advance_s(60);
  look();
  look();
  BOOST_TEST(statuses() == "quarantined quarantined posted");
  BOOST_TEST(log()[0].error_code == "not_found");
  BOOST_TEST(remittance_count() == 1u);
}

BOOST_AUTO_TEST_CASE(a_file_that_replaces_one_that_is_being_posted_is_posted_as_well) {
  terms.kind = PickupKind::remittance;
  start();
  put("a", "REM T1 5000");
  line_remittances.during_parse = [&] { put("a", "REM T2 5000"); };
  for (int round = 0; round < 3; ++round) look();
  BOOST_TEST(statuses() == "posted posted");
  BOOST_TEST(remittance_count() == 2u);
  BOOST_TEST(files("inbox") == "");
}

BOOST_AUTO_TEST_CASE(old_days_of_the_archive_are_removed) {
  terms.archive_days = 30;
  start();
  put("a", "REM T1 5000");
  look();
  clock.advance_days(30);
  look();
  BOOST_TEST(files("archive") == "2026-11-20/a");
  clock.advance_days(1);
  look();
  BOOST_TEST(files("archive") == "");
}

BOOST_AUTO_TEST_CASE(the_folder_itself_can_be_the_inbox) {
  reopen(1000, true);
  start();
  std::ofstream(folder_path / "a") << "REM T1 5000";
  const auto round = look();
  BOOST_TEST(round.posted == 1);
  BOOST_TEST(files("archive") == "2026-11-20/a");
  BOOST_TEST(round.problems.size() == 1u);  // inbox/ of the other layout is a directory
}

BOOST_AUTO_TEST_SUITE_END()
