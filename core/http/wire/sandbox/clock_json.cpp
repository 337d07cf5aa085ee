#include "core/http/wire/sandbox/clock_json.hpp"

#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

domain::ClockMove decode_clock_move(const json::Value& body, Faults& faults) {
  ObjectReader in(body, "", faults);
  domain::ClockMove move;
  const auto advance = in.short_text("advance", 64);
  if (advance && !(move.advance_ms = domain::parse_duration(*advance)))
    in.fault("advance", "must be a duration such as P3D, PT36H or P2W");
  move.set = in.date_or_timestamp("set");
  if (advance && move.set) in.fault("set", "must be absent when there is an advance");
  if (!advance && !move.set) in.require("advance");
  in.finish();
  return move;
}

std::string encode_clock(const domain::TenantTime& clock) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("now").string(format_timestamp(clock.now));
  out.key("offset_seconds").number(clock.shift_ms / 1000);
  out.end_object();
  return body;
}

}  // namespace tideover::wire
