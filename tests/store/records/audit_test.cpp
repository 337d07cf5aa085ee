// AuditRecords.
#include "tests/store/records/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

BOOST_AUTO_TEST_SUITE(store_audit)

BOOST_DATA_TEST_CASE(an_audit_row_keeps_every_field, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto row = sample_audit_row(1);
  store.write([&](ports::Records& records) { records.audit().append(kTenant, row); });
  const auto [id, client, request, operation, object, outcome, at, times] = row;
  BOOST_TEST(store.count_past_the_store(
                 "SELECT COUNT(*) FROM audit_rows WHERE tenant = ? AND id = ? AND client_id = ? AND request_id = ? AND "
                 "operation = ? AND object_id = ? AND outcome = ? AND at = ? AND times = ?",
                 kTenant.text(), id.text(), client.text(), request, operation, object, outcome, at.ms(), times) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
