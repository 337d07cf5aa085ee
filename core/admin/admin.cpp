#include "core/admin/admin.hpp"

#include <fmt/core.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/command_line.hpp"
#include "core/admin/control_message.hpp"
#include "core/admin/control_socket.hpp"
#include "core/admin/stored_clock.hpp"
#include "core/clock/system_clock.hpp"
#include "core/clock/ulid_source.hpp"
#include "core/crypto/key_ring.hpp"
#include "core/crypto/ring_cipher.hpp"
#include "core/http/wire/operations/event_json.hpp"
#include "core/node/own_trail.hpp"
#include "core/node/start.hpp"
#include "core/settings/settings.hpp"
#include "core/store/sql_store.hpp"

namespace tideover::admin {
namespace {

constexpr auto kAskTime = std::chrono::seconds(5);
/// No limit for the answer: a command may run long on a large store. A stopped service closes the connection at once.
constexpr auto kAnswerTime = std::chrono::hours(24);

AdminReply failure(const std::string& sentence) {
  return {1, "", "tideover: " + sentence + "\n"};
}

/// "client create"; only the name for a noun that is a command itself.
std::string full_name_of(const AdminNoun& noun, const AdminVerb& verb) {
  return verb.name.empty() ? noun.name : noun.name + ' ' + verb.name;
}

const AdminVerb* find_verb(const std::string& full_name) {
  for (const auto& noun : admin_nouns())
    for (const auto& verb : noun.verbs)
      if (full_name_of(noun, verb) == full_name) return &verb;
  return nullptr;
}

bool is_secret(const std::string& full_name, const std::string& option_name) {
  const auto* verb = find_verb(full_name);
  if (verb == nullptr) return true;
  return std::none_of(verb->options.begin(), verb->options.end(), [&](const AdminOption& option) {
    return bare(option.name) == option_name && option.kind != AdminOption::Kind::secret;
  });
}

/// The parts of a context without a running service, for one command.
struct OwnAdminContext {
  OwnAdminContext(const settings::Settings& given, store::StoreOptions options)
      : settings(given),
        keys(options.sqlite_read_only ? node::open_existing_key_ring(given) : node::open_key_ring(given)),
        store(node::open_store(talkative(std::move(options)), event_json, cipher)) {}
  /// Without a service the actor is the operating system user.
  static store::StoreOptions talkative(store::StoreOptions options) {
    options.on_failure = [](std::string_view what) { fmt::print(stderr, "tideover: {}\n", what); };
    return options;
  }
  const settings::Settings& settings;
  crypto::KeyRing keys;
  crypto::RingCipher cipher{keys};
  wire::EventJson event_json;
  std::unique_ptr<store::SqlStore> store;
  clock::SystemClock real_clock;
  StoredClock clock{real_clock, *store};
  clock::UlidSource ids{real_clock};
  AdminContext context{settings, keys, *store, *store, clock, ids};
};

/// The operator, as far as the machine knows.
std::string user_name() {
  const char* behind_sudo = std::getenv("SUDO_USER");
  if (::geteuid() == 0 && behind_sudo != nullptr && *behind_sudo != '\0') return behind_sudo;
  const auto* entry = ::getpwuid(::getuid());
  return entry != nullptr ? entry->pw_name : "uid " + std::to_string(::getuid());
}

/// Prints the progress lines of a verb. A line that starts with a carriage return replaces the previous such line; it
/// is shown on a terminal only.
class ProgressLines {
 public:
  ~ProgressLines() { end_bar(); }
  void show(std::string_view line) {
    if (line.empty()) return;
    if (line.front() != '\r') {
      end_bar();
      fmt::print(stderr, "{}\n", line);
    } else if (is_terminal_) {
      fmt::print(stderr, "\r\033[K{}", line.substr(1));
      has_bar_ = true;
    }
  }

 private:
  void end_bar() {
    if (std::exchange(has_bar_, false)) fmt::print(stderr, "\r\033[K");
  }

  const bool is_terminal_ = ::isatty(STDERR_FILENO) != 0;
  bool has_bar_ = false;
};

CommandOption option_of(const AdminOption& option) {
  CommandOption made{option.name, option.help};
  made.preset = option.preset;
  made.is_required = !option.name.starts_with("--") && !option.may_be_left_out;
  if (option.kind == AdminOption::Kind::flag) made.kind = CommandOption::Kind::flag;
  if (option.kind == AdminOption::Kind::paths) made.kind = CommandOption::Kind::texts;
  return made;
}

AdminRequest request_of(const std::string& full_name, const AdminVerb& verb, const Arguments& given) {
  AdminRequest request;
  request.verb = full_name;
  for (const auto& option : verb.options) {
    const auto name = bare(option.name);
    if (option.kind == AdminOption::Kind::flag) {
      if (given.flags.at(name)) request.options[name] = "true";
      continue;
    }
    if (option.kind == AdminOption::Kind::paths) {
      for (const auto& path : given.lists.at(name))
        request.options[name] += std::filesystem::absolute(path).string() + '\n';
      continue;
    }
    const auto& value = given.texts.at(name);
    if (!value.empty())
      request.options[name] =
          option.kind == AdminOption::Kind::path ? std::filesystem::absolute(value).string() : value;
  }
  request.options["by"] = user_name();
  request.progress = [lines = std::make_shared<ProgressLines>()](std::string_view line) {
    lines->show(line);
    return true;
  };
  return request;
}

Command command_of(const AdminNoun& noun, const AdminVerb& verb) {
  Command command{verb.name.empty() ? noun.name : verb.name, verb.help, {config_option()}};
  for (const auto& option : verb.options) command.options.push_back(option_of(option));
  command.run = [&verb, full_name = full_name_of(noun, verb)](const Arguments& given) {
    const auto settings = node::load_settings(given.config_file());
    const auto reply = run_on_store(settings, request_of(full_name, verb, given));
    fmt::print("{}", reply.out);
    fmt::print(stderr, "{}", reply.err);
    return reply.exit_code;
  };
  return command;
}

/// The command of a noun with its verbs. A two-word noun ("rails sender") is a command of the first word's command.
Command command_of(const AdminNoun& noun) {
  if (noun.verbs.front().name.empty()) return command_of(noun, noun.verbs.front());
  const auto space = noun.name.find(' ');
  Command group{noun.name.substr(space + 1), noun.help};  // without a space: the whole name
  for (const auto& verb : noun.verbs) group.commands.push_back(command_of(noun, verb));
  if (space == std::string::npos) return group;
  const auto first = noun.name.substr(0, space);
  Command outer{first, "Manage " + first};
  outer.commands = {std::move(group)};
  return outer;
}

AdminReply reply_of(const ControlMessage& message) {
  AdminReply reply{1, message[2], message[3]};
  std::from_chars(message[1].data(), message[1].data() + message[1].size(), reply.exit_code);
  return reply;
}

}  // namespace

const std::vector<AdminNoun>& admin_nouns() {
  static const std::vector<AdminNoun> nouns = {
      {"audit", "Verify the audit trail", audit_verbs()},
      {"backup", "Back up the embedded store; verify and restore backups", backup_verbs()},
      {"client", "Create, list and disable API clients; change their secrets", client_verbs()},
      {"client", "Create, list and disable API clients; change their secrets", client_secret_verbs()},
      {"db", "Show, migrate and check the database", db_verbs()},
      {"import", "Import a file of claims", import_verbs()},
      {"ledger", "Verify and read the ledger", ledger_verbs()},
      {"payer alias", "List and remove learned ids of payers", payer_alias_verbs()},
      {"rails", "List and reconcile the funding rails", rails_verbs()},
      {"rails sender", "Show or move the sending node of a rail without deduplication", rail_sender_verbs()},
      {"remittance", "Import remittance files", remittance_verbs()},
      {"quality", "Show the quality of the predictions", quality_verbs()},
      {"review", "Replay stored reviews", review_verbs()},
      {"rules", "Test, compare and release the rules", rule_release_verbs()},
      {"rules", "Test, compare and release the rules", rule_backtest_verbs()},
      {"rules", "Test, compare and release the rules", rule_diff_verbs()},
      {"keys", "List, rotate and retire the master keys", keys_verbs()},
  };
  return nouns;
}

bool takes_long(const std::string& full_name) {
  const auto* verb = find_verb(full_name);
  return verb != nullptr && verb->takes_long;
}

AdminReply run_verb(AdminContext& context, const AdminRequest& request) {
  const auto* verb = find_verb(request.verb);
  if (verb == nullptr || verb->run == nullptr)
    return failure("This service (" TIDEOVER_VERSION ") has no command " + request.verb + ".");
  try {
    return verb->run(context, request);
  } catch (const std::exception& error) {
    return failure(error.what());
  }
}

AdminReply run_on_record(AdminContext& context, const AdminRequest& request) {
  auto reply = run_verb(context, request);
  std::string given;
  for (const auto& [name, value] : request.options)
    given += (given.empty() ? "" : " ") + name + '=' + (is_secret(request.verb, name) ? "(not shown)" : value);
  node::note(context.store, context.clock, context.ids, "tideover " + request.verb, given,
             reply.exit_code == 0 ? "ok" : "failed");
  return reply;
}

std::optional<AdminReply> ask_service(const settings::Settings& settings, const AdminRequest& request) {
  const auto file = control_socket_file(settings);
  const auto connection = connect_to_service(file);
  if (!connection) return std::nullopt;
  const std::shared_ptr<const void> closing(nullptr, [socket = *connection](const void*) { ::close(socket); });
  ControlMessage message{kControlProtocol, request.verb};
  for (const auto& [name, value] : request.options) message.insert(message.end(), {name, value});
  if (!send_message(*connection, message, kAskTime))
    return failure("The command could not be sent to the running service.");
  while (const auto answer = receive_message(*connection, kMostReplyBytes, kAnswerTime)) {
    if (answer->size() == 2 && answer->front() == "progress")
      request.progress((*answer)[1]);
    else if (answer->size() == 4 && answer->front() == "reply")
      return reply_of(*answer);
    else
      break;
  }
  return failure("The service stopped before it answered. Check whether the command took effect.");
}

AdminReply run_on_store(const settings::Settings& settings, const AdminRequest& request) {
  const auto& verb = *find_verb(request.verb);
  const bool is_embedded = settings.store.driver == settings::StoreDriver::sqlite;
  if (verb.run != nullptr && (is_embedded || verb.uses_journal)) {
    if (auto reply = ask_service(settings, request)) return *reply;
  }
  if (verb.alone != nullptr) return verb.alone(settings, request);
  if (!verb.makes_store) node::refuse_absent_store(settings);
  OwnAdminContext own(settings, node::store_options(settings));
  return run_on_record(own.context, request);
}

AdminReply run_on_copy(const settings::Settings& settings, const AdminRequest& request) {
  auto options = node::store_options(settings);
  options.sqlite_read_only = true;
  OwnAdminContext own(settings, options);
  return run_verb(own.context, request);
}

std::vector<Command> admin_commands() {
  std::vector<Command> commands;
  for (const auto& noun : admin_nouns()) merge(commands, command_of(noun));
  return commands;
}

}  // namespace tideover::admin
