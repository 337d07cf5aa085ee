// GET /v1/audit.
#include <algorithm>

#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;

/// "operation outcome object" of every row that fits, over all pages.
std::vector<std::string> trail(const ApiClient& api, const std::string& filter = "", int limit = 2) {
  std::vector<std::string> rows;
  std::string cursor;
  for (;;) {
    const Json page = expect_ok(api.get("/v1/audit?limit=" + std::to_string(limit) + filter + cursor));
    for (const auto& row : page.at("/data").GetArray())
      rows.push_back(std::string(row["operation"].GetString()) + ' ' + row["outcome"].GetString() + ' ' +
                     row["object_id"].GetString());
    if (!page.flag("/has_more")) return rows;
    cursor = "&cursor=" + page.text("/next_cursor");
  }
}

BOOST_AUTO_TEST_SUITE(audit)

BOOST_DATA_TEST_CASE(a_tenant_reads_what_its_clients_did_and_nothing_of_others, data::make(stores()), store) {
  World world(store);
  const ApiClient neighbour(world.service->port(),
                            world.folder.create_client({"--role", "admin", "--tenant", "neighbour"}));
  const std::string settlement = fund(*world.api, "CLM-1");
  const std::string theirs = advance(neighbour, "CLM-1");

  const auto about = trail(*world.api, "&object_id=" + settlement);
  // Row after row of one chain after the other; MariaDB is written by several lanes, each with a chain of its own.
  for (const char* done : {"POST /v1/claims/adjudications ok ", "POST /v1/settlements/{settlement_id}/confirm ok "})
    BOOST_TEST(std::count(about.begin(), about.end(), done + settlement) == 1, done);
  BOOST_TEST(trail(*world.api, "&object_id=" + theirs).empty());
  BOOST_TEST(trail(neighbour, "&object_id=" + theirs).size() == 1u);
  for (const auto& row : trail(*world.api)) BOOST_TEST(row.find("service started") == std::string::npos, row);
  BOOST_TEST((trail(*world.api, "", 100) == trail(*world.api, "", 3)));
}

BOOST_AUTO_TEST_CASE(the_trail_is_filtered_by_request_client_outcome_and_day) {
  World world;
  expect_ok(world.api->post("/v1/claims/reviews", claim_body("CLM-1"), {{"X-Request-Id", "mine-1"}}));
  expect_error(world.api->get("/v1/claims/CLM-NONE"), 404, "claim_not_found");
  BOOST_TEST(trail(*world.api, "&request_id=mine-1").size() == 1u);
  BOOST_TEST(trail(*world.api, "&outcome=claim_not_found").size() == 1u);
  BOOST_TEST(trail(*world.api, "&outcome=claim_not_found&request_id=mine-1").empty());
  BOOST_TEST(trail(*world.api, "&client_id=" + world.client.id).size() == trail(*world.api).size());
  BOOST_TEST(trail(*world.api, "&client_id=cli_none").empty());
  BOOST_TEST(!trail(*world.api, "&from=" + day(-1) + "&to=" + day(1)).empty());
  BOOST_TEST(trail(*world.api, "&to=" + day(-2)).empty());
  BOOST_TEST(trail(*world.api, "&from=" + day(2)).empty());
}

BOOST_AUTO_TEST_CASE(a_cursor_or_a_day_that_is_none_is_refused) {
  World world;
  for (const char* cursor : {"nonsense!", "bm9uc2Vuc2U", "LTEgYQ"})
    expect_error(world.api->get("/v1/audit?cursor=" + std::string(cursor)), 400, "invalid_cursor");
  const Json refused = expect_error(world.api->get("/v1/audit?from=today&to=2026-02-30"), 400, "invalid_parameter");
  BOOST_TEST(refused.at("/details/fields").MemberCount() == 2u);
  expect_error(world.api->get("/v1/audit?from=2026-11-02&to=2026-11-01"), 400, "invalid_parameter");
  const ApiClient submitter(world.service->port(), world.folder.create_client({"--role", "submitter"}));
  expect_error(submitter.get("/v1/audit"), 403, "insufficient_scope");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
