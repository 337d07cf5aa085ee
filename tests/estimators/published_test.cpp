// Readers concurrent with a writer.
#include "core/estimators/published.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <ctime>
#include <memory>
#include <new>
#include <stdexcept>
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

Options small() {
  Options options;
  options.cells = options.prices = options.charts = options.look_alikes = 1'000;
  options.payers = 100;
  return options;
}

std::vector<Event> a_day(int batch) {
  std::vector<Event> events;
  for (int i = 0; i < 40; ++i) events.emplace_back(Submitted{numbered(100 * batch + i), {}});
  for (int i = 0; i < 40; i += 3) events.push_back(denial_of(100 * batch + i));
  events.emplace_back(DayClosed{kStart.plus(batch)});
  return events;
}

/// Applies events, and throws at one of its calls.
struct Failing {
  int calls = 0, fails_at = -1;
  bool out_of_memory = true;
  void operator()(State& state, const Event& event, State::Observation* observed) {
    apply(state, event, observed);
    if (calls++ != fails_at) return;
    if (out_of_memory) throw std::bad_alloc();
    throw std::runtime_error("an event that no state takes");
  }
};

double processor_seconds() {
  timespec spent{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) / 1e9;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(published_state)

BOOST_AUTO_TEST_CASE(a_batch_that_fails_is_applied_completely_or_not_at_all_and_both_copies_stay_equal) {
  const auto count = static_cast<int>(a_day(1).size());
  for (const int at : {0, 1, 41, count - 1, count, count + 1, count + 41, 2 * count - 1}) {
    Failing failing;
    Published published(small(), [&](State& state, const Event& event, State::Observation* observed) {
      failing(state, event, observed);
    });
    State alone(small());
    const auto grow = [&](const std::vector<Event>& events) {
      for (const auto& event : events) apply(alone, event);
    };
    BOOST_TEST(!published.apply(a_day(0), "0"));
    grow(a_day(0));
    failing.calls = 0;
    failing.fails_at = at;
    const auto failed = published.apply(a_day(1), "1");
    if (at < count) {
      BOOST_REQUIRE(failed);
      BOOST_TEST(failed->out_of_memory);
      BOOST_TEST(static_cast<int>(failed->event.value()) == at);
      BOOST_TEST((published.read()->digest() == alone.digest()));
      BOOST_TEST(published.read().name() == "0");
      failing.fails_at = -1;
      BOOST_TEST(!published.apply(a_day(1), "1"));  // applied again, as the learner does
    } else {
      BOOST_TEST(!failed);  // it is visible, and the other side was copied
    }
    grow(a_day(1));
    for (int batch = 2; batch < 6; ++batch) {
      BOOST_TEST((published.read()->digest() == alone.digest()));  // the sides take turns
      BOOST_TEST(!published.apply(a_day(batch), std::to_string(batch)));
      BOOST_TEST(published.read().name() == std::to_string(batch));
      grow(a_day(batch));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_event_that_cannot_be_applied_is_reported) {
  Failing failing{0, 3, false};
  Published published(small(), [&](State& state, const Event& event, State::Observation* observed) {
    failing(state, event, observed);
  });
  const auto failed = published.apply(a_day(0), "0");
  BOOST_REQUIRE(failed);
  BOOST_TEST(*failed->event == 3U);
  BOOST_TEST(!failed->out_of_memory);
  BOOST_TEST(failed->problem == "an event that no state takes");
  BOOST_TEST(published.read()->open_claims() == 0U);
}

BOOST_AUTO_TEST_CASE(a_writer_that_waits_for_a_reader_uses_no_cpu) {
  Published published(small());
  auto reader = std::make_unique<Published::Reader>(published.read());
  double spent = 0;
  std::thread writer([&] {
    published.apply({Submitted{numbered(1), {}}}, "applied");
    spent = processor_seconds();
  });
  while (published.read()->open_claims() == 0) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::seconds(1));  // long enough that waiting awake would show
  reader.reset();
  writer.join();
  BOOST_TEST(spent < 0.1);
}

BOOST_AUTO_TEST_CASE(a_reader_keeps_its_snapshot_and_the_next_reader_sees_the_applied_events) {
  Published published;
  const auto ask = numbered(500);
  std::vector<Event> events;
  for (int i = 0; i < 100; ++i) {
    events.emplace_back(Submitted{numbered(i), {}});
    events.push_back(denial_of(i));
  }
  auto reader = std::make_unique<Published::Reader>(published.read());
  const double before = (*reader)->predict(ask, {}).p_denial;
  std::thread writer(
      [&] { published.apply(events, "applied"); });  // waits for this reader before it touches what the reader sees
  while (published.read()->open_claims() == 0) std::this_thread::yield();
  BOOST_TEST((*reader)->open_claims() == 0U);
  BOOST_TEST((*reader)->predict(ask, {}).p_denial == before);
  BOOST_TEST(reader->name() == "");
  reader.reset();
  writer.join();
  BOOST_TEST(published.read()->predict(ask, {}).p_denial > before);
  BOOST_TEST(published.read().name() == "applied");
}

BOOST_AUTO_TEST_CASE(both_copies_equal_a_single_state) {
  Published published;
  State alone;
  for (int batch = 0; batch < 7; ++batch) {
    std::vector<Event> events;
    for (int i = 0; i < 40; ++i) events.emplace_back(Submitted{numbered(100 * batch + i), {}});
    for (int i = 0; i < 40; i += 3) events.push_back(denial_of(100 * batch + i));
    events.emplace_back(DayClosed{kStart.plus(batch)});
    published.apply(events, "applied");
    for (const auto& event : events) apply(alone, event);
    BOOST_TEST((published.read()->digest() == alone.digest()));  // the sides take turns
  }
}

// The second copy takes over the changes of the first, also for claims that are reviewed again, answered, reversed and
// corrected.
BOOST_AUTO_TEST_CASE(both_copies_stay_equal_after_reversed_and_repeated_claims) {
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
      claim.lines = {{"99213", "25", 1000, domain::Money::cents(6'000), std::nullopt, 0, std::nullopt},
                     {"93000", "", 1000, domain::Money::cents(4'000), std::nullopt, 0, std::nullopt}};
      claim.fired = {{"time.late", "timing", "29", std::nullopt, 5'000, 10, false, false, false}};
      events.emplace_back(Submitted{claim, {}});
      claim.amount = domain::Money::cents(10'000 + i);
      if (i % 4 == 0) events.emplace_back(Submitted{claim, {}});
    }
    for (int i = 0; i < 40; i += 3) events.push_back(denial_of(100 * batch + i));
    for (int i = 0; i < 40; i += 6) events.push_back(reversal_of(100 * batch + i));
    for (int i = 0; i < 40; i += 12) events.push_back(payment_of(100 * batch + i));
    events.emplace_back(DayClosed{kStart.plus(batch)});
    published.apply(events, "applied");
    for (const auto& event : events) apply(alone, event);
    BOOST_TEST((published.read()->digest() == alone.digest()));
    BOOST_TEST(published.bytes() < 2 * alone.memory().whole);
    BOOST_TEST(published.bytes() > alone.memory().whole);
  }
}

BOOST_AUTO_TEST_CASE(readers_see_complete_batches_during_writes) {
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
    published.apply(events, "applied");
  }
  while (reads < 100) std::this_thread::yield();
  stop = true;
  for (auto& reader : readers) reader.join();
  BOOST_TEST(torn == 0);
  BOOST_TEST(published.read()->open_claims() == 1'000U);
}

BOOST_AUTO_TEST_SUITE_END()
