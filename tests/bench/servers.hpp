// The servers that figures compare: our service in a fresh folder, and the stock control. Each is a child process,
// stopped by its own process id at the end of its scope.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>

#include "tests/bench/load.hpp"
#include "tests/support/service/http_client.hpp"
#include "tests/support/service/service_folder.hpp"
#include "tests/support/service/service_process.hpp"

namespace tideover::bench {

/// One measurement of a server or a loop.
struct Sample {
  double rate = 0;    // requests or rows per second
  double cpu_us = 0;  // of the server per request, user and system
  double p50_ms = 0, p99_ms = 0, longest_ms = 0;
  double memory_mib = 0;  // held at most, beyond what was held before
};

/// User and system time of a process so far, in seconds.
double cpu_seconds(pid_t process);

/// Loads a server and measures; throws when any answer is a refusal, since refusals are cheap.
Sample measure(pid_t server, LoadPlan plan);

class Service {
 public:
  /// `configure` changes the settings, which are those of a shipped configuration on a free port.
  explicit Service(const std::function<void(test::ServiceFolder&)>& configure = [](auto&) {});

  pid_t process() const { return process_->pid(); }
  std::uint16_t port() const { return process_->port(); }
  std::uint16_t ops_port() const { return process_->ops_port(); }
  const std::string& token() const { return token_; }
  const test::ServiceFolder& folder() const { return folder_; }
  test::ApiClient api() const { return test::ApiClient(port(), token_); }

 private:
  test::ServiceFolder folder_;
  std::unique_ptr<test::ServiceProcess> process_;
  std::string token_;
};

class StockPoco {
 public:
  StockPoco();
  StockPoco(const StockPoco&) = delete;
  StockPoco& operator=(const StockPoco&) = delete;
  ~StockPoco();

  pid_t process() const { return process_; }
  std::uint16_t port() const { return port_; }

 private:
  pid_t process_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace tideover::bench
