#include "core/events/envelope.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/events/bench.hpp"

using namespace tideover;

BOOST_AUTO_TEST_SUITE(envelope)

BOOST_AUTO_TEST_CASE(the_fields_of_the_spec_come_first_and_data_goes_in_unchanged) {
  const ports::OutboxRow row{test::numbered<domain::TenantId>(1),
                             test::numbered<domain::EventId>(2),
                             "reconciliation.posted",
                             R"({"id":"rec_1","payer_payment":1000.00})",
                             domain::Timestamp::from_ms(1'795'160'415'123),
                             3};
  const std::string expected =
      R"({"event":"reconciliation.posted","id":")" + row.id.text() +
      R"(","created_at":"2026-11-20T07:40:15.123Z","data":{"id":"rec_1","payer_payment":1000.00},)"
      R"("type":"reconciliation.posted","timestamp":"2026-11-20T07:40:15.123Z","api_version":"2026-11-20",)"
      R"("environment":"sandbox","sequence":7,"resource_version":3})";
  BOOST_TEST(events::envelope(row, 7, {"sandbox", "2026-11-20"}) == expected);
}

BOOST_AUTO_TEST_SUITE_END()
