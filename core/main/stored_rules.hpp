// Bundles of rules that the store keeps, compiled for whoever asks what they say of a claim. Nothing is counted, nothing decides by them.
#pragma once
#include "core/lua/loader.hpp"
#include "core/ports/rule_library.hpp"
#include "core/ports/store.hpp"

namespace tideover::main {

class StoredRules final : public ports::RuleLibrary {
 public:
  StoredRules(ports::Store& store, const lua::LoadOptions& options) : store_(store), options_(options) {}
  domain::Result<std::shared_ptr<ports::RulePolicy>> open(std::string_view sha256) override;

 private:
  ports::Store& store_;
  const lua::LoadOptions& options_;
};

}  // namespace tideover::main
