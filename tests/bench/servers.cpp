#include "tests/bench/servers.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "tests/support/service/http_client.hpp"

namespace tideover::bench {

double cpu_seconds(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream fields(line.substr(line.rfind(')') + 1));  // the name in front may hold blanks
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  if (!fields) throw std::runtime_error("process " + std::to_string(process) + " is gone");
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

Sample measure(pid_t server, LoadPlan plan) {
  double before = 0, after = 0;
  plan.on_start = [&] { before = cpu_seconds(server); };
  plan.on_end = [&] { after = cpu_seconds(server); };
  const LoadResult result = run_load(plan);
  if (result.refusals > 0)
    throw std::runtime_error(std::to_string(result.refusals) + " of " + std::to_string(result.answers) +
                             " requests were refused, first with: " + result.a_refusal);
  return {result.rate(), (after - before) * 1e6 / static_cast<double>(result.answers), result.p50_ms, result.p99_ms};
}

Service::Service(const std::function<void(test::ServiceFolder&)>& configure) {
  folder_.set("webhooks.poll_ms", "200");
  folder_.set("imports.poll_ms", "200");
  configure(folder_);
  const auto credentials = folder_.create_client();
  process_ = std::make_unique<test::ServiceProcess>(folder_);
  token_ = test::ApiClient(process_->port(), credentials).token();
}

StockPoco::StockPoco() {
  int ready[2], life[2];  // the control writes its port, and ends when its standard input does
  if (::pipe(ready) != 0 || ::pipe(life) != 0) throw std::runtime_error("pipe failed");
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("fork failed");
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(life[0], STDIN_FILENO);
    ::dup2(ready[1], STDOUT_FILENO);
    for (const int descriptor : {ready[0], ready[1], life[0], life[1]}) ::close(descriptor);
    ::execl(TIDEOVER_POCO_FIXED, TIDEOVER_POCO_FIXED, nullptr);
    ::_exit(127);
  }
  ::close(ready[1]);
  ::close(life[0]);
  FILE* const out = ::fdopen(ready[0], "r");
  unsigned port = 0;
  const bool started = std::fscanf(out, "%u", &port) == 1;
  std::fclose(out);
  if (!started) throw std::runtime_error("the stock Poco control does not start");
  port_ = static_cast<std::uint16_t>(port);
}

StockPoco::~StockPoco() {
  ::kill(process_, SIGTERM);
  ::waitpid(process_, nullptr, 0);
}

}  // namespace tideover::bench
