#include "tests/support/service/service_folder.hpp"

#include <stdlib.h>

#include <fstream>
#include <sstream>

#include "tests/support/service/service_process.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = TIDEOVER_SOURCE_DIR;
const fs::path kBinary = TIDEOVER_BINARY_DIR;

YAML::Node plugin(const std::string& kind, const std::string& id, const fs::path& library,
                  const std::map<std::string, std::string>& config) {
  YAML::Node node;
  node["path"] = library.string();
  node["kind"] = kind;
  node["id"] = id;
  for (const auto& [key, value] : config) node["config"][key] = value;
  return node;
}

}  // namespace

std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void save_file(const fs::path& file, const std::string& text) {
  const fs::path aside = file.string() + ".new";
  std::ofstream(aside, std::ios::binary) << text;
  fs::rename(aside, file);
}

fs::path plugin_library(const std::string& kind, const std::string& name) {
  return kBinary / "plugins" / (kind + "_" + name + ".so");
}

ServiceFolder::ServiceFolder() {
  std::string name = (fs::temp_directory_path() / "tideover-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  path_ = name;

  set("environment", "sandbox");
  set("server.port", "0");
  set("ops.port", "0");
  set("store.sqlite.path", (path_ / "store" / "tideover.db").string());
  set("security.key_ring_file", (path_ / "keys").string());
  set("rules.folder", (kSource / "rules").string());
  set("rules.reload_debounce_ms", "20");
  set("rules.reload_check_ms", "500");
  set("webhooks.poll_ms", "20");
  set("webhooks.retry_seconds", "[0, 1, 1, 1, 1]");
  set("webhooks.sandbox_retry_seconds", "[0, 1, 1, 1, 1]");
  set("imports.poll_ms", "20");
  set("funding.resolve_seconds", "[1]");
  set("reason_codes_file", (kSource / "config" / "reason_codes.yaml").string());
  fs::create_directory(path_ / "store");
  fs::permissions(path_ / "store", fs::perms::owner_all);

  use_plugin("payer_directory", "file", plugin_library("payer_directory", "file"),
             {{"path", (kSource / "config" / "payers.jsonl").string()}});
  for (const char* rail : {"rtp", "same_day", "future_date"})
    use_plugin("funding_rail", rail, plugin_library("funding_rail", rail),
               {{"ledger_path", (path_ / (std::string(rail) + ".bank")).string()}});
  for (const char* format : {"csv", "ndjson", "x12_837"})
    use_plugin("import_format", format, plugin_library("import_format", format), {});
  use_plugin("import_format", "x12_837p", plugin_library("import_format", "x12_837"), {});
  for (const char* format : {"csv", "x12_835"})
    use_plugin("remittance_format", format, plugin_library("remittance_format", format), {});
  for (const char* format : {"bai2", "camt053", "ccd_addenda"})
    use_plugin("deposit_format", format, plugin_library("deposit_format", format), {});
}

ServiceFolder::~ServiceFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void ServiceFolder::set(const std::string& name, const std::string& value) {
  YAML::Node node = config_;
  std::istringstream parts(name);
  std::string part;
  while (std::getline(parts, part, '.')) node.reset(node[part]);
  node = YAML::Load(value);
}

void ServiceFolder::use_mysql(const sql::MySqlOptions& options) {
  const fs::path password = path_ / "mysql-password";
  save_file(password, options.password);
  fs::permissions(password, fs::perms::owner_read | fs::perms::owner_write);
  set("store.driver", "mysql");
  set("store.mysql.host", options.host);
  set("store.mysql.port", std::to_string(options.port));
  set("store.mysql.user", options.user);
  set("store.mysql.password_file", password.string());
  set("store.mysql.database", options.database);
  set("store.mysql.tls.enforce", "false");
}

fs::path ServiceFolder::copy_rules() {
  const fs::path folder = path_ / "rules";
  fs::copy(kSource / "rules", folder, fs::copy_options::recursive);
  set("rules.folder", folder.string());
  return folder;
}

void ServiceFolder::use_plugin(const std::string& kind, const std::string& id, const fs::path& library,
                               const std::map<std::string, std::string>& config) {
  remove_plugin(kind, id);
  config_["plugins"].push_back(plugin(kind, id, library, config));
}

void ServiceFolder::remove_plugin(const std::string& kind, const std::string& id) {
  YAML::Node kept;
  for (const auto& known : config_["plugins"])
    if (known["id"].as<std::string>() != id || known["kind"].as<std::string>() != kind) kept.push_back(known);
  config_["plugins"] = kept;
}

void ServiceFolder::use_payers(const std::string& lines) {
  save_file(path_ / "payers.jsonl", lines);
  use_plugin("payer_directory", "file", plugin_library("payer_directory", "file"),
             {{"path", (path_ / "payers.jsonl").string()}});
}

void ServiceFolder::write_config() const {
  if (!config_text_.empty()) return save_file(config_file(), config_text_);
  YAML::Emitter out;
  out << config_;
  save_file(config_file(), std::string(out.c_str()) + "\n");
}

Credentials ServiceFolder::create_client(const std::vector<std::string>& arguments) const {
  write_config();
  std::vector<std::string> command{"client", "create", "--config", config_file().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto done = run_tideover(command);
  if (done.exit_code != 0) throw std::runtime_error("client create failed: " + done.err);
  const auto value = [&](const std::string& name) {
    const auto at = done.out.find(name + "=");
    if (at == std::string::npos) throw std::runtime_error("client create printed no " + name);
    const auto from = at + name.size() + 1;
    return done.out.substr(from, done.out.find('\n', from) - from);
  };
  return {value("client_id"), value("client_secret")};
}

}  // namespace tideover::test
