// How an event's `data` object looks to outsiders. Pure, thread-safe; implemented where JSON names live.
#pragma once
#include <string>

#include "core/domain/operations/event.hpp"

namespace tideover::ports {

class EventEncoder {
 public:
  virtual ~EventEncoder() = default;
  virtual std::string encode_data(const domain::EventData& data) const = 0;
};

}  // namespace tideover::ports
