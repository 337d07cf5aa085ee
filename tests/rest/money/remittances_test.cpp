// POST /v1/remittances with a table, and what is read of remittances and settlements afterwards.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;

/// As a clearinghouse might name its columns.
const std::string kHeader = "Payer;Check No;Paid On;Check Amount;Patient Control No;CLP02;Billed;Paid\n";
const std::string kMapping =
    R"(,"mapping":{"payer_id":"Payer","trace_number":"Check No","payment_date":"Paid On",)"
    R"("payment_amount":"Check Amount",)"
    R"("claim_identifier":"Patient Control No","status":"CLP02","charge_amount":"Billed","paid_amount":"Paid"})";

std::string row(const std::string& trace, const std::string& identifier, const std::string& paid) {
  return "SAMPLE-80;" + trace + ";" + day(0) + ";" + "790.00;" + identifier + ";1;1000.00;" + paid + "\n";
}

/// One payment of 790.00 for one claim of 1000.00.
std::string x12_remittance(const std::string& trace, const std::string& identifier) {
  std::string date = day(0);
  std::erase(date, '-');
  return "ISA*00*          *00*          *ZZ*SAMPLEPAYER    *ZZ*SAMPLECLINIC   "
         "*261120*0740*^*00501*000000001*0*T*:~GS*HP*SAMPLEPAYER*SAMPLECLINIC*20261120*0740*1*X*005010X221A1~"
         "ST*835*0001~BPR*I*790*C*ACH*CCP*01*000000000*DA*1*1000000001**01*000000000*DA*2*" +
         date + "~TRN*1*" + trace +
         "*1000000001~N1*PR*Sample Payer*XV*SAMPLE-80~REF*2U*SAMPLE-80~N1*PE*Sample Clinic*XX*1999999984~LX*1~CLP*" +
         identifier + "*1*1000*790*0*12*PCN-1~CAS*CO*45*210~SE*10*0001~GE*1*1~IEA*1*000000001~";
}

BOOST_AUTO_TEST_SUITE(remittance_requests)

BOOST_AUTO_TEST_CASE(a_claim_number_with_look_alikes_waits_for_a_reviewer_whatever_file_it_comes_in) {
  const std::string arrivals[] = {remittance_body("T-1", "clinic7visit2O260001", "790.00"),
                                  file_body("x12_835", x12_remittance("T-1", "CLINIC-7-VISIT-2O26-")),
                                  file_body("csv", kHeader + row("T-1", "clinic-7-visit-2O", "790.00"), kMapping),
                                  file_body("x12_835", x12_remittance("T-1", "0"))};
  for (const auto& arriving : arrivals) {
    World world;
    const ApiClient& api = *world.api;
    const std::string settlement = fund(api, "CLINIC-7-VISIT-2026-000123");
    expect_ok(api.post("/v1/deposits", deposit_body("T-1", "790.00")));
    expect_ok(api.post("/v1/remittances", arriving));
    const auto waits = [&] {
      BOOST_TEST(book_of(api).posted_in("suspense_unmatched") == -79000);
      BOOST_TEST(book_of(api).posted_in("provider_payable") == 0);
      return expect_ok(api.get("/v1/tasks?status=open&kind=match_ambiguous")).text("/data/0/task_id");
    };
    const auto decide = [&](const std::string& task, const std::string& decision) {
      return api.post("/v1/tasks/" + task + "/decide", decision);
    };
    const std::string task = waits();
    const Json view = expect_ok(api.get("/v1/tasks/" + task));
    BOOST_TEST(view.size("/proposals") == 1u);
    BOOST_TEST(view.text("/proposals/0/proposal") == "0:" + settlement);
    expect_ok(decide(task, R"({"decision":"accept","reason":"same patient","proposal":")" +
                               view.text("/proposals/0/proposal") + "\"}"));
    BOOST_TEST(expect_ok(api.get("/v1/settlements/" + settlement + "/reconciliation")).text("/final_status") ==
               "settled");
    expect_ok(api.post("/v1/tasks/" + task + "/undo", R"({"reason":"another patient"})"));
    const std::string again = waits();
    expect_ok(decide(again, R"({"decision":"release","reason":"another patient"})"));
    BOOST_TEST(book_of(api).posted_in("provider_payable") == -79000);
    expect_ok(api.post("/v1/tasks/" + again + "/undo", R"({"reason":"ours after all"})"));
    waits();
  }
}

BOOST_DATA_TEST_CASE(a_table_settles_claims_and_a_bad_row_keeps_only_its_payment_out, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  const std::string first = fund(api, "CLM-1"), second = fund(api, "CLM-2");
  for (const char* trace : {"T-1", "T-2"}) expect_ok(api.post("/v1/deposits", deposit_body(trace, "790.00")));

  const auto post = [&](const std::string& rows) {
    return api.post("/v1/remittances", file_body("csv", kHeader + rows, kMapping));
  };
  const Json partly = expect_ok(post(row("T-1", "CLM-1", "790.00") + row("T-2", "CLM-2", "=790")));
  BOOST_TEST(partly.text("/status") == "posted");
  BOOST_TEST(partly.size("/remittances") == 1u);
  BOOST_TEST(partly.size("/left_out") == 1u);
  BOOST_TEST(partly.integer("/left_out/0/line") == 3);
  BOOST_TEST(partly.text("/left_out/0/reason").find("formula") != std::string::npos);
  BOOST_TEST(partly.cents("/records/0/advance_recovered") == 64000);
  BOOST_TEST(expect_ok(api.get("/v1/settlements/" + second + "/reconciliation")).text("/final_status") == "pending");

  const Json mended = expect_ok(post(row("T-1", "CLM-1", "790.00") + row("T-2", "CLM-2", "790.00")));
  BOOST_TEST(mended.text("/status") == "mixed");
  BOOST_TEST(mended.text("/remittances/0/status") == "duplicate");
  BOOST_TEST(mended.text("/remittances/1/status") == "posted");
  for (const auto& settlement : {first, second})
    BOOST_TEST(expect_ok(api.get("/v1/settlements/" + settlement + "/reconciliation")).text("/final_status") ==
               "settled");
  BOOST_TEST(book_of(api).posted_in("suspense_unmatched") == 0);

  const Json nothing = expect_error(post(row("T-3", "CLM-3", "-1")), 400, "invalid_payload");
  BOOST_TEST(nothing.integer("/details/line") == 2);
  BOOST_TEST(nothing.text("/details/fields/line 2/0").find("negative") != std::string::npos);
  expect_error(api.post("/v1/remittances", file_body("x12_835", "ISA", kMapping)), 400, "validation_error");
}

BOOST_AUTO_TEST_CASE(remittances_are_listed_and_read_with_their_claims) {
  World world;
  const ApiClient& api = *world.api;
  const std::string settlement = fund(api, "CLM-1");
  const Json posted = expect_ok(api.post("/v1/remittances", remittance_body("T-1", "CLM-1", "790.00")));
  const std::string id = posted.text("/remittance_id");
  expect_ok(api.post("/v1/remittances", remittance_body("T-2", "CLM-2", "10.00")));

  const Json waiting = expect_ok(api.get("/v1/remittances/" + id));
  BOOST_TEST(waiting.text("/status") == "received");
  BOOST_TEST(waiting.text("/claim_payments/0/state") == "waiting");
  const auto traces_with = [&](const std::string& status) {
    std::string traces;
    const Json found = expect_ok(api.get("/v1/remittances?status=" + status));
    for (std::size_t i = 0; i < found.size("/data"); ++i)
      traces += found.text("/data/" + std::to_string(i) + "/trace_number") + " ";
    return traces;
  };
  BOOST_TEST(traces_with("received") == "T-2 T-1 ");
  BOOST_TEST(traces_with("received&order=asc") == "T-1 T-2 ");
  const std::string deposit = expect_ok(api.post("/v1/deposits", deposit_body("T-1", "790.00"))).text("/deposit_id");
  const Json view = expect_ok(api.get("/v1/remittances/" + id + "?explain=true"));
  BOOST_TEST(view.text("/status") == "posted");
  BOOST_TEST(view.text("/deposit_id") == deposit);
  BOOST_TEST(view.text("/matched_to/0/id") == deposit);
  BOOST_TEST(view.text("/claim_payments/0/claim_identifier") == "CLM-1");
  BOOST_TEST(view.text("/claim_payments/0/state") == "posted");
  BOOST_TEST(view.text("/claim_payments/0/settlement_id") == settlement);
  BOOST_TEST(view.has("/explain/0"));

  const Json page = expect_ok(api.get("/v1/remittances?order=asc&limit=1"));
  BOOST_TEST(page.text("/data/0/remittance_id") == id);
  BOOST_TEST(page.integer("/data/0/claims/matched") == 1);
  BOOST_TEST(page.cents("/data/0/balance/claims_total") == 79000);
  BOOST_TEST(page.flag("/has_more"));
  const Json rest = expect_ok(api.get("/v1/remittances?order=asc&limit=1&cursor=" + page.text("/next_cursor")));
  BOOST_TEST(rest.text("/data/0/trace_number") == "T-2");
  BOOST_TEST(!rest.flag("/has_more"));
  BOOST_TEST(expect_ok(api.get("/v1/remittances?trace_number=T-2")).size("/data") == 1u);
  BOOST_TEST(traces_with("received") == "T-2 ");
  BOOST_TEST(traces_with("posted") == "T-1 ");
  BOOST_TEST(traces_with("posted&trace_number=T-2") == "");
  BOOST_TEST(
      expect_error(api.get("/v1/remittances?status=duplicate"), 400, "invalid_parameter").size("/details/allowed") ==
      5u);
  BOOST_TEST(expect_ok(api.get("/v1/remittances?payer_id=SAMPLE-80")).size("/data") == 2u);
  BOOST_TEST(expect_ok(api.get("/v1/remittances?payer_id=ABSENT")).size("/data") == 0u);
  expect_error(api.get("/v1/remittances/rmt_01M9ZP58B00000000000000005"), 404, "not_found");
  expect_error(api.get("/v1/remittances/x"), 404, "not_found");
}

BOOST_AUTO_TEST_CASE(a_remittance_is_read_with_the_providers_that_it_names) {
  World world;
  const ApiClient& api = *world.api;
  const auto body = [](const std::string& payee, const std::string& provider) {
    return R"({"payer_id":"SAMPLE-80","trace_number":"T-1","payment_date":")" + day(0) + R"(","payment_amount":9.00,)" +
           R"("payee_npi":")" + payee + R"(","claims":[{"claim_identifier":"C","status":"1","charge_amount":10.00,)" +
           R"("paid_amount":10.00,"billing_npi":")" + provider +
           R"("}],"provider_adjustments":[{"code":"WO","amount":1.00,"npi":")" + provider + "\"}]}";
  };
  const std::string id =
      expect_ok(api.post("/v1/remittances", body("1234567893", "1999999984"))).text("/remittance_id");
  const Json view = expect_ok(api.get("/v1/remittances/" + id));
  BOOST_TEST(view.text("/payee_npi") == "1234567893");
  BOOST_TEST(view.text("/claim_payments/0/billing_npi") == "1999999984");
  BOOST_TEST(view.text("/provider_adjustments/0/npi") == "1999999984");
  const Json without = expect_ok(
      api.get("/v1/remittances/" +
              expect_ok(api.post("/v1/remittances", remittance_body("T-2", "CLM-2", "10.00"))).text("/remittance_id")));
  BOOST_TEST(!without.has("/payee_npi"));
  BOOST_TEST(!without.has("/claim_payments/0/billing_npi"));
  const Json refused = expect_error(api.post("/v1/remittances", body("123", "12345678931")), 400, "validation_error");
  BOOST_TEST(refused.has("/details/fields/payee_npi"));
  BOOST_TEST(refused.has("/details/fields/claims[0].billing_npi"));
  BOOST_TEST(refused.has("/details/fields/provider_adjustments[0].npi"));
}

BOOST_AUTO_TEST_CASE(the_claims_of_an_unknown_payer_teach_its_id_until_it_is_removed) {
  World world;
  const ApiClient& api = *world.api;
  fund(api, "CLM-1");
  std::string body = remittance_body("T-1", "CLM-1", "790.00");
  body.replace(body.find("SAMPLE-80"), 9, "UNLISTED7");
  const std::string remittance = expect_ok(api.post("/v1/remittances", body)).text("/remittance_id");
  BOOST_TEST(expect_ok(api.get("/v1/remittances/" + remittance)).text("/payer_id") == "SAMPLE-80");
  const Json learned = expect_ok(api.get("/v1/payers/aliases"));
  BOOST_REQUIRE(learned.size("/data") == 1u);
  BOOST_TEST(learned.text("/data/0/alias") == "UNLISTED7");
  BOOST_TEST(learned.text("/data/0/kind") == "id");
  BOOST_TEST(learned.text("/data/0/payer_id") == "SAMPLE-80");
  BOOST_TEST(learned.text("/data/0/remittance_id") == remittance);
  const auto command = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"payer", "alias"});
    words.insert(words.end(), {"--config", world.folder.config_file().string()});
    return run_tideover(words);
  };
  BOOST_TEST(command({"list"}).out.find("UNLISTED7") != std::string::npos);
  BOOST_TEST(command({"remove", "pal_01M7WNTFJ00000000000000021"}).exit_code == 1);
  const std::string alias = "/v1/payers/aliases/" + learned.text("/data/0/id");
  BOOST_TEST(expect_ok(api.remove(alias)).flag("/deleted"));
  expect_error(api.remove(alias), 404, "not_found");
  BOOST_TEST(expect_ok(api.get("/v1/payers/aliases")).size("/data") == 0u);
}

BOOST_AUTO_TEST_CASE(the_claims_of_a_practice_teach_its_tax_id_until_it_is_removed) {
  World world;
  const ApiClient& api = *world.api;
  fund(api, "CLM-1");
  const auto post = [&](const std::string& trace, const std::string& claim) {
    expect_ok(api.post("/v1/deposits", deposit_body(trace, "790.00")));
    std::string body = remittance_body(trace, claim, "790.00");
    if (claim != "CLM-1") body.replace(body.find("1000.00"), 7, "1200.00");  // of no advance
    body.insert(1, R"("payee_tax_id":"51-2345678","payee_assigned_id":"p-7",)");
    return expect_ok(api.post("/v1/remittances", body)).text("/remittance_id");
  };
  const auto row_of = [&](const std::string& trace, const std::string& claim) {
    const Json view = expect_ok(api.get("/v1/remittances/" + post(trace, claim)));
    return view.text("/payee_tax_id") + ' ' + view.text("/payee_assigned_id") + ' ' +
           (view.has("/allocation/0/payee_npi") ? view.text("/allocation/0/payee_npi") : "-") + ' ' +
           (view.has("/allocation/0/payee_alias_id") ? view.text("/allocation/0/payee_alias_id") : "-");
  };
  const std::string remittance = post("T-1", "CLM-1");
  const Json learned = expect_ok(api.get("/v1/payee_aliases?order=asc"));
  BOOST_REQUIRE(learned.size("/data") == 2u);
  BOOST_TEST(learned.text("/data/0/alias") == "P-7");
  BOOST_TEST(learned.text("/data/0/kind") == "assigned");
  BOOST_TEST(learned.text("/data/0/payer_id") == "SAMPLE-80");
  BOOST_TEST(learned.text("/data/1/alias") == "512345678");
  BOOST_TEST(learned.text("/data/1/kind") == "tax_id");
  BOOST_TEST(!learned.has("/data/1/payer_id"));
  BOOST_TEST(learned.text("/data/1/remittance_id") == remittance);
  const std::string practice = learned.text("/data/1/payee_npi");
  BOOST_TEST(row_of("T-2", "STRANGER-2") == "51-2345678 p-7 " + practice + ' ' + learned.text("/data/0/id"));
  for (const std::string row : {"/data/0/id", "/data/1/id"}) {
    const std::string alias = "/v1/payee_aliases/" + learned.text(row);
    BOOST_TEST(expect_ok(api.remove(alias)).flag("/deleted"));
    expect_error(api.remove(alias), 404, "not_found");
  }
  BOOST_TEST(expect_ok(api.get("/v1/payee_aliases")).size("/data") == 0u);
  BOOST_TEST(row_of("T-3", "STRANGER-3") == "51-2345678 p-7 - -");
}

BOOST_AUTO_TEST_CASE(a_settlement_is_read_as_it_stands) {
  World world;
  const std::string id = advance(*world.api, "CLM-1");
  const Json open = expect_ok(world.api->get("/v1/settlements/" + id));
  BOOST_TEST(open.text("/status") == "pending_confirmation");
  BOOST_TEST(open.cents("/terms/advance_amount") == 64000);
  expect_ok(world.api->post_nothing("/v1/settlements/" + id + "/confirm"));
  const Json funded = expect_ok(world.api->get("/v1/settlements/" + id));
  BOOST_TEST(funded.text("/status") == "funded");
  BOOST_TEST(funded.cents("/funded_amount") == 64000);
  expect_error(world.api->get("/v1/settlements/stl_01M7WPEP1G0000000000000003"), 404, "settlement_not_found");
}

BOOST_AUTO_TEST_CASE(money_of_a_later_day_and_claims_without_end_are_refused) {
  World world;
  const auto deposit = [&](int from_today) {
    return world.api->post("/v1/deposits",
                           R"({"payer_id":"SAMPLE-80","amount":10.00,"received_date":")" + day(from_today) + "\"}");
  };
  expect_ok(deposit(1));
  BOOST_TEST(expect_error(deposit(2), 400, "validation_error").has("/details/fields/received_date"));

  const auto many = [](const std::string& item, int count) {
    std::string list;
    for (int i = 0; i < count; ++i) list += (list.empty() ? "" : ",") + item;
    return "[" + list + "]";
  };
  const auto claim = [&](const std::string& more) {
    return world.api->post(
        "/v1/remittances",
        R"({"payer_id":"SAMPLE-80","trace_number":"T-9","payment_date":")" + day(0) +
            R"(","payment_amount":0,"claims":[{"claim_identifier":"C","status":"4","charge_amount":0,)"
            R"("paid_amount":0,)" +
            more + "}]}");
  };
  const std::string adjustment = R"({"group":"CO","code":"45","amount":0})",
                    line = R"({"cpt":"99213","charge_amount":0,"paid_amount":0})";
  BOOST_TEST(expect_error(claim(R"("adjustments":)" + many(adjustment, 595)), 400, "validation_error")
                 .has("/details/fields/claims[0].adjustments"));
  BOOST_TEST(expect_error(claim(R"("service_lines":)" + many(line, 1000)), 400, "validation_error")
                 .has("/details/fields/claims[0].service_lines"));
  expect_ok(claim(R"("adjustments":)" + many(adjustment, 594)));
}

BOOST_AUTO_TEST_CASE(an_unmatched_deposit_opens_a_task) {
  World world;
  const Json deposit = expect_ok(
      world.api->post("/v1/deposits", R"({"payer_id":"SAMPLE-80","amount":10.00,"received_date":")" + day(0) + "\"}"));
  BOOST_TEST(deposit.text("/status") == "unmatched");
  const Json task = expect_ok(world.api->get("/v1/tasks?kind=deposit_unmatched"));
  BOOST_TEST(task.text("/data/0/object_id") == deposit.text("/deposit_id"));
  world.service->ask_to_stop();
  BOOST_TEST(world.service->wait_for_end() == 0);
  const auto verdict = run_tideover({"ledger", "verify", "--config", world.folder.config_file().string()});
  BOOST_TEST(verdict.exit_code == 0, verdict.out << verdict.err);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
