// Reads a mapping of the document into the fields of a struct. Records the position of each key and collects all
// errors.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/settings/document.hpp"
#include "core/settings/field.hpp"

namespace tideover::settings {

class Reader {
 public:
  explicit Reader(std::vector<SettingsError>& errors) : errors_(errors) {}

  /// Where each key was set, also if its value was refused.
  using Places = std::map<std::string, std::string, std::less<>>;

  Places read(const Node& mapping, const std::vector<Field>& fields);

 private:
  void read_section(const Node& mapping, const std::string& prefix, const std::vector<Field>& fields, Places& places);
  void read_value(const Field& field, const Node& value);
  void read_schedule(const BoundSchedule& bound, const Node& value);
  void read_origins(const BoundOrigins& bound, const Node& value);
  void read_free_map(std::map<std::string, std::string>& map, const Node& value);
  void read_plugins(std::vector<PluginSettings>& plugins, const Node& value);
  void read_pickup_folders(std::vector<PickupFolderSettings>& folders, const Node& value);
  void complain(const Node& node, std::string message) { errors_.push_back({node.where, std::move(message)}); }

  std::vector<SettingsError>& errors_;
};

}  // namespace tideover::settings
