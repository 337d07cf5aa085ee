#include "tests/support/service/service_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <thread>

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

const fs::path kProgram = fs::path(TIDEOVER_BINARY_DIR) / "tideover";

pid_t spawn(std::vector<std::string> arguments, const fs::path& out, const fs::path& err,
            const std::map<std::string, std::string>& environment = {}) {
  arguments.insert(arguments.begin(), kProgram.string());
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const std::string out_path = out.string(), err_path = err.string();
  std::vector<std::string> settings{"PATH=/usr/bin:/bin"};
  for (const auto& [name, value] : environment) settings.push_back(name + '=' + value);
  std::vector<char*> envp;
  for (auto& setting : settings) envp.push_back(setting.data());
  envp.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("fork failed");
  if (pid > 0) return pid;

  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(126);
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(::open(out_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
  ::dup2(::open(err_path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600), STDERR_FILENO);
  ::execve(argv[0], argv.data(), envp.data());
  ::_exit(127);
}

int result_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

void pause_before_looking_again() {
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

CommandResult run_tideover(const std::vector<std::string>& arguments,
                           const std::map<std::string, std::string>& environment) {
  std::string name = (fs::temp_directory_path() / "tideover-command-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  const fs::path folder = name;
  const pid_t pid = spawn(arguments, folder / "out", folder / "err", environment);
  int status = 0;
  const bool ended = eventually([&] { return ::waitpid(pid, &status, WNOHANG) == pid; }, std::chrono::seconds(60));
  if (!ended) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, &status, 0);
  }
  CommandResult result{result_of(status), read_file(folder / "out"), read_file(folder / "err")};
  fs::remove_all(folder);
  if (!ended) throw std::runtime_error("tideover " + arguments.front() + " did not end: " + result.out + result.err);
  return result;
}

ServiceProcess::ServiceProcess(const ServiceFolder& folder, const std::map<std::string, std::string>& environment) {
  spawn_in(folder, environment);
  wait_until_it_serves();
}

ServiceProcess::ServiceProcess(const ServiceFolder& folder, AtOnce) {
  spawn_in(folder, {});
}

void ServiceProcess::spawn_in(const ServiceFolder& folder, const std::map<std::string, std::string>& environment) {
  folder.write_config();
  out_ = folder.path() / "stdout";
  err_ = folder.log_file();
  fs::remove(out_);
  auto variables = folder.variables();
  variables.insert(environment.begin(), environment.end());
  pid_ = spawn({"serve", "--config", folder.config_file().string()}, out_, err_, variables);
}

void ServiceProcess::wait_until_it_serves() {
  const bool decided = eventually(
      [&] {
        if (!is_running()) return true;
        unsigned port = 0, ops_port = 0;
        if (!fs::exists(out_) ||
            std::sscanf(read_file(out_).c_str(), "tideover serves on port %u (operations on port %u)", &port,
                        &ops_port) != 2)
          return false;
        port_ = static_cast<std::uint16_t>(port);
        ops_port_ = static_cast<std::uint16_t>(ops_port);
        return true;
      },
      std::chrono::seconds(60));
  if (decided && port_ != 0) return;
  kill();
  throw std::runtime_error("the service does not start: " + read_file(err_));
}

ServiceProcess::~ServiceProcess() {
  kill();
}

bool ServiceProcess::is_running() {
  if (pid_ < 0) return false;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return true;
  ended_with_ = result_of(status);
  pid_ = -1;
  return false;
}

void ServiceProcess::ask_to_stop() {
  if (is_running()) ::kill(pid_, SIGTERM);
}

void ServiceProcess::kill() {
  if (!is_running()) return;
  ::kill(pid_, SIGKILL);
  int status = 0;
  ::waitpid(pid_, &status, 0);
  ended_with_ = result_of(status);
  pid_ = -1;
}

int ServiceProcess::wait_for_end(std::chrono::seconds deadline) {
  if (!eventually([&] { return !is_running(); }, deadline)) throw std::runtime_error("the service did not end in time");
  return ended_with_;
}

}  // namespace tideover::test
