// Administrative commands beside a running service: over the control socket, for the service's own user alone.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <future>
#include <thread>

#include "core/admin/control_message.hpp"
#include "core/admin/control_socket.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

fs::path socket_of(const ServiceFolder& folder) {
  return folder.path() / "store" / "tideover.db.control";
}

CommandResult ask(const ServiceFolder& folder, std::vector<std::string> command) {
  command.insert(command.end(), {"--config", folder.config_file().string()});
  return run_tideover(command);
}

class Peer {
 public:
  explicit Peer(const fs::path& file) : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    BOOST_REQUIRE(file.string().size() < sizeof(address.sun_path));
    std::strcpy(address.sun_path, file.c_str());
    BOOST_REQUIRE(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  }
  ~Peer() { ::close(socket_); }
  int socket() const { return socket_; }

 private:
  const int socket_;
};

/// A folder for a control socket of this process.
class TempSocket {
 public:
  TempSocket() : folder_((fs::temp_directory_path() / "tideover-socket-XXXXXX").string()) {
    BOOST_REQUIRE(::mkdtemp(folder_.data()) != nullptr);
  }
  ~TempSocket() { fs::remove_all(folder_); }
  fs::path file() const { return fs::path(folder_) / "control"; }

 private:
  std::string folder_;
};

BOOST_AUTO_TEST_SUITE(control_socket)

BOOST_AUTO_TEST_CASE(clients_are_created_listed_and_disabled_while_the_service_runs) {
  World world;
  const auto auditor = world.folder.create_client({"--role", "auditor", "--name", "reads"});
  const ApiClient api(world.service->port(), auditor);
  BOOST_TEST(api.get("/v1/ledger/balances").status != 401);

  const auto list = ask(world.folder, {"client", "list"});
  BOOST_TEST(list.exit_code == 0);
  BOOST_TEST(list.out.find("name=reads") != std::string::npos, list.out);
  BOOST_TEST(list.out.find(world.client.id) != std::string::npos, list.out);

  BOOST_TEST(ask(world.folder, {"client", "disable", auditor.id}).exit_code == 0);
  BOOST_TEST(eventually([&] { return api.get("/v1/ledger/balances").status == 401; }));
  const auto wrong = ask(world.folder, {"client", "disable", "nonsense"});
  BOOST_TEST(wrong.exit_code == 1);
  BOOST_TEST(wrong.err.find("client id") != std::string::npos, wrong.err);
  BOOST_TEST(
      eventually([&] { return read_file(world.folder.log_file()).find("\"client create\"") != std::string::npos; }));
}

BOOST_AUTO_TEST_CASE(the_socket_is_the_owners_and_goes_with_the_service) {
  World world;
  struct stat seen {};
  BOOST_REQUIRE(::stat(socket_of(world.folder).c_str(), &seen) == 0);
  BOOST_TEST((seen.st_mode & 0777) == 0600u);
  world.service->ask_to_stop();
  BOOST_TEST(world.service->wait_for_end() == 0);
  BOOST_TEST(!fs::exists(socket_of(world.folder)));
  BOOST_TEST(ask(world.folder, {"client", "list"}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(another_user_is_refused_even_where_the_mode_lets_him_in) {
  if (::geteuid() != 0) {
    BOOST_TEST_MESSAGE("only root can try as another user");
    return;
  }
  World world;
  const auto file = socket_of(world.folder);
  fs::permissions(file, fs::perms::all);
  for (auto folder = file.parent_path(); folder != fs::temp_directory_path(); folder = folder.parent_path())
    fs::permissions(folder, fs::perms::all);
  const auto answered = [&] {
    const Peer peer(file);
    admin::send_message(peer.socket(), {admin::kControlProtocol, "client list"}, std::chrono::seconds(5));
    return admin::receive_message(peer.socket(), admin::kMostReplyBytes, std::chrono::seconds(5)).has_value();
  };
  BOOST_TEST(answered());
  const pid_t stranger = ::fork();
  if (stranger == 0) ::_exit(::setuid(65534) == 0 && !answered() ? 0 : 1);
  int status = -1;
  BOOST_REQUIRE(::waitpid(stranger, &status, 0) == stranger);
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  BOOST_TEST(read_file(world.folder.log_file()).find("of another user") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_socket_left_by_a_killed_service_is_replaced) {
  World world;
  world.service->kill();
  BOOST_TEST(fs::exists(socket_of(world.folder)));
  BOOST_TEST(ask(world.folder, {"client", "list"}).exit_code == 0);
  world.start();
  BOOST_TEST(ask(world.folder, {"client", "list"}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(a_path_longer_than_a_socket_address_holds_works) {
  const std::string deep(100, 'd');
  World world(Store::sqlite, [&](ServiceFolder& folder) {
    folder.set("store.sqlite.path", (folder.path() / deep / "tideover.db").string());
  });
  BOOST_TEST(ask(world.folder, {"client", "list"}).out.find(world.client.id) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nonsense_and_silence_lose_their_turn_and_disturb_no_other) {
  World world;
  const Peer silent(socket_of(world.folder));
  {
    const Peer liar(socket_of(world.folder));
    BOOST_REQUIRE(::write(liar.socket(), "\xff\xff\xff\xffGET / HTTP/1.1\r\n\r\n", 22) == 22);
    const Peer stranger(socket_of(world.folder));
    admin::send_message(stranger.socket(), {"some-protocol", "client list"}, std::chrono::seconds(1));
    const Peer newer(socket_of(world.folder));
    admin::send_message(newer.socket(), {admin::kControlProtocol, "dance now"}, std::chrono::seconds(1));
    BOOST_TEST(world.api->get("/v1/health").status == 200);
    const auto answer = admin::receive_message(newer.socket(), admin::kMostReplyBytes, std::chrono::seconds(20));
    BOOST_REQUIRE(answer.has_value());
    BOOST_TEST(answer->at(1) == "1");
    BOOST_TEST(answer->at(3).find("dance now") != std::string::npos, answer->at(3));
    BOOST_TEST(!admin::receive_message(stranger.socket(), admin::kMostReplyBytes, std::chrono::seconds(1)).has_value());
  }
  BOOST_TEST(ask(world.folder, {"client", "list"}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(a_short_command_does_not_wait_for_an_import) {
  World world;
  const auto fifo = world.folder.path() / "errors";
  BOOST_REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  const auto claims = world.folder.path() / "claims.ndjson";
  save_file(claims, claim_body("CLM-1") + "\n");
  const Peer import(socket_of(world.folder));  // ends when its errors are read, and not before
  admin::send_message(import.socket(),
                      {admin::kControlProtocol, "import", "file", claims.string(), "errors", fifo.string()},
                      std::chrono::seconds(5));
  BOOST_REQUIRE(eventually([&] {
    const auto jobs = expect_ok(world.api->get("/v1/imports/claims"));
    return jobs.size("/data") == 1 && jobs.text("/data/0/status") == "succeeded";
  }));
  const Peer verify(socket_of(world.folder));  // a long one, which waits for its turn
  admin::send_message(verify.socket(), {admin::kControlProtocol, "ledger verify"}, std::chrono::seconds(5));
  const auto reply = admin::receive_message(verify.socket(), admin::kMostReplyBytes, std::chrono::seconds(20));
  BOOST_REQUIRE(reply.has_value());
  BOOST_TEST(reply->at(0) == "progress");
  BOOST_TEST(reply->at(1).find("Another command is running") != std::string::npos, reply->at(1));

  const auto other = world.folder.create_client({"--role", "auditor"});
  BOOST_TEST(ask(world.folder, {"client", "list"}).out.find(other.id) != std::string::npos);
  BOOST_TEST(ask(world.folder, {"client", "disable", other.id}).exit_code == 0);
  BOOST_TEST(read_file(world.folder.log_file()).find("\"command\":\"import\"") == std::string::npos);

  BOOST_TEST(read_file(fifo) == "");  // lets the import end
  std::optional<admin::ControlMessage> ended;
  while ((ended = admin::receive_message(verify.socket(), admin::kMostReplyBytes, std::chrono::seconds(30))) &&
         ended->front() == "progress") {
  }
  BOOST_REQUIRE(ended.has_value());
  BOOST_TEST(ended->at(1) == "0", ended->at(3));
}

BOOST_AUTO_TEST_CASE(a_stop_ends_commands_that_run_and_those_that_wait) {
  const TempSocket place;
  std::promise<void> begun;
  admin::ControlSocket socket(
      place.file(),
      [&](const admin::AdminRequest& request) {
        begun.set_value();
        while (request.progress("")) std::this_thread::yield();
        return admin::AdminReply{3, "", "ended early\n"};
      },
      [](const std::string&) { return true; }, [](std::string_view) {});
  const Peer runs(place.file());
  admin::send_message(runs.socket(), {admin::kControlProtocol, "long"}, std::chrono::seconds(5));
  begun.get_future().wait();
  const Peer waits(place.file());
  admin::send_message(waits.socket(), {admin::kControlProtocol, "long"}, std::chrono::seconds(5));
  BOOST_REQUIRE(admin::receive_message(waits.socket(), admin::kMostReplyBytes, std::chrono::seconds(5)).value().at(0) ==
                "progress");
  socket.stop();
  BOOST_TEST(admin::receive_message(runs.socket(), admin::kMostReplyBytes, std::chrono::seconds(5)).value().at(3) ==
             "ended early\n");
  const auto answer = admin::receive_message(waits.socket(), admin::kMostReplyBytes, std::chrono::seconds(5));
  BOOST_REQUIRE(answer.has_value());
  BOOST_TEST(answer->at(3).find("stopping") != std::string::npos, answer->at(3));
}

BOOST_AUTO_TEST_CASE(a_listener_that_fails_ends_the_thread_and_is_reported_once) {
  const TempSocket place;
  std::atomic<int> reports = 0;
  admin::ControlSocket socket(
      place.file(), [](const admin::AdminRequest&) { return admin::AdminReply{}; },
      [](const std::string&) { return false; }, [&](std::string_view) { ++reports; });
  for (int file = 0; file < 1024; ++file) {
    int listens = 0, domain = 0;
    socklen_t length = sizeof listens;
    const bool is_it = ::getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens == 1 &&
                       ::getsockopt(file, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 && domain == AF_UNIX;
    if (is_it) ::shutdown(file, SHUT_RDWR);
  }
  BOOST_TEST(eventually([&] { return reports == 1; }));
  socket.stop();
  BOOST_TEST(reports == 1);
}

BOOST_AUTO_TEST_CASE(the_only_tenant_needs_no_name) {
  ServiceFolder single;
  single.create_client({"--tenant", "clinic"});
  for (const char* command : {"balances", "aging"}) {
    const auto shown = ask(single, {"ledger", command});
    BOOST_TEST(shown.exit_code == 0, shown.err);
  }
  BOOST_TEST(ask(single, {"ledger", "statement", "--from", "2026-01-01", "--to", "2026-01-31"}).exit_code == 0);
  BOOST_TEST(ask(single, {"quality", "payers"}).exit_code == 0);
  BOOST_TEST(ask(single, {"client", "payout-account", "tok_ok"}).exit_code == 0);
  single.create_client({"--tenant", "other"});
  const auto doubtful = ask(single, {"ledger", "balances"});
  BOOST_TEST(doubtful.exit_code == 1);
  BOOST_TEST(doubtful.err.find("several tenants (clinic, other)") != std::string::npos, doubtful.err);
  BOOST_TEST(ask(single, {"ledger", "balances", "--tenant", "other"}).exit_code == 0);
  single.create_client({"--tenant", "default"});
  BOOST_TEST(ask(single, {"ledger", "balances"}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(a_message_is_a_list_of_texts_and_nothing_else_is) {
  int ends[2];
  BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const auto soon = std::chrono::milliseconds(200);
  const auto arrives = [&](const std::string& bytes) {
    BOOST_REQUIRE(::write(ends[0], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    return admin::receive_message(ends[1], 1000, soon);
  };
  for (const admin::ControlMessage& message : {admin::ControlMessage{}, {""}, {"a", "", std::string(500, '\0')}}) {
    BOOST_REQUIRE(admin::send_message(ends[0], message, soon));
    BOOST_TEST((admin::receive_message(ends[1], 1000, soon) == message));
  }
  using namespace std::string_literals;
  BOOST_TEST(!arrives("\0\0\0\5\0\0\0\2x"s).has_value());  // a text longer than its message
  BOOST_TEST(!arrives("\0\0\0\3\0\0\0"s).has_value());     // half a length
  BOOST_TEST(!arrives("\0\0\3\xe9"s).has_value());         // longer than allowed
  BOOST_TEST(!arrives("\0\0"s).has_value());               // never ends
  ::close(ends[0]);
  BOOST_TEST(!admin::receive_message(ends[1], 1000, soon).has_value());
  ::close(ends[1]);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
