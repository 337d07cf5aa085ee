// How many workers the front's queue wakes: as few as the machine can run at once, and more where those wait
// themselves.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <barrier>
#include <functional>
#include <thread>
#include <vector>

#include "core/http/server/job_queue.hpp"

using namespace tideover;

namespace {

using Queue = http::JobQueue<std::function<void()>>;

/// Threads that work for a queue until the end of the test.
struct Workers {
  Workers(Queue& served, std::size_t count) : queue(served) {
    for (std::size_t i = 0; i < count; ++i)
      threads.emplace_back([this] {
        while (auto job = queue.pop()) (*job)();
      });
    threads.emplace_back([this] { queue.watch(); });
  }
  ~Workers() {
    queue.close();
    for (auto& thread : threads) thread.join();
  }
  Queue& queue;
  std::vector<std::thread> threads;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(job_queue)

BOOST_AUTO_TEST_CASE(no_more_workers_are_at_it_than_run_at_once) {
  constexpr int kJobs = 500;
  Queue queue(kJobs, 8, 2, std::chrono::hours(1));
  std::atomic<int> done{0}, at_it{0}, most{0};
  const Workers workers(queue, 8);
  for (int i = 0; i < kJobs; ++i)
    BOOST_REQUIRE(queue.push([&] {
      const int now = ++at_it;
      for (int known = most; known < now && !most.compare_exchange_weak(known, now);) {
      }
      for (int turn = 0; turn < 20; ++turn) std::this_thread::yield();
      --at_it;
      ++done;
    }));
  while (done < kJobs) std::this_thread::yield();
  BOOST_TEST(most <= 2);
}

BOOST_AUTO_TEST_CASE(jobs_that_wait_for_each_other_get_all_the_workers) {
  constexpr int kWorkers = 8;
  Queue queue(100, kWorkers, 2);
  std::barrier meeting(kWorkers);
  std::atomic<int> done{0};
  const Workers workers(queue, kWorkers);
  for (int round = 1; round <= 5; ++round) {
    for (int i = 0; i < kWorkers; ++i) {
      auto job = [&] {
        meeting.arrive_and_wait();
        ++done;
      };
      BOOST_REQUIRE(i % 2 == 0 ? queue.push(job) : queue.push_resumed(job));
    }
    while (done < round * kWorkers) std::this_thread::yield();
  }
}

BOOST_AUTO_TEST_CASE(a_full_queue_leaves_the_job_with_its_owner_and_a_closed_one_releases_all_workers) {
  Queue queue(1, 1, 1);
  std::function<void()> job = [] {};
  BOOST_TEST(queue.push([] {}));
  BOOST_TEST(!queue.push(std::move(job)));
  BOOST_TEST(static_cast<bool>(job));
  { const Workers workers(queue, 1); }
  BOOST_TEST(!queue.pop().has_value());
  BOOST_TEST(!queue.push_resumed([] {}));
}

BOOST_AUTO_TEST_SUITE_END()
