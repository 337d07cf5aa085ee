#include "core/usecases/rules/release_by_request.hpp"

#include <vector>

#include "core/usecases/request/operator_tenant.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

constexpr std::size_t kShortestPrefix = 6;

std::string actor_of(const RequestContext& context) {
  return "client " + context.caller.client.text();
}

}  // namespace

domain::Status ReleaseByRequest::may_release(const RequestContext& context) const {
  const auto may = fetch(store_, [&](const ports::Records& records) {
    return is_operator(records, context.caller.tenant, operator_tenant_);
  });
  if (!may) return may.error();
  if (*may) return {};
  return Error::of(
      ErrorCode::insufficient_scope,
      "Rules decide for all tenants of this service. Only clients of the operator's tenant can release them "
      "(rules.operator_tenant). An operator can use `tideover rules`.");
}

domain::Result<std::string> ReleaseByRequest::named(const std::string& prefix) const {
  const auto refuse = [](ErrorCode code, std::string message, const char* problem) {
    auto error = Error::of(code, std::move(message));
    error.fields.push_back({"bundle", problem});
    return error;
  };
  if (prefix.size() < kShortestPrefix)
    return refuse(ErrorCode::validation_error, "Give at least six digits of the bundle's digest.",
                  "must be a digest or its first six digits or more");
  const auto found =
      fetch(store_, [&](const ports::Records& records) { return records.rules().find_by_prefix(prefix, 2); });
  if (!found) return found.error();
  if (found->size() > 1)
    return refuse(ErrorCode::validation_error, "Several rule bundles begin with these digits. Give more digits.",
                  "names several bundles");
  if (found->empty())
    return Error::of(ErrorCode::not_found, "Rule bundle not found: no bundle with this digest was filed.");
  return found->front().sha256;
}

domain::Result<StoredResponse> ReleaseByRequest::promote(const RequestContext& context, const std::string& bundle,
                                                         const std::string& reason,
                                                         const Render<domain::LiveRules>& render) {
  if (auto status = may_release(context); !status) return status.error();
  const auto sha256 = named(bundle);
  if (!sha256) return sha256.error();
  StoredResponse answer;
  const auto live = release_.promote(*sha256, actor_of(context), reason, false,
                                     [&](ports::Records& records, const domain::LiveRules& now) {
                                       answer.body = render(now);
                                       leave_trace(records, context, ids_, *sha256, answer.body);
                                     });
  if (!live) return live.error();
  return answer;
}

domain::Result<StoredResponse> ReleaseByRequest::approve(const RequestContext& context, const std::string& bundle,
                                                         const std::string& reason,
                                                         const Render<domain::RuleBundle>& render) {
  if (auto status = may_release(context); !status) return status.error();
  const auto sha256 = named(bundle);
  if (!sha256) return sha256.error();
  StoredResponse answer;
  const auto approved =
      release_.approve(*sha256, actor_of(context), reason, [&](ports::Records& records, const domain::RuleBundle& now) {
        answer.body = render(now);
        leave_trace(records, context, ids_, *sha256, answer.body);
      });
  if (!approved) return approved.error();
  return answer;
}

domain::Result<StoredResponse> ReleaseByRequest::roll_back(const RequestContext& context, const std::string& bundle,
                                                           const std::string& reason,
                                                           const Render<domain::LiveRules>& render) {
  if (auto status = may_release(context); !status) return status.error();
  std::string target;
  if (!bundle.empty()) {
    auto sha256 = named(bundle);
    if (!sha256) return sha256.error();
    target = std::move(*sha256);
  }
  StoredResponse answer;
  const auto live =
      release_.roll_back(target, actor_of(context), reason, [&](ports::Records& records, const domain::LiveRules& now) {
        answer.body = render(now);
        leave_trace(records, context, ids_, now.sha256, answer.body);
      });
  if (!live) return live.error();
  return answer;
}

domain::Result<StoredResponse> ReleaseByRequest::shadow(const RequestContext& context, const std::string& rule_id,
                                                        bool is_off, const Render<domain::RuleBundle>& render) {
  if (auto status = may_release(context); !status) return status.error();
  const auto live = fetch(store_, Error::of(ErrorCode::invalid_state, "No rules are live yet."),
                          [](const ports::Records& records) { return records.rules().live(); });
  if (!live) return live.error();
  const auto edited = library_.with_shadow(live->sha256, rule_id, !is_off);
  if (!edited) return edited.error();
  StoredResponse answer;
  const auto filed = release_.file({edited->sha256, edited->version, edited->files, ""}, actor_of(context),
                                   [&](ports::Records& records, const domain::RuleBundle& bundle) {
                                     answer.body = render(bundle);
                                     leave_trace(records, context, ids_, bundle.sha256, answer.body);
                                   });
  if (!filed) return filed.error();
  return answer;
}

}  // namespace tideover::usecases
