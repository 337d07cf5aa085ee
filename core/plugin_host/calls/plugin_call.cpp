#include "core/plugin_host/calls/plugin_call.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "core/plugin_host/calls/crash_note.hpp"
#include "core/plugin_host/calls/lent.hpp"

namespace tideover::plugin_host {
namespace {

using domain::Error;
using domain::ErrorCode;

/// Calls of a rail wait for a bank; unanswered ones must not block the payments of others at once.
constexpr int kMostUnansweredOfRail = 64;
constexpr int kMostUnanswered = 16;
constexpr int kFaultLines = 20;
constexpr std::chrono::seconds kFaultLinesIn{10};
constexpr std::chrono::seconds kRecent{60};

/// The request of the call that runs on this thread: nested calls belong to the same request.
thread_local const std::string* request_of_thread = nullptr;

std::string current_request(const HostServices& services) {
  if (request_of_thread) return *request_of_thread;
  return services.request_id ? services.request_id() : std::string();
}

bool is_known(tideover_fault_code code) {
  return code >= TIDEOVER_FAULT_INTERNAL && code <= TIDEOVER_FAULT_LIMIT;
}

/// True for a fault of the plugin, false for a fault of its client's input.
bool is_own_trouble(tideover_fault_code code) {
  return code == TIDEOVER_FAULT_INTERNAL || code == TIDEOVER_FAULT_UNAVAILABLE || code == TIDEOVER_FAULT_DEADLINE;
}

}  // namespace

void CallCounts::add(const char* function, std::chrono::nanoseconds took) {
  for (auto& count : counts_) {
    const char* known = nullptr;
    if (count.function.compare_exchange_strong(known, function) || std::string_view(known) == function) {
      count.calls.fetch_add(1, std::memory_order_relaxed);
      count.nanoseconds.fetch_add(took.count(), std::memory_order_relaxed);
      return;
    }
  }
}

std::vector<CallCount> CallCounts::all() const {
  std::vector<CallCount> all;
  for (const auto& count : counts_)
    if (const char* function = count.function.load())
      all.push_back({function, count.calls.load(), std::chrono::nanoseconds(count.nanoseconds.load())});
  return all;
}

Plugin::Plugin(const HostServices& given, const PluginSpec& spec, const std::string& kind_name,
               const std::string& running_id)
    : services(std::make_shared<const HostServices>(given)),
      kind(kind_name),
      id(running_id),
      path(spec.path),
      crash_label(kind_name + " '" + running_id + "' (" + spec.path + ")"),
      most_unanswered(kind_name == "funding_rail" ? kMostUnansweredOfRail : kMostUnanswered),
      host(*services, kind_name + "/" + running_id),
      fault_lines_(kFaultLines, kFaultLinesIn) {}

void Plugin::count(const std::string& function, const std::string& what, const std::string& message,
                   const std::string& request_id) const {
  const std::shared_lock<std::shared_mutex> services_stay(services_mutex_);
  if (is_retired_) return;
  {
    const std::lock_guard<std::mutex> guard(failure_mutex_);
    ++failures_;
    last_failure_ = function + ": " + what;
    failed_at_ = std::chrono::steady_clock::now();
  }
  if (!services->on_fault) return;
  const auto line = fault_lines_.take();
  services->on_fault({kind, id, function, what, message, request_id, line.has_value(), line.value_or(0)});
}

void Plugin::retire() const {
  is_closing = true;
  const std::unique_lock<std::shared_mutex> guard(services_mutex_);
  is_retired_ = true;
}

PluginState Plugin::state() const {
  PluginState state{kind, id, takes_calls(), unanswered, 0, {}, counts.all()};
  const std::lock_guard<std::mutex> guard(failure_mutex_);
  state.failures = failures_;
  if (failures_ > 0 && std::chrono::steady_clock::now() - failed_at_ < kRecent) state.recent_failure = last_failure_;
  return state;
}

std::optional<ErrorCode> CallTerms::error_of(tideover_fault_code code) const {
  for (const auto& fault : faults)
    if (fault.code != 0 && fault.code == code) return fault.error;
  return std::nullopt;
}

PluginCall::PluginCall(std::shared_ptr<const Plugin> plugin, const CallTerms& terms, std::chrono::milliseconds budget)
    : plugin_(std::move(plugin)),
      terms_(terms),
      budget_(std::max(budget, std::chrono::milliseconds(1))),
      request_id_(current_request(*plugin_->services)),
      context_(this, plugin_),
      lent_call_(context_.lend(
          tideover_call{sizeof(tideover_call), 0, budget_.count(), context_.ctx(), &PluginCall::report})) {}

tideover_status PluginCall::run(Body body, const Check& check) {
  // Counted before the check: close() either sees this call or has closed the plugin already.
  ++plugin_->running;
  if (!plugin_->takes_calls()) {
    --plugin_->running;
    lost_ = plugin_->label() +
            " has too many unanswered calls; it is not called until some of them end, or until a restart";
    return fail("refused");
  }
  body_ = std::move(body);
  asked_at_ = std::chrono::steady_clock::now();
  if (!CallThreads::shared().start(shared_from_this())) {
    --plugin_->running;
    lost_ = "no thread was free for a call of " + plugin_->label();
    return fail("refused");
  }
  std::unique_lock<std::mutex> lock(mutex_);
  if (ended_.wait_until(lock, asked_at_ + budget_, [&] { return is_over_; })) {
    plugin_->counts.add(terms_.function, over_at_ - asked_at_);
    return judge(check);
  }
  is_abandoned_ = true;
  ++plugin_->unanswered;
  CallThreads::shared().abandon();
  lock.unlock();
  context_.close();  // from here on only the caller uses the output of the sinks
  plugin_->counts.add(terms_.function, std::chrono::steady_clock::now() - asked_at_);
  lost_ =
      plugin_->label() + " did not answer " + terms_.function + " within " + std::to_string(budget_.count()) + " ms";
  return fail("unanswered");
}

// The forced unwinding of the library has no object: the caught reference is invalid and must not be read.
__attribute__((no_sanitize("null"))) void PluginCall::work() {
  const CrashNote note(plugin_->crash_label.c_str(), terms_.function);
  request_of_thread = &request_id_;
  const ports::TimeShift shifted(shift_ms_);
  tideover_status status = TIDEOVER_FAILED;
  std::string threw;
  try {
    status = body_(lent_call_);
  } catch (abi::__forced_unwind&) {
    end(TIDEOVER_FAILED, "ended the thread of the call");
    throw;  // this thread cannot be kept
  } catch (const std::exception& error) {
    // An exception of another compiler or runtime would not arrive here. The SDK catches exceptions; this is a second
    // protection.
    threw = std::string("threw an exception: ") + error.what();
  } catch (...) {
    threw = "threw an exception";
  }
  end(status, std::move(threw));
}

void PluginCall::end(tideover_status status, std::string threw) {
  context_.close();
  body_ = nullptr;  // before the caller continues, so that it is the only owner of shared data
  request_of_thread = nullptr;
  std::unique_lock<std::mutex> lock(mutex_);
  status_ = status;
  threw_ = std::move(threw);
  over_at_ = std::chrono::steady_clock::now();
  is_over_ = true;
  const bool was_abandoned = is_abandoned_;
  --plugin_->running;
  ended_.notify_one();
  lock.unlock();
  if (!was_abandoned) return;
  --plugin_->unanswered;
  CallThreads::shared().abandoned_ended();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(over_at_ - asked_at_).count();
  plugin_->count(terms_.function, "late",
                 plugin_->label() + ": " + terms_.function + " returned after " + std::to_string(ms) + " ms of " +
                     std::to_string(budget_.count()) + " ms; its answer was dropped",
                 request_id_);
}

tideover_status PluginCall::judge(const Check& check) {
  if (!threw_.empty()) {
    nonsense_ = threw_;
    return fail("threw");
  }
  if (check && nonsense_.empty()) check(status_);
  const bool is_known_status = status_ >= TIDEOVER_OK && status_ <= TIDEOVER_FAILED;
  if (!is_known_status) nonsense("returned the status " + std::to_string(status_) + ", which does not exist");
  if ((status_ == TIDEOVER_NOT_FOUND && !terms_.may_not_find) || (status_ == TIDEOVER_END && !terms_.may_end))
    nonsense("returned a status that is not allowed here");
  if (status_ == TIDEOVER_FAILED && !reported_) nonsense("failed without a reason");
  if (status_ != TIDEOVER_FAILED && reported_) nonsense("reported a fault and did not fail");
  if (!nonsense_.empty()) return fail("nonsense");
  // Invalid input concerns the client. A failure of the plugin concerns the operator, and so does a fault that is not
  // allowed in this call.
  if (status_ == TIDEOVER_FAILED && (is_own_trouble(reported_->code) || !terms_.error_of(reported_->code)))
    plugin_->count(terms_.function, "failed", reason(), request_id_);
  return status_;
}

tideover_status PluginCall::fail(const char* what) {
  plugin_->count(terms_.function, what, reason(), request_id_);
  return TIDEOVER_FAILED;
}

void PluginCall::nonsense(const std::string& what) noexcept {
  try {
    if (nonsense_.empty()) nonsense_ = what;
  } catch (const std::bad_alloc&) {
    // The call then looks as if no fault had been reported, which is also a fault.
  }
}

void PluginCall::report(void* ctx, const tideover_fault* fault) noexcept {
  with_call(ctx, [&](PluginCall& call) {
    if (!fault || fault->size < sizeof(tideover_fault)) return call.nonsense("reported a fault that is too small");
    if (call.reported_) return call.nonsense("reported two faults in one call");
    if (!is_known(fault->code))
      return call.nonsense("reported a fault of the code " + std::to_string(fault->code) + ", which does not exist");
    auto message = take_message(fault->message);
    auto details = take_pairs(fault->details);
    if (message.empty() || !details) return call.nonsense("reported a fault that is not text");
    call.reported_ =
        ReportedFault{fault->code, std::move(message), fault->line, fault->segment, fault->byte, std::move(*details)};
  });
}

std::string PluginCall::reason() const {
  if (!lost_.empty()) return lost_;
  if (!nonsense_.empty()) return "plugin " + plugin_->label() + ", " + terms_.function + ": " + nonsense_;
  return reported_ ? reported_->message : "plugin " + plugin_->label() + " gave no reason";
}

Error PluginCall::error() const {
  const auto unavailable = terms_.error_of(TIDEOVER_FAULT_UNAVAILABLE).value_or(terms_.otherwise);
  if (!lost_.empty())
    return Error::of(unavailable,
                     "Plugin " + plugin_->label() + " does not answer. Retry later; the service's log has details.");
  const bool is_for_client =
      nonsense_.empty() && reported_ && !is_own_trouble(reported_->code) && terms_.error_of(reported_->code);
  // Text that is not meant for clients, such as an exception, is for the operator, who has it by `count`.
  if (!is_for_client)
    return Error::of(
        nonsense_.empty() && reported_ ? terms_.error_of(reported_->code).value_or(terms_.otherwise) : terms_.otherwise,
        "Plugin " + plugin_->label() + " failed. Retry later; the service's log has the reason.");
  Error error = Error::of(*terms_.error_of(reported_->code), reported_->message);
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
  if (reported_->code == TIDEOVER_FAULT_INVALID_MAPPING) error.fields.push_back({"mapping", reported_->message});
  return error;
}

}  // namespace tideover::plugin_host
