#include "core/http/wire/operations/event_log_json.hpp"

#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

std::string encode_events(const std::vector<ports::PublishedEvent>& events, const PageFrame& page) {
  return encode_list(
      events, page, [](json::Writer& out, const ports::PublishedEvent& event) { out.written(event.body); },
      [](const ports::PublishedEvent& event) { return std::to_string(event.sequence); });
}

std::string encode_redelivery(const usecases::Redelivery& redelivery) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("events").number(redelivery.events);
  out.key("deliveries").number(redelivery.deliveries);
  out.end_object();
  return body;
}

usecases::Replay decode_replay(const json::Value& body, Faults& faults) {
  ObjectReader in(body, "", faults);
  usecases::Replay replay;
  replay.from = in.required(in.date("from"), "from");
  replay.to = in.required(in.date("to"), "to");
  replay.types = in.texts("types");
  in.finish();
  return replay;
}

}  // namespace tideover::wire
