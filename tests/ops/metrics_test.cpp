#include <boost/test/unit_test.hpp>

#include "core/ops/pages.hpp"

using namespace tideover::ops;
using namespace std::chrono_literals;

namespace {

bool has_line(const Metrics& metrics, const std::string& line) {
  return ("\n" + metrics.text()).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ops_metrics)

BOOST_AUTO_TEST_CASE(requests_are_counted_by_route_and_status_class) {
  Metrics metrics("1.2.3");
  RouteMetrics& route = metrics.route("GET /v1/health");
  route.record(200, 3ms);
  route.record(204, 30ms);
  metrics.route("GET /v1/health").record(404, 3s);
  metrics.route("GET /v1/health").record(999, 1h);
  BOOST_TEST(has_line(metrics, R"(tideover_http_requests_total{route="GET /v1/health",status="2xx"} 2)"));
  BOOST_TEST(has_line(metrics, R"(tideover_http_requests_total{route="GET /v1/health",status="4xx"} 1)"));
  BOOST_TEST(has_line(metrics, R"(tideover_http_requests_total{route="GET /v1/health",status="5xx"} 1)"));
  BOOST_TEST(has_line(metrics, R"(tideover_http_request_seconds_bucket{route="GET /v1/health",le="0.005"} 1)"));
  BOOST_TEST(has_line(metrics, R"(tideover_http_request_seconds_bucket{route="GET /v1/health",le="5"} 3)"));
  BOOST_TEST(has_line(metrics, R"(tideover_http_request_seconds_count{route="GET /v1/health"} 4)"));
}

BOOST_AUTO_TEST_CASE(every_other_count_appears_under_its_name) {
  Metrics metrics("1.2.3");
  metrics.requests_in_flight(7);
  metrics.answers_unsent(4096, 1);
  metrics.answers_unsent(1024, 3);
  metrics.rules({{"denial.gone", 9, 0}});
  metrics.rules({{"denial.timely_filing", 5, 2}});
  metrics.rules_stale(true);
  metrics.rules_reloaded(true);
  metrics.rules_reloaded(false);
  metrics.rules_reloaded(false);
  metrics.plugin_failed("payer_directory", "file", "search", "threw");
  metrics.committed(3, 40, 1, 0);
  metrics.committed(4, 41, 1, 2);
  metrics.sealed_rows_left({{"claims", "k1", 9}, {"answers", "k1", 4}});
  metrics.sealed_rows_left({{"claims", "k1", 7}});
  metrics.seals_unopened(1, 2);
  metrics.key_worn(true);
  metrics.webhook_delivered();
  metrics.webhook_failed();
  metrics.import_rows(10, 2);
  metrics.expect_pickup("claims");
  metrics.picked_up("era", {3, 2, 1, 4, 5});
  metrics.picked_up("era", {1, 0, 0, 0, 1});
  BOOST_TEST(has_line(metrics, R"(tideover_pickup_files_total{folder="era",result="posted"} 4)"));
  BOOST_TEST(has_line(metrics, R"(tideover_pickup_files_total{folder="era",result="quarantined"} 1)"));
  BOOST_TEST(has_line(metrics, R"(tideover_pickup_files_total{folder="claims",result="duplicate"} 0)"));
  BOOST_TEST(has_line(metrics, R"(tideover_pickup_waiting{folder="era"} 0)"));
  BOOST_TEST(has_line(metrics, R"(tideover_pickup_problems{folder="era"} 1)"));
  metrics.learning({1, 2, 3, 4, 5});
  BOOST_TEST(has_line(metrics, "tideover_learning_skipped_total 1"));
  BOOST_TEST(has_line(metrics, "tideover_learning_set_aside_total 2"));
  BOOST_TEST(has_line(metrics, R"(tideover_build_info{version="1.2.3"} 1)"));
  BOOST_TEST(has_line(metrics, "tideover_http_requests_in_flight 7"));
  BOOST_TEST(has_line(metrics, "tideover_http_unsent_bytes 1024"));
  BOOST_TEST(has_line(metrics, "tideover_http_responses_dropped_total 3"));
  BOOST_TEST(has_line(metrics, R"(tideover_rule_fired{rule="denial.timely_filing"} 5)"));
  BOOST_TEST(has_line(metrics, R"(tideover_rule_failed{rule="denial.timely_filing"} 2)"));
  BOOST_TEST(metrics.text().find("denial.gone") == std::string::npos);
  BOOST_TEST(has_line(metrics, R"(tideover_rules_reloads_total{result="ok"} 1)"));
  BOOST_TEST(has_line(metrics, R"(tideover_rules_reloads_total{result="failed"} 2)"));
  BOOST_TEST(has_line(metrics, "tideover_rules_stale 1"));
  BOOST_TEST(has_line(
      metrics, R"(tideover_plugin_failures_total{call="search",kind="payer_directory",plugin="file",what="threw"} 1)"));
  BOOST_TEST(has_line(metrics, "tideover_committer_batches_total 4"));
  BOOST_TEST(has_line(metrics, "tideover_committer_units_total 41"));
  BOOST_TEST(has_line(metrics, "tideover_committer_replays_total 1"));
  BOOST_TEST(has_line(metrics, "tideover_committer_retries_total 2"));
  BOOST_TEST(has_line(metrics, R"(tideover_sealed_rows_left{key="k1",table="claims"} 7)"));
  BOOST_TEST(metrics.text().find("answers") == std::string::npos);
  BOOST_TEST(has_line(metrics, R"(tideover_seals_unopened_total{reason="damaged"} 1)"));
  BOOST_TEST(has_line(metrics, R"(tideover_seals_unopened_total{reason="unknown_key"} 2)"));
  BOOST_TEST(has_line(metrics, "tideover_key_worn 1"));
  BOOST_TEST(has_line(metrics, R"(tideover_webhook_deliveries_total{result="delivered"} 1)"));
  BOOST_TEST(has_line(metrics, R"(tideover_webhook_deliveries_total{result="failed"} 1)"));
  BOOST_TEST(has_line(metrics, R"(tideover_import_rows_total{result="accepted"} 10)"));
  BOOST_TEST(has_line(metrics, R"(tideover_import_rows_total{result="rejected"} 2)"));
}

BOOST_AUTO_TEST_CASE(counters_of_failures_are_zero_before_the_first_failure) {
  Metrics metrics("1");
  metrics.expect_plugin("payer_directory", "file", {"get", "search"});
  metrics.plugin_failed("payer_directory", "file", "search", "threw");
  metrics.expect_plugin("payer_directory", "file", {"get", "search"});
  metrics.expect_rail("RTP", true, {"paid_twice"});
  metrics.route("GET /v1/health");
  BOOST_TEST(has_line(
      metrics, R"(tideover_plugin_failures_total{call="get",kind="payer_directory",plugin="file",what="threw"} 0)"));
  BOOST_TEST(has_line(
      metrics, R"(tideover_plugin_failures_total{call="search",kind="payer_directory",plugin="file",what="threw"} 1)"));
  for (const std::string adopted : {"yes", "no"})
    BOOST_TEST(has_line(
        metrics, "tideover_rail_disagreements_total{adopted=\"" + adopted + "\",kind=\"paid_twice\",rail=\"RTP\"} 0"));
  BOOST_TEST(has_line(metrics, R"(tideover_rail_simulated{rail="RTP"} 1)"));
  BOOST_TEST(has_line(metrics, R"(tideover_http_requests_total{route="GET /v1/health",status="5xx"} 0)"));
}

BOOST_AUTO_TEST_CASE(the_page_is_the_prometheus_text_format) {
  const Metrics counts("1");
  const Page page = metrics(counts);
  BOOST_TEST(page.status == 200);
  BOOST_TEST(page.content_type == "text/plain; version=0.0.4; charset=utf-8");
  BOOST_TEST(page.body == counts.text());
}

BOOST_AUTO_TEST_SUITE_END()
