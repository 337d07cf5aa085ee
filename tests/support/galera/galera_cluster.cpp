#include "tests/support/galera/galera_cluster.hpp"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace tideover::tests {

namespace {

namespace fs = std::filesystem;

const fs::path kScript = fs::path(TIDEOVER_SOURCE_DIR) / "packaging" / "cluster" / "cluster";

bool installed(const char* program) {
  for (const char* folder : {"/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/"})
    if (fs::exists(folder + std::string(program))) return true;
  return false;
}

std::string contents(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string value_in(const std::string& text, const std::string& name) {
  const auto at = text.find(name + "=");
  if (at == std::string::npos) throw std::runtime_error("the cluster's settings name no " + name);
  const auto from = at + name.size() + 1;
  return text.substr(from, text.find('\n', from) - from);
}

/// Runs it to its end; throws with what it wrote when it fails.
std::string output_of(const std::string& command) {
  FILE* const pipe = ::popen((command + " 2>&1").c_str(), "re");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), count);
  if (::pclose(pipe) != 0) throw std::runtime_error(command + " failed:\n" + text);
  return text;
}

/// What HAProxy says to a command on its own socket; empty when it says nothing.
std::string ask_proxy(const fs::path& at, const std::string& command) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return "";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  at.string().copy(address.sun_path, sizeof address.sun_path - 1);
  std::string text;
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::send(socket, command.data(), command.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(command.size())) {
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0; (count = ::recv(socket, buffer.data(), buffer.size(), 0)) > 0;)
      text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(socket);
  return text;
}

}  // namespace

std::string GaleraCluster::obstacle() {
  const char* wish = std::getenv("TIDEOVER_TEST_MARIADB");
  if (wish != nullptr && std::string(wish) == "skip") return "TIDEOVER_TEST_MARIADB=skip";
  for (const char* program : {"mariadbd", "haproxy", "rsync"})
    if (!installed(program))
      return std::string(program) + " is not installed (packages mariadb-server, galera-4, haproxy, rsync)";
  if (!fs::exists("/usr/lib/galera/libgalera_smm.so")) return "the package galera-4 is not installed";
  return "";
}

bool GaleraCluster::can_be_cut() {
  static const bool possible = ::geteuid() == 0 && installed("ip") && installed("nft") &&
                               std::system(
                                   "unshare --net true 2>/dev/null && ip netns add tideover-probe-$$ 2>/dev/null && "
                                   "ip netns delete tideover-probe-$$ 2>/dev/null") == 0;
  return possible;
}

GaleraCluster::GaleraCluster() : separate_(can_be_cut()) {
  std::string name = (fs::temp_directory_path() / "tideover-galera-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  folder_ = name;
  if (separate_ && ::unshare(CLONE_NEWNET) != 0) separate_ = false;
  try {
    output_of(kScript.string() + " up --keep --databases --folder " + folder_.string() + " --build " +
              TIDEOVER_BINARY_DIR + (separate_ ? " --separate" : "") + " --owner " + std::to_string(::getpid()));
  } catch (...) {
    fs::remove_all(folder_);
    throw;
  }
}

GaleraCluster::~GaleraCluster() {
  try {
    run("down");
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string GaleraCluster::run(const std::string& command, int node) const {
  return output_of(kScript.string() + ' ' + command + (node == 0 ? "" : ' ' + std::to_string(node)) + " --folder " +
                   folder_.string());
}

void GaleraCluster::kill_all() const {
  for (int node = 1; node <= 3; ++node)
    ::kill(std::stoi(contents(folder_ / "run" / ("db" + std::to_string(node) + ".pid"))), SIGKILL);
  for (int node = 1; node <= 3; ++node) run("stop", node);  // waits until it is gone
}

sql::MySqlOptions GaleraCluster::front() const {
  sql::MySqlOptions options;
  options.host = "127.0.0.1";
  options.port = static_cast<std::uint16_t>(std::stoi(value_in(contents(folder_ / "settings.sh"), "first_port")) + 12);
  options.user = "tideover";
  options.password = contents(folder_ / "mysql-password");
  options.database = "tideover";
  return options;
}

sql::MySqlOptions GaleraCluster::node(int number) const {
  const std::string settings = contents(folder_ / ("db" + std::to_string(number)) / "address");
  sql::MySqlOptions options = front();
  options.host = settings.substr(0, settings.find(':'));
  options.port = static_cast<std::uint16_t>(std::stoi(settings.substr(settings.find(':') + 1)));
  return options;
}

sql::MySqlOptions GaleraCluster::fresh_database() const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!is_whole()) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("the cluster is not whole:\n" + run("status"));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  sql::MySqlOptions options = front();
  options.database = "";
  const auto session = sql::open_mysql_session(options, sql::MySqlRole::writer);
  session->execute("DROP DATABASE IF EXISTS tideover");
  session->execute("CREATE DATABASE tideover CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin");
  return front();
}

bool GaleraCluster::proxy_trusts_all() const {
  constexpr int kStatus = 17;  // column of the statistics: UP; "UP 1/2" failed its last check, at the next it is DOWN
  std::istringstream lines(ask_proxy(folder_ / "haproxy.sock", "show stat\n"));
  int trusted = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("database,db")) continue;
    std::istringstream columns(line);
    std::string column;
    for (int i = 0; i <= kStatus; ++i) std::getline(columns, column, ',');
    trusted += column == "UP";
  }
  return trusted == 3;
}

bool GaleraCluster::is_whole() const {
  for (int number = 1; number <= 3; ++number) {
    sql::MySqlOptions options = node(number);
    options.connect_timeout_s = options.read_timeout_s = 1;
    options.wait_for_cluster = false;
    try {
      const auto session = sql::open_mysql_session(options, sql::MySqlRole::reader);
      const auto holds = [&](const char* name, const char* value) {
        auto row = session->query("SHOW GLOBAL STATUS WHERE Variable_name = ?", name);
        return row.next() && row.text(1) == value;
      };
      if (!holds("wsrep_cluster_size", "3") || !holds("wsrep_local_state_comment", "Synced")) return false;
    } catch (const sql::SqlError&) {
      return false;
    }
  }
  // Asked last: HAProxy learns later than the nodes that one of them was busy with a state transfer, and cuts its
  // connections then.
  return proxy_trusts_all();
}

int GaleraCluster::writer() const {
  using Clock = std::chrono::steady_clock;
  for (const auto until = Clock::now() + std::chrono::seconds(60);;) {
    try {
      const auto session = sql::open_mysql_session(front(), sql::MySqlRole::reader);
      auto row = session->query("SELECT @@wsrep_node_name");
      if (!row.next()) throw std::runtime_error("the database node does not tell its name");
      return row.text(0).back() - '0';
    } catch (const sql::SqlError&) {  // a reader gives up where its node is long in catching up with the others
      if (Clock::now() > until) throw;
    }
  }
}

}  // namespace tideover::tests
