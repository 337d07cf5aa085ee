#include "core/plugin_host/calls/host_table.hpp"

#include "core/domain/basics/bank_calendar.hpp"
#include "core/plugin_host/calls/handshake.hpp"
#include "core/plugin_host/calls/lent.hpp"

namespace tideover::plugin_host {
namespace {

constexpr std::int32_t kMinutesOfDay = 24 * 60;
constexpr int kLogLines = 100;
constexpr std::chrono::seconds kLogLinesIn{10};

/// An invalid date reads as 1970-01-01: wrong, but harmless and visible.
domain::Date date_of(tideover_date lent) {
  const auto taken = take_date(lent);
  return taken && taken->date ? *taken->date : domain::Date{};
}

/// The same for an instant in another century.
domain::Timestamp instant_of(std::int64_t utc_ms) {
  return take_instant(utc_ms).value_or(domain::Timestamp{});
}

LogLevel level_of(tideover_log_level level) {
  switch (level) {
    case TIDEOVER_LOG_DEBUG:
      return LogLevel::debug;
    case TIDEOVER_LOG_INFO:
      return LogLevel::info;
    case TIDEOVER_LOG_WARNING:
      return LogLevel::warning;
    default:
      return LogLevel::error;
  }
}

}  // namespace

HostTable::HostTable(const HostServices& services, std::string plugin)
    : services_(services), plugin_(std::move(plugin)), lines_(kLogLines, kLogLinesIn), table_{} {
  table_.size = sizeof table_;
  table_.ctx = this;
  table_.version = lend(host_version());
  table_.log = &HostTable::log;
  table_.now_ms = &HostTable::now_ms;
  table_.local_date = &HostTable::local_date;
  table_.local_minute = &HostTable::local_minute;
  table_.instant_ms = &HostTable::instant_ms;
  table_.is_banking_day = &HostTable::is_banking_day;
  table_.banking_day_on_or_after = &HostTable::banking_day_on_or_after;
}

void HostTable::log(void* ctx, tideover_log_level level, tideover_str message) noexcept {
  const auto& host = self(ctx);
  if (!host.services_.log) return;
  const auto left_out = host.lines_.take();
  if (!left_out) return;
  try {
    if (*left_out > 0)
      host.services_.log(LogLevel::warning, host.plugin_,
                         std::to_string(*left_out) + " log lines of this plugin were omitted: it writes too many");
    host.services_.log(level_of(level), host.plugin_, take_message(message));
  } catch (const std::bad_alloc&) {
    // A line is lost.
  }
}

std::int64_t HostTable::now_ms(void* ctx) noexcept {
  return self(ctx).services_.clock.now().ms();
}

tideover_date HostTable::local_date(void* ctx, std::int64_t utc_ms) noexcept {
  return lend(self(ctx).services_.bank_time.date_at(instant_of(utc_ms)));
}

std::int32_t HostTable::local_minute(void* ctx, std::int64_t utc_ms) noexcept {
  return self(ctx).services_.bank_time.minute_of_day(instant_of(utc_ms));
}

std::int64_t HostTable::instant_ms(void* ctx, tideover_date date, std::int32_t minute) noexcept {
  return self(ctx).services_.bank_time.instant(date_of(date), minute >= 0 && minute < kMinutesOfDay ? minute : 0).ms();
}

std::int32_t HostTable::is_banking_day(void*, tideover_date date) noexcept {
  return domain::is_banking_day(date_of(date)) ? 1 : 0;
}

tideover_date HostTable::banking_day_on_or_after(void*, tideover_date date) noexcept {
  return lend(domain::banking_day_on_or_after(date_of(date)));
}

}  // namespace tideover::plugin_host
