// tideover rails, beside a running service and without one.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

struct Rails : World {
  CommandResult rails(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "rails");
    arguments.insert(arguments.end(), {"--config", folder.config_file().string()});
    return run_tideover(arguments);
  }
};

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

BOOST_FIXTURE_TEST_SUITE(rails, Rails)

BOOST_AUTO_TEST_CASE(list_shows_what_each_rail_declares) {
  const auto listed = rails({"list"});
  BOOST_TEST(listed.exit_code == 0, listed.err);
  for (const char* part : {"RTP", "SAME_DAY", "FUTURE_DATE", "recall=dedup", "statement=yes"}) BOOST_TEST(says(listed.out, part), listed.out);
}

BOOST_AUTO_TEST_CASE(reconcile_agrees_until_the_rail_forgets_a_payment) {
  const auto kept = fund(*api, "CLM-1", "SAME_DAY");
  const auto lost = fund(*api, "CLM-2", "RTP");
  const auto agreed = rails({"reconcile"});
  BOOST_TEST(agreed.exit_code == 0, agreed.out << agreed.err);
  BOOST_TEST(says(agreed.out, "2 attempts, 2 journal entries, 2 statement lines"), agreed.out);
  BOOST_TEST(says(agreed.out, "The books agree."));

  service->ask_to_stop();
  BOOST_REQUIRE(service->wait_for_end() == 0);
  BOOST_REQUIRE(std::filesystem::remove(folder.path() / "rtp.bank"));
  const auto differs = rails({"reconcile"});
  BOOST_TEST(differs.exit_code == 1);
  BOOST_TEST(says(differs.out, "booked_not_paid"), differs.out << differs.err);
  BOOST_TEST(says(differs.out, lost));
  BOOST_TEST(!says(differs.out, kept));

  start();
  const auto tasks = expect_ok(api->get("/v1/tasks?status=open&kind=rail_disagreement"));
  BOOST_TEST(tasks.size("/data") == 1u);
  BOOST_TEST(tasks.text("/data/0/object_id") == lost);
  const auto closed = expect_ok(api->post("/v1/tasks/" + tasks.text("/data/0/task_id") + "/decide", R"({"decision":"resolved","reason":"the bank restored its file"})"));
  BOOST_TEST(closed.text("/status") == "closed");
}

BOOST_AUTO_TEST_CASE(reconcile_refuses_a_time_that_is_none) {
  const auto refused = rails({"reconcile", "--from", "yesterday"});
  BOOST_TEST(refused.exit_code == 1);
  BOOST_TEST(says(refused.err, "--from is a date"), refused.err);
  BOOST_TEST(rails({"reconcile", "--from", "2026-11-20", "--to", "2026-11-19"}).exit_code == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
