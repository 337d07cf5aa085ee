// tideover check: reports every problem that would make serve refuse to start, wait, or run with limits. Creates
// nothing. Resources of a service that already runs on this store are not tested: its ports, database and journal. Exit
// codes: 0 no findings, 1 serve would not run, 3 serve would run despite the findings.
#include <fmt/core.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <system_error>

#include "core/admin/control_socket.hpp"
#include "core/clock/new_york_time.hpp"
#include "core/clock/system_clock.hpp"
#include "core/crypto/key_ring.hpp"
#include "core/crypto/ring_cipher.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/http/wire/operations/event_json.hpp"
#include "core/journal/file_journal.hpp"
#include "core/main/commands.hpp"
#include "core/node/rule_keeper.hpp"
#include "core/node/start.hpp"
#include "core/ops/log.hpp"
#include "core/plugin_host/plugin_host.hpp"
#include "core/settings/secret_file.hpp"
#include "core/settings/settings.hpp"
#include "core/store/sql_store.hpp"

namespace tideover::main {
namespace {

namespace fs = std::filesystem;

/// serve would not run: it refuses to start, or waits.
constexpr int kNotServed = 1;
/// serve would run despite the findings.
constexpr int kServedAnyway = 3;

/// A fault that does not prevent serve from running; the sentence says how it runs.
struct ServedAnyway : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs the checks, prints the result of each, and keeps the problems.
class Findings {
 public:
  /// `run` returns the result text, or throws.
  bool check(const std::string& what, const std::function<std::string()>& run) {
    try {
      fmt::print("{}: {}\n", what, run());
      return true;
    } catch (const ServedAnyway& fault) {
      warnings_.emplace_back(fault.what());
      fmt::print("{}: warning\n", what);
    } catch (const node::NotYet& fault) {
      problems_.push_back(std::string(fault.what()) + (fault.cause == node::NotYet::Cause::unreachable
                                                           ? "\n  serve waits for it and tries again every few seconds."
                                                           : ""));
      fmt::print("{}: not ok\n", what);
    } catch (const std::exception& error) {
      problems_.emplace_back(error.what());
      fmt::print("{}: not ok\n", what);
    }
    return false;
  }
  int print_problems() const {
    std::fflush(stdout);
    for (const auto& warning : warnings_) fmt::print(stderr, "tideover: warning: {}\n", warning);
    for (const auto& problem : problems_) fmt::print(stderr, "tideover: {}\n", problem);
    if (!problems_.empty()) return kNotServed;
    return warnings_.empty() ? 0 : kServedAnyway;
  }

 private:
  std::vector<std::string> warnings_, problems_;
};

std::string reason(int code) {
  return std::generic_category().message(code);
}

enum class MakesFolders { none, one, all };

/// Throws when `file` can be neither written nor created. serve itself creates the number of directories that `makes`
/// says.
std::string writable(const std::string& setting, const fs::path& file, MakesFolders makes) {
  const auto refuse = [&](const std::string& why) {
    return node::StartError(setting + " " + file.string() + ": " + why);
  };
  std::error_code unknown;
  if (fs::exists(file, unknown)) {
    if (fs::is_directory(file, unknown)) throw refuse("is a directory");
    if (::eaccess(file.c_str(), R_OK | W_OK) != 0) throw refuse(reason(errno));
    return "ok";
  }
  fs::path folder = fs::absolute(file).parent_path();
  int missing = 0;
  for (; !fs::exists(folder, unknown) && folder.has_relative_path(); folder = folder.parent_path()) ++missing;
  if (!fs::is_directory(folder, unknown)) throw refuse(folder.string() + " is not a directory");
  if (makes == MakesFolders::none && missing > 0) throw refuse("its directory does not exist. Create it");
  if (makes == MakesFolders::one && missing > 1) throw refuse("the parent of its directory does not exist. Create it");
  if (::eaccess(folder.c_str(), W_OK | X_OK) != 0)
    throw refuse("cannot be created in " + folder.string() + ": " + reason(errno));
  return "absent; serve will create it";
}

std::string key_ring(const settings::Settings& settings) {
  const auto& ring = settings.security.key_ring_file;
  if (!fs::exists(ring)) return writable("security.key_ring_file", ring, MakesFolders::none);
  node::open_existing_key_ring(settings);
  return "ok";
}

std::string password(const settings::Settings& settings) {
  const auto password = settings::read_secret_file(settings.store.mysql.password_file);
  if (const auto* error = std::get_if<settings::SettingsError>(&password)) throw node::StartError(error->text());
  return "ok";
}

std::string database(const settings::Settings& settings) {
  const bool embedded = settings.store.driver == settings::StoreDriver::sqlite;
  if (embedded && !fs::exists(settings.store.sqlite.path))
    return writable("store.sqlite.path", settings.store.sqlite.path, MakesFolders::all);
  node::refuse_lost_key_ring(settings);
  const auto status = store::inspect(node::store_options(settings));
  if (!status) node::refuse_start(status.error());
  const auto& schema = status->schema;
  if (schema.newer_than_program())
    throw node::StartError(
        fmt::format("The database has schema {}, newer than schema {} of this program. Use the version that made it.",
                    schema.applied, schema.known));
  if (!schema.current() && !settings.store.migrate_at_start)
    throw node::StartError(
        fmt::format("The database has schema {}, this program needs {}. Run `tideover db migrate` "
                    "(store.migrate_at_start is false).",
                    schema.applied, schema.known));
  return fmt::format("ok ({}, schema {}{})", status->engine, schema.applied,
                     schema.current() ? "" : ", serve will migrate it");
}

std::string journal(const settings::Settings& settings) {
  const auto& file = settings.funding.journal_path;
  auto found = writable("funding.journal_path", file, MakesFolders::one);
  if (!fs::exists(file)) return found;
  const clock::SystemClock clock;
  const auto held = journal::FileJournal::look_at(file, clock);
  if (!held) throw node::StartError(held.error().message);
  return found;
}

std::string log_file(const settings::Settings& settings) {
  try {
    return writable("log.file", settings.log.file, MakesFolders::none);
  } catch (const node::StartError& fault) {
    throw ServedAnyway(std::string(fault.what()) + "\n  serve writes its log to standard error instead.");
  }
}

/// True when there is a database with this program's schema, from which the rules can be read.
bool can_hold_rules(const settings::Settings& settings) {
  const bool embedded = settings.store.driver == settings::StoreDriver::sqlite;
  if (embedded && !fs::exists(settings.store.sqlite.path)) return false;
  const auto status = store::inspect(node::store_options(settings));
  return status && status->schema.current() && fs::exists(settings.security.key_ring_file);
}

/// What `look` returns about the database, which is not changed.
template <class Look>
auto look_at_store(const settings::Settings& settings, Look look) {
  auto opened = node::store_options(settings);
  opened.migrate_at_start = false;
  const auto keys = node::open_existing_key_ring(settings);
  const crypto::RingCipher cipher(keys);
  const wire::EventJson event_json;
  return look(*node::open_store(opened, event_json, cipher));
}

/// The rules that serve would start with. Throws when serve would refuse them.
node::FirstRules first_rules(const settings::Settings& settings, const lua::LoadOptions& options) {
  return look_at_store(settings,
                       [&](store::SqlStore& store) { return node::choose_first_rules(store, settings, options); });
}

std::string tenant_clocks(const settings::Settings& settings) {
  return look_at_store(settings, [&](store::SqlStore& store) {
    node::refuse_sandbox_clocks(settings, store);
    return "ok";
  });
}

/// Errors in the folder stop serve only when the database has no rules to start with.
std::string rules(const settings::Settings& settings, const lua::LoadOptions& options, bool served, bool has_store) {
  auto report = lua::check_rules(settings.rules.folder, options);
  if (report.text.ends_with('\n')) report.text.pop_back();
  if (has_store) first_rules(settings, options);
  if (report.ok) return "ok\n" + report.text;
  if (!served && !has_store) throw node::StartError("The rules are not valid:\n" + report.text);
  throw ServedAnyway("The rules of the folder are not valid:\n" + report.text +
                     "\n  serve uses the live rules of the database; `tideover rules history` shows them.");
}

/// Binds as the server does, but does not listen.
std::string port(const std::string& setting, const std::string& host, int port) {
  const auto refuse = [&](const std::string& why) {
    return node::StartError(fmt::format("{}: cannot listen on {} port {}: {}", setting, host, port, why));
  };
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  addrinfo* resolved = nullptr;
  if (const int failed = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &resolved); failed != 0)
    throw refuse(::gai_strerror(failed));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> address(resolved, &::freeaddrinfo);
  const int socket = ::socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) throw refuse(reason(errno));
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const int failed = ::bind(socket, address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
  ::close(socket);
  if (failed != 0) throw refuse(reason(failed));
  return "ok";
}

bool is_served(const settings::Settings& settings) {
  const auto file = admin::control_socket_file(settings);
  const auto connection = admin::connect_to_service(file);
  if (connection) ::close(*connection);
  return connection.has_value();
}

int check(const admin::Arguments& arguments) {
  const auto settings = node::load_settings(arguments.config_file());
  fmt::print("configuration: ok ({})\n", name_of(settings.environment));
  Findings findings;
  if (!settings.log.file.empty()) findings.check("log file", [&] { return log_file(settings); });
  findings.check("key ring", [&] { return key_ring(settings); });
  findings.check("checkpoint file", [&] {
    return writable("security.checkpoint_file", settings.security.checkpoint_file, MakesFolders::all);
  });
  bool served = false, has_store = false;
  findings.check("service", [&] {
    served = is_served(settings);
    return served ? "runs on this store; its database, journal and ports are not tested" : "none runs on this store";
  });
  if (!served) {
    const bool has_password = settings.store.driver == settings::StoreDriver::sqlite ||
                              findings.check("database password", [&] { return password(settings); });
    has_store =
        has_password && findings.check("database", [&] { return database(settings); }) && can_hold_rules(settings);
    if (has_store) findings.check("tenant clocks", [&] { return tenant_clocks(settings); });
    findings.check("rail journal", [&] { return journal(settings); });
    findings.check("port", [&] { return port("server.port", settings.server.host, settings.server.port); });
    findings.check("operations port", [&] {
      if (settings.ops.port != 0 && settings.ops.port == settings.server.port &&
          settings.ops.host == settings.server.host)
        throw node::StartError("ops.port: equals server.port. Set different ports");
      return port("ops.port", settings.ops.host, settings.ops.port);
    });
  }
  std::vector<domain::ReasonCode> reason_codes;
  findings.check("reason codes", [&] {
    std::string problem;
    reason_codes = node::usable_reason_codes(settings, problem);
    if (!problem.empty()) throw ServedAnyway(problem + "\n  serve uses the reason codes of its last successful start.");
    return fmt::format("ok ({} codes)", reason_codes.size());
  });
  if (!reason_codes.empty())
    findings.check("rules",
                   [&] { return rules(settings, node::rule_options(settings, reason_codes), served, has_store); });
  findings.check("plugins", [&] {
    const clock::SystemClock clock;
    const clock::NewYorkTime bank_time;
    const auto plugins = node::load_plugins(settings, {clock, bank_time, {}, {}});
    if (plugins->rails().all().empty())
      throw node::StartError("No funding rail is configured, so no advance can be funded. Add a rail under plugins.");
    node::refuse_simulated_rails(settings, plugins->rails());
    return fmt::format("ok ({} loaded)", plugins->list().size());
  });
  return findings.print_problems();
}

}  // namespace

admin::Command check_command() {
  return {"check",
          "Check the configuration and everything that serve needs, without serving",
          {admin::config_option()},
          check};
}

}  // namespace tideover::main
