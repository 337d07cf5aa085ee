// The table of host services that is lent to one plugin instance. Thread-safe; never throws into the plugin.
#pragma once
#include <string>

#include "api/plugin/tideover/plugin.h"
#include "core/plugin_host/calls/host_services.hpp"
#include "core/plugin_host/calls/rate_limit.hpp"

namespace tideover::plugin_host {

class HostTable {
 public:
  HostTable(const HostServices& services, std::string plugin);
  HostTable(const HostTable&) = delete;  // the table points to this object
  HostTable& operator=(const HostTable&) = delete;
  const tideover_host* table() const { return &table_; }

 private:
  static const HostTable& self(void* ctx) { return *static_cast<const HostTable*>(ctx); }
  static void log(void* ctx, tideover_log_level level, tideover_str message) noexcept;
  static std::int64_t now_ms(void* ctx) noexcept;
  static tideover_date local_date(void* ctx, std::int64_t utc_ms) noexcept;
  static std::int32_t local_minute(void* ctx, std::int64_t utc_ms) noexcept;
  static std::int64_t instant_ms(void* ctx, tideover_date date, std::int32_t minute) noexcept;
  static std::int32_t is_banking_day(void* ctx, tideover_date date) noexcept;
  static tideover_date banking_day_on_or_after(void* ctx, tideover_date date) noexcept;

  const HostServices& services_;
  const std::string plugin_;
  mutable RateLimit lines_;
  tideover_host table_;
};

}  // namespace tideover::plugin_host
