// tideover check: what serve would refuse at start-up, as far as that shows without creating anything and without a port and without
// asking a database server.
#include <fmt/core.h>

#include "core/main/commands.hpp"
#include "core/main/start.hpp"
#include "core/settings/secret_file.hpp"

namespace tideover::main {
namespace {

/// The files with secrets: there, closed to others and well-formed. An absent key ring is created by serve.
void check_secrets(const settings::Settings& settings) {
  if (std::filesystem::exists(settings.security.key_ring_file)) {
    open_key_ring(settings);
    fmt::print("key ring: ok\n");
  } else {
    // Of an embedded store the file tells; a server is not asked.
    if (settings.store.driver == settings::StoreDriver::sqlite) refuse_lost_key_ring(settings);
    fmt::print("key ring: absent; serve will create {}\n", settings.security.key_ring_file.string());
  }
  if (settings.store.driver != settings::StoreDriver::mysql) return;
  const auto password = settings::read_secret_file(settings.store.mysql.password_file);
  if (const auto* error = std::get_if<settings::SettingsError>(&password)) throw StartError(error->text());
  fmt::print("database password: ok\n");
}

int check(const std::string& config_file) {
  const auto settings = load_settings(config_file.empty() ? std::nullopt : std::optional<std::filesystem::path>(config_file));
  fmt::print("configuration: ok ({})\n", name_of(settings.environment));
  check_secrets(settings);
  const auto reason_codes = load_reason_codes(settings);
  fmt::print("reason codes: ok ({} codes)\n", reason_codes.size());
  const auto report = lua::check_rules(settings.rules.folder, rule_options(settings, reason_codes));
  fmt::print("rules:\n{}", report.text);
  const clock::SystemClock clock;
  const clock::NewYorkTime bank_time;
  const auto plugins = load_plugins(settings, {clock, bank_time, {}, {}});
  fmt::print("plugins: ok ({} loaded)\n", plugins->list().size());
  if (plugins->rails().all().empty()) throw StartError("No funding rail is configured: nothing could ever be funded. Add one under plugins.");
  return report.ok ? 0 : 1;
}

}  // namespace

void add_check(CLI::App& app, Run& run) {
  auto config_file = std::make_shared<std::string>();
  auto* command = app.add_subcommand("check", "Check configuration, rules and plugins without serving");
  add_config_option(*command, *config_file);
  command->callback([config_file, &run] { run = [config_file] { return check(*config_file); }; });
}

}  // namespace tideover::main
