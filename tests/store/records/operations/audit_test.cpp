// AuditRecords.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

void append(StoreUnderTest& store, const ports::AuditRow& row, const TenantId& tenant = kTenant) {
  store.write([&](ports::Records& records) { records.audit().append(tenant, row); });
}

ports::AuditPage page(StoreUnderTest& store, const ports::AuditFilter& filter, const ports::AuditPlace& after,
                      std::size_t limit) {
  return store.seen([&](const ports::Records& records) { return records.audit().list(kTenant, filter, after, limit); });
}

/// The numbers of the rows that a listing in pages of two shows.
std::string listed(StoreUnderTest& store, const ports::AuditFilter& filter = {}) {
  std::string text;
  for (std::optional<ports::AuditPlace> after{std::in_place}; after;) {
    const auto found = page(store, filter, *after, 2);
    BOOST_TEST(found.rows.size() <= 2u);
    for (const auto& row : found.rows) text += row.object_id + ' ';
    after = found.next;
  }
  return text;
}

ports::AuditRow row(std::uint64_t n) {
  auto made = sample_audit_row(n);
  made.object_id = std::to_string(n);
  return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_audit)

BOOST_DATA_TEST_CASE(an_audit_row_keeps_every_field, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto row = sample_audit_row(1);
  append(store, row);
  const auto [id, client, request, operation, object, outcome, at, times] = row;
  const auto read = page(store, {}, {}, 9);
  BOOST_REQUIRE(read.rows.size() == 1u);
  BOOST_TEST(!read.next);
  const auto& found = read.rows[0];
  BOOST_TEST((found.id == id && found.client == client && found.request_id == request && found.operation == operation &&
              found.object_id == object && found.outcome == outcome && found.at.ms() == at.ms() &&
              found.times == times));
  BOOST_TEST(store.count_past_the_store(
                 "SELECT COUNT(*) FROM audit_rows WHERE tenant = ? AND id = ? AND client_id = ? AND request_id = ? AND "
                 "operation = ? AND object_id = ? AND outcome = ? AND at = ? AND times = ?",
                 kTenant.text(), id.text(), client.text(), request, operation, object, outcome, at.ms(), times) == 1);
}

BOOST_DATA_TEST_CASE(the_trail_is_listed_page_by_page_over_all_its_chains, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  for (std::uint64_t n = 1; n <= 5; ++n) {
    append(store, row(n));
    append(store, row(90 + n), kOtherTenant);
  }
  BOOST_TEST(listed(store) == "1 2 3 4 5 ");
  // A row of another node's chain. It does not verify; a listing shows what is there.
  store.run_past_the_store(
      "INSERT INTO audit_rows (chain, position, hash, tenant, id, client_id, request_id, operation, object_id, "
      "outcome, times, at) "
      "SELECT 'zz-node/0', position, hash, tenant, id, client_id, request_id, operation, 'z', outcome, times, at FROM "
      "audit_rows WHERE position = 1");
  store.reopen();
  BOOST_TEST(listed(store) == "1 2 3 4 5 z ");
}

BOOST_DATA_TEST_CASE(every_filter_narrows_the_listing, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  for (std::uint64_t n = 1; n <= 3; ++n) append(store, row(n));
  auto other = row(4);
  other.client = id_of<ClientId>(7);
  append(store, other);
  other = row(5);
  other.request_id = "req-5";
  append(store, other);
  other = row(6);
  other.outcome = "conflict";
  append(store, other);
  other = row(7);
  other.at = other.at.plus_ms(5'000);
  append(store, other);

  BOOST_TEST(listed(store, {.client = id_of<ClientId>(7).text()}) == "4 ");
  BOOST_TEST(listed(store, {.request_id = "req-5"}) == "5 ");
  BOOST_TEST(listed(store, {.object_id = "2"}) == "2 ");
  BOOST_TEST(listed(store, {.outcome = "conflict"}) == "6 ");
  BOOST_TEST(listed(store, {.from = other.at}) == "7 ");
  BOOST_TEST(listed(store, {.until = other.at}) == "1 2 3 4 5 6 ");
  BOOST_TEST(listed(store, {.request_id = "req-5", .outcome = "conflict"}) == "");
}

BOOST_DATA_TEST_CASE(one_call_reads_a_bounded_part_of_a_long_trail, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  constexpr int kUnits = 30, kRows = 1000;
  for (int unit = 0; unit < kUnits; ++unit)
    store.write([&](ports::Records& records) {
      for (int i = 0; i < kRows; ++i)
        records.audit().append(kOtherTenant, row(static_cast<std::uint64_t>(unit * kRows + i)));
    });
  append(store, row(42));
  const auto first = page(store, {}, {}, 9);
  BOOST_TEST(first.rows.empty());
  BOOST_REQUIRE(first.next);
  BOOST_TEST(first.next->position < kUnits * kRows);
  BOOST_TEST(listed(store) == "42 ");
}

BOOST_AUTO_TEST_SUITE_END()
