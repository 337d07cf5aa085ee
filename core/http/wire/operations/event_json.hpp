// The `data` object of each event kind (openapi.yaml: Events; core/docs/contract.md#webhooks). Ids and amounts only.
// Pure functions.
#pragma once
#include "core/ports/event_encoder.hpp"

namespace tideover::wire {

class EventJson final : public ports::EventEncoder {
 public:
  std::string encode_data(const domain::EventData& data) const override;
};

}  // namespace tideover::wire
