// The hash chains of ledger and audit trail, as the store writes and reads them.
#include <thread>

#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

void append_rows(StoreUnderTest& store, std::uint64_t from, std::uint64_t to) {
  for (auto n = from; n <= to; ++n)
    store.write([&](ports::Records& records) {
      records.audit().append(kTenant, sample_audit_row(n));
      records.ledger().append(kTenant, sample_transaction(n));
    });
}

/// "1 2 3" for a chain without a break, "1 2! 4" where the hash of 2 is wrong and 3 is missing.
template <class Links>
std::string shape(const Links& links) {
  std::string text;
  for (const auto& link : links)
    text += (text.empty() ? "" : " ") + std::to_string(link.position) + (link.hash == link.computed ? "" : "!");
  return text;
}

std::string audit(StoreUnderTest& store) {
  return store.seen([](const ports::Records& records) {
    std::string text;
    for (const auto& head : records.audit().heads())
      text += (text.empty() ? "" : " | ") + shape(records.audit().links({head.chain, 0, ""}, 1000));
    return text;
  });
}

std::string ledger(StoreUnderTest& store) {
  return store.seen([](const ports::Records& records) {
    std::string text;
    for (const auto& head : records.ledger().heads())
      text += (text.empty() ? "" : " | ") + shape(records.ledger().links({head.chain, 0, ""}, 1000));
    return text;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_hash_chain)

BOOST_DATA_TEST_CASE(rows_of_ledger_and_audit_trail_follow_each_other, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  append_rows(store, 1, 3);
  BOOST_TEST(audit(store) == "1 2 3");
  BOOST_TEST(ledger(store) == "1 2 3");
  store.reopen();
  append_rows(store, 4, 5);
  BOOST_TEST(audit(store) == "1 2 3 4 5");
  BOOST_TEST(ledger(store) == "1 2 3 4 5");
}

BOOST_DATA_TEST_CASE(a_chain_comes_in_pages, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  append_rows(store, 1, 5);
  store.seen([](const ports::Records& records) {
    const auto first = records.ledger().links({"node/0", 0, ""}, 3);
    BOOST_REQUIRE(first.size() == 3u);
    const auto rest = records.ledger().links({"node/0", first.back().position, first.back().hash}, 3);
    BOOST_TEST(shape(first) + " " + shape(rest) == "1 2 3 4 5");
    BOOST_TEST(rest.back().hash == records.ledger().head("node/0").hash);
    BOOST_TEST(rest.back().entries.size() == sample_transaction(5).entries.size());
    return 0;
  });
}

BOOST_DATA_TEST_CASE(a_refused_row_leaves_no_gap, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  append_rows(store, 1, 2);
  // Refused after it has written: the batch is rolled back and run again.
  BOOST_TEST((store->commit([&](ports::Records& records) -> domain::Status {
               records.audit().append(kTenant, sample_audit_row(9));
               records.ledger().append(kTenant, sample_transaction(9));
               return domain::Error::of(ErrorCode::validation_error, "no");
             }))
                 .error()
                 .code == ErrorCode::validation_error);
  BOOST_TEST(
      store.try_to_write([&](ports::Records& records) { records.ledger().append(kTenant, sample_transaction(1)); })
          .value() == ErrorCode::conflict);
  append_rows(store, 3, 3);
  BOOST_TEST(audit(store) == "1 2 3");
  BOOST_TEST(ledger(store) == "1 2 3");
}

BOOST_DATA_TEST_CASE(every_lane_writes_its_own_chain, bdata::make(engines()), engine) {
  StoreUnderTest store(engine, {.lanes = 4});
  std::vector<std::jthread> threads;
  for (std::uint64_t thread = 0; thread < 8; ++thread)
    threads.emplace_back([&store, thread] {
      for (std::uint64_t n = 1; n <= 10; ++n)
        store.write(
            [&](ports::Records& records) { records.audit().append(kTenant, sample_audit_row(100 * thread + n)); });
    });
  threads.clear();
  const auto chains = audit(store);
  BOOST_TEST(chains.find('!') == std::string::npos);
  const auto rows = store.seen([](const ports::Records& records) {
    std::int64_t sum = 0;
    for (const auto& head : records.audit().heads()) sum += head.position;
    return sum;
  });
  BOOST_TEST(rows == 80);
}

BOOST_AUTO_TEST_CASE(a_position_taken_meanwhile_by_another_writer_is_not_overwritten) {
  if (MariaDbInstance::skipped()) return;
  StoreUnderTest store(sql::Dialect::mysql);
  append_rows(store, 1, 2);
  // Another process of the same name, whose sessions know the same heads.
  KindEncoder encoder;
  const fakes::PlainCipher cipher;
  const auto other = std::move(*store::SqlStore::open(store.options(), encoder, cipher));
  const auto writes = [&](std::uint64_t n) {
    BOOST_TEST(bool(other->commit([&](ports::Records& records) -> domain::Status {
      records.audit().append(kTenant, sample_audit_row(n));
      records.ledger().append(kTenant, sample_transaction(n));
      return {};
    })));
  };
  writes(3);
  append_rows(store, 4, 5);
  writes(6);
  append_rows(store, 7, 7);
  BOOST_TEST(audit(store) == "1 2 3 4 5 6 7");
  BOOST_TEST(ledger(store) == "1 2 3 4 5 6 7");
  BOOST_TEST(store->stats().retries > 0u);
}

BOOST_DATA_TEST_CASE(a_change_past_the_store_breaks_the_chain, bdata::make(engines()), engine) {
  using sql::Sql;
  struct Deed {
    const char* trigger;
    Sql statement;
    const char* audit;
    const char* ledger;
  };
  const Deed deeds[] = {
      {"audit_rows_stay", "UPDATE audit_rows SET outcome = 'other' WHERE position = 2", "1 2! 3", "1 2 3"},
      {"audit_rows_stay", "UPDATE audit_rows SET times = times + 1 WHERE position = 3", "1 2 3!", "1 2 3"},
      {"audit_rows_remain", "DELETE FROM audit_rows WHERE position = 2", "1 3!", "1 2 3"},
      {"ledger_transactions_stay", "UPDATE ledger_transactions SET cause_id = 'x' WHERE position = 1", "1 2 3",
       "1! 2 3"},
      {"ledger_entries_stay",
       "UPDATE ledger_entries SET cents = cents + 1 WHERE transaction_id LIKE '%2' AND position = 0", "1 2 3",
       "1 2! 3"},
      {"ledger_entries_stay", "UPDATE ledger_entries SET position = 77 WHERE transaction_id LIKE '%2' AND position = 0",
       "1 2 3", "1 2! 3"},
      {"ledger_entries_remain", "DELETE FROM ledger_entries WHERE transaction_id LIKE '%3' AND position = 0", "1 2 3",
       "1 2 3!"},
  };
  for (const auto& deed : deeds) {
    StoreUnderTest store(engine);
    append_rows(store, 1, 3);
    store.execute_past_the_store(Sql::composed("DROP TRIGGER " + std::string(deed.trigger)));
    store.run_past_the_store(deed.statement);
    store.reopen();
    BOOST_TEST(audit(store) == deed.audit);
    BOOST_TEST(ledger(store) == deed.ledger);
  }
}

BOOST_AUTO_TEST_SUITE_END()
