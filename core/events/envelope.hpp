// The envelope of a webhook (openapi.yaml: Events; core/docs/contract.md#webhooks) and its JSON names. Built once, when
// the event is published, and frozen: every try sends the same bytes, so a receiver's signature check and its memory of
// the id hold.
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

/// `sequence` also is the resource_version: it grows with every event of the tenant, hence with every event of one
/// object, and a receiver that keeps the highest one per object never goes back to an older state.
std::string envelope(const ports::OutboxRow& event, std::int64_t sequence, const EnvelopeContext& context);

}  // namespace tideover::events
