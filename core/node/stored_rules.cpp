#include "core/node/stored_rules.hpp"

#include "core/lua/engine/engine.hpp"
#include "core/lua/tools/rule_edit.hpp"
#include "core/lua/vm/bundle.hpp"

namespace tideover::node {

using domain::Error;
using domain::ErrorCode;

domain::Result<lua::Bundle> StoredRules::find(std::string_view sha256) const {
  std::vector<domain::RuleBundle> alike;
  std::optional<domain::RuleBundle> bundle;
  const auto read = store_.read([&](const ports::Records& records) {
    alike = records.rules().find_by_prefix(sha256, 2);
    if (alike.size() == 1) bundle = records.rules().find(alike.front().sha256);
  });
  if (!read) return read.error();
  if (alike.size() > 1)
    return Error::of(ErrorCode::not_found, "Several rule bundles start with these digits. Give more digits.");
  if (!bundle) return Error::of(ErrorCode::not_found, "Rule bundle not found.");
  auto files = lua::unpack(bundle->files, bundle->sha256);
  if (!files) return Error::of(ErrorCode::invalid_state, "The store does not have all files of this rule bundle.");
  return std::move(*files);
}

domain::Result<std::shared_ptr<ports::RulePolicy>> StoredRules::open(std::string_view sha256) {
  auto files = find(sha256);
  if (!files) return files.error();
  auto loaded = lua::load_ruleset(std::move(*files), options_);
  if (!loaded.ruleset)
    return Error::of(ErrorCode::invalid_state,
                     "The rules are not valid for this program: " + loaded.errors.front().text());
  return std::shared_ptr<ports::RulePolicy>(std::make_shared<lua::Engine>(std::move(loaded.ruleset), options_.limits));
}

domain::Result<ports::EditedRules> StoredRules::with_shadow(std::string_view sha256, const std::string& rule_id,
                                                            bool is_shadow) {
  auto files = find(sha256);
  if (!files) return files.error();
  const auto mode = is_shadow ? lua::RuleMode::shadow : lua::RuleMode::live;
  const auto file = files->files.find(lua::file_of_rule(rule_id));
  if (file == files->files.end()) return Error::of(ErrorCode::not_found, "Rule not found.");
  auto edited = lua::with_mode(file->first, file->second, mode);
  if (!edited.problem.empty()) return Error::of(ErrorCode::invalid_state, std::move(edited.problem));
  if (edited.text.empty())
    return Error::of(ErrorCode::invalid_state, "The rule is " + std::string(lua::name_of(mode)) + " already.");
  file->second = std::move(edited.text);
  lua::update_digest(*files);
  auto loaded = lua::load_ruleset(std::move(*files), options_);
  if (!loaded.ruleset)
    return Error::of(ErrorCode::invalid_state,
                     "The rules are not valid with this change: " + loaded.errors.front().text());
  return ports::EditedRules{loaded.sha256, loaded.ruleset->stamp.version, lua::pack(*loaded.bundle)};
}

}  // namespace tideover::node
