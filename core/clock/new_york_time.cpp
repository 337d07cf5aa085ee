#include "core/clock/new_york_time.hpp"

#include <date/tz.h>

#include <stdexcept>

namespace tideover::clock {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

const date::time_zone& as_zone(const void* zone) {
  return *static_cast<const date::time_zone*>(zone);
}

date::local_time<milliseconds> local(const void* zone, domain::Timestamp at) {
  return as_zone(zone).to_local(date::sys_time<milliseconds>(milliseconds(at.ms())));
}

const void* new_york() {
  try {
    return date::locate_zone("America/New_York");
  } catch (const std::exception& failure) {
    throw std::runtime_error(std::string("time zone America/New_York not found; install the package tzdata (") +
                             failure.what() + ")");
  }
}

}  // namespace

NewYorkTime::NewYorkTime() : ZonedTime(new_york()) {}

domain::Date ZonedTime::date_at(domain::Timestamp at) const {
  const auto day = date::floor<date::days>(local(zone_, at));
  return domain::Date::from_days(static_cast<std::int32_t>(day.time_since_epoch().count()));
}

int ZonedTime::minute_of_day(domain::Timestamp at) const {
  const auto time = local(zone_, at);
  return static_cast<int>(date::floor<minutes>(time - date::floor<date::days>(time)).count());
}

domain::Timestamp ZonedTime::instant(domain::Date day, int minute) const {
  const date::local_time<milliseconds> time(date::days(day.days()) + minutes(minute));
  const auto at = as_zone(zone_).to_sys(time, date::choose::earliest);
  return domain::Timestamp::from_ms(at.time_since_epoch().count());
}

std::unique_ptr<ports::BankTime> ZonedTime::in_zone(const std::string& name) const {
  try {
    return std::make_unique<ZonedTime>(date::locate_zone(name));
  } catch (const std::runtime_error&) {
    return nullptr;
  }
}

}  // namespace tideover::clock
