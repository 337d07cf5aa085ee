#include "core/settings/reader.hpp"

#include <algorithm>
#include <set>

#include "core/settings/origin.hpp"
#include "core/settings/suggestion.hpp"

namespace tideover::settings {
namespace {

constexpr std::size_t kMaxScheduleItems = 32;
constexpr std::size_t kMaxOrigins = 100;

// The names allowed directly under a prefix: "server." -> host, port, ...
std::vector<std::string_view> names_under(std::string_view prefix, const std::vector<Field>& fields) {
  std::vector<std::string_view> names;
  for (const Field& field : fields) {
    if (!field.key.starts_with(prefix)) continue;
    const std::string_view rest = std::string_view(field.key).substr(prefix.size());
    const std::string_view name = rest.substr(0, rest.find('.'));
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

bool is_section(std::string_view key, const std::vector<Field>& fields) {
  const std::string prefix = std::string(key) + ".";
  return std::any_of(fields.begin(), fields.end(), [&](const Field& field) { return field.key.starts_with(prefix); });
}

bool is_empty_text(const Field& field) {
  return print(field) == "\"\"";
}

}  // namespace

Reader::Places Reader::read(const Node& mapping, const std::vector<Field>& fields) {
  Places places;
  read_section(mapping, "", fields, places);
  for (const Field& field : fields) {
    if (!field.required) continue;
    if (!places.contains(field.key)) {
      complain(mapping, "the key '" + field.key + "' is missing");
    } else if (is_empty_text(field)) {
      errors_.push_back({places.find(field.key)->second, "'" + field.key + "' must not be empty"});
    }
  }
  return places;
}

void Reader::read_section(const Node& mapping, const std::string& prefix, const std::vector<Field>& fields,
                          Places& places) {
  if (mapping.kind == Node::Kind::empty) return;  // a section whose keys are all commented out
  if (mapping.kind != Node::Kind::mapping) {
    complain(mapping, "expected keys and values, got " + std::string(describe_kind(mapping)));
    return;
  }
  for (const auto& [name, value] : mapping.entries) {
    if (name.kind != Node::Kind::scalar) {
      complain(name, "a key must be a plain word, got " + std::string(describe_kind(name)));
      continue;
    }
    const std::string key = prefix + name.scalar;
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& each) { return each.key == key; });
    if (field == fields.end() && !is_section(key, fields)) {
      complain(name, "unknown key " + shown(key) + did_you_mean(name.scalar, names_under(prefix, fields)));
      continue;
    }
    const auto [place, first] = places.emplace(key, value.kind == Node::Kind::empty ? name.where : value.where);
    if (!first) {
      complain(name, "duplicate key " + shown(key) + "; it was set before at " + place->second);
    } else if (field == fields.end()) {
      read_section(value, key + ".", fields, places);
    } else if (value.kind == Node::Kind::empty && is_scalar(*field)) {
      complain(name, "the key " + shown(key) + " has no value; set one or remove the key");
    } else {
      read_value(*field, value);
    }
  }
}

void Reader::read_value(const Field& field, const Node& value) {
  if (const auto* schedule = std::get_if<BoundSchedule>(&field.target)) {
    read_schedule(*schedule, value);
  } else if (const auto* origins = std::get_if<BoundOrigins>(&field.target)) {
    read_origins(*origins, value);
  } else if (const auto* map = std::get_if<std::map<std::string, std::string>*>(&field.target)) {
    read_free_map(**map, value);
  } else if (const auto* plugins = std::get_if<std::vector<PluginSettings>*>(&field.target)) {
    read_plugins(**plugins, value);
  } else if (const auto* folders = std::get_if<std::vector<PickupFolderSettings>*>(&field.target)) {
    read_pickup_folders(**folders, value);
  } else if (value.kind != Node::Kind::scalar) {
    complain(value, "'" + field.key + "' takes a single value, got " + std::string(describe_kind(value)));
  } else if (const auto complaint = assign(field, value.scalar, value.quoted)) {
    complain(value, "'" + field.key + "': " + *complaint);
  }
}

void Reader::read_schedule(const BoundSchedule& bound, const Node& value) {
  if (value.kind != Node::Kind::list || value.items.empty() || value.items.size() > kMaxScheduleItems) {
    complain(value,
             "expected a list of 1 to " + std::to_string(kMaxScheduleItems) + " whole numbers, such as [5, 30, 120]");
    return;
  }
  std::vector<int> schedule;
  for (const Node& item : value.items) {
    const auto parsed = parse_integer(item.scalar, item.quoted, bound.range);
    if (const auto* complaint = std::get_if<std::string>(&parsed)) {
      complain(item, *complaint);
      continue;
    }
    const int seconds = static_cast<int>(std::get<std::int64_t>(parsed));
    if (!schedule.empty() && seconds < schedule.back())
      complain(item, "each pause must be at least as long as the one before");
    schedule.push_back(seconds);
  }
  *bound.value = std::move(schedule);
}

void Reader::read_origins(const BoundOrigins& bound, const Node& value) {
  if (value.kind == Node::Kind::empty) return;
  if (value.kind != Node::Kind::list || value.items.size() > kMaxOrigins) {
    complain(value, "expected a list of at most " + std::to_string(kMaxOrigins) +
                        " origins, such as [https://app.example.com]");
    return;
  }
  for (const Node& item : value.items) {
    if (!is_origin(item.scalar)) {
      complain(item,
               "expected an origin as browsers send it, such as https://app.example.com or "
               "http://127.0.0.1:3000: no path, no capital letters, no default port; got " +
                   shown(item.scalar));
    } else if (std::find(bound.value->begin(), bound.value->end(), item.scalar) != bound.value->end()) {
      complain(item, "the origin " + shown(item.scalar) + " is listed twice");
    } else {
      bound.value->push_back(item.scalar);
    }
  }
}

void Reader::read_free_map(std::map<std::string, std::string>& map, const Node& value) {
  if (value.kind == Node::Kind::empty) return;
  if (value.kind != Node::Kind::mapping) {
    complain(value, "expected keys and values, got " + std::string(describe_kind(value)));
    return;
  }
  for (const auto& [name, item] : value.entries) {
    if (name.kind != Node::Kind::scalar || item.kind != Node::Kind::scalar) {
      complain(name, "expected plain keys with single values");
    } else if (!map.emplace(name.scalar, item.scalar).second) {
      complain(name, "duplicate key " + shown(name.scalar));
    }
  }
}

void Reader::read_plugins(std::vector<PluginSettings>& plugins, const Node& value) {
  if (value.kind == Node::Kind::empty) return;
  if (value.kind != Node::Kind::list) {
    complain(value, "expected a list of plugins, each with path and kind, got " + std::string(describe_kind(value)));
    return;
  }
  std::set<std::pair<PluginKind, std::string>> known;
  for (const Node& item : value.items) {
    PluginSettings plugin;
    const std::size_t errors_before = errors_.size();
    const Places places = read(item, fields_of(plugin));
    const bool understood = errors_.size() == errors_before;
    if (understood && !plugin.id.empty() && !known.emplace(plugin.kind, plugin.id).second) {
      errors_.push_back({places.find("id")->second, "another plugin of this kind has the id " + shown(plugin.id)});
    }
    plugins.push_back(std::move(plugin));
  }
}

/// The name of a folder is part of the log, of metrics and of operations in the audit trail.
bool is_folder_name(std::string_view name) {
  constexpr std::size_t kLongest = 40;
  return !name.empty() && name.size() <= kLongest &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string_view::npos;
}

void Reader::read_pickup_folders(std::vector<PickupFolderSettings>& folders, const Node& value) {
  if (value.kind == Node::Kind::empty) return;
  if (value.kind != Node::Kind::list) {
    complain(value,
             "expected a list of folders, each with name, path and tenant, got " + std::string(describe_kind(value)));
    return;
  }
  std::set<std::string> names;
  std::set<std::filesystem::path> paths;
  for (const Node& item : value.items) {
    PickupFolderSettings folder;
    const std::size_t errors_before = errors_.size();
    const Places places = read(item, fields_of(folder));
    if (errors_.size() == errors_before) {
      if (!is_folder_name(folder.name))
        errors_.push_back(
            {places.find("name")->second,
             "'name' must have 1 to 40 lower-case letters, digits, '-' and '_', got " + shown(folder.name)});
      else if (!names.insert(folder.name).second)
        errors_.push_back({places.find("name")->second, "another folder has the name " + shown(folder.name)});
      if (!paths.insert(folder.path.lexically_normal()).second)
        errors_.push_back({places.find("path")->second, "another folder has the path " + shown(folder.path.string())});
    }
    folders.push_back(std::move(folder));
  }
}

}  // namespace tideover::settings
