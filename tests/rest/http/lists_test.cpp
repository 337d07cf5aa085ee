// Lists of settlements and claims, the status history of a claim, and the orders and bounds of lists.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

/// The values of one member in the page.
std::vector<std::string> column(const Json& page, const std::string& member) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < page.size("/data"); ++i)
    values.push_back(page.text("/data/" + std::to_string(i) + "/" + member));
  return values;
}

/// A claim of a service two months ago.
std::string early_claim(const std::string& identifier) {
  auto body = claim_body(identifier);
  for (const int sent : {-5, -1}) body.replace(body.find(day(sent)), day(sent).size(), day(sent - 60));
  return body;
}

struct Lists {
  World world;
  const ApiClient& api = *world.api;

  std::vector<std::string> listed(const std::string& target, const std::string& member) const {
    return column(expect_ok(api.get(target)), member);
  }
};

using Texts = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(rest_lists)

BOOST_FIXTURE_TEST_CASE(settlements_are_listed_newest_first_by_page_and_filter, Lists) {
  const auto waiting = advance(api, "SET-1"), funded = fund(api, "SET-2"), last = advance(api, "SET-3");
  const std::string list = "/v1/settlements";
  BOOST_TEST((listed(list, "settlement_id") == Texts{last, funded, waiting}));
  BOOST_TEST((listed(list + "?order=asc", "settlement_id") == Texts{waiting, funded, last}));
  BOOST_TEST((listed(list + "?status=funded", "settlement_id") == Texts{funded}));
  BOOST_TEST((listed(list + "?funding_status=none&order=asc", "settlement_id") == Texts{waiting, last}));
  BOOST_TEST((listed(list + "?claim_identifier=SET-3", "settlement_id") == Texts{last}));
  BOOST_TEST(listed(list + "?claim_identifier=SET-3&status=funded", "settlement_id").empty());
  BOOST_TEST(listed(list + "?claim_identifier=ABSENT", "settlement_id").empty());
  BOOST_TEST(listed(list + "?payer_id=SAMPLE-80&decision=approved", "settlement_id").size() == 3u);
  BOOST_TEST(listed(list + "?payer_id=ABSENT", "settlement_id").empty());
  BOOST_TEST(listed(list + "?decision=declined", "settlement_id").empty());

  const Json whole = expect_ok(api.get(list)), single = expect_ok(api.get(list + "/" + last));
  BOOST_TEST(text_of(whole.at("/data/0")) == text_of(single.root()));

  const Json first = expect_ok(api.get(list + "?limit=2"));
  BOOST_TEST(first.flag("/has_more"));
  const auto cursor = first.text("/next_cursor");
  BOOST_TEST((listed(list + "?limit=2&cursor=" + cursor, "settlement_id") == Texts{waiting}));
  for (const char* other : {"order=asc", "status=funded", "created_from=2020-01-01"})
    expect_error(api.get(list + "?" + other + "&cursor=" + cursor), 400, "invalid_cursor");
}

BOOST_FIXTURE_TEST_CASE(a_list_names_every_parameter_that_is_not_valid, Lists) {
  const Json filters =
      expect_error(api.get("/v1/settlements?status=ajar&decision=maybe&funding_status=x"), 400, "invalid_parameter");
  for (const char* name : {"status", "decision", "funding_status"})
    BOOST_TEST(filters.has(std::string("/details/fields/") + name), name);
  const Json page = expect_error(api.get("/v1/claims?order=up&created_from=yesterday&created_to=2026-13-01"), 400,
                                 "invalid_parameter");
  for (const char* name : {"order", "created_from", "created_to"})
    BOOST_TEST(page.has(std::string("/details/fields/") + name), name);
  BOOST_TEST(expect_error(api.get("/v1/claims?status=ajar"), 400, "invalid_parameter").has("/details/fields/status"));
}

BOOST_FIXTURE_TEST_CASE(claims_are_listed_with_payer_amount_and_status, Lists) {
  expect_ok(api.post("/v1/claims/reviews", claim_body("CL-1")));
  expect_ok(api.post("/v1/claims/reviews", claim_body("CL-2", "TEST-APPROVE")));
  expect_ok(api.patch("/v1/claims/CL-2/status", R"({"status":"submitted"})"));
  const Json claims = expect_ok(api.get("/v1/claims"));
  BOOST_TEST((column(claims, "claim_identifier") == Texts{"CL-2", "CL-1"}));
  BOOST_TEST(claims.text("/data/0/status") == "submitted");
  BOOST_TEST(claims.text("/data/0/payer_id") == "TEST-APPROVE");
  BOOST_TEST(claims.cents("/data/0/submitted_amount") == 100'000);
  BOOST_TEST(claims.text("/data/0/created_at") <= claims.text("/data/0/updated_at"));
  BOOST_TEST((listed("/v1/claims?order=asc", "claim_identifier") == Texts{"CL-1", "CL-2"}));
  BOOST_TEST((listed("/v1/claims?status=reviewed", "claim_identifier") == Texts{"CL-1"}));
  BOOST_TEST((listed("/v1/claims?payer_id=TEST-APPROVE", "claim_identifier") == Texts{"CL-2"}));
  BOOST_TEST(listed("/v1/claims?payer_id=TEST-APPROVE&status=reviewed", "claim_identifier").empty());
  const auto created = claims.text("/data/1/created_at");
  BOOST_TEST((listed("/v1/claims?created_to=" + created, "claim_identifier") == Texts{"CL-1"}));
  BOOST_TEST(listed("/v1/claims?created_from=" + day(1), "claim_id").empty());
  BOOST_TEST(listed("/v1/claims?created_from=" + day(-1) + "&created_to=" + day(1), "claim_id").size() == 2u);
  const ApiClient neighbour(world.service->port(),
                            world.folder.create_client({"--role", "admin", "--tenant", "neighbour"}));
  BOOST_TEST(expect_ok(neighbour.get("/v1/claims")).size("/data") == 0u);
  BOOST_TEST(expect_ok(neighbour.get("/v1/settlements")).size("/data") == 0u);
}

BOOST_FIXTURE_TEST_CASE(the_history_of_a_claim_has_every_status_and_the_current_one, Lists) {
  expect_ok(api.post("/v1/claims/reviews", claim_body("HIS-1")));
  for (const char* status : {"submitted", "accepted", "pending"})
    expect_ok(api.patch("/v1/claims/HIS-1/status", std::string(R"({"status":")") + status + "\"}"));
  const std::string list = "/v1/claims/HIS-1/status/history";
  const Json history = expect_ok(api.get(list));
  BOOST_TEST((column(history, "status") == Texts{"pending", "accepted", "submitted", "reviewed"}));
  BOOST_TEST(text_of(history.at("/data/0")) == text_of(expect_ok(api.get("/v1/claims/HIS-1/status")).root()));
  BOOST_TEST(history.text("/data/1/previous_status") == "submitted");
  BOOST_TEST(history.text("/data/3/claim_identifier") == "HIS-1");
  BOOST_TEST((listed(list + "?order=asc", "status") == Texts{"reviewed", "submitted", "accepted", "pending"}));
  for (const std::string order : {"", "&order=asc"}) {
    Texts paged;
    std::string cursor;
    do {
      const Json page = expect_ok(api.get(list + "?limit=1" + order + (cursor.empty() ? "" : "&cursor=" + cursor)));
      paged.push_back(page.text("/data/0/status"));
      cursor = page.flag("/has_more") ? page.text("/next_cursor") : "";
    } while (!cursor.empty());
    BOOST_TEST(paged == listed(list + "?limit=9" + order, "status"), boost::test_tools::per_element());
  }
  expect_error(api.get("/v1/claims/ABSENT/status/history"), 404, "claim_not_found");
}

BOOST_FIXTURE_TEST_CASE(lists_of_objects_that_requests_make_are_newest_first, Lists) {
  const auto made = [&](const std::string& target, const std::string& body, const std::string& id) {
    return expect_ok(api.post(target, body)).text("/" + id);
  };
  const auto check = [&](const std::string& list, const std::string& id, const Texts& in_order) {
    const Texts reversed(in_order.rbegin(), in_order.rend());
    BOOST_TEST(listed(list, id) == reversed, boost::test_tools::per_element());
    BOOST_TEST(listed(list + "?order=asc", id) == in_order, boost::test_tools::per_element());
    BOOST_TEST(listed(list + "?created_from=" + day(-1) + "&created_to=" + day(1), id).size() == in_order.size(), list);
    BOOST_TEST(listed(list + "?created_from=" + day(1), id).empty(), list);
  };
  check("/v1/deposits", "deposit_id",
        {made("/v1/deposits", deposit_body("T-1", "10.00"), "deposit_id"),
         made("/v1/deposits", deposit_body("T-2", "11.00"), "deposit_id")});
  check("/v1/remittances", "remittance_id",
        {made("/v1/remittances", remittance_body("T-3", "C-1", "12.00"), "remittance_id"),
         made("/v1/remittances", remittance_body("T-4", "C-2", "13.00"), "remittance_id")});
  check("/v1/reviews", "id",
        {made("/v1/claims/reviews", claim_body("C-1"), "id"), made("/v1/claims/reviews", claim_body("C-2"), "id")});
  check("/v1/imports/claims", "job_id",
        {made("/v1/imports/claims", file_body("ndjson", claim_body("C-3") + "\n"), "job_id"),
         made("/v1/imports/claims", file_body("ndjson", claim_body("C-4") + "\n"), "job_id")});
  const std::string endpoint = R"({"url":"http://127.0.0.1:9/hooks"})";
  check("/v1/webhooks/endpoints", "id",
        {made("/v1/webhooks/endpoints", endpoint, "id"), made("/v1/webhooks/endpoints", endpoint, "id")});
}

BOOST_DATA_TEST_CASE(a_list_finds_the_object_that_a_key_made, boost::unit_test::data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  const auto made = [&](const std::string& target, const std::string& body, const std::string& id,
                        const std::string& key) {
    return expect_ok(api.post(target, body, {{"Idempotency-Key", key}})).text("/" + id);
  };
  const auto check = [&](const std::string& list, const std::string& id, const std::string& first,
                         const std::string& second) {
    BOOST_TEST_CONTEXT(list) {
      const auto listed = [&](const std::string& query) { return column(expect_ok(api.get(list + query)), id); };
      BOOST_REQUIRE(first != second);
      BOOST_TEST((listed("?idempotency_key=k1") == Texts{first}));
      BOOST_TEST((listed("?limit=1&order=asc&idempotency_key=k~2%2F") == Texts{second}));
      BOOST_TEST(listed("?idempotency_key=k3").empty());
      BOOST_TEST(listed("?idempotency_key=K1").empty());
      BOOST_TEST(listed("?idempotency_key=k1&created_from=" + day(1)).empty());
      for (const char* bad : {"", "a%20b", "%C3%A9"}) {
        const Json refusal = expect_error(api.get(list + "?idempotency_key=" + bad), 400, "invalid_parameter");
        BOOST_TEST(refusal.has("/details/fields/idempotency_key"), bad);
      }
    }
  };
  const std::string one = "k1", other = "k~2/";
  const auto both = [&](const std::string& list, const std::string& id, const std::string& body,
                        const std::string& other_body) {
    check(list, id, made(list, body, id, one), made(list, other_body, id, other));
  };
  both("/v1/deposits", "deposit_id", deposit_body("T-1", "10.00"), deposit_body("T-2", "11.00"));
  both("/v1/remittances", "remittance_id", remittance_body("T-3", "C-1", "12.00"),
       remittance_body("T-4", "C-2", "13.00"));
  both("/v1/imports/claims", "job_id", file_body("ndjson", claim_body("C-3") + "\n"),
       file_body("ndjson", claim_body("C-4") + "\n"));
  both("/v1/webhooks/endpoints", "id", R"({"url":"http://127.0.0.1:9/a"})", R"({"url":"http://127.0.0.1:9/b"})");
  both("/v1/clients", "client_id", R"({"name":"one","role":"auditor"})", R"({"name":"two","role":"auditor"})");
  const auto review = [&](const std::string& claim, const std::string& key) {
    return expect_ok(api.post("/v1/claims/reviews", claim_body(claim), {{"Idempotency-Key", key}}));
  };
  const Json first = review("C-5", one), second = review("C-6", other);
  check("/v1/reviews", "id", first.text("/id"), second.text("/id"));
  const auto adjudicated = [&](const Json& reviewed, const std::string& key) {
    return made("/v1/claims/adjudications", adjudication_body(reviewed.text("/authorization_id")), "settlement_id",
                key);
  };
  check("/v1/settlements", "settlement_id", adjudicated(first, one), adjudicated(second, other));

  BOOST_TEST(expect_ok(api.get("/v1/reviews?idempotency_key=k1&claim_identifier=C-6")).size("/data") == 0u);
  const ApiClient neighbour(world.service->port(),
                            world.folder.create_client({"--role", "admin", "--tenant", "neighbour"}));
  BOOST_TEST(expect_ok(neighbour.get("/v1/reviews?idempotency_key=k1")).size("/data") == 0u);
  expect_error(api.get("/v1/claims?idempotency_key=k1"), 400, "invalid_parameter");
}

BOOST_DATA_TEST_CASE(text_outside_of_ascii_is_refused_or_finds_nothing, boost::unit_test::data::make(stores()), store) {
  const World world(store);
  const ApiClient& api = *world.api;
  const std::string accented = "%C3%A9";
  for (const std::string target :
       {"/v1/tasks?object_id=", "/v1/audit?client_id=", "/v1/audit?outcome=", "/v1/bank_statements?account=",
        "/v1/payouts?payee_npi=", "/v1/ledger/entries?account=", "/v1/ledger/entries?payee_npi=", "/v1/events?type="}) {
    const Json refusal = expect_error(api.get(target + accented), 400, "invalid_parameter");
    const auto from = target.find('?') + 1;
    BOOST_TEST(refusal.has("/details/fields/" + target.substr(from, target.size() - from - 1)), target);
  }
  for (const std::string target :
       {"/v1/claims?payer_id=", "/v1/reviews?payer_id=", "/v1/settlements?claim_identifier=", "/v1/deposits?payer_id=",
        "/v1/remittances?trace_number=", "/v1/audit?object_id=", "/v1/audit?request_id="})
    BOOST_TEST(expect_ok(api.get(target + accented)).size("/data") == 0u, target);
  expect_error(api.get("/v1/payees/" + accented), 404, "not_found");
  expect_error(api.post_nothing("/v1/payees/" + accented + "/payouts"), 404, "not_found");

  for (const char* trace : {"T-1", "T-2"}) expect_ok(api.post("/v1/deposits", deposit_body(trace, "10.00")));
  for (const std::string list : {"/v1/deposits?limit=1&order=asc", "/v1/ledger/entries?limit=1"}) {
    // The first 16 characters name the list; behind them is the position, here an accented letter.
    const auto forged = expect_ok(api.get(list)).text("/next_cursor").substr(0, 16) + "w6k";
    expect_error(api.get(list + "&cursor=" + forged), 400, "invalid_cursor");
  }
}

BOOST_FIXTURE_TEST_CASE(created_bounds_hold_for_a_tenant_whose_clock_was_moved, Lists) {
  const auto move = [&](int days) { expect_ok(api.post("/v1/sandbox/clock", R"({"set":)" + quoted(day(days)) + "}")); };
  move(-40);
  expect_ok(api.post("/v1/claims/reviews", early_claim("MOV-1")));
  move(-20);
  expect_ok(api.post("/v1/claims/reviews", early_claim("MOV-2")));
  move(30);
  expect_ok(api.post("/v1/claims/reviews", early_claim("MOV-3")));
  const Json claims = expect_ok(api.get("/v1/claims?order=asc"));
  for (const std::string list : {"/v1/claims", "/v1/reviews"}) {
    BOOST_TEST((listed(list + "?created_to=" + day(-30), "claim_identifier") == Texts{"MOV-1"}), list);
    BOOST_TEST(
        (listed(list + "?created_from=" + day(-30) + "&created_to=" + day(0), "claim_identifier") == Texts{"MOV-2"}),
        list);
    BOOST_TEST((listed(list + "?created_from=" + day(1), "claim_identifier") == Texts{"MOV-3"}), list);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string at = "/data/" + std::to_string(i);
    BOOST_TEST(claims.text(at + "/created_at") == claims.text(at + "/updated_at"));
  }
}

BOOST_FIXTURE_TEST_CASE(a_search_says_that_more_payers_match_and_marks_what_matched, Lists) {
  const Json found = expect_ok(api.get("/v1/metadata/payers?q=medicaid&limit=2"));
  BOOST_TEST(found.size("/data") == 2u);
  BOOST_TEST(found.flag("/has_more"));
  BOOST_TEST(found.at("/next_cursor").IsNull());
  BOOST_TEST(!expect_ok(api.get("/v1/metadata/payers?q=SAMPLE-80&limit=2")).flag("/has_more"));
  const Json exact = expect_ok(api.get("/v1/metadata/payers?q=sample-80"));
  BOOST_TEST(text_of(exact.at("/data/0/match/highlights/0")) ==
             R"({"field":"payer_id","text":"SAMPLE-80","parts":[{"start":0,"length":6},{"start":7,"length":2}]})");
  // A blank text is no search.
  const Json blank = expect_ok(api.get("/v1/metadata/payers?q=%20&limit=2"));
  BOOST_TEST(!blank.has("/data/0/match"));
  const Json next = expect_ok(api.get("/v1/metadata/payers?q=%20&limit=2&cursor=" + blank.text("/next_cursor")));
  BOOST_TEST(next.text("/data/0/payer_id") > blank.text("/data/1/payer_id"));
}

BOOST_FIXTURE_TEST_CASE(a_payer_is_read_by_its_id_and_by_its_identifiers, Lists) {
  const Json payer = expect_ok(api.get("/v1/metadata/payers/SAMPLE-80"));
  BOOST_TEST(payer.text("/payer_id") == "SAMPLE-80");
  BOOST_TEST(!payer.has("/match"));
  BOOST_TEST(text_of(expect_ok(api.get("/v1/metadata/payers/sample-80")).root()) == text_of(payer.root()));
  const Json found = expect_ok(api.get("/v1/metadata/payers?limit=5"));
  for (std::size_t i = 0; i < found.size("/data"); ++i) {
    const std::string at = "/data/" + std::to_string(i);
    const Json one = expect_ok(api.get("/v1/metadata/payers/" + found.text(at + "/payer_id")));
    BOOST_TEST(text_of(one.root()) == text_of(found.at(at)));
  }
  for (const char* other : {"SMPL80", "SAMPLE-EIGHTY"})
    BOOST_TEST(expect_ok(api.get(std::string("/v1/metadata/payers/") + other)).text("/payer_id") == "SAMPLE-80");
  expect_error(api.get("/v1/metadata/payers/ABSENT"), 404, "not_found");
}

BOOST_FIXTURE_TEST_CASE(reason_codes_are_one_page_or_several, Lists) {
  const std::string list = "/v1/metadata/reason-codes";
  const Json whole = expect_ok(api.get(list));
  BOOST_TEST(!whole.flag("/has_more"));
  Texts paged;
  std::string cursor;
  do {
    const Json page = expect_ok(api.get(list + "?limit=7" + (cursor.empty() ? "" : "&cursor=" + cursor)));
    for (const auto& code : column(page, "code")) paged.push_back(code);
    cursor = page.flag("/has_more") ? page.text("/next_cursor") : "";
  } while (!cursor.empty());
  BOOST_TEST(paged == column(whole, "code"), boost::test_tools::per_element());
  expect_error(api.get(list + "?limit=0"), 400, "invalid_parameter");
  expect_error(api.get(list + "?cursor=AAAA"), 400, "invalid_cursor");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
