// The part of the store that events need, in memory: units work on a copy that replaces the state when they succeed.
// Tests look inside, make it refuse, and let another node get in between. Thread-safe.
#pragma once
#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "core/ports/store.hpp"

namespace tideover::test {

struct EventState {
  struct Endpoint {
    domain::TenantId tenant;
    domain::WebhookEndpoint endpoint;
  };
  std::vector<ports::OutboxRow> outbox;
  std::vector<ports::PublishedEvent> log;
  std::vector<ports::Delivery> deliveries;
  std::vector<Endpoint> endpoints;
  std::map<domain::EventId, domain::DecryptionFault> event_faults;
  /// What another node writes between the read of a health and its write.
  std::function<void(domain::WebhookEndpoint&)> after_health_read;
};

/// What the SQL store answers to a value that must be unique.
struct UniqueViolation : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class FakeEventRecords final : public ports::EventRecords {
 public:
  explicit FakeEventRecords(EventState& state) : state_(state) {}

  void append(const domain::TenantId& tenant, const domain::Event& event) override {
    const auto& disabled = std::get<domain::EndpointDisabled>(event.data);
    state_.outbox.push_back({tenant, event.id, std::string(kind_of(event.data)),
                             R"({"endpoint_id":")" + disabled.endpoint.text() + R"(","reason":")" +
                                 std::string(name_of(disabled.reason)) + "\"}",
                             event.created_at, version_of(event.data)});
  }
  std::vector<ports::OutboxRow> unpublished(std::size_t limit) const override {
    return {state_.outbox.begin(), state_.outbox.begin() + static_cast<long>(std::min(limit, state_.outbox.size()))};
  }
  std::int64_t last_sequence(const domain::TenantId& tenant) const override {
    std::int64_t last = 0;
    for (const auto& event : state_.log)
      if (event.tenant == tenant) last = std::max(last, event.sequence);
    return last;
  }
  void publish(const std::vector<ports::PublishedEvent>& events) override {
    for (const auto& event : events) {
      for (const auto& other : state_.log)
        if (other.tenant == event.tenant && (other.sequence == event.sequence || other.id == event.id))
          throw UniqueViolation("sequence");
      std::erase_if(state_.outbox, [&](const auto& row) { return row.id == event.id; });
      state_.log.push_back(event);
    }
  }
  void insert_delivery(const ports::Delivery& delivery) override { state_.deliveries.push_back(delivery); }
  std::vector<ports::Delivery> due(domain::Timestamp now, std::size_t limit) const override {
    std::vector<ports::Delivery> found;
    for (const auto& delivery : state_.deliveries)
      if (delivery.state == ports::Delivery::State::waiting && delivery.next_try_at <= now) found.push_back(delivery);
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.next_try_at < b.next_try_at; });
    if (found.size() > limit) found.resize(limit);
    return found;
  }
  std::optional<ports::PublishedEvent> find(const domain::TenantId& tenant, const domain::EventId& id) const override {
    for (const auto& event : state_.log)
      if (event.tenant == tenant && event.id == id) return event;
    return std::nullopt;
  }
  std::optional<ports::EventToSend> find_to_send(const domain::TenantId& tenant,
                                                 const domain::EventId& id) const override {
    if (const auto fault = state_.event_faults.find(id); fault != state_.event_faults.end())
      return ports::EventToSend{{}, fault->second};
    auto event = find(tenant, id);
    return event ? std::optional(ports::EventToSend{*std::move(event), {}}) : std::nullopt;
  }
  std::vector<ports::PublishedEvent> list(const domain::TenantId&, std::string_view, std::int64_t,
                                          std::size_t) const override {
    throw std::logic_error("not for these tests");
  }
  std::vector<ports::PublishedEvent> between(const domain::TenantId&, domain::Timestamp, domain::Timestamp,
                                             const std::vector<std::string>&, std::size_t) const override {
    throw std::logic_error("not for these tests");
  }
  bool deliver_again(const domain::TenantId&, const domain::EventId&, const domain::WebhookEndpointId&,
                     domain::Timestamp) override {
    throw std::logic_error("not for these tests");
  }
  std::optional<ports::Delivery> find_delivery(const domain::TenantId&, const domain::EventId&,
                                               const domain::WebhookEndpointId&) const override {
    throw std::logic_error("not for these tests");
  }
  std::vector<ports::Delivery> deliveries(const domain::TenantId&, const ports::DeliveryQuery&) const override {
    throw std::logic_error("not for these tests");
  }
  bool update_delivery(const ports::Delivery& delivery) override {
    for (auto& held : state_.deliveries) {
      if (held.event != delivery.event || held.endpoint != delivery.endpoint) continue;
      if (held.revision != delivery.revision || held.state != ports::Delivery::State::waiting) return false;
      held = delivery;
      ++held.revision;
      return true;
    }
    return false;
  }

 private:
  EventState& state_;
};

class FakeWebhookRecords final : public ports::WebhookRecords {
 public:
  explicit FakeWebhookRecords(EventState& state) : state_(state) {}

  void insert(const domain::TenantId& tenant, const domain::WebhookEndpoint& endpoint) override {
    state_.endpoints.push_back({tenant, endpoint});
  }
  std::optional<domain::WebhookEndpoint> find(const domain::TenantId& tenant,
                                              const domain::WebhookEndpointId& id) const override {
    for (const auto& held : state_.endpoints)
      if (held.tenant == tenant && held.endpoint.id == id) return held.endpoint;
    return std::nullopt;
  }
  std::vector<domain::WebhookEndpoint> list(const domain::TenantId& tenant,
                                            const domain::ListPage& page) const override {
    std::vector<domain::WebhookEndpoint> found;
    for (const auto& held : state_.endpoints)
      if (held.tenant == tenant && held.endpoint.id.text() > page.after) found.push_back(held.endpoint);
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    if (found.size() > page.limit) found.resize(page.limit);
    return found;
  }
  bool remove(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) override {
    return std::erase_if(state_.endpoints,
                         [&](const auto& held) { return held.tenant == tenant && held.endpoint.id == id; }) > 0;
  }
  std::size_t count(const domain::TenantId&) const override { throw std::logic_error("not for these tests"); }
  bool update(const domain::TenantId&, const domain::WebhookEndpoint&) override {
    throw std::logic_error("not for these tests");
  }
  bool disable(const domain::TenantId& tenant, const domain::WebhookEndpointId& id,
               const domain::EndpointHealth& judged, domain::DisabledReason reason, domain::Timestamp now) override {
    auto* endpoint = held(tenant, id);
    if (!endpoint || endpoint->health != judged || !std::exchange(endpoint->enabled, false)) return false;
    endpoint->disabled_reason = reason;
    endpoint->disabled_at = now;
    ++endpoint->revision;
    return true;
  }
  std::optional<domain::EndpointHealth> health(const domain::TenantId& tenant,
                                               const domain::WebhookEndpointId& id) const override {
    auto* endpoint = held(tenant, id);
    if (!endpoint) return std::nullopt;
    const auto health = endpoint->health;
    if (state_.after_health_read) state_.after_health_read(*endpoint);
    return health;
  }
  bool set_health(const domain::TenantId& tenant, const domain::WebhookEndpointId& id,
                  const domain::EndpointHealth& before, const domain::EndpointHealth& after) override {
    auto* endpoint = held(tenant, id);
    if (!endpoint || endpoint->health != before) return false;
    endpoint->health = after;
    return true;
  }
  void reset_health(const domain::TenantId&, const domain::WebhookEndpointId&) override {
    throw std::logic_error("not for these tests");
  }
  std::size_t drop_expired_secrets(domain::Timestamp, std::size_t) override {
    throw std::logic_error("not for these tests");
  }

 private:
  domain::WebhookEndpoint* held(const domain::TenantId& tenant, const domain::WebhookEndpointId& id) const {
    for (auto& held : state_.endpoints)
      if (held.tenant == tenant && held.endpoint.id == id) return &held.endpoint;
    return nullptr;
  }

  EventState& state_;
};

class FakeRecords final : public ports::Records {
 public:
  explicit FakeRecords(EventState& state) : events_(state), webhooks_(state) {}

  ports::EventRecords& events() override { return events_; }
  const ports::EventRecords& events() const override { return events_; }
  ports::WebhookRecords& webhooks() override { return webhooks_; }
  const ports::WebhookRecords& webhooks() const override { return webhooks_; }

#define TIDEOVER_ABSENT(Type, name)                       \
  ports::Type& name() override {                          \
    throw std::logic_error(#name " is not in this fake"); \
  }                                                       \
  const ports::Type& name() const override {              \
    throw std::logic_error(#name " is not in this fake"); \
  }
  TIDEOVER_ABSENT(AllocationRecords, allocations)
  TIDEOVER_ABSENT(ClaimRecords, claims)
  TIDEOVER_ABSENT(ReviewRecords, reviews)
  TIDEOVER_ABSENT(SettlementRecords, settlements)
  TIDEOVER_ABSENT(RailSenderRecords, rail_senders)
  TIDEOVER_ABSENT(PayeeRecords, payees)
  TIDEOVER_ABSENT(LedgerRecords, ledger)
  TIDEOVER_ABSENT(DepositRecords, deposits)
  TIDEOVER_ABSENT(BankStatementRecords, bank_statements)
  TIDEOVER_ABSENT(RemittanceRecords, remittances)
  TIDEOVER_ABSENT(PostingRecords, postings)
  TIDEOVER_ABSENT(ReconciliationRecords, reconciliations)
  TIDEOVER_ABSENT(RecourseRecords, recourse)
  TIDEOVER_ABSENT(ImportRecords, imports)
  TIDEOVER_ABSENT(PickupRecords, pickups)
  TIDEOVER_ABSENT(AnswerRecords, answers)
  TIDEOVER_ABSENT(AuditRecords, audit)
  TIDEOVER_ABSENT(ClientRecords, clients)
  TIDEOVER_ABSENT(MatchRecords, matches)
  TIDEOVER_ABSENT(AlikeRecords, alike)
  TIDEOVER_ABSENT(PayerAliasRecords, payer_aliases)
  TIDEOVER_ABSENT(PayeeAliasRecords, payee_aliases)
  TIDEOVER_ABSENT(TaskRecords, tasks)
  TIDEOVER_ABSENT(NodeRecords, nodes)
  TIDEOVER_ABSENT(RuleRecords, rules)
  TIDEOVER_ABSENT(LearningRecords, learning)
  TIDEOVER_ABSENT(InvariantRecords, invariants)
#undef TIDEOVER_ABSENT

 private:
  FakeEventRecords events_;
  FakeWebhookRecords webhooks_;
};

class FakeStore final : public ports::Store {
 public:
  domain::Status read(const std::function<void(const ports::Records&)>& look) override {
    if (unreachable) return domain::Error::of(domain::ErrorCode::service_unavailable, "the fake store is away");
    EventState snapshot = state();
    const FakeRecords records(snapshot);
    look(records);
    return {};
  }

  domain::Status commit(const Unit& unit, ports::Priority) override {
    if (unreachable) return domain::Error::of(domain::ErrorCode::service_unavailable, "the fake store is away");
    if (conflicts_to_come > 0) {
      --conflicts_to_come;
      return domain::Error::of(domain::ErrorCode::conflict, "another node was first");
    }
    const std::lock_guard lock(mutex_);
    if (runs_each_unit_twice) {  // as a store does whose first attempt was rolled back
      EventState discarded = state_;
      FakeRecords records(discarded);
      (void)unit(records);
    }
    EventState changed = state_;
    FakeRecords records(changed);
    try {
      if (auto done = unit(records); !done) return done;
    } catch (const UniqueViolation& violation) {
      return domain::Error::of(domain::ErrorCode::conflict, violation.what());
    }
    state_ = std::move(changed);
    return {};
  }

  EventState state() const {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  void change(const std::function<void(EventState&)>& how) {
    const std::lock_guard lock(mutex_);
    how(state_);
  }

  std::atomic<bool> unreachable{false};
  std::atomic<bool> runs_each_unit_twice{false};
  std::atomic<int> conflicts_to_come{0};

 private:
  mutable std::mutex mutex_;
  EventState state_;
};

}  // namespace tideover::test
