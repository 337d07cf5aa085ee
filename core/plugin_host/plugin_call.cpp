#include "core/plugin_host/plugin_call.hpp"

#include <map>

#include "core/plugin_host/lent.hpp"

namespace tideover::plugin_host {

using domain::Error;
using domain::ErrorCode;

Plugin::Plugin(const HostServices& given, const std::string& kind_name, const std::string& running_id)
    : services(std::make_shared<const HostServices>(given)),
      kind(kind_name),
      id(running_id),
      host(*services, kind_name + "/" + running_id) {}

Plugin::~Plugin() {
  if (instance) descriptor->destroy(instance);
}

void Plugin::count(const std::string& function, const std::string& what, const std::string& message) const {
  if (services->on_fault) services->on_fault({kind, id, function, what, message});
}

PluginCall::PluginCall(const Plugin& plugin, const char* function, std::chrono::milliseconds budget,
                       std::chrono::steady_clock::time_point asked_at)
    : plugin_(plugin), function_(function), budget_(std::max(budget, std::chrono::milliseconds(1))), asked_at_(asked_at) {}

tideover_status PluginCall::run(const std::function<tideover_status(const tideover_call*)>& body) {
  const tideover_call call{sizeof(tideover_call), 0, budget_.count(), this, &PluginCall::report};
  tideover_status status = TIDEOVER_FAILED;
  const char* what = "nonsense";
  try {
    status = body(&call);
  } catch (const std::exception& error) {
    // An exception of another compiler or runtime would not arrive here; the SDK's barrier is the rule, this the net.
    nonsense(std::string("threw an exception: ") + error.what());
    what = "threw";
  } catch (...) {
    nonsense("threw an exception");
    what = "threw";
  }
  const auto took = std::chrono::steady_clock::now() - asked_at_;

  if (nonsense_.empty() && (status < TIDEOVER_OK || status > TIDEOVER_FAILED))
    nonsense("returned the status " + std::to_string(status) + ", which does not exist");
  if (nonsense_.empty() && status == TIDEOVER_FAILED && !reported_) nonsense("failed without saying why");
  if (!nonsense_.empty()) {
    plugin_.count(function_, what, reason());
    return TIDEOVER_FAILED;
  }
  if (took > budget_) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
    plugin_.count(function_, "late",
                  plugin_.label() + ": " + function_ + " took " + std::to_string(ms) + " ms of " +
                      std::to_string(budget_.count()) + " ms");
  }
  // Bad input is the client's business; what the plugin could not do is ours.
  if (status == TIDEOVER_FAILED && (reported_->code == TIDEOVER_FAULT_INTERNAL ||
                                    reported_->code == TIDEOVER_FAULT_UNAVAILABLE ||
                                    reported_->code == TIDEOVER_FAULT_DEADLINE))
    plugin_.count(function_, "failed", reason());
  return status;
}

void PluginCall::nonsense(const std::string& what) noexcept {
  try {
    if (nonsense_.empty()) nonsense_ = what;
  } catch (const std::bad_alloc&) {
    // The call then looks as if nothing had been reported, which is a fault too.
  }
}

void PluginCall::report(void* ctx, const tideover_fault* fault) noexcept {
  auto& call = *static_cast<PluginCall*>(ctx);
  guard_sink(call, [&] {
    if (!fault || fault->size < sizeof(tideover_fault)) return call.nonsense("reported a fault that is too small");
    auto message = take_text(fault->message);
    auto details = take_pairs(fault->details);
    if (!message || message->empty() || !details) return call.nonsense("reported a fault that is not text");
    call.reported_ = ReportedFault{fault->code, std::move(*message), fault->line,
                                   fault->segment, fault->byte, std::move(*details)};
  });
}

std::string PluginCall::reason() const {
  if (!nonsense_.empty()) return "plugin " + plugin_.label() + ", " + function_ + ": " + nonsense_;
  return reported_ ? reported_->message : "plugin " + plugin_.label() + " gave no reason";
}

Error PluginCall::error(const std::vector<std::pair<tideover_fault_code, ErrorCode>>& codes, ErrorCode otherwise) const {
  ErrorCode code = otherwise;
  if (nonsense_.empty() && reported_)
    for (const auto& [fault, mapped] : codes)
      if (fault == reported_->code) code = mapped;
  // What a plugin did not mean to say - an exception's text, say - is for the operator, who has it by `count`.
  if (!nonsense_.empty() || !reported_ || reported_->code == TIDEOVER_FAULT_INTERNAL)
    return Error::of(code, "The plugin " + plugin_.label() + " failed; its operator's log says why. Try again later.");
  Error error = Error::of(code, reported_->message);
  if (reported_->line > 0) error.details.emplace_back("line", std::to_string(reported_->line));
  if (reported_->segment > 0) error.details.emplace_back("segment", std::to_string(reported_->segment));
  if (reported_->byte >= 0) error.details.emplace_back("byte", std::to_string(reported_->byte));
  std::map<std::string, std::vector<std::string>> lists;
  for (const auto& [key, value] : reported_->details) {
    if (key.ends_with("[]"))
      lists[key.substr(0, key.size() - 2)].push_back(value);
    else
      error.details.emplace_back(key, value);
  }
  for (auto& [name, values] : lists) error.lists.emplace_back(name, std::move(values));
  return error;
}

}  // namespace tideover::plugin_host
