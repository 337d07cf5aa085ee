// What every delivery test starts from: a store, a clock that stands still, and ways to fill them.
#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "core/events/dispatcher.hpp"
#include "tests/events/fake_clock.hpp"
#include "tests/events/fake_store.hpp"
#include "tests/fakes/counting_ids.hpp"

namespace tideover::test {

/// 32 bytes 0x61..0x80, as a receiver is shown them.
inline const std::string kSecret = "whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4A=";

/// Waits for what threads bring about; never for a fixed time.
inline bool eventually(const std::function<bool()>& condition,
                       std::chrono::milliseconds deadline = std::chrono::seconds(10)) {
  const auto until = std::chrono::steady_clock::now() + deadline;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

template <class IdType>
IdType numbered(std::uint64_t number) {
  return IdType::of(domain::Ulid{1, number});
}

struct Bench {
  FakeStore store;
  FakeClock clock;
  fakes::CountingIds new_ids;
  domain::TenantId tenant = numbered<domain::TenantId>(1);
  std::uint64_t next_id = 1;

  domain::WebhookEndpointId subscribe(const std::string& url, std::vector<std::string> kinds = {}) {
    return subscribe(tenant, url, std::move(kinds));
  }
  domain::WebhookEndpointId subscribe(const domain::TenantId& whose, const std::string& url,
                                      std::vector<std::string> kinds = {}) {
    domain::WebhookEndpoint endpoint;
    endpoint.id = numbered<domain::WebhookEndpointId>(next_id++);
    endpoint.url = url;
    endpoint.events = std::move(kinds);
    endpoint.secret = domain::Sensitive<std::string>(kSecret);
    endpoint.created_at = clock.now();
    store.change([&](EventState& state) { state.endpoints.push_back({whose, endpoint}); });
    return endpoint.id;
  }

  domain::EventId append(const std::string& kind = "reconciliation.posted",
                         const std::string& data = R"({"id":"rec_1"})") {
    return append(tenant, kind, data);
  }
  domain::EventId append(const domain::TenantId& whose, const std::string& kind, const std::string& data) {
    const auto id = numbered<domain::EventId>(next_id++);
    store.change([&](EventState& state) { state.outbox.push_back({whose, id, kind, data, clock.now()}); });
    return id;
  }

  /// Loopback receivers allowed, no jitter, quick polls.
  events::DispatcherOptions options() const {
    events::DispatcherOptions options;
    options.environment = domain::Environment::sandbox;
    options.retries.jitter_percent = 0;
    options.poll_ms = 5;
    options.egress.allow_loopback_http = true;
    return options;
  }

  std::vector<ports::Delivery> deliveries() const { return store.state().deliveries; }
  ports::Delivery only_delivery() const { return deliveries().at(0); }
  bool all_delivered() const {
    const auto state = store.state();
    return state.outbox.empty() && std::all_of(state.deliveries.begin(), state.deliveries.end(), [](const auto& d) {
             return d.state == ports::Delivery::State::delivered;
           });
  }
  bool reaches(ports::Delivery::State wanted) const {
    return eventually([&] { return !deliveries().empty() && only_delivery().state == wanted; });
  }
  /// Waits until the failure of try `attempt` is in the store.
  bool failed(int attempt) const {
    return eventually([&] {
      return !deliveries().empty() && only_delivery().attempts == attempt && !only_delivery().last_error.empty();
    });
  }
};

}  // namespace tideover::test
