// Saving rules while the service runs: a good bundle is published, a bad one changes nothing and can be read about.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "core/lua/ruleset/watcher.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;
using namespace std::chrono_literals;

namespace {

constexpr auto kDeadline = 20s;

/// What the watcher reported.
struct Change {
  std::string sha256;
  std::vector<lua::RuleFileError> errors;
  bool published = false;
};

/// An engine that follows a folder, and decides by whatever sound thing lies there; the test waits for changes.
struct Service {
  RuleFolder folder;
  lua::Engine engine{folder.load().ruleset};
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Change> changes;        // guarded by mutex
  std::vector<std::string> troubles;  // guarded by mutex
  bool throws_once = false;           // guarded by mutex
  int refused = 0;                    // how often more it cannot be dealt with; guarded by mutex
  std::unique_ptr<lua::Watcher> watcher;

  explicit Service(std::chrono::milliseconds recheck = 1h) {
    lua::WatcherOptions options{folder.path(),
                                {kCodes, {}},
                                20ms,
                                recheck,
                                [this](const lua::LoadResult& loaded) {
                                  const std::lock_guard lock(mutex);
                                  if (std::exchange(throws_once, false)) throw std::runtime_error("no memory");
                                  if (refused > 0 && refused-- > 0) return false;
                                  const bool is_news = loaded.ruleset && loaded.sha256 != engine.stamp().sha256;
                                  if (is_news) engine.publish(loaded.ruleset);
                                  changes.push_back({loaded.sha256, loaded.errors, is_news});
                                  changed.notify_all();
                                  return true;
                                },
                                [this](std::string_view problem) {
                                  const std::lock_guard lock(mutex);
                                  troubles.emplace_back(problem);
                                }};
    watcher = std::make_unique<lua::Watcher>(std::move(options));
    wait_for([](const auto&) { return true; });  // its first look
  }

  /// The first change that satisfies `wanted`; fails the test when none comes in time.
  template <class Wanted>
  Change wait_for(Wanted wanted) {
    std::unique_lock lock(mutex);
    const auto found = [&] { return std::find_if(changes.begin(), changes.end(), wanted); };
    BOOST_REQUIRE(changed.wait_for(lock, kDeadline, [&] { return found() != changes.end(); }));
    return *found();
  }
  /// The change of that number, from 1.
  void wait_for_nth(std::size_t number, bool (*wanted)(const Change&)) {
    std::unique_lock lock(mutex);
    BOOST_REQUIRE(changed.wait_for(lock, kDeadline, [&] { return changes.size() >= number; }));
    BOOST_TEST(wanted(changes[number - 1]));
  }
  Change wait_for_publication() {
    return wait_for([](const auto& r) { return r.published; });
  }
  Change wait_for_refusal() {
    return wait_for([](const auto& r) { return !r.published && !r.errors.empty(); });
  }
};

std::string zero_rule(const std::string& summary) {
  std::string text = denial_rule("zero", "if claim.amount_cents == 0 then return { probability = 0.5 } end");
  return text.replace(text.find("A test"), 6, summary);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(watcher)

BOOST_AUTO_TEST_CASE(the_first_look_reports_the_present_bundle) {
  Service service;
  const std::lock_guard lock(service.mutex);
  BOOST_REQUIRE(service.changes.size() == 1u);
  BOOST_TEST(service.changes.front().sha256 == service.engine.stamp().sha256);
  BOOST_TEST(!service.changes.front().published);
}

BOOST_AUTO_TEST_CASE(an_exception_of_a_look_at_the_folder_is_reported_and_the_next_look_runs) {
  Service service(50ms);
  {
    const std::lock_guard lock(service.mutex);
    service.throws_once = true;
  }
  service.folder.replace("denial/zero.lua", zero_rule("Better words"));
  service.wait_for_publication();
  const std::lock_guard lock(service.mutex);
  BOOST_TEST(service.troubles == std::vector<std::string>{"no memory"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_unhandled_change_is_reported_again) {
  Service service(50ms);
  {
    const std::lock_guard lock(service.mutex);
    service.refused = 3;
  }
  service.folder.replace("denial/zero.lua", zero_rule("Better words"));
  service.wait_for_publication();
  const std::lock_guard lock(service.mutex);
  BOOST_TEST(service.refused == 0);
}

BOOST_AUTO_TEST_CASE(saving_a_rule_publishes_it) {
  Service service;
  const auto before = service.engine.stamp().sha256;
  service.folder.replace("denial/zero.lua", zero_rule("Better words"));
  const auto reload = service.wait_for_publication();
  BOOST_TEST(reload.sha256 != before);
  BOOST_TEST(service.engine.stamp().sha256 == reload.sha256);
  BOOST_TEST(service.engine.current()->denial.at(0).summary == "Better words");
  BOOST_TEST(reload.errors.empty());
}

BOOST_AUTO_TEST_CASE(writing_in_place_is_seen_too) {
  Service service;
  service.folder.write("denial/zero.lua", zero_rule("In place"));
  service.wait_for_publication();
  BOOST_TEST(service.engine.current()->denial.at(0).summary == "In place");
}

BOOST_AUTO_TEST_CASE(a_syntax_error_keeps_the_last_good_bundle_and_reports_the_position) {
  Service service;
  const auto before = service.engine.stamp().sha256;
  service.folder.replace("denial/zero.lua", "return {\n  id = = 1,\n}\n");
  const auto reload = service.wait_for_refusal();
  BOOST_TEST(service.engine.stamp().sha256 == before);
  BOOST_TEST(reload.sha256.size() == 64u);
  BOOST_TEST(reload.errors.at(0).text().starts_with("denial/zero.lua:2:"));

  service.folder.replace("denial/zero.lua", zero_rule("Mended"));
  const auto mended = service.wait_for_publication();
  BOOST_TEST(mended.errors.empty());
}

BOOST_AUTO_TEST_CASE(taking_a_bad_change_back_clears_the_fault_without_a_publication) {
  Service service;
  service.folder.replace("denial/zero.lua", "return {");
  service.wait_for_refusal();
  service.folder.replace("denial/zero.lua",
                         denial_rule("zero", "if claim.amount_cents == 0 then return { probability = 0.5 } end"));
  service.wait_for_nth(3, [](const auto& r) { return r.errors.empty() && !r.published; });
}

BOOST_AUTO_TEST_CASE(a_rule_whose_case_fails_is_not_published) {
  Service service;
  const auto before = service.engine.stamp().sha256;
  service.folder.replace("denial/zero.lua", denial_rule("zero", "return { probability = 0.5 }"));
  const auto reload = service.wait_for_refusal();
  BOOST_TEST(reload.errors.at(0).text().find("case 'clean': expected nothing") != std::string::npos);
  BOOST_TEST(service.engine.stamp().sha256 == before);
}

BOOST_AUTO_TEST_CASE(a_folder_that_vanishes_keeps_the_last_good_bundle_and_one_that_returns_is_followed) {
  Service service(50ms);
  const auto before = service.engine.stamp().sha256;
  const auto away = service.folder.path().string() + ".away";
  std::filesystem::rename(service.folder.path(), away);
  service.wait_for_refusal();
  BOOST_TEST(service.engine.stamp().sha256 == before);
  std::filesystem::rename(away, service.folder.path());
  service.wait_for_nth(3, [](const auto& r) { return r.errors.empty(); });
  service.folder.replace("denial/zero.lua", zero_rule("Back again"));
  service.wait_for_publication();
}

BOOST_AUTO_TEST_CASE(check_now_finds_changes_without_an_event) {
  RuleFolder elsewhere;
  Service service;
  // A folder that appears as a link: inotify watched nothing inside it.
  elsewhere.write("lib/extra.lua", "return {}");
  std::filesystem::create_directories(service.folder.path() / ".store/lib");
  std::filesystem::copy_file(elsewhere.path() / "lib/extra.lua", service.folder.path() / ".store/lib/extra.lua");
  std::filesystem::create_directory_symlink(".store/lib", service.folder.path() / "lib");
  service.watcher->check_now();
  service.wait_for_publication();
  BOOST_TEST(service.engine.current()->bundle->has("lib/extra.lua"));
}

BOOST_AUTO_TEST_CASE(a_thousand_saves_under_load_never_show_a_half_bundle) {
  Service service;
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i)
    readers.emplace_back([&] {
      TestClaim claim;
      claim.claim.submitted_amount = domain::Money{};
      while (!done) {
        const auto assessed = service.engine.assess_denial(claim.facts());
        if (assessed.findings.size() != 1 || !assessed.faults.empty() || assessed.rules.sha256.size() != 64) ++wrong;
      }
    });
  for (int i = 0; i < 1000; ++i) {
    const std::string good = zero_rule("Save " + std::to_string(i));
    if (i % 3 == 0) service.folder.write("denial/zero.lua", good.substr(0, good.size() / 2));
    service.folder.replace("denial/zero.lua", good);
  }
  service.wait_for(
      [&](const auto& r) { return r.published && service.engine.current()->denial.at(0).summary == "Save 999"; });
  done = true;
  for (auto& reader : readers) reader.join();
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(stopping_is_prompt_even_when_nothing_happens) {
  auto service = std::make_unique<Service>();
  const auto began = std::chrono::steady_clock::now();
  service->watcher.reset();
  BOOST_TEST((std::chrono::steady_clock::now() - began < 2s));
}

BOOST_AUTO_TEST_SUITE_END()
