// What a plugin host needs around it in a test: a clock to set, bank time without daylight saving, collected faults.
#pragma once
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/plugin_host/plugin_host.hpp"

namespace tideover::plugin_test {

class SetClock : public ports::Clock {
 public:
  domain::Timestamp now() const override { return at.plus_ms(ports::TimeShift::current_ms()); }
  domain::Timestamp at = domain::Timestamp::from_ms(1'763'640'000'000);
};

/// UTC-5 all year: enough to tell local from UTC.
class FixedBankTime : public ports::BankTime {
 public:
  domain::Date date_at(domain::Timestamp at) const override { return shifted(at).utc_date(); }
  int minute_of_day(domain::Timestamp at) const override {
    return static_cast<int>(shifted(at).ms() % 86'400'000 / 60'000);
  }
  domain::Timestamp instant(domain::Date date, int minute) const override {
    return domain::Timestamp::from_ms(date.days() * std::int64_t{86'400'000} + (minute + 300) * std::int64_t{60'000});
  }
  std::unique_ptr<ports::BankTime> in_zone(const std::string& name) const override {
    return name == "America/New_York" ? std::make_unique<FixedBankTime>() : nullptr;
  }

 private:
  static domain::Timestamp shifted(domain::Timestamp at) { return at.plus_ms(-300 * std::int64_t{60'000}); }
};

class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tideover-plugin-test-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return (path_ / name).string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string shipped(const std::string& name) {
  return TIDEOVER_BINARY_DIR "/plugins/" + name + ".so";
}
inline std::string broken(const std::string& name) {
  return TIDEOVER_BINARY_DIR "/broken_plugins/" + name + ".so";
}

struct World {
  SetClock clock;
  FixedBankTime bank_time;
  std::mutex mutex;
  std::vector<plugin_host::PluginFault> faults;  // guarded by mutex
  std::vector<std::string> log;                  // guarded by mutex

  plugin_host::HostServices services() {
    return {clock, bank_time,
            [this](plugin_host::LogLevel, std::string_view plugin, std::string_view message) {
              const std::lock_guard<std::mutex> guard(mutex);
              log.push_back(std::string(plugin) + ": " + std::string(message));
            },
            [this](const plugin_host::PluginFault& fault) {
              const std::lock_guard<std::mutex> guard(mutex);
              faults.push_back(fault);
            },
            [] { return std::string("req_of_the_test"); }};
  }
  std::unique_ptr<plugin_host::PluginHost> load(const std::vector<plugin_host::PluginSpec>& specs,
                                                const plugin_host::CallBudgets& budgets = {}) {
    auto host = plugin_host::PluginHost::load(specs, services(), budgets);
    if (!host) BOOST_FAIL(host.error().message);
    return std::move(*host);
  }
  /// The message with which loading is refused.
  std::string refusal(const std::vector<plugin_host::PluginSpec>& specs) {
    auto host = plugin_host::PluginHost::load(specs, services());
    BOOST_REQUIRE(!host);
    BOOST_TEST((host.error().code == domain::ErrorCode::validation_error));
    return host.error().message;
  }
  int count_faults(const std::string& what) {
    const std::lock_guard<std::mutex> guard(mutex);
    return static_cast<int>(
        std::count_if(faults.begin(), faults.end(), [&](const auto& fault) { return fault.what == what; }));
  }
  void set_local(int year, unsigned month, unsigned day, int minute) {
    clock.at = bank_time.instant(*domain::Date::from_ymd(year, month, day), minute);
  }
};

/// Waits until the condition holds; fails the test when it does not within ten seconds.
template <class Condition>
void await(const Condition& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    BOOST_REQUIRE_MESSAGE(std::chrono::steady_clock::now() < deadline, "the condition did not come true");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

inline void check_says(const std::string& message, const std::vector<std::string>& parts) {
  for (const auto& part : parts)
    BOOST_TEST(message.find(part) != std::string::npos, "\"" << message << "\" does not say \"" << part << "\"");
}

}  // namespace tideover::plugin_test
