#include "core/settings/reason_codes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/domain/basics/date.hpp"
#include "core/settings/document.hpp"
#include "core/settings/suggestion.hpp"

namespace tideover::settings {
namespace {

using Names = std::vector<std::string_view>;

const Names kKeys = {"code",    "system", "description",    "group_codes", "category", "severity", "recommended_action",
                     "maps_to", "active", "effective_from", "effective_to"};
const Names kSystems = {"CARC", "RARC", "SERVICE"};
const Names kGroups = {"CO", "PR", "OA", "PI"};
const Names kSeverities = {"info", "warning", "denial"};
const Names kCategories = {"eligibility",       "authorization", "coding",       "timely_filing", "coordination",
                           "medical_necessity", "duplicate",     "data_quality", "provider",      "contractual"};

bool is_one_of(const Names& names, std::string_view text) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

class Catalogue {
 public:
  ReasonCodesResult read(const Node& root) {
    const Node* list = nullptr;
    for (const auto& [name, value] : root.entries) {
      if (name.scalar == "reason_codes" && list == nullptr) {
        list = &value;
      } else {
        complain(name, "unknown or duplicate key " + shown(name.scalar) + "; the file has one list, 'reason_codes'");
      }
    }
    if (list == nullptr || list->kind != Node::Kind::list) {
      complain(list == nullptr ? root : *list, "expected a list under 'reason_codes'");
    } else {
      for (const Node& item : list->items) read_record(item);
      check_references();
    }
    if (!errors_.empty()) return std::move(errors_);
    return std::move(codes_);
  }

 private:
  // The values of one record by key: known keys only, none twice.
  using Record = std::map<std::string_view, const Node*>;

  void read_record(const Node& item) {
    if (item.kind != Node::Kind::mapping) return complain(item, "expected the keys and values of one reason code");
    Record record;
    for (const auto& [name, value] : item.entries) {
      if (!is_one_of(kKeys, name.scalar)) {
        complain(name, "unknown key " + shown(name.scalar) + did_you_mean(name.scalar, kKeys));
      } else if (!record.emplace(name.scalar, &value).second) {
        complain(name, "duplicate key " + shown(name.scalar));
      }
    }
    domain::ReasonCode code;
    code.code = required_text(item, record, "code");
    code.system = required_name(item, record, "system", kSystems);
    code.description = required_text(item, record, "description");
    code.group_codes = groups(item, record);
    code.category = required_name(item, record, "category", kCategories);
    code.severity = required_name(item, record, "severity", kSeverities);
    code.recommended_action = required_text(item, record, "recommended_action");
    code.maps_to = text(record, "maps_to");
    code.active = active(record);
    code.effective_from = date(record, "effective_from");
    code.effective_to = date(record, "effective_to");

    if (const auto node = record.find("code"); node != record.end() && !code.code.empty()) {
      const auto [first, fresh] = places_.emplace(code.code, node->second->where);
      if (!fresh) complain(*node->second, "the code " + shown(code.code) + " was listed before at " + first->second);
    }
    if (const auto node = record.find("maps_to"); node != record.end()) {
      if (code.system != "SERVICE") complain(*node->second, "only a SERVICE code maps to a CARC");
      references_.emplace_back(node->second, code.maps_to);
    }
    codes_.push_back(std::move(code));
  }

  std::string text(const Record& record, std::string_view key) {
    const auto found = record.find(key);
    if (found == record.end()) return "";
    if (found->second->kind != Node::Kind::scalar || found->second->scalar.empty()) {
      complain(*found->second, "'" + std::string(key) + "' must be text");
    }
    return found->second->scalar;
  }

  std::string required_text(const Node& item, const Record& record, std::string_view key) {
    if (!record.contains(key)) complain(item, "the key '" + std::string(key) + "' is missing");
    return text(record, key);
  }

  std::string required_name(const Node& item, const Record& record, std::string_view key, const Names& names) {
    const std::string value = required_text(item, record, key);
    if (!value.empty()) check_name(*record.find(key)->second, value, names);
    return value;
  }

  void check_name(const Node& node, std::string_view value, const Names& names) {
    if (is_one_of(names, value)) return;
    std::string allowed;
    for (const std::string_view name : names) allowed += (allowed.empty() ? "" : ", ") + std::string(name);
    complain(node, "expected one of " + allowed + ", got " + shown(value) + did_you_mean(value, names));
  }

  std::vector<std::string> groups(const Node& item, const Record& record) {
    const auto found = record.find("group_codes");
    if (found == record.end() || found->second->kind != Node::Kind::list || found->second->items.empty()) {
      complain(found == record.end() ? item : *found->second, "'group_codes' must be a list, such as [CO, PR]");
      return {};
    }
    std::vector<std::string> groups;
    for (const Node& group : found->second->items) {
      check_name(group, group.scalar, kGroups);
      groups.push_back(group.scalar);
    }
    return groups;
  }

  bool active(const Record& record) {
    const std::string value = text(record, "active");
    if (!value.empty() && value != "true" && value != "false") {
      complain(*record.find("active")->second, "expected true or false, got " + shown(value));
    }
    return value != "false";
  }

  std::string date(const Record& record, std::string_view key) {
    const std::string value = text(record, key);
    if (!value.empty() && !domain::parse_date(value)) {
      complain(*record.find(key)->second, "expected a date such as 2026-01-31, got " + shown(value));
    }
    return value;
  }

  void check_references() {
    for (const auto& [node, target] : references_) {
      const auto is_target = [&target = target](const domain::ReasonCode& code) {
        return code.system == "CARC" && code.code == target;
      };
      if (std::none_of(codes_.begin(), codes_.end(), is_target)) {
        complain(*node, "maps to " + shown(target) + ", which is not a CARC of this file");
      }
    }
  }

  void complain(const Node& node, std::string message) { errors_.push_back({node.where, std::move(message)}); }

  std::vector<domain::ReasonCode> codes_;
  std::map<std::string, std::string> places_;  // code -> its position
  std::vector<std::pair<const Node*, std::string>> references_;
  std::vector<SettingsError> errors_;
};

}  // namespace

ReasonCodesResult load_reason_codes(const std::filesystem::path& file) {
  const auto document = read_document(file);
  if (const auto* error = std::get_if<SettingsError>(&document)) return std::vector{*error};
  return Catalogue().read(std::get<Node>(document));
}

}  // namespace tideover::settings
