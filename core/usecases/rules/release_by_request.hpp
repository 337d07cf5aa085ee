// Releases rules by request (core/docs/contract.md#rule-releases): the steps of ReleaseRules, each with the audit row
// and the stored response in the same transaction. The actor is the client. Rules decide for all tenants, so the client
// must belong to the operator's tenant.
//
// Threads: thread-safe.
#pragma once
#include <string>
#include <utility>

#include "core/ports/rules/rule_library.hpp"
#include "core/usecases/request/request_context.hpp"
#include "core/usecases/rules/release_rules.hpp"

namespace tideover::usecases {

class ReleaseByRequest {
 public:
  /// `operator_tenant`: its name; empty: no client may release rules. Clients of other tenants get insufficient_scope,
  /// whatever their scopes are.
  ReleaseByRequest(ports::Store& store, ReleaseRules& release, ports::RuleLibrary& library, ports::IdSource& ids,
                   std::string operator_tenant)
      : store_(store), release_(release), library_(library), ids_(ids), operator_tenant_(std::move(operator_tenant)) {}

  /// `bundle`: a digest or its first digits, at least six. Error not_found, validation_error or invalid_state.
  domain::Result<StoredResponse> promote(const RequestContext& context, const std::string& bundle,
                                         const std::string& reason, const Render<domain::LiveRules>& render);
  /// Approves what another client or operator filed.
  domain::Result<StoredResponse> approve(const RequestContext& context, const std::string& bundle,
                                         const std::string& reason, const Render<domain::RuleBundle>& render);
  /// An empty `bundle`: the rules before the live ones.
  domain::Result<StoredResponse> roll_back(const RequestContext& context, const std::string& bundle,
                                           const std::string& reason, const Render<domain::LiveRules>& render);
  /// Files the live rules with one rule moved into or out of shadow mode. Does not promote them.
  domain::Result<StoredResponse> shadow(const RequestContext& context, const std::string& rule_id, bool is_off,
                                        const Render<domain::RuleBundle>& render);

 private:
  domain::Status may_release(const RequestContext& context) const;
  domain::Result<std::string> named(const std::string& prefix) const;

  ports::Store& store_;
  ReleaseRules& release_;
  ports::RuleLibrary& library_;
  ports::IdSource& ids_;
  const std::string operator_tenant_;
};

}  // namespace tideover::usecases
