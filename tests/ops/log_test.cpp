#include <fcntl.h>
#include <rapidjson/document.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <sstream>
#include <thread>
#include <vector>

#include "core/domain/basics/sensitive.hpp"
#include "core/ops/log.hpp"
#include "tests/crypto/temp_folder.hpp"

using namespace tideover::ops;
using tideover::testing::read_file;
using tideover::testing::TempFolder;

// What may and what must not be logged is decided by the compiler.
static_assert(std::is_constructible_v<LogValue, std::string>);
static_assert(std::is_constructible_v<LogValue, const char*>);
static_assert(std::is_constructible_v<LogValue, bool>);
static_assert(std::is_constructible_v<LogValue, int>);
static_assert(std::is_constructible_v<LogValue, std::size_t>);
static_assert(!std::is_constructible_v<LogValue, tideover::domain::Sensitive<std::string>>);
static_assert(!std::is_constructible_v<LogValue, tideover::domain::Sensitive<int>>);
static_assert(!std::is_constructible_v<LogValue, double>);
static_assert(!std::is_constructible_v<LogValue, void*>);
static_assert(!std::is_constructible_v<LogValue, const int*>);

namespace {

std::chrono::system_clock::time_point fixed_clock() {
  return std::chrono::system_clock::time_point(std::chrono::milliseconds(1795160415123));
}

struct Fixture {
  const TempFolder folder;
  const std::filesystem::path path = folder.path() / "log";

  Logger logger(LogLevel least, LogFormat format) const {
    return Logger(std::get<LogOutput>(LogOutput::to_file(path)), least, format, &fixed_clock);
  }
  std::string text() const { return read_file(path); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(ops_log, Fixture)

BOOST_AUTO_TEST_CASE(an_event_is_one_json_line_with_its_fields_in_order) {
  Logger log = logger(LogLevel::info, LogFormat::json);
  const std::string id = "req_1";
  log.info("http_request", {{"request_id", id},
                            {"status", 200},
                            {"cached", false},
                            {"bytes", std::size_t{18446744073709551615u}},
                            {"delta", -5}});
  log.error("stopped");
  BOOST_TEST(
      text() ==
      "{\"time\":\"2026-11-20T07:40:15.123Z\",\"level\":\"info\",\"event\":\"http_request\",\"request_id\":\"req_1\","
      "\"status\":200,\"cached\":false,\"bytes\":18446744073709551615,\"delta\":-5}\n"
      "{\"time\":\"2026-11-20T07:40:15.123Z\",\"level\":\"error\",\"event\":\"stopped\"}\n");
}

BOOST_AUTO_TEST_CASE(the_text_format_is_one_readable_line) {
  logger(LogLevel::info, LogFormat::text).warning("rules_reload_failed", {{"file", "a b.lua"}, {"errors", 2}});
  BOOST_TEST(text() == "2026-11-20T07:40:15.123Z warning rules_reload_failed file=\"a b.lua\" errors=2\n");
}

BOOST_AUTO_TEST_CASE(less_important_events_are_not_written) {
  Logger log = logger(LogLevel::warning, LogFormat::text);
  BOOST_TEST(!log.writes(LogLevel::info));
  BOOST_TEST(log.writes(LogLevel::warning));
  log.log(LogLevel::debug, "a", {});
  log.info("b");
  log.warning("c");
  log.error("d");
  BOOST_TEST(text() == "2026-11-20T07:40:15.123Z warning c\n2026-11-20T07:40:15.123Z error d\n");
}

BOOST_AUTO_TEST_CASE(no_value_can_break_a_line_or_grow_it_without_bound) {
  for (const LogFormat format : {LogFormat::json, LogFormat::text}) {
    const std::size_t before = std::filesystem::exists(path) ? text().size() : 0;
    logger(LogLevel::info, format)
        .info("x", {{"v", "a\n{\"level\":\"error\"}\xff"}, {"long", std::string(100'000, 'y')}});
    const std::string line = text().substr(before);
    BOOST_TEST(line.find('\n') == line.size() - 1);
    BOOST_TEST(line.size() < 2500u);
  }
}

BOOST_AUTO_TEST_CASE(lines_of_many_threads_stay_whole) {
  {
    Logger log = logger(LogLevel::info, LogFormat::json);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&log, t] {
        for (int i = 0; i < 500; ++i) log.info("tick", {{"thread", t}, {"i", i}, {"pad", std::string(500, 'p')}});
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  std::istringstream lines(text());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    rapidjson::Document document;
    document.Parse(line.data(), line.size());
    BOOST_REQUIRE(!document.HasParseError());
  }
  BOOST_TEST(count == 2000);
}

BOOST_AUTO_TEST_CASE(a_line_is_written_soon_and_a_warning_at_once_with_all_before_it) {
  Logger log = logger(LogLevel::info, LogFormat::text);
  log.info("a");
  log.warning("b");
  BOOST_TEST(text() == "2026-11-20T07:40:15.123Z info a\n2026-11-20T07:40:15.123Z warning b\n");
  log.info("c");
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(15);
  while (text().find("info c\n") == std::string::npos && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  BOOST_TEST(text().find("info c\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_rotated_file_is_closed_and_the_path_opened_again) {
  Logger log = logger(LogLevel::info, LogFormat::text);
  log.info("before");
  std::filesystem::rename(path, folder.path() / "log.1");
  log.info("between");
  BOOST_TEST(log.reopen());
  log.info("after");
  log.flush();
  BOOST_TEST(read_file(folder.path() / "log.1").find("between") != std::string::npos);
  BOOST_TEST(text() == "2026-11-20T07:40:15.123Z info after\n");
}

BOOST_AUTO_TEST_CASE(an_unwritable_log_counts_its_lost_lines_and_goes_on) {
  if (::access("/dev/full", W_OK) != 0) return;
  Logger log(std::get<LogOutput>(LogOutput::to_file("/dev/full")), LogLevel::info, LogFormat::json);
  log.info("a");
  log.info("b");
  BOOST_TEST(log.lost_lines() == 2u);
}

BOOST_AUTO_TEST_CASE(a_log_file_that_cannot_be_opened_is_named) {
  BOOST_TEST(std::get<std::string>(LogOutput::to_file("/nonexistent/log")) ==
             "/nonexistent/log: cannot open the log file: No such file or directory");
}

BOOST_AUTO_TEST_SUITE_END()
