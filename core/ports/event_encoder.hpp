// The JSON form of an event's `data` object. Pure and thread-safe. Implemented where the JSON names are.
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
