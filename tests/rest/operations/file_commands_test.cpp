// tideover import FILE and tideover remittance FILE...: with and without a running service, begun again, tried, with
// errors to a file.
#include <algorithm>
#include <future>

#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

CommandResult command(const ServiceFolder& folder, std::vector<std::string> words) {
  words.insert(words.end(), {"--config", folder.config_file().string()});
  return run_tideover(words);
}

fs::path file_in(const ServiceFolder& folder, const std::string& name, const std::string& text) {
  save_file(folder.path() / name, text);
  return folder.path() / name;
}

std::string claims(int from, int to) {
  std::string text;
  for (int i = from; i <= to; ++i) text += claim_body("CLM-" + std::to_string(i)) + '\n';
  return text;
}

void check_says(const std::string& text, const std::string& part) {
  BOOST_TEST((text.find(part) != std::string::npos), text << "\ndoes not say: " << part);
}

BOOST_AUTO_TEST_SUITE(file_commands)

BOOST_AUTO_TEST_CASE(a_file_of_claims_is_imported_beside_a_running_service_and_without_one) {
  World world;
  const auto first = command(world.folder, {"import", file_in(world.folder, "first.ndjson", claims(1, 30)).string()});
  BOOST_TEST(first.exit_code == 0, first.err);
  check_says(first.out, "accepted   30\n");
  BOOST_TEST(first.err.find('\r') == std::string::npos);  // no bar where no terminal is
  BOOST_TEST(expect_ok(world.api->get("/v1/claims/CLM-30")).has("/review"));

  world.service->ask_to_stop();
  BOOST_TEST(world.service->wait_for_end() == 0);
  const auto mapped =
      file_in(world.folder, "second.csv",
              "Claim No;chart_identifier;servicer_npi;billing_npi;patient_primary_payor_id;Billed\n"
              "CSV-1;CH-1;1234567893;1999999984;SAMPLE-80;10.00\nCSV-2;CH-2;12;1999999984;SAMPLE-80;10.00\n");
  const auto errors = world.folder.path() / "errors.ndjson";
  const auto second =
      command(world.folder, {"import", mapped.string(), "--map", "claim_identifier=Claim No, submitted_amount=Billed",
                             "--errors", errors.string()});
  BOOST_TEST(second.exit_code == 0, second.err);
  check_says(second.out, "rejected   1\n");
  check_says(read_file(errors), R"("field":"servicer_npi")");
  BOOST_TEST(((fs::status(errors).permissions() & fs::perms::all) == (fs::perms::owner_read | fs::perms::owner_write)));
  BOOST_TEST(command(world.folder, {"ledger", "verify"}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(a_file_that_was_begun_goes_on_behind_its_last_committed_row) {
  World world;
  const auto file = file_in(world.folder, "claims.ndjson", claims(1, 3'000));
  const auto imported = [&] {
    const auto jobs = expect_ok(world.api->get("/v1/imports/claims"));
    return jobs.size("/data") == 0 ? 0 : jobs.integer("/data/0/accepted_rows");
  };
  auto interrupted = std::async(std::launch::async, [&] { return command(world.folder, {"import", file.string()}); });
  BOOST_REQUIRE(eventually([&] { return imported() > 0; }));
  world.service->kill();
  BOOST_TEST(interrupted.get().exit_code == 1);
  const auto again = command(world.folder, {"import", file.string()});
  BOOST_TEST(again.exit_code == 0, again.err);
  check_says(again.err, "Continuing an earlier import");
  check_says(again.out, "accepted   3000\n");
  check_says(again.out, "duplicate  0\n");
}

BOOST_AUTO_TEST_CASE(a_trial_run_keeps_nothing_and_wrong_files_are_refused_with_a_reason) {
  World world;
  const auto file = file_in(world.folder, "claims.ndjson", claims(1, 3) + "{}\n");
  const auto tried = command(world.folder, {"import", file.string(), "--dry-run"});
  BOOST_TEST(tried.exit_code == 0, tried.err);
  check_says(tried.out, "accepted   3\n");
  expect_error(world.api->get("/v1/claims/CLM-1"), 404, "claim_not_found");

  BOOST_TEST(command(world.folder, {"import"}).exit_code == 2);
  check_says(command(world.folder, {"import", "/nowhere.csv"}).err, "cannot be read");
  check_says(command(world.folder, {"import", file_in(world.folder, "claims.dat", "x").string()}).err, "Give --format");
  check_says(command(world.folder, {"import", file.string(), "--tenant", "absent"}).err, "Tenant absent not found");
  const auto cut = command(world.folder, {"import", file_in(world.folder, "cut.837", "ISA*00*").string()});
  BOOST_TEST(cut.exit_code == 1);
  check_says(cut.err, "truncated inside its ISA");
}

BOOST_AUTO_TEST_CASE(a_refused_import_leaves_no_job_behind) {
  World world;
  const auto csv = file_in(
      world.folder, "claims.csv",
      "Claim No,chart_identifier,servicer_npi,billing_npi,patient_primary_payor_id,submitted_amount\nC,1,2,3,4,5\n");
  check_says(command(world.folder, {"import", csv.string(), "--format", "xls"}).err,
             "Import format xls is not configured");
  check_says(command(world.folder, {"import", csv.string()}).err, "claim_identifier");
  check_says(command(world.folder, {"import", csv.string(), "--map", "claim_no=Claim No"}).err, "claim_no");
  check_says(command(world.folder, {"import", csv.string(), "--map", "claim_identifier"}).err, "There is no =");
  BOOST_TEST(expect_ok(world.api->get("/v1/imports/claims")).size("/data") == 0u);
}

BOOST_AUTO_TEST_CASE(a_file_is_imported_once) {
  World world;
  const auto file = file_in(world.folder, "claims.ndjson", claims(1, 3) + "{}\n").string();
  const auto jobs = [&] { return expect_ok(world.api->get("/v1/imports/claims")).size("/data"); };
  for (const char* times : {"first", "second"}) {
    BOOST_TEST_CONTEXT(times) check_says(command(world.folder, {"import", file, "--dry-run"}).out, "accepted   3\n");
    BOOST_TEST(jobs() == 1u);
  }
  for (const char* times : {"first", "second"}) {
    const auto done = command(world.folder, {"import", file});
    BOOST_TEST_CONTEXT(times) {
      BOOST_TEST(done.exit_code == 0, done.err);
      check_says(done.out, "accepted   3\n");
      check_says(done.out, "duplicate  0\n");
    }
    BOOST_TEST(jobs() == 2u);
  }
  check_says(command(world.folder, {"import", file}).err, "was imported before");
  check_says(command(world.folder, {"import", file, "--again"}).out, "duplicate  3\n");
  BOOST_TEST(jobs() == 3u);
  BOOST_TEST(command(world.folder, {"ledger", "verify"}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(remittances_come_in_as_a_table_too) {
  World world;
  const std::string header =
      "payer_id,Check,payment_date,payment_amount,claim_identifier,status,charge_amount,paid_amount\n";
  const auto row = [](const std::string& trace, const std::string& paid) {
    return "SAMPLE-80," + trace + "," + day(0) + ",80,C-1,1,100," + paid + "\n";
  };
  const auto file = file_in(world.folder, "notices.csv", header + row("T-1", "80") + row("T-2", "@80")).string();
  const auto errors = world.folder.path() / "refused.ndjson";
  const std::vector<std::string> words{"remittance", file, "--map", "trace_number=Check", "--errors", errors.string()};
  const auto taken = command(world.folder, words);
  BOOST_TEST(taken.exit_code == 1);
  check_says(taken.out, "remittances  1\n");
  check_says(taken.err, "line 3 was skipped with its payment");
  check_says(read_file(errors), R"("line":3)");
  BOOST_TEST(expect_ok(world.api->get("/v1/remittances")).size("/data") == 1u);
}

BOOST_AUTO_TEST_CASE(a_remittance_file_larger_than_a_request_is_taken_from_the_disk) {
  World world;
  std::string table =
      "payer_id,trace_number,payment_date,payment_amount,claim_identifier,status,charge_amount,paid_amount\n";
  for (int i = 0; i < 10'001; ++i) {
    const std::string trace = "T-" + std::to_string(i % 3);
    table += "SAMPLE-80," + trace + "," + day(0) + "," + (i % 3 < 2 ? "3334" : "3333") + ",C-" + std::to_string(i) +
             ",1,2,1\n";
  }
  expect_error(world.api->post("/v1/remittances", file_body("csv", table)), 413, "payload_too_large");
  const auto file = file_in(world.folder, "large.csv", table).string();
  check_says(command(world.folder, {"remittance", file, "--dry-run"}).out, "remittances  3 (dry run");
  const auto taken = command(world.folder, {"remittance", file});
  BOOST_TEST(taken.exit_code == 0, taken.err);
  check_says(taken.out, "remittances  3\n");
  BOOST_TEST(expect_ok(world.api->get("/v1/remittances?order=asc")).integer("/data/0/claims/total") == 3334);
  check_says(command(world.folder, {"remittance", file}).out, "known        3\n");
}

/// An 837 of so many claims; every hundredth has an amount that cannot be.
std::string x12_837(int count) {
  std::string text =
      "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *261120*0800*^*00501*000000001*0*P*:~"
      "GS*HC*SENDER*RECEIVER*20261120*0800*1*X*005010X222A1~ST*837*0001~BHT*0019*00*1*20261110*0800*CH~HL*1**20*1~NM1*"
      "85*2*SAMPLE*****XX*1999999984~";
  for (int i = 1; i <= count; ++i)
    text += "HL*" + std::to_string(i + 1) + "*1*22*0~NM1*PR*2*SAMPLE*****PI*SAMPLE-80~CLM*CLM-" + std::to_string(i) +
            '*' + (i % 100 == 0 ? "-1" : "100") + "***11:B:1~LX*1~SV1*HC:99213*100*UN*1~DTP*472*D8*20261102~";
  return text + "SE*" + std::to_string(5 + 6 * count) + "*0001~GE*1*1~IEA*1*000000001~";
}

BOOST_AUTO_TEST_CASE(an_837_of_hundreds_of_claims_is_imported_with_every_row_accounted_for) {
  World world;
  for (const int count : {600, 820}) {
    const auto text = x12_837(count);
    const auto job = expect_ok(world.api->post("/v1/imports/claims", file_body("x12_837", text))).text("/job_id");
    BOOST_REQUIRE(eventually(
        [&] { return expect_ok(world.api->get("/v1/imports/claims/" + job)).text("/status") == "succeeded"; },
        std::chrono::seconds(60)));
    const auto state = expect_ok(world.api->get("/v1/imports/claims/" + job));
    BOOST_TEST(state.integer("/total_rows") == count);
    BOOST_TEST(state.integer("/rejected_rows") == count / 100);
    BOOST_TEST(state.integer("/accepted_rows") + state.integer("/rejected_rows") + state.integer("/duplicate_rows") ==
               count);
    const auto results = world.api->get("/v1/imports/claims/" + job + "/results").body;
    BOOST_TEST(std::count(results.begin(), results.end(), '\n') == count);
  }
}

BOOST_AUTO_TEST_CASE(too_many_claims_of_an_837_are_refused_at_once_however_its_lines_end) {
  World world(stores().front(), [](ServiceFolder& folder) { folder.set("limits.import_rows", "20"); });
  const auto with_line_ends = [](std::string text) {
    for (auto at = text.find('~'); at != std::string::npos; at = text.find('~', at + 2)) text.insert(at + 1, "\n");
    return text;
  };
  const auto import = [&](const std::string& text) {
    return world.api->post("/v1/imports/claims", file_body("x12_837", text));
  };
  const auto five_a_line = [](std::string text) {
    int claims = 0;
    for (auto at = text.find("HL*"); at != std::string::npos; at = text.find("HL*", at + 4))
      if (claims++ % 5 == 0) text.insert(at++, "\n");
    return text;
  };
  for (const auto& text : {x12_837(21), x12_837(21) + "\n", with_line_ends(x12_837(21)), five_a_line(x12_837(21))})
    BOOST_TEST(expect_error(import(text), 413, "payload_too_large").integer("/details/max_rows") == 20);
  expect_ok(import(with_line_ends(x12_837(20))));
  expect_ok(import(five_a_line(x12_837(19))));
}

BOOST_AUTO_TEST_CASE(remittance_files_are_taken_in_once_however_often_they_are_given) {
  World world;
  const std::string sample = TIDEOVER_SOURCE_DIR "/tests/data/x12_835/one_payment.835";
  const auto broken = file_in(world.folder, "broken.835", "ISA*00*");
  const auto errors = world.folder.path() / "errors.ndjson";
  const auto tried = command(world.folder, {"remittance", sample, "--dry-run"});
  BOOST_TEST(tried.exit_code == 0, tried.err);
  check_says(tried.err, "balanced");
  const auto first = command(world.folder, {"remittance", sample, broken.string(), "--errors", errors.string()});
  BOOST_TEST(first.exit_code == 1);
  check_says(first.out, "remittances  1\n");
  check_says(first.out, "refused      1 of 2 files\n");
  check_says(read_file(errors), "truncated inside its ISA");
  const auto again = command(world.folder, {"remittance", sample});
  BOOST_TEST(again.exit_code == 0, again.err);
  check_says(again.out, "known        1\n");
}

/// An 835 of so many payments, each of a claim.
std::string x12_835(int payments) {
  const std::string date = compact(day(0));
  std::string text =
      "ISA*00*          *00*          *ZZ*SAMPLE80       *ZZ*PROVIDER       "
      "*260101*0000*^*00501*000000001*0*T*:~GS*HP*SAMPLE80*PROVIDER*" +
      date + "*0000*1*X*005010X221A1~";
  for (int i = 1; i <= payments; ++i) {
    const auto number = std::to_string(i);
    text += "ST*835*" + number + "~BPR*I*80*C*ACH*CCP*01*999999992*DA*1*1999999984**01*999999992*DA*2*" + date +
            "~TRN*1*T-" + number +
            "*1999999984~N1*PR*SAMPLE PAYER*XV*SAMPLE-80~N1*PE*SAMPLE PROVIDER*XX*1999999984~LX*1~CLP*C-" + number +
            "*1*100*80**12*P-" + number + "~DTM*232*" + compact(day(-5)) + "~CAS*CO*45*20~SE*10*" + number + "~";
  }
  return text + "GE*" + std::to_string(payments) + "*1~IEA*1*000000001~";
}

BOOST_AUTO_TEST_CASE(payments_of_a_file_that_was_begun_are_taken_in_once) {
  World world;
  const auto broken = file_in(world.folder, "broken.835", "ISA*00*"),
             file = file_in(world.folder, "payments.835", x12_835(2'000));
  const auto errors = world.folder.path() / "errors.ndjson";
  const auto taken_in = [&] { return expect_ok(world.api->get("/v1/remittances")).size("/data"); };
  auto interrupted = std::async(std::launch::async, [&] {
    return command(world.folder, {"remittance", broken.string(), file.string(), "--errors", errors.string()});
  });
  BOOST_REQUIRE(eventually([&] { return taken_in() > 0; }));
  world.service->kill();
  BOOST_TEST(interrupted.get().exit_code == 1);
  check_says(read_file(errors), "truncated inside its ISA");  // written when it was found

  const auto again = command(world.folder, {"remittance", file.string()});
  BOOST_TEST(again.exit_code == 0, again.err);
  int taken = 0, known = 0;
  BOOST_REQUIRE(std::sscanf(again.out.c_str(), "remittances %d known %d", &taken, &known) == 2);
  BOOST_TEST(taken > 0);
  BOOST_TEST(known > 0);
  BOOST_TEST(taken + known == 2'000);
  check_says(command(world.folder, {"remittance", file.string()}).out,
             "remittances  0\nknown        2000\nfailed       0\n");
  BOOST_TEST(command(world.folder, {"ledger", "verify"}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(of_a_file_that_is_cut_nothing_is_taken_in) {
  World world;
  auto text = x12_835(3);
  text.resize(text.find("CAS", text.find("T-3")));
  const auto refused = command(world.folder, {"remittance", file_in(world.folder, "cut.835", text).string()});
  BOOST_TEST(refused.exit_code == 1);
  check_says(refused.out, "remittances  0\nknown        0\nfailed       0\nrefused      1 of 1 files\n");
  BOOST_TEST(expect_ok(world.api->get("/v1/remittances")).size("/data") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
