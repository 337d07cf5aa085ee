// A fresh temporary folder with everything one service needs; removed at the end.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <map>
#include <string>

#include "core/store/sql/mysql_session.hpp"
#include "tests/support/service/http_client.hpp"

namespace tideover::test {

class ServiceFolder {
 public:
  /// Sandbox, ports 0, SQLite, all shipped plugins, the shipped rules, short waits.
  ServiceFolder();
  ~ServiceFolder();
  ServiceFolder(const ServiceFolder&) = delete;
  ServiceFolder& operator=(const ServiceFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config_file() const { return path_ / "tideover.yaml"; }
  /// The log and whatever else serve writes on standard error.
  std::filesystem::path log_file() const { return path_ / "stderr"; }

  /// One setting by its dotted name; the value is YAML.
  void set(const std::string& name, const std::string& value);
  void use_mysql(const sql::MySqlOptions& options);
  /// Puts a rule folder of its own in place of the shipped one and returns it.
  std::filesystem::path copy_rules();
  /// Adds a plugin, or replaces the shipped one of that id.
  void use_plugin(const std::string& kind, const std::string& id, const std::filesystem::path& library,
                  const std::map<std::string, std::string>& config);
  void remove_plugin(const std::string& kind, const std::string& id);
  /// Payers of this folder: JSON Lines beside or instead of the shipped ones.
  void use_payers(const std::string& lines);

  /// A variable in the environment of the services that are started in this folder.
  void set_variable(const std::string& name, const std::string& value) { variables_[name] = value; }
  const std::map<std::string, std::string>& variables() const { return variables_; }

  /// A configuration of the test's own in place of all settings and plugins.
  void use_config(std::string text) { config_text_ = std::move(text); }
  /// Writes the configuration; a second call replaces it.
  void write_config() const;

  /// `tideover client create` with further arguments; throws what it said when it fails.
  Credentials create_client(const std::vector<std::string>& arguments = {}) const;

 private:
  std::filesystem::path path_;
  YAML::Node config_{YAML::NodeType::Map};
  std::map<std::string, std::string> variables_;
  std::string config_text_;
};

/// The whole text of a file; throws when it cannot be read.
std::string read_file(const std::filesystem::path& file);
/// Saves as editors do: a new file takes the old one's name.
void save_file(const std::filesystem::path& file, const std::string& text);
/// The shipped library of a plugin, such as ("funding_rail", "rtp").
std::filesystem::path plugin_library(const std::string& kind, const std::string& name);

}  // namespace tideover::test
