// Common parts of every C++ plugin: views of lent text, settings, the deadline of a call, the host's services, and the
// guard that reports an exception as a fault. Header-only, C++17. Depends on plugin.h only.
#pragma once
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin.h"

namespace tideover::sdk {

inline std::string_view view(tideover_str lent) {
  return {lent.ptr ? lent.ptr : "", lent.len};
}
inline tideover_str lend(std::string_view text) {
  return {text.data(), text.size()};
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

inline Pairs pairs_of(tideover_pair_list lent) {
  Pairs pairs;
  pairs.reserve(lent.count);
  for (std::size_t i = 0; i < lent.count; ++i) pairs.emplace_back(view(lent.items[i].key), view(lent.items[i].value));
  return pairs;
}

/// C array of C++ strings. The strings must outlive the call that they are lent to; a temporary does not compile.
class LentList {
 public:
  explicit LentList(const std::vector<std::string>&&) = delete;
  explicit LentList(const std::vector<std::string>& texts) {
    items_.reserve(texts.size());
    for (const auto& text : texts) items_.push_back(lend(text));
  }
  tideover_str_list list() const { return {items_.data(), items_.size()}; }

 private:
  std::vector<tideover_str> items_;
};

class LentPairs {
 public:
  explicit LentPairs(const Pairs&&) = delete;
  explicit LentPairs(const Pairs& pairs) {
    items_.reserve(pairs.size());
    for (const auto& [key, value] : pairs) items_.push_back({lend(key), lend(value)});
  }
  tideover_pair_list list() const { return {items_.data(), items_.size()}; }

 private:
  std::vector<tideover_pair> items_;
};

/// Throw it to fail a call. The message says what is wrong, where, and what to do. Clients read it with INVALID_INPUT,
/// INVALID_MAPPING, INVALID_DATE and LIMIT; operators read every message.
class Fault : public std::runtime_error {
 public:
  Fault(tideover_fault_code code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Fault at_line(std::int64_t line) && {
    line_ = line;
    return std::move(*this);
  }
  Fault at_segment(std::int64_t segment, std::int64_t byte) && {
    segment_ = segment;
    byte_ = byte;
    return std::move(*this);
  }
  Fault with(std::string key, std::string value) && {
    details_.emplace_back(std::move(key), std::move(value));
    return std::move(*this);
  }
  void report_to(const tideover_call* call) const {
    const LentPairs details(details_);
    const tideover_fault fault{sizeof(tideover_fault), code_, lend(what()), line_, segment_, byte_, details.list()};
    call->report(call->ctx, &fault);
  }

 private:
  tideover_fault_code code_;
  std::int64_t line_ = 0;
  std::int64_t segment_ = 0;
  std::int64_t byte_ = -1;
  Pairs details_;
};

/// Runs the body of one ABI function. An exception becomes a reported fault.
template <class Body>
tideover_status guard(const tideover_call* call, Body&& body) noexcept {
  try {
    try {
      return body();
    } catch (const Fault& fault) {
      fault.report_to(call);
    } catch (const std::exception& error) {
      Fault(TIDEOVER_FAULT_INTERNAL, error.what()).report_to(call);
    } catch (...) {
      Fault(TIDEOVER_FAULT_INTERNAL, "threw something that is no std::exception").report_to(call);
    }
  } catch (...) {
    // Out of memory while reporting: only the status is returned.
  }
  return TIDEOVER_FAILED;
}

/// End of the budget of a call. Created at the start of the call.
class Deadline {
 public:
  explicit Deadline(const tideover_call* call)
      : end_(std::chrono::steady_clock::now() + std::chrono::milliseconds(call->budget_ms)) {}
  std::chrono::milliseconds remaining() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
  }
  bool expired() const { return std::chrono::steady_clock::now() >= end_; }

 private:
  std::chrono::steady_clock::time_point end_;
};

/// The settings of the plugin. The host has checked them against kConfigKeys. Valid during construction only.
class Config {
 public:
  explicit Config(const tideover_config* config) : settings_(config->settings) {}
  std::optional<std::string> find(std::string_view key) const {
    for (std::size_t i = 0; i < settings_.count; ++i)
      if (view(settings_.items[i].key) == key) return std::string(view(settings_.items[i].value));
    return std::nullopt;
  }
  std::string require(std::string_view key) const {
    if (auto value = find(key); value && !value->empty()) return *value;
    throw Fault(TIDEOVER_FAULT_INVALID_CONFIG, "setting '" + std::string(key) + "' is missing or empty");
  }

 private:
  tideover_pair_list settings_;
};

/// The host's services. Copyable, thread-safe, valid as long as the instance.
class Host {
 public:
  explicit Host(const tideover_host* host) : host_(host) {}
  std::string_view version() const { return view(host_->version); }
  void log(tideover_log_level level, std::string_view message) const { host_->log(host_->ctx, level, lend(message)); }
  std::int64_t now_ms() const { return host_->now_ms(host_->ctx); }
  tideover_date local_date(std::int64_t utc_ms) const { return host_->local_date(host_->ctx, utc_ms); }
  int local_minute(std::int64_t utc_ms) const { return host_->local_minute(host_->ctx, utc_ms); }
  std::int64_t instant_ms(tideover_date date, int minute) const { return host_->instant_ms(host_->ctx, date, minute); }
  bool is_banking_day(tideover_date date) const { return host_->is_banking_day(host_->ctx, date) != 0; }
  tideover_date banking_day_on_or_after(tideover_date date) const {
    return host_->banking_day_on_or_after(host_->ctx, date);
  }

 private:
  const tideover_host* host_;
};

template <class Kind, class Plugin>
tideover_status create_plugin(const tideover_host* host, const tideover_config* config, const tideover_call* call,
                              void** instance) noexcept {
  return guard(call, [&]() -> tideover_status {
    // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): guard() makes it a status
    *instance = static_cast<Kind*>(new Plugin(Host(host), Config(config)));
    return TIDEOVER_OK;
  });
}

template <class Kind>
void destroy_plugin(void* instance) noexcept {
  delete static_cast<Kind*>(instance);
}

}  // namespace tideover::sdk

/// Exports CLASS as a plugin. CLASS derives from KIND, has a constructor (const Host&, const Config&) and a member
/// `static constexpr std::array<tideover_config_key, N> kConfigKeys`.
#define TIDEOVER_EXPORT_PLUGIN(KIND, CLASS, ID, NAME, VERSION, MIN_HOST_VERSION)  \
  extern "C" TIDEOVER_EXPORT const tideover_plugin_descriptor tideover_plugin = { \
      TIDEOVER_MAGIC,                                                             \
      TIDEOVER_ABI_MAJOR,                                                         \
      TIDEOVER_ABI_MINOR,                                                         \
      sizeof(tideover_plugin_descriptor),                                         \
      KIND::kKind,                                                                \
      TIDEOVER_STR(ID),                                                           \
      TIDEOVER_STR(NAME),                                                         \
      TIDEOVER_STR(VERSION),                                                      \
      TIDEOVER_STR(MIN_HOST_VERSION),                                             \
      CLASS::kConfigKeys.data(),                                                  \
      CLASS::kConfigKeys.size(),                                                  \
      &::tideover::sdk::create_plugin<KIND, CLASS>,                               \
      &::tideover::sdk::destroy_plugin<KIND>,                                     \
      &KIND::kFunctions,                                                          \
  }
