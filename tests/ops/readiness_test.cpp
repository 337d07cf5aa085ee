#include <boost/test/unit_test.hpp>

#include "core/ops/pages.hpp"

using namespace tideover::ops;

namespace {

void report_all_well(Readiness& readiness) {
  for (const Check check : {Check::store, Check::rules, Check::rails, Check::webhooks, Check::plugins})
    readiness.report(check, true);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ops_readiness)

BOOST_AUTO_TEST_CASE(a_process_is_alive_before_it_is_ready) {
  const Readiness readiness;
  BOOST_TEST(livez().status == 200);
  BOOST_TEST(livez().body == "ok\n");
  const Page page = readyz(readiness);
  BOOST_TEST(page.status == 503);
  BOOST_TEST(page.content_type == "application/json");
  BOOST_TEST(page.body ==
             R"({"status":"unavailable","checks":{"store":{"ok":false,"detail":"starting"},"rules":{"ok":false,)"
             R"("detail":"starting"},)"
             R"("rails":{"ok":false,"detail":"starting"},"webhooks":{"ok":false,"detail":"starting"},)"
             R"("plugins":{"ok":false,"detail":"starting"}}})"
             "\n");
}

BOOST_AUTO_TEST_CASE(ready_means_that_every_check_is_well) {
  Readiness readiness;
  report_all_well(readiness);
  BOOST_TEST(readyz(readiness).status == 200);
  BOOST_TEST(readyz(readiness).body ==
             R"({"status":"ok","checks":{"store":{"ok":true},"rules":{"ok":true},"rails":{"ok":true},)"
             R"("webhooks":{"ok":true},"plugins":{"ok":true}}})"
             "\n");
  for (const Check check : {Check::store, Check::rules, Check::rails, Check::webhooks, Check::plugins}) {
    readiness.report(check, false, "lost");
    BOOST_TEST(readyz(readiness).status == 503, name_of(check));
    BOOST_TEST(readiness.snapshot().of(check).detail == "lost");
    readiness.report(check, true);
    BOOST_TEST(readyz(readiness).status == 200, name_of(check));
  }
}

BOOST_AUTO_TEST_CASE(a_well_check_may_carry_a_detail) {
  Readiness readiness;
  report_all_well(readiness);
  readiness.report(Check::rules, true, "serving the last valid rules: \"a.lua:3:1\"");
  BOOST_TEST(readyz(readiness).status == 200);
  BOOST_TEST(readyz(readiness).body.find(
                 R"("rules":{"ok":true,"detail":"serving the last valid rules: \"a.lua:3:1\""})") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_draining_process_is_not_ready_whatever_is_reported) {
  Readiness readiness;
  report_all_well(readiness);
  readiness.start_draining();
  report_all_well(readiness);
  BOOST_TEST(readyz(readiness).status == 503);
  BOOST_TEST(readyz(readiness).body.starts_with(R"({"status":"draining")"));
}

BOOST_AUTO_TEST_CASE(the_version_page_names_version_and_api) {
  BOOST_TEST(version({"0.1.0", "2026-11-20"}).body ==
             "{\"name\":\"tideover\",\"version\":\"0.1.0\",\"api_version\":\"2026-11-20\"}\n");
}

BOOST_AUTO_TEST_SUITE_END()
