// The outbox, the event log and the deliveries in SQL. The only store that renders: the content of an event is fixed
// when it is appended. Bound to one session and its thread.
#pragma once
#include "core/ports/event_encoder.hpp"
#include "core/ports/records/event_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class EventStore final : public ports::EventRecords {
 public:
  EventStore(sql::Session& session, const ports::EventEncoder& encoder, const EncryptedCells& cells)
      : session_(session), encoder_(encoder), cells_(cells) {}

  void append(const domain::TenantId& tenant, const domain::Event& event) override;
  std::vector<ports::OutboxRow> unpublished(std::size_t limit) const override;
  std::int64_t last_sequence(const domain::TenantId& tenant) const override;
  void publish(const std::vector<ports::PublishedEvent>& events) override;
  void insert_delivery(const ports::Delivery& delivery) override;
  std::vector<ports::Delivery> due(domain::Timestamp now, std::size_t limit) const override;
  std::optional<ports::PublishedEvent> find(const domain::TenantId& tenant, const domain::EventId& id) const override;
  std::optional<ports::EventToSend> find_to_send(const domain::TenantId& tenant,
                                                 const domain::EventId& id) const override;
  std::vector<ports::PublishedEvent> list(const domain::TenantId& tenant, std::string_view kind,
                                          std::int64_t after_sequence, std::size_t limit) const override;
  std::vector<ports::PublishedEvent> between(const domain::TenantId& tenant, domain::Timestamp from,
                                             domain::Timestamp until, const std::vector<std::string>& kinds,
                                             std::size_t limit) const override;
  bool deliver_again(const domain::TenantId& tenant, const domain::EventId& event,
                     const domain::WebhookEndpointId& endpoint, domain::Timestamp now) override;
  std::optional<ports::Delivery> find_delivery(const domain::TenantId& tenant, const domain::EventId& event,
                                               const domain::WebhookEndpointId& endpoint) const override;
  std::vector<ports::Delivery> deliveries(const domain::TenantId& tenant,
                                          const ports::DeliveryQuery& query) const override;
  bool update_delivery(const ports::Delivery& delivery) override;

 private:
  /// The newest deliveries of one state behind the event `after`.
  std::vector<ports::Delivery> deliveries_in(const domain::TenantId& tenant, const ports::DeliveryQuery& query,
                                             ports::Delivery::State state, std::string_view after) const;

  sql::Session& session_;
  const ports::EventEncoder& encoder_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
