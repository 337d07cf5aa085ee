// How a batch is put together, without threads.
#include "core/store/committer/job_queue.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover::store;

namespace {

Job job(Priority priority) {
  return {nullptr, priority, nullptr};
}

std::vector<Priority> priorities(const std::vector<Job>& jobs) {
  std::vector<Priority> result;
  for (const Job& each : jobs) result.push_back(each.priority);
  return result;
}

using enum Priority;

}  // namespace

BOOST_AUTO_TEST_SUITE(store_job_queue)

BOOST_AUTO_TEST_CASE(interactive_units_go_first_with_one_background_unit) {
  JobQueue queue(100, std::chrono::milliseconds(50));
  for (int i = 0; i < 3; ++i) queue.push(job(background));
  for (int i = 0; i < 2; ++i) queue.push(job(interactive));
  BOOST_TEST((priorities(queue.take(10)) == std::vector{interactive, interactive, background}));
  BOOST_TEST((priorities(queue.take(10)) == std::vector{background, background}));
}

BOOST_AUTO_TEST_CASE(a_batch_is_bounded_by_count) {
  JobQueue queue(100, std::chrono::milliseconds(50));
  for (int i = 0; i < 5; ++i) queue.push(job(background));
  BOOST_TEST(queue.take(4).size() == 4U);
  BOOST_TEST(queue.take(4).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_full_or_closed_queue_refuses_and_leaves_the_job_with_its_owner) {
  JobQueue queue(1, std::chrono::milliseconds(50));
  BOOST_TEST((queue.push(job(interactive)) == JobQueue::Admission::accepted));
  Job second = job(background);
  second.done = [](CommitReport) {};
  BOOST_TEST((queue.push(std::move(second)) == JobQueue::Admission::full));
  BOOST_TEST(static_cast<bool>(second.done));
  queue.close();
  BOOST_TEST((queue.push(std::move(second)) == JobQueue::Admission::closed));
  BOOST_TEST(queue.take(10).size() == 1U);
  BOOST_TEST(queue.take(10).empty());
}

BOOST_AUTO_TEST_CASE(jobs_that_are_put_back_come_first_and_in_order) {
  JobQueue queue(100, std::chrono::milliseconds(50));
  std::vector<int> order;
  const auto numbered = [&](int number) {
    return Job{nullptr, interactive, [&order, number](CommitReport) { order.push_back(number); }};
  };
  for (int i = 0; i < 4; ++i) queue.push(numbered(i));
  std::vector<Job> taken = queue.take(3);
  std::vector<Job> rest;
  rest.push_back(std::move(taken[1]));
  rest.push_back(std::move(taken[2]));
  BOOST_TEST(queue.interactive_waits());
  queue.put_back(std::move(rest));
  for (Job& each : queue.take(10)) each.done({});
  BOOST_TEST(order == (std::vector{1, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(!queue.interactive_waits());
}

BOOST_AUTO_TEST_SUITE_END()
