#include "tests/support/mariadb/mariadb_instance.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace tideover::tests {

namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr const char* kUser = "tideover";
constexpr const char* kPassword = "loopback-test-only";
constexpr std::chrono::seconds kStartDeadline{60};
constexpr std::chrono::seconds kStopDeadline{20};
constexpr std::chrono::milliseconds kPoll{20};

/// The account that the server runs under: mariadbd refuses to run as root.
struct Account {
  uid_t user = ::geteuid();
  gid_t group = ::getegid();
};

Account server_account() {
  if (::geteuid() != 0) return {};
  const passwd* entry = ::getpwnam("mysql");
  if (entry == nullptr) {
    throw std::runtime_error("there is no system user 'mysql' to run mariadbd as; install the package mariadb-server");
  }
  return {entry->pw_uid, entry->pw_gid};
}

std::string program(const std::string& name) {
  for (const char* folder : {"/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/"}) {
    if (fs::exists(folder + name)) return folder + name;
  }
  throw std::runtime_error(
      name +
      " is not installed; install the packages mariadb-server and openssl, or leave the MariaDB tests out "
      "with TIDEOVER_TEST_MARIADB=skip");
}

pid_t spawn(const std::vector<std::string>& command, const Account& account, const fs::path& log) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("fork failed");
  if (pid > 0) return pid;

  const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  if (::geteuid() == 0 &&
      (::setgroups(0, nullptr) != 0 || ::setgid(account.group) != 0 || ::setuid(account.user) != 0)) {
    ::_exit(126);
  }
  // The server must not outlive a killed test. Changing the user clears this wish, so it is made after it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(126);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

std::string contents(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void run_to_end(const std::vector<std::string>& command, const fs::path& log) {
  int status = 0;
  ::waitpid(spawn(command, server_account(), log), &status, 0);
  if (status != 0) throw std::runtime_error(command.front() + " failed:\n" + contents(log));
}

std::uint16_t free_port() {
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  const bool found = ::bind(probe, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
                     ::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &length) == 0;
  ::close(probe);
  if (!found) throw std::runtime_error("no free port on 127.0.0.1");
  return ntohs(address.sin_port);
}

}  // namespace

bool MariaDbInstance::skipped() {
  const char* wish = std::getenv("TIDEOVER_TEST_MARIADB");
  return wish != nullptr && std::string(wish) == "skip";
}

MariaDbInstance::MariaDbInstance(Encryption encryption, std::vector<std::string> extra_arguments)
    : extra_arguments_(std::move(extra_arguments)) {
  std::string pattern = (fs::temp_directory_path() / "tideover-mariadb-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot create a folder like " + pattern);
  folder_ = pattern;
  try {
    const Account account = server_account();
    if (::chown(folder_.c_str(), account.user, account.group) != 0) {
      throw std::runtime_error("cannot hand " + folder_.string() + " to the server's user");
    }
    install();
    if (encryption == Encryption::tls) make_certificate();
    port_ = free_port();
    start();
  } catch (...) {
    stop();
    fs::remove_all(folder_);
    throw;
  }
}

MariaDbInstance::~MariaDbInstance() {
  stop();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

/// A server sweeps its temporary folder when it starts; a common one would lose the files of its neighbours.
std::string MariaDbInstance::tmpdir() const {
  return "--tmpdir=" + folder_.string();
}

void MariaDbInstance::install() {
  // --force: a bare machine may have no /etc/hosts, and nothing here needs a host name.
  run_to_end({program("mariadb-install-db"), "--no-defaults", "--datadir=" + (folder_ / "data").string(),
              "--auth-root-authentication-method=normal", "--skip-test-db", "--force", tmpdir()},
             folder_ / "install.log");
  std::ofstream(folder_ / "init.sql") << "CREATE OR REPLACE USER '" << kUser << "'@'127.0.0.1' IDENTIFIED BY '"
                                      << kPassword << "';\nGRANT ALL ON *.* TO '" << kUser
                                      << "'@'127.0.0.1' WITH GRANT OPTION;\n";
}

void MariaDbInstance::make_certificate() {
  const std::string key = (folder_ / "key.pem").string();
  run_to_end({program("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
              "-days", "2", "-subj", "/CN=tideover-test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
              "-out", certificate_file()},
             folder_ / "certificate.log");
  extra_arguments_.push_back("--ssl-cert=" + certificate_file());
  extra_arguments_.push_back("--ssl-key=" + key);
}

void MariaDbInstance::start() {
  std::vector<std::string> command = {program("mariadbd"),
                                      "--no-defaults",
                                      "--datadir=" + (folder_ / "data").string(),
                                      "--socket=" + (folder_ / "server.sock").string(),
                                      "--pid-file=" + (folder_ / "server.pid").string(),
                                      "--init-file=" + (folder_ / "init.sql").string(),
                                      "--bind-address=127.0.0.1",
                                      "--port=" + std::to_string(port_),
                                      "--skip-name-resolve",
                                      "--innodb-buffer-pool-size=64M",
                                      "--innodb-flush-log-at-trx-commit=1",
                                      tmpdir()};
  command.insert(command.end(), extra_arguments_.begin(), extra_arguments_.end());
  pid_ = spawn(command, server_account(), folder_ / "server.log");
  const auto deadline = Clock::now() + kStartDeadline;
  while (!answers()) {
    if (::waitpid(pid_, nullptr, WNOHANG) == pid_) {
      pid_ = -1;
      throw std::runtime_error("mariadbd ended while starting:\n" + contents(folder_ / "server.log"));
    }
    if (Clock::now() > deadline)
      throw std::runtime_error("mariadbd did not answer in time:\n" + contents(folder_ / "server.log"));
    std::this_thread::sleep_for(kPoll);
  }
}

/// The server sends its greeting only when it is ready, after the init file.
bool MariaDbInstance::answers() const {
  const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval limit{1, 0};
  ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port_);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::array<char, 5> greeting{};
  const bool ready = ::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                     ::recv(client, greeting.data(), greeting.size(), MSG_WAITALL) == 5;
  ::close(client);
  return ready;
}

void MariaDbInstance::stop() noexcept {
  if (pid_ < 0) return;
  ::kill(pid_, SIGTERM);
  const auto deadline = Clock::now() + kStopDeadline;
  while (::waitpid(pid_, nullptr, WNOHANG) == 0) {
    if (Clock::now() > deadline) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
      break;
    }
    std::this_thread::sleep_for(kPoll);
  }
  pid_ = -1;
}

void MariaDbInstance::kill() {
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

void MariaDbInstance::restart() {
  start();
}

sql::MySqlOptions MariaDbInstance::options() const {
  sql::MySqlOptions options;
  options.host = "127.0.0.1";
  options.port = port_;
  options.user = kUser;
  options.password = kPassword;
  return options;
}

sql::MySqlOptions MariaDbInstance::create_database(const std::string& name) {
  sql::MySqlOptions created = options();
  sql::open_mysql_session(created, sql::MySqlRole::writer)
      ->execute(sql::Sql::composed("CREATE DATABASE " + name + " CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"));
  created.database = name;
  return created;
}

}  // namespace tideover::tests
