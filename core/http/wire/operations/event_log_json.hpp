// Published events as JSON: the same envelopes that webhooks deliver.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/events/events.hpp"

namespace tideover::wire {

/// The cursor is the sequence of the last event of the page.
std::string encode_events(const std::vector<ports::PublishedEvent>& events, const PageFrame& page);
std::string encode_redelivery(const usecases::Redelivery& redelivery);
/// {from, to, types?}
usecases::Replay decode_replay(const json::Value& body, Faults& faults);

}  // namespace tideover::wire
