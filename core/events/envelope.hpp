// The envelope of a webhook (openapi.yaml: Events; core/docs/contract.md#webhooks) and its JSON names. It is built
// once, at publication, and does not change: every attempt sends the same bytes, so the signature and the id stay
// valid.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/ports/records/event_records.hpp"

namespace tideover::events {

struct EnvelopeContext {
  std::string_view environment;
  std::string_view api_version;
};

std::string envelope(const ports::OutboxRow& event, std::int64_t sequence, const EnvelopeContext& context);

}  // namespace tideover::events
