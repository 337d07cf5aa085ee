// The envelope of a webhook (openapi.yaml: Events; core/docs/contract.md#webhooks) and its JSON names. Built once at
// publication and never changed: every attempt sends the same bytes, so signature check and duplicate detection of a
// receiver work. Pure functions.
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

/// `sequence` is also the resource_version: it grows with every event of the tenant and so with every event of one
/// object. A receiver that keeps the highest version per object never returns to an older state.
std::string envelope(const ports::OutboxRow& event, std::int64_t sequence, const EnvelopeContext& context);

}  // namespace tideover::events
