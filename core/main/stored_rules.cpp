#include "core/main/stored_rules.hpp"

#include "core/lua/bundle.hpp"
#include "core/lua/engine.hpp"

namespace tideover::main {

using domain::Error;
using domain::ErrorCode;

domain::Result<std::shared_ptr<ports::RulePolicy>> StoredRules::open(std::string_view sha256) {
  std::vector<domain::RuleBundle> alike;
  std::optional<domain::RuleBundle> bundle;
  const auto read = store_.read([&](const ports::Records& records) {
    alike = records.rules().find_by_prefix(sha256, 2);
    if (alike.size() == 1) bundle = records.rules().find(alike.front().sha256);
  });
  if (!read) return read.error();
  if (alike.size() > 1) return Error::of(ErrorCode::not_found, "Several bundles of rules begin with these digits; give more of them.");
  if (!bundle) return Error::of(ErrorCode::not_found, "No bundle of rules of this digest was ever filed.");
  auto files = lua::unpack(bundle->files, bundle->sha256);
  if (!files) return Error::of(ErrorCode::invalid_state, "The store does not hold this bundle of rules whole.");
  auto loaded = lua::load_ruleset(std::move(*files), options_);
  if (!loaded.ruleset) return Error::of(ErrorCode::invalid_state, "This program cannot use these rules: " + loaded.errors.front().text());
  return std::shared_ptr<ports::RulePolicy>(std::make_shared<lua::Engine>(std::move(loaded.ruleset), options_.limits));
}

}  // namespace tideover::main
