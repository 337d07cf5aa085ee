// POST /v1/deposits/files end to end: a bank's file and a payer's remittance meet, and the same file twice changes
// nothing.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;

/// One ACH credit and one debit of today; the trace stands in the text, broken by a continuation.
std::string bai2_of(const std::string& trace, const std::string& cents) {
  const std::string today = compact(day(0)).substr(2);
  const std::string total = std::to_string(std::stoll(cents) + 1250);
  return "01,BANK1,SAMPLE," + today + ",0700,1,,,2/\n02,SAMPLE,BANK1,1," + today +
         ",0600,USD,2/\n03,0001234567,,010,,,/\n16,165," + cents + ",V," + today +
         ",0900,REF-1,,HCCLAIMPMT\n88,TRN*1*" + trace + "*19999\n88,99984~/\n16,455,1250,0,REF-2,,DEBIT/\n49," + total +
         ",6/\n98," + total + ",1,8/\n99," + total + ",1,10/\n";
}

/// One payment of one claim of 1000.00, as the payer announces it.
std::string x12_of(const std::string& trace, const std::string& identifier, const std::string& amount) {
  const std::string date = compact(day(0));
  return "ISA*00*          *00*          *ZZ*SAMPLE80       *ZZ*PROVIDER       "
         "*260101*0000*^*00501*000000001*0*T*:~GS*HP*SAMPLE80*PROVIDER*" +
         date + "*0000*1*X*005010X221A1~ST*835*0001~BPR*I*" + amount +
         "*C*ACH*CCP*01*999999992*DA*1*1999999984**01*999999992*DA*2*" + date + "~TRN*1*" + trace +
         "*1999999984~N1*PR*SAMPLE PAYER*XV*SAMPLE-80~N1*PE*SAMPLE PROVIDER*XX*1999999984~LX*1~CLP*" + identifier +
         "*1*1000*" + amount + "**12*PCN1~DTM*232*" + compact(day(-5)) + "~SVC*HC:99213*1000*" + amount +
         "**1~SE*10*0001~GE*1*1~IEA*1*000000001~";
}

BOOST_AUTO_TEST_SUITE(deposit_files)

BOOST_DATA_TEST_CASE(a_trace_in_a_bank_statement_settles_the_claim_of_its_835,
                     data::make(stores()) * data::make({true, false}), store, money_first) {
  World world(store);
  const ApiClient& api = *world.api;
  const std::string settlement = fund(api, "CLM-1");
  const std::string file = file_body("bai2", bai2_of("T-790", "79000"));

  if (!money_first) expect_ok(api.post("/v1/remittances", file_body("x12_835", x12_of("T-790", "CLM-1", "790"))));
  const Json answer = expect_ok(api.post("/v1/deposits/files", file));
  BOOST_TEST(answer.number("/counts/created") == 1);
  BOOST_TEST(answer.number("/counts/ignored") == 1);
  BOOST_TEST(answer.size("/warnings") == 0u);
  BOOST_TEST(answer.cents("/created_amount") == 79000);
  BOOST_TEST(answer.text("/items/0/deposit/trace_number") == "T-790");
  BOOST_TEST(answer.text("/items/0/deposit/originator") == "1999999984");
  BOOST_TEST(answer.text("/items/0/deposit/effective_date") == day(0));
  BOOST_TEST(
      answer.text("/items/0/deposit/payer_id").empty());  // an unknown originator: the remittance names the payer
  if (money_first) expect_ok(api.post("/v1/remittances", file_body("x12_835", x12_of("T-790", "CLM-1", "790"))));

  const Json whole = expect_ok(api.get("/v1/settlements/" + settlement + "/reconciliation"));
  BOOST_TEST(whole.text("/final_status") == "settled");
  BOOST_TEST(whole.text("/records/0/matched_by") == "trace_number");
  BOOST_TEST(whole.text("/records/0/deposit_id") == answer.text("/items/0/deposit/deposit_id"));
  BOOST_TEST(whole.cents("/advance_recovered") == 64000);
  BOOST_TEST(whole.cents("/residual_released") == 13720);
  BOOST_TEST(book_of(api).posted_in("suspense_unmatched") == 0);
  BOOST_TEST(expect_ok(api.get("/v1/tasks?status=open")).size("/data") == 0u);

  const auto ledger = ledger_of(api);
  const Json again = expect_ok(api.post("/v1/deposits/files", file));
  BOOST_TEST(again.number("/counts/duplicate") == 1);
  BOOST_TEST(again.number("/counts/created") == 0);
  BOOST_TEST(again.text("/items/0/deposit/deposit_id") == answer.text("/items/0/deposit/deposit_id"));
  BOOST_TEST((ledger_of(api) == ledger));
}

BOOST_AUTO_TEST_CASE(money_of_an_unknown_payer_is_booked_and_waits_for_a_reviewer) {
  World world;
  const ApiClient& api = *world.api;
  const std::string table = "date,amount,company_name,addenda\n" + day(0) + ",12.34,UNKNOWN COMPANY,\ntotal,1,12.34\n";
  expect_ok(api.post("/v1/deposits/files", file_body("ccd_addenda", table)));
  BOOST_TEST(book_of(api).posted_in("suspense_unmatched") == -1234);
  const Json tasks = expect_ok(api.get("/v1/tasks?status=open&kind=deposit_unmatched"));
  BOOST_TEST(tasks.size("/data") == 1u);
}

BOOST_DATA_TEST_CASE(a_reviewer_names_the_payer_takes_it_back_and_names_another, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  const std::string settlement = fund(api, "CLM-1");
  const std::string remittance =
      expect_ok(api.post("/v1/remittances", remittance_body("T-1", "CLM-1", "790.00"))).text("/remittance_id");
  const std::string table =
      "date,amount,company_name,addenda\n" + day(0) + ",790.00,UNKNOWN COMPANY,\ntotal,1,790.00\n";
  expect_ok(api.post("/v1/deposits/files", file_body("ccd_addenda", table)));
  const auto open_task = [&] { return expect_ok(api.get("/v1/tasks?status=open")).text("/data/0/task_id"); };
  const auto name = [&](const std::string& task, const std::string& payer) {
    return api.post("/v1/tasks/" + task + "/decide",
                    R"({"decision":"assign_payer","reason":"the bank says so","proposal":")" + payer + "\"}");
  };
  const std::string undo = R"({"reason":"it was another one"})";

  const std::string task = open_task();
  const Json view = expect_ok(api.get("/v1/tasks/" + task));
  BOOST_TEST(view.text("/proposals/0/proposal") == remittance);
  BOOST_TEST(view.integer("/proposals/0/score") == 69);
  BOOST_TEST(view.text("/proposals/0/reasons/1") == "payer_unknown");
  BOOST_TEST(expect_error(name(task, "ABSENT"), 400, "validation_error").has("/details/fields/proposal"));
  BOOST_TEST(expect_error(name(task, ""), 400, "validation_error").has("/details/missing"));
  BOOST_TEST(expect_ok(name(task, "TEST-APPROVE")).text("/decision") == "assign_payer");
  expect_error(name(task, "SAMPLE-80"), 409, "invalid_state");
  const Json again = expect_ok(api.post("/v1/tasks/" + task + "/undo", undo));
  BOOST_TEST(again.text("/kind") == "deposit_unmatched");
  BOOST_TEST(expect_ok(api.get("/v1/tasks?status=open")).size("/data") == 1u);
  const std::string second = again.text("/task_id");
  BOOST_TEST(expect_ok(api.get("/v1/deposits/" + again.text("/object_id"))).size("/matched_to") == 0u);
  expect_ok(name(second, "SAMPLE-80"));
  BOOST_TEST(expect_ok(api.get("/v1/settlements/" + settlement + "/reconciliation")).text("/final_status") ==
             "settled");
  BOOST_TEST(expect_ok(api.get("/v1/tasks?status=open")).size("/data") == 0u);
  expect_error(api.post("/v1/tasks/" + second + "/undo", undo), 409, "invalid_state");
}

BOOST_AUTO_TEST_CASE(a_suspected_duplicate_that_a_reviewer_finds_distinct_is_booked) {
  World world;
  const ApiClient& api = *world.api;
  expect_ok(api.post("/v1/deposits", deposit_body("T-2", "10.00")));
  const Json file = expect_ok(api.post("/v1/deposits/files", file_body("bai2", bai2_of("T-2", "1000"))));
  BOOST_TEST(file.text("/items/0/deposit/status") == "suspected_duplicate");
  BOOST_TEST(book_of(api).posted_in("suspense_unmatched") == -1000);
  const std::string task = expect_ok(api.get("/v1/tasks?status=open&kind=deposit_duplicate")).text("/data/0/task_id");
  const std::string decision = R"({"decision":"distinct","reason":"two credits on the statement"})";
  BOOST_TEST(expect_ok(api.post("/v1/tasks/" + task + "/decide", decision)).text("/status") == "closed");
  BOOST_TEST(book_of(api).posted_in("suspense_unmatched") == -2000);
  BOOST_TEST(expect_ok(api.get("/v1/deposits/" + file.text("/items/0/deposit/deposit_id"))).text("/status") ==
             "unmatched");
  expect_error(api.post("/v1/tasks/" + task + "/decide", decision), 409, "invalid_state");
  expect_error(api.post("/v1/tasks/" + task + "/undo", R"({"reason":"it was one"})"), 409, "invalid_state");
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_taken_is_refused_with_the_position) {
  World world;
  const ApiClient& api = *world.api;
  const std::string good = bai2_of("T-1", "79000");
  const auto post = [&](const std::string& format, const std::string& bytes, const std::string& more = "") {
    return api.post("/v1/deposits/files", file_body(format, bytes, more));
  };
  const Json cut = expect_error(post("bai2", good.substr(0, good.size() / 2)), 400, "invalid_payload");
  BOOST_TEST(cut.text("/message").find("line ") != std::string::npos, cut.text("/message"));
  expect_error(post("mt940", good), 400, "unsupported_format");
  expect_error(post("bai2", good, R"(,"encoding":"gzip")"), 400, "invalid_payload");
  expect_error(post("bai2", good, R"(,"encoding":"zip")"), 400, "validation_error");
  expect_error(api.post("/v1/deposits/files", R"({"format":"bai2","payload":"not base64!"})"), 400, "validation_error");
  std::string canadian = good;
  canadian.replace(canadian.find("USD"), 3, "CAD");
  const Json refused = expect_error(post("bai2", canadian), 400, "invalid_payload");
  BOOST_TEST(refused.text("/message").find("US dollars") != std::string::npos, refused.text("/message"));
  BOOST_TEST(book_of(api).posted.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
