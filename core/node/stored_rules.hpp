// Compiles stored rule bundles for queries about a claim. They are not counted in metrics and decide nothing.
#pragma once
#include "core/lua/ruleset/loader.hpp"
#include "core/ports/rules/rule_library.hpp"
#include "core/ports/store.hpp"

namespace tideover::node {

class StoredRules final : public ports::RuleLibrary {
 public:
  StoredRules(ports::Store& store, const lua::LoadOptions& options) : store_(store), options_(options) {}
  domain::Result<std::shared_ptr<ports::RulePolicy>> open(std::string_view sha256) override;
  domain::Result<ports::EditedRules> with_shadow(std::string_view sha256, const std::string& rule_id,
                                                 bool is_shadow) override;

 private:
  domain::Result<lua::Bundle> find(std::string_view sha256) const;

  ports::Store& store_;
  const lua::LoadOptions& options_;
};

}  // namespace tideover::node
