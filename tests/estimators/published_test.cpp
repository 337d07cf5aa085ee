// Readers beside a writer.
#include "core/estimators/published.hpp"

#include <boost/test/unit_test.hpp>
#include <atomic>
#include <memory>
#include <thread>

using namespace tideover;
using namespace tideover::estimators;

namespace {

const domain::Date kStart = *domain::parse_date("2025-03-03");

Submission numbered(int number) {
  Submission claim;
  claim.claim_id = std::to_string(number);
  claim.submitted = claim.reviewed = kStart.plus(number / 100);
  claim.payer_id = "P" + std::to_string(number % 5);
  claim.billing_npi = claim.servicer_npi = "1234567893";
  claim.amount = domain::Money::cents(10'000);
  return claim;
}

Event denial_of(int number) {
  Response response;
  response.claim_id = std::to_string(number);
  response.responded = kStart.plus(number / 100);
  response.remittance.status = "4";
  response.remittance.charge_amount = domain::Money::cents(10'000);
  response.remittance.adjustments = {{"CO", "29", domain::Money::cents(10'000)}};
  return response;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(published_state)

BOOST_AUTO_TEST_CASE(a_reader_keeps_what_it_saw_and_the_next_one_sees_what_was_applied) {
  Published published;
  const auto ask = numbered(500);
  std::vector<Event> events;
  for (int i = 0; i < 100; ++i) {
    events.emplace_back(Submitted{numbered(i), {}});
    events.push_back(denial_of(i));
  }
  auto reader = std::make_unique<Published::Reader>(published.read());
  const double before = (*reader)->predict(ask, {}).p_denial;
  std::thread writer([&] { published.apply(events, "told"); });  // waits for this reader before it touches what the reader sees
  while (published.read()->open_claims() == 0) std::this_thread::yield();
  BOOST_TEST((*reader)->open_claims() == 0U);
  BOOST_TEST((*reader)->predict(ask, {}).p_denial == before);
  BOOST_TEST(reader->name() == "");
  reader.reset();
  writer.join();
  BOOST_TEST(published.read()->predict(ask, {}).p_denial > before);
  BOOST_TEST(published.read().name() == "told");
}

BOOST_AUTO_TEST_CASE(both_sides_hear_the_same_and_end_as_one_state_would) {
  Published published;
  State alone;
  for (int batch = 0; batch < 7; ++batch) {
    std::vector<Event> events;
    for (int i = 0; i < 40; ++i) events.emplace_back(Submitted{numbered(100 * batch + i), {}});
    for (int i = 0; i < 40; i += 3) events.push_back(denial_of(100 * batch + i));
    events.emplace_back(DayClosed{kStart.plus(batch)});
    published.apply(events, "told");
    for (const auto& event : events) apply(alone, event);
    BOOST_TEST((published.read()->digest() == alone.digest()));  // the sides take turns
  }
}

// What the first makes of a claim the other takes over: also of one that is reviewed again, answered, reversed and answered otherwise.
BOOST_AUTO_TEST_CASE(both_sides_know_the_same_of_reversed_and_repeated_claims) {
  Published published;
  State alone;
  const auto reversal_of = [](int number) {
    auto reversal = std::get<Response>(denial_of(number));
    reversal.remittance.status = "22";
    reversal.remittance.charge_amount = domain::Money::cents(-10'000);
    reversal.remittance.adjustments = {{"CO", "29", domain::Money::cents(-10'000)}};
    return Event(reversal);
  };
  const auto payment_of = [](int number) {
    auto payment = std::get<Response>(denial_of(number));
    payment.remittance.status = "1";
    payment.remittance.paid_amount = domain::Money::cents(8'000);
    payment.remittance.adjustments = {{"CO", "45", domain::Money::cents(2'000)}};
    payment.posted = payment.responded;
    return Event(payment);
  };
  for (int batch = 0; batch < 6; ++batch) {
    std::vector<Event> events;
    for (int i = 0; i < 40; ++i) {
      auto claim = numbered(100 * batch + i);
      claim.lines = {{"99213", "25", 1000, domain::Money::cents(6'000), std::nullopt, 0, std::nullopt}, {"93000", "", 1000, domain::Money::cents(4'000), std::nullopt, 0, std::nullopt}};
      claim.fired = {{"time.late", "timing", "29", std::nullopt, 5'000, 10, false, false, false}};
      events.emplace_back(Submitted{claim, {}});
      claim.amount = domain::Money::cents(10'000 + i);
      if (i % 4 == 0) events.emplace_back(Submitted{claim, {}});
    }
    for (int i = 0; i < 40; i += 3) events.push_back(denial_of(100 * batch + i));
    for (int i = 0; i < 40; i += 6) events.push_back(reversal_of(100 * batch + i));
    for (int i = 0; i < 40; i += 12) events.push_back(payment_of(100 * batch + i));
    events.emplace_back(DayClosed{kStart.plus(batch)});
    published.apply(events, "told");
    for (const auto& event : events) apply(alone, event);
    BOOST_TEST((published.read()->digest() == alone.digest()));
    BOOST_TEST(published.bytes() < 2 * alone.memory().whole);
    BOOST_TEST(published.bytes() > alone.memory().whole);
  }
}

BOOST_AUTO_TEST_CASE(readers_see_whole_batches_while_a_writer_is_at_work) {
  Published published;
  std::atomic<bool> stop{false};
  std::atomic<int> torn{0}, reads{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i)
    readers.emplace_back([&] {
      while (!stop) {
        const auto reader = published.read();
        const auto first = reader->open_claims();
        reader->predict(numbered(1'000'000), {});
        torn += first % 10 != 0 || reader->open_claims() != first;
        ++reads;
      }
    });
  for (int batch = 0; batch < 100; ++batch) {
    std::vector<Event> events;
    for (int i = 0; i < 10; ++i) events.emplace_back(Submitted{numbered(10 * batch + i), {}});
    published.apply(events, "told");
  }
  while (reads < 100) std::this_thread::yield();
  stop = true;
  for (auto& reader : readers) reader.join();
  BOOST_TEST(torn == 0);
  BOOST_TEST(published.read()->open_claims() == 1'000U);
}

BOOST_AUTO_TEST_SUITE_END()
