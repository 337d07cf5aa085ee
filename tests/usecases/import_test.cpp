// Bulk imports: rows through the same review as single claims, and their results (core/docs/contract.md#imports).
#include <string>

#include "tests/support/gzip.hpp"
#include "tests/usecases/import_world.hpp"

using namespace tideover;
using domain::ErrorCode;
using domain::ImportStatus;
using test::gzip;
using tests::check_counts;
using tests::ImportWorld;
using tests::refusal_of;
using tests::row;
using tests::rows;

BOOST_FIXTURE_TEST_SUITE(imports, ImportWorld)

BOOST_AUTO_TEST_CASE(every_row_is_reviewed) {
  const auto ended = done(rows(1, 10));
  BOOST_TEST(ended.status == ImportStatus::succeeded);
  check_counts(ended, 10, 10, 0, 0);
  BOOST_TEST(*ended.finished_at == clock.now());
  BOOST_TEST(claim_status("CLM-10").status == domain::ClaimStatus::reviewed);
  BOOST_TEST(ended.bytes_read == ended.payload_bytes);
  BOOST_TEST(events("review.completed") == 10);
  BOOST_TEST(events("import.completed") == 1);
  BOOST_TEST(!seen([&](const ports::Records& records) { return records.imports().piece(caller.tenant, ended.id, 0); }));
}

BOOST_AUTO_TEST_CASE(the_progress_of_a_running_job_follows_its_finished_rows) {
  const auto file = rows(1, 300);
  for (const std::string encoding : {"none", "gzip"}) BOOST_TEST_CONTEXT(encoding) {
      const auto answer = try_start(encoding == "gzip" ? gzip(file) : file, encoding,
                                    [](usecases::ImportRequest& request) { request.dry_run = true; });
      BOOST_REQUIRE(bool(answer));
      const auto id = *domain::ImportJobId::parse(answer->body);
      std::int64_t before = 0;
      for (int finished = 0; finished < 225; finished += 75) {
        int asked = 0;
        // Once for each finished row, then before each of 25 chunks of three.
        BOOST_REQUIRE(bool((*run_import)([&] { return ++asked > finished + 25; })));
        const auto running = job(id);
        BOOST_TEST(running.status == ImportStatus::running);
        BOOST_TEST(running.started_at.has_value());
        BOOST_TEST(running.total_rows == finished + 75);
        const auto rows_of_file = running.bytes_read * 300 / running.payload_bytes;
        BOOST_TEST(std::abs(rows_of_file - running.total_rows) < 40, rows_of_file);
        BOOST_TEST(running.bytes_read > before);
        before = running.bytes_read;
      }
      work();
      BOOST_TEST(job(id).bytes_read == job(id).payload_bytes);
    }
}

BOOST_AUTO_TEST_CASE(bad_rows_are_reported_and_do_not_delay_the_others) {
  const auto ended = done("claims\n" + row("CLM-1") + row("CLM-2", "-5") + "!\n" + row("") + row("CLM-5"));
  BOOST_TEST(ended.status == ImportStatus::succeeded);
  check_counts(ended, 5, 2, 3, 0);
  BOOST_REQUIRE(ended.errors.size() == 3u);
  BOOST_TEST(ended.errors[0].row == 2);
  BOOST_TEST(ended.errors[0].line == 3);
  BOOST_TEST(ended.errors[0].field == "submitted_amount");
  BOOST_TEST(ended.errors[0].claim_identifier == "CLM-2");
  BOOST_TEST(ended.errors[1].row == 3);
  BOOST_TEST(ended.errors[2].field == "claim_identifier");
  for (const auto& fault : ended.errors) BOOST_TEST(fault.message.find("-5") == std::string::npos);  // no cell's value
}

BOOST_AUTO_TEST_CASE(a_refused_row_reports_its_claim_and_each_of_its_faults) {
  const auto ended = done("claims\n" + row("CLM-1") + "!claim_identifier=CLM-2\n" + "date_of_service=2999-01-01;" +
                          row("CLM-3", "-5"));
  check_counts(ended, 3, 1, 2, 0);
  BOOST_REQUIRE(ended.errors.size() == 2u);
  BOOST_TEST(ended.errors[0].claim_identifier == "CLM-2");
  BOOST_TEST(ended.errors[1].claim_identifier == "CLM-3");
  for (const char* field : {"submitted_amount: ", "date_of_service: "})
    BOOST_TEST(ended.errors[1].message.find(field) != std::string::npos, ended.errors[1].message);
  BOOST_TEST(ended.errors[1].message.find("details") == std::string::npos, ended.errors[1].message);
}

BOOST_AUTO_TEST_CASE(impossible_amounts_and_dates_are_refused_with_row_and_field) {
  const auto with = [](const std::string& field, const std::string& text) {
    return row("CLM-X", "10.00").insert(0, field + '=' + text + ';');
  };
  std::string file = "claims\n" + row("CLM-0");
  for (const char* amount :
       {"-0.01", "100000000.00", "1e99", "NaN", "1,000.00", "0x10", "99999999999999999999999999", "10.001"})
    file += row("CLM-X", amount);
  for (const char* date : {"2999-01-01", "2026-02-30", "20260101", "0000-00-00"}) file += with("date_of_service", date);
  file += with("date_of_submission", "2999-01-01") + with("service_lines[0].units", "-1") +
          with("service_lines[0].amount", "1e9");
  const auto ended = done(file);
  check_counts(ended, 16, 1, 15, 0);
  for (const auto& fault : ended.errors)
    BOOST_TEST((fault.row > 1 && fault.line == fault.row + 1 && !fault.field.empty()), fault.message);
}

BOOST_AUTO_TEST_CASE(a_decompression_bomb_is_refused_before_it_is_unpacked) {
  const auto bomb = gzip(std::string(64 << 20, 'x'));
  BOOST_TEST(bomb.size() < 100'000u);
  BOOST_TEST(refusal_of(try_start(bomb, "gzip")) == ErrorCode::payload_too_large);
}

BOOST_AUTO_TEST_CASE(every_row_has_one_result_with_its_review) {
  const auto first = done("claims\n" + row("CLM-1") + row("CLM-2", "x") + row("CLM-1"));
  BOOST_TEST(outcomes(first.id) == "1 accepted 2 rejected 3 duplicate");
  const auto shown = results(first.id);
  BOOST_REQUIRE(shown[0].review.has_value());
  BOOST_TEST(shown[0].line == 2);
  BOOST_TEST(shown[0].review->claim_identifier == "CLM-1");
  BOOST_TEST(shown[0].claim->draft.claim_identifier == "CLM-1");
  BOOST_TEST(shown[1].fault->field == "submitted_amount");
  BOOST_TEST((shown[2].claim->id == shown[0].claim->id));
  BOOST_TEST(!shown[2].review);
  const auto second =
      done("claims\n" + row("CLM-9"), [](usecases::ImportRequest& request) { request.auto_review = false; });
  BOOST_TEST(!results(second.id).front().review);
  BOOST_TEST(results(second.id).front().claim->draft.claim_identifier == "CLM-9");
}

BOOST_AUTO_TEST_CASE(results_are_paged_with_faults_in_row_order) {
  const auto ended = done("claims\n!\n" + row("CLM-2") + "!\n" + row("CLM-4") + row("CLM-5") + "#\n");
  const usecases::ReadImports imports(*sql);
  std::string seen;
  std::int64_t after = 0;
  for (bool more = true; more;) {
    const auto page = imports.results(caller.tenant, ended.id.text(), after, 2);
    BOOST_REQUIRE(bool(page));
    for (const auto& result : page->items)
      seen += std::to_string(result.row) + (result.fault ? "! " : result.review ? " " : "? ");
    after = page->items.back().row;
    more = page->has_more;
  }
  BOOST_TEST(seen == "1! 2 3! 4 5 ");
  const auto errors = imports.errors(caller.tenant, ended.id.text(), -1, 2);
  BOOST_REQUIRE(bool(errors));
  BOOST_TEST(errors->items.front().row == 0);
  BOOST_TEST(errors->has_more);
  BOOST_TEST(refusal_of(imports.results(domain::TenantId::of({9, 9}), ended.id.text(), 0, 9)) == ErrorCode::not_found);
  BOOST_TEST(refusal_of(imports.errors(caller.tenant, "imp_nonsense", 0, 9)) == ErrorCode::not_found);
}

BOOST_AUTO_TEST_CASE(a_dry_run_checks_every_row_and_stores_nothing) {
  review(draft("CLM-1"));
  const auto tried = done("claims\n" + row("CLM-1") + row("CLM-2") + row("CLM-3", "x"),
                          [](usecases::ImportRequest& request) { request.dry_run = true; });
  BOOST_TEST(tried.status == ImportStatus::succeeded);
  check_counts(tried, 3, 1, 2, 0);
  BOOST_TEST(tried.errors.front().code == ErrorCode::claim_locked);
  BOOST_TEST(outcomes(tried.id) == "1 rejected 2 accepted 3 rejected");
  BOOST_TEST(!results(tried.id)[1].claim);
  BOOST_TEST(refusal_of(usecases::GetClaim(*sql).status(caller.tenant, "CLM-2")) == ErrorCode::claim_not_found);
  BOOST_TEST(events("review.completed") == 1);
  BOOST_TEST(events("import.completed") == 1);
}

BOOST_AUTO_TEST_CASE(a_dry_run_detects_repeated_claims_in_its_file) {
  const std::string file =
      "claims\n" + row("CLM-1") + row("CLM-2") + row("CLM-1") + row("CLM-1", "2000.00") + row("CLM-3");
  for (const bool auto_review : {true, false}) {
    const auto tried = done(file, [&](usecases::ImportRequest& request) {
      request.dry_run = true;
      request.auto_review = auto_review;
    });
    const auto dry_outcomes = outcomes(tried.id);
    const auto real = done(file, [&](usecases::ImportRequest& request) { request.auto_review = auto_review; });
    if (auto_review) {
      BOOST_TEST(dry_outcomes == "1 accepted 2 accepted 3 duplicate 4 rejected 5 accepted");
      BOOST_TEST(tried.errors.front().code == ErrorCode::claim_locked);
      BOOST_TEST(dry_outcomes == outcomes(real.id));
    } else {  // the first pass of the loop stored and locked them
      BOOST_TEST(dry_outcomes == "1 duplicate 2 duplicate 3 duplicate 4 rejected 5 duplicate");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_dry_run_reports_the_same_outcomes_as_the_import) {
  const auto trial = [](usecases::ImportRequest& request) { request.dry_run = true; };
  const auto x = [&](const std::string& id) { return row(id); };
  const auto y = [&](const std::string& id) { return row(id, "2000.00"); };
  const std::string file = "claims\n" + x("CLM-1") + y("CLM-1") + x("CLM-1") + x("CLM-2") + y("CLM-2") + y("CLM-2");
  const auto tried = done(file, trial);
  BOOST_TEST(outcomes(tried.id) == "1 accepted 2 rejected 3 duplicate 4 accepted 5 rejected 6 rejected");
  BOOST_TEST(outcomes(done(file).id) == outcomes(tried.id));
  // Stored and not reviewed yet.
  (void)done("claims\n" + x("CLM-3"), [](usecases::ImportRequest& request) { request.auto_review = false; });
  const std::string corrected = "claims\n" + x("CLM-3") + y("CLM-3");
  const auto tried_correction = done(corrected, trial);
  BOOST_TEST(outcomes(tried_correction.id) == "1 duplicate 2 accepted");
  BOOST_TEST(outcomes(done(corrected).id) == outcomes(tried_correction.id));
}

BOOST_AUTO_TEST_CASE(a_dry_run_reports_rows_of_a_locked_claim_as_the_import_does) {
  done("claims\n" + row("CLM-1"));
  const std::string file = "claims\n" + row("CLM-1", "2000.00") + row("CLM-1") + row("CLM-1", "2000.00");
  const auto tried = done(file, [](usecases::ImportRequest& request) { request.dry_run = true; });
  BOOST_TEST(outcomes(tried.id) == "1 rejected 2 duplicate 3 rejected");
  BOOST_TEST(outcomes(done(file).id) == outcomes(tried.id));
}

BOOST_AUTO_TEST_CASE(only_a_valid_claim_identifier_is_returned) {
  const auto ended = done("claims\n" + row(std::string(65, 'x')) + row("CLM-\x01") + row(std::string(64, 'y'), "-5"));
  BOOST_REQUIRE(ended.errors.size() == 3u);
  BOOST_TEST(ended.errors[0].claim_identifier == "");
  BOOST_TEST(ended.errors[1].claim_identifier == "");
  BOOST_TEST(ended.errors[2].claim_identifier == std::string(64, 'y'));
}

BOOST_AUTO_TEST_CASE(a_list_of_too_many_faults_is_marked_as_truncated) {
  const auto bad_rows = [](int count) {
    std::string text = "claims\n";
    for (int i = 0; i < count; ++i) text += "!\n";
    return text;
  };
  const auto whole = done(bad_rows(1000));
  BOOST_TEST(whole.errors.size() == 1000u);
  BOOST_TEST(!whole.errors_truncated);
  const auto cut = done(bad_rows(1001) + "#\n");
  check_counts(cut, 1001, 0, 1001, 0);
  BOOST_TEST(cut.errors.size() == 1000u);
  BOOST_TEST(cut.errors_truncated);
  const auto all = usecases::ReadImports(*sql).errors(caller.tenant, cut.id.text(), -1, 5000);
  BOOST_REQUIRE(bool(all));
  BOOST_TEST(all->items.size() == 1002u);
  BOOST_TEST(cut.errors[0].row == 0);  // the fault of the whole file comes first
  BOOST_TEST(cut.errors[1].row == 1);
}

BOOST_AUTO_TEST_CASE(similar_claims_are_counted_within_one_import) {
  const auto same_service = [](const std::string& identifier) {
    return "claim_identifier=" + identifier +
           ";chart_identifier=CH;servicer_npi=1234567893;billing_npi=1234567893;patient_primary_payor_id=PAYER;"
           "submitted_amount=10.00\n";
  };
  check_counts(done("claims\n" + same_service("CLM-1")), 1, 1, 0, 0);
  BOOST_TEST(rules.duplicates_seen == 0);
  check_counts(done("claims\n" + row("CLM-2") + same_service("CLM-3") + same_service("CLM-4")), 3, 3, 0, 0);
  BOOST_TEST(rules.duplicates_seen == 2);
  check_counts(done("claims\n" + row("CLM-5") + same_service("CLM-6") + same_service("CLM-7") + "#\n"), 3, 3, 0, 0);
  BOOST_TEST(rules.duplicates_seen == 4);
}

BOOST_AUTO_TEST_CASE(a_known_row_is_a_duplicate) {
  BOOST_REQUIRE(done(rows(1, 2)).status == ImportStatus::succeeded);
  const auto again = done(rows(1, 3) + row("CLM-3"));
  BOOST_TEST(again.status == ImportStatus::succeeded);
  check_counts(again, 4, 1, 0, 3);
  BOOST_TEST(events("review.completed") == 3);
}

BOOST_AUTO_TEST_CASE(other_content_under_a_reviewed_identifier_is_locked) {
  review(draft("CLM-1"));
  const auto ended = done("claims\n" + row("CLM-1") + row("CLM-2"));
  check_counts(ended, 2, 1, 1, 0);
  BOOST_TEST(ended.errors.front().code == ErrorCode::claim_locked);
}

BOOST_AUTO_TEST_CASE(a_received_claim_without_review_is_replaced_and_reviewed) {
  const auto received = done(rows(1, 1), [](usecases::ImportRequest& request) { request.auto_review = false; });
  check_counts(received, 1, 1, 0, 0);
  BOOST_TEST(claim_status("CLM-1").status == domain::ClaimStatus::received);
  BOOST_TEST(events("review.completed") == 0);
  const auto replaced =
      done("claims\n" + row("CLM-1", "2000.00"), [](usecases::ImportRequest& request) { request.auto_review = false; });
  check_counts(replaced, 1, 1, 0, 0);
  const auto reviewed = done("claims\n" + row("CLM-1", "3000.00"));
  check_counts(reviewed, 1, 1, 0, 0);
  BOOST_TEST(claim_status("CLM-1").status == domain::ClaimStatus::reviewed);
  BOOST_TEST(usecases::GetClaim(*sql).rollup(caller.tenant, "CLM-1")->review->submitted_amount ==
             domain::Money::cents(300'000));
}

BOOST_AUTO_TEST_CASE(an_import_of_bad_rows_only_fails) {
  const auto ended = done("claims\n!\n!\n!\n!\n");
  BOOST_TEST(ended.status == ImportStatus::failed);
  check_counts(ended, 4, 0, 4, 0);
}

BOOST_AUTO_TEST_CASE(a_file_without_rows_fails) {
  const auto ended = done("claims\n");
  BOOST_TEST(ended.status == ImportStatus::failed);
  BOOST_TEST(ended.errors.front().code == ErrorCode::invalid_payload);
  BOOST_TEST(ended.errors.front().row == 0);
}

BOOST_AUTO_TEST_CASE(a_truncated_file_keeps_the_rows_before_the_cut) {
  const auto ended = done(rows(1, 4) + "#\n" + row("CLM-6"));
  BOOST_TEST(ended.status == ImportStatus::failed);
  check_counts(ended, 4, 4, 0, 0);
  BOOST_TEST(ended.errors.front().row == 0);
  BOOST_TEST(claim_status("CLM-4").status == domain::ClaimStatus::reviewed);
}

BOOST_AUTO_TEST_CASE(gzip_is_unpacked_and_invalid_gzip_is_refused_at_once) {
  const auto packed = gzip(rows(1, 50));
  const auto started = try_start(packed, "gzip");
  BOOST_REQUIRE(bool(started));
  work();
  check_counts(job(*domain::ImportJobId::parse(started->body)), 50, 50, 0, 0);

  auto wrong_sum = packed;
  wrong_sum[wrong_sum.size() - 8] = static_cast<char>(wrong_sum[wrong_sum.size() - 8] ^ 1);
  for (const auto& broken : {wrong_sum, packed.substr(0, packed.size() / 2), packed.substr(1), std::string("claims\n")})
    BOOST_TEST(refusal_of(try_start(broken, "gzip")) == ErrorCode::invalid_payload);
}

BOOST_AUTO_TEST_CASE(an_invalid_import_request_is_refused_at_once) {
  BOOST_TEST(refusal_of(try_start("")) == ErrorCode::invalid_payload);
  BOOST_TEST(refusal_of(try_start("no header\n")) == ErrorCode::invalid_payload);
  const auto unknown = try_start(rows(1, 1), "none", [](usecases::ImportRequest& request) { request.format = "xls"; });
  BOOST_TEST(refusal_of(unknown) == ErrorCode::unsupported_format);
  BOOST_TEST(unknown.error().lists.front().second == std::vector<std::string>{"lines"},
             boost::test_tools::per_element());
  BOOST_TEST(!*(*run_import)([] { return false; }));
}

BOOST_AUTO_TEST_CASE(an_error_of_one_row_rejects_only_that_row) {
  payers.refused = "ODD";
  auto odd = row("CLM-2");
  odd.replace(odd.find("PAYER"), 5, "ODD");
  const auto ended = done("claims\n" + row("CLM-1") + odd + row("CLM-3"));
  BOOST_TEST(ended.status == ImportStatus::succeeded);
  check_counts(ended, 3, 2, 1, 0);
  BOOST_TEST(ended.errors.front().code == ErrorCode::invalid_parameter);
}

BOOST_AUTO_TEST_CASE(a_file_with_too_many_rows_fails) {
  usecases::RunImport small(*store, *review_claim, import_formats, decoder, clock, ids,
                            {domain::Environment::sandbox, 3, 5, 60});
  const auto id = started(rows(1, 6));
  BOOST_REQUIRE(bool(small([] { return false; })));
  BOOST_TEST(job(id).status == ImportStatus::failed);
  BOOST_TEST(job(id).errors.front().code == ErrorCode::payload_too_large);
}

BOOST_AUTO_TEST_CASE(an_import_has_the_times_of_its_tenant) {
  shift_clock_days(30);
  const auto id = started(rows(1, 1));
  work();
  BOOST_TEST(*job(id).started_at == ports::now_of(clock, caller.tenant));
  BOOST_TEST(*job(id).finished_at == ports::now_of(clock, caller.tenant));
}

BOOST_AUTO_TEST_CASE(an_import_is_visible_to_its_tenant_only) {
  const auto id = started(rows(1, 1));
  BOOST_TEST(refusal_of(usecases::ReadImports(*sql).one(domain::TenantId::of({9, 9}), id.text())) ==
             ErrorCode::not_found);
  BOOST_TEST(refusal_of(usecases::ReadImports(*sql).one(caller.tenant, "imp_nonsense")) == ErrorCode::not_found);
  work();
}

BOOST_AUTO_TEST_SUITE_END()
