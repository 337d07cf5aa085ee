#include "core/settings/load.hpp"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "core/domain/basics/scope.hpp"
#include "core/domain/ledger/account_map.hpp"
#include "core/settings/reader.hpp"
#include "core/settings/suggestion.hpp"

namespace tideover::settings {
namespace {

/// By convention, paths of a plugin are relative to the folder of the configuration file, as all paths in it.
bool names_a_path(const std::string& key) {
  return key == "path" || key.ends_with("_path");
}

constexpr std::string_view kVariablePrefix = "TIDEOVER_";
constexpr std::string_view kConfigVariable = "TIDEOVER_CONFIG";
constexpr std::string_view kTestVariablePrefix = "TIDEOVER_TEST_";

/// Variables with other purposes: those that the quickstart and the cluster of packaging/ print for clients, and those
/// that Kubernetes sets in every pod for a service named "tideover".
bool is_no_setting(std::string_view variable) {
  for (const std::string_view name :
       {"TIDEOVER_URL", "TIDEOVER_OPS_URL", "TIDEOVER_FOLDER", "TIDEOVER_CLIENT_ID", "TIDEOVER_CLIENT_SECRET",
        "TIDEOVER_PID", "TIDEOVER_NODE_A", "TIDEOVER_NODE_B", "TIDEOVER_PORT"})
    if (variable == name) return true;
  return variable.starts_with("TIDEOVER_PORT_") || variable.starts_with("TIDEOVER_SERVICE_");
}

bool is_loopback(const std::string& host) {
  in_addr v4{};
  in6_addr v6{};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  if (::inet_pton(AF_INET6, host.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  return host == "localhost";
}

// One load. The order of the steps is the order of the errors.
class Loader {
 public:
  explicit Loader(const LoadOptions& options) : environment_(split(options.environment)), file_(options.config_file) {
    if (!file_ && environment_.contains(kConfigVariable)) file_ = environment_.find(kConfigVariable)->second;
  }

  LoadResult load() {
    read_file();
    read_environment();
    resolve_paths();
    check_database();
    check_listeners();
    check_production();
    check_rules();
    check_roles();
    check_accounts();
    check_advice();
    if (!errors_.empty()) return std::move(errors_);
    return std::move(settings_);
  }

 private:
  using Variables = std::map<std::string, std::string, std::less<>>;

  static Variables split(const std::vector<std::string>& environment) {
    Variables variables;
    for (const std::string& entry : environment) {
      const std::size_t equals = entry.find('=');
      if (equals != std::string::npos && entry.starts_with(kVariablePrefix)) {
        variables[entry.substr(0, equals)] = entry.substr(equals + 1);
      }
    }
    return variables;
  }

  void read_file() {
    if (!file_) return;
    auto document = read_document(*file_);
    if (auto* error = std::get_if<SettingsError>(&document)) {
      errors_.push_back(std::move(*error));
    } else {
      places_ = Reader(errors_).read(std::get<Node>(document), fields_);
    }
  }

  void read_environment() {
    std::vector<std::string> names;
    for (const Field& field : fields_) names.push_back(environment_name(field.key));
    for (const auto& [variable, value] : environment_) {
      if (variable == kConfigVariable || variable.starts_with(kTestVariablePrefix) || is_no_setting(variable)) continue;
      const auto name = std::find(names.begin(), names.end(), variable);
      if (name == names.end()) {
        const std::vector<std::string_view> known(names.begin(), names.end());
        errors_.push_back({variable, "no setting belongs to this variable" + did_you_mean(variable, known)});
        continue;
      }
      const Field& field = fields_[static_cast<std::size_t>(name - names.begin())];
      if (!is_scalar(field)) {
        errors_.push_back({variable, "'" + field.key + "' is not a single value; set it in the configuration file"});
        continue;
      }
      places_[field.key] = variable;
      from_environment_.insert(field.key);
      if (const auto complaint = assign(field, value, false)) {
        errors_.push_back({variable, "'" + field.key + "': " + *complaint});
      }
    }
  }

  void resolve_paths() {
    const std::filesystem::path working_directory = std::filesystem::current_path();
    const std::filesystem::path folder = file_ ? std::filesystem::absolute(*file_).parent_path() : working_directory;
    const auto resolve = [](std::filesystem::path& path, const std::filesystem::path& base) {
      if (!path.empty()) path = (base / path).lexically_normal();
    };
    for (const Field& field : fields_) {
      const auto* path = std::get_if<std::filesystem::path*>(&field.target);
      if (path == nullptr) continue;
      resolve(**path, from_environment_.contains(field.key) ? working_directory : folder);
    }
    for (PickupFolderSettings& pickup : settings_.pickup.folders) resolve(pickup.path, folder);
    for (PluginSettings& plugin : settings_.plugins) {
      resolve(plugin.path, folder);
      for (auto& [key, value] : plugin.config)
        if (names_a_path(key) && !value.empty()) value = (folder / value).lexically_normal().string();
    }
  }

  void check_database() {
    if (settings_.store.driver != StoreDriver::mysql) return;
    for (const std::string_view key :
         {"store.mysql.host", "store.mysql.user", "store.mysql.password_file", "store.mysql.database"}) {
      if (!places_.contains(key)) {
        errors_.push_back({place_of("store.driver"), "the driver mysql needs '" + std::string(key) + "'"});
      }
    }
  }

  void check_listeners() {
    const auto check = [&](std::string_view key, const std::string& host) {
      if (settings_.server.allow_plain_http_beyond_loopback || is_loopback(host)) return;
      errors_.push_back({place_of(key),
                         "'" + std::string(key) + "': " + shown(host) +
                             " can be reached from other machines without TLS; listen on 127.0.0.1 behind a proxy with "
                             "TLS, or set server.allow_plain_http_beyond_loopback: true"});
    };
    check("server.host", settings_.server.host);
    check("ops.host", settings_.ops.host);
    if (settings_.server.port == settings_.ops.port && settings_.server.port != 0 &&
        settings_.server.host == settings_.ops.host) {
      errors_.push_back({place_of("ops.port"), "'ops.port' equals 'server.port'; set different ports"});
    }
  }

  void check_production() {
    if (settings_.environment != domain::Environment::production) return;
    bool& loopback_receivers = settings_.webhooks.allow_loopback_http_in_sandbox;
    constexpr std::string_view kKey = "webhooks.allow_loopback_http_in_sandbox";
    if (loopback_receivers && places_.contains(kKey)) {
      errors_.push_back(
          {place_of(kKey), "'" + std::string(kKey) + "' is for the sandbox only; remove it in production"});
    }
    loopback_receivers = false;
    for (const std::string& origin : settings_.server.cors_origins) {
      if (origin.starts_with("https://")) continue;
      errors_.push_back({place_of("server.cors_origins"), "'server.cors_origins': " + shown(origin) +
                                                              " is not encrypted; production allows https only"});
    }
  }

  // A node files the bundle in its folder by itself, so the author could approve it alone.
  void check_rules() {
    if (settings_.rules.approval != RuleApproval::second_person ||
        settings_.rules.promotion != RulePromotion::automatic)
      return;
    errors_.push_back({place_of("rules.approval"),
                       "'rules.approval': approval by a second operator needs rules.promotion: by_command"});
  }

  void check_roles() {
    if (const auto fault = domain::Roles::fault_of(settings_.roles))
      errors_.push_back({place_of("roles"), "'roles': " + *fault});
  }

  void check_accounts() {
    const auto accounts = domain::AccountMap::parse(settings_.ledger.accounts);
    if (const auto* complaint = std::get_if<std::string>(&accounts))
      errors_.push_back({place_of("ledger.accounts"), "'ledger.accounts': " + *complaint});
  }

  void check_advice() {
    const auto& [name, id, street, city, state, postal_code, phone] = settings_.remittance_advice;
    const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0; };
    const auto refuse = [this](const std::string& key, const std::string& complaint) {
      errors_.push_back({place_of(key), "'" + key + "' " + complaint});
    };
    if (name.empty() || name.size() > 60) refuse("remittance_advice.payer_name", "must have 1 to 60 characters");
    if (id.size() != 10 || !std::all_of(id.begin(), id.end(), is_plain))
      refuse("remittance_advice.originator_id", "must be 10 letters or digits");
    if (!state.empty() && state.size() != 2) refuse("remittance_advice.state", "must be two letters");
    if (!street.empty() && city.empty()) refuse("remittance_advice.city", "is missing; the address has a street");
  }

  // The place where the key was set, or where the operator should set it.
  std::string place_of(std::string_view key) const {
    const auto place = places_.find(key);
    if (place != places_.end()) return place->second;
    return file_ ? file_->string() : "default settings";
  }

  const Variables environment_;
  std::optional<std::filesystem::path> file_;
  Settings settings_;
  const std::vector<Field> fields_ = fields_of(settings_);
  Reader::Places places_;
  std::set<std::string> from_environment_;
  std::vector<SettingsError> errors_;
};

std::string bounds_of(const Field& field) {
  const auto range = [](Range bounds) {
    return " From " + std::to_string(bounds.min) + " to " + std::to_string(bounds.max) + ".";
  };
  if (const auto* bound = std::get_if<BoundInt>(&field.target)) return range(bound->range);
  if (const auto* bound = std::get_if<BoundInt64>(&field.target)) return range(bound->range);
  if (const auto* bound = std::get_if<BoundSchedule>(&field.target)) return range(bound->range);
  if (const auto* bound = std::get_if<BoundChoice>(&field.target)) {
    std::string names;
    for (const std::string_view name : bound->names) names += (names.empty() ? "" : ", ") + std::string(name);
    return " One of " + names + ".";
  }
  return "";
}

}  // namespace

LoadResult load(const LoadOptions& options) {
  return Loader(options).load();
}

std::vector<std::string> process_environment() {
  std::vector<std::string> entries;
  for (char** entry = ::environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

std::string describe() {
  Settings defaults;
  PluginSettings plugin;
  std::string text;
  for (const Field& field : fields_of(defaults)) {
    text += field.key + " = " + print(field) + "\n    " + field.help + "." + bounds_of(field);
    text += is_scalar(field) ? " [" + environment_name(field.key) + "]\n" : "\n";
    if (!std::holds_alternative<std::vector<PluginSettings>*>(field.target)) continue;
    for (const Field& entry : fields_of(plugin)) {
      text += field.key + "[]." + entry.key + (entry.required ? " (required)" : "") + "\n    " + entry.help + "." +
              bounds_of(entry) + "\n";
    }
  }
  return text;
}

}  // namespace tideover::settings
