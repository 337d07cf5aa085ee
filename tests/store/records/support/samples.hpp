// Objects in which every field has a value of its own, so that a column that is swapped or forgotten shows.
#pragma once
#include "core/ports/store.hpp"

namespace tideover::tests {

/// The n-th id of a kind; a greater n sorts behind.
template <class Id>
Id id_of(std::uint64_t n) {
  return Id::of(domain::Ulid{0x0123456789abcdef, n});
}

inline const domain::TenantId kTenant = id_of<domain::TenantId>(1);
inline const domain::TenantId kOtherTenant = id_of<domain::TenantId>(2);
inline constexpr domain::Timestamp kNow = domain::Timestamp::from_ms(1'800'000'000'123);

domain::Tenant sample_tenant(const domain::TenantId& id);
domain::Client sample_client(std::uint64_t n);
domain::ClientSecret sample_secret(std::uint64_t n);
ports::StoredClaim sample_claim(std::uint64_t n);
domain::Review sample_review(std::uint64_t n);
/// Funded, of claim n.
ports::StoredSettlement sample_settlement(std::uint64_t n);
domain::DisbursementAttempt sample_attempt(std::uint64_t settlement, int number);
domain::LedgerTransaction sample_transaction(std::uint64_t n);
domain::Deposit sample_deposit(std::uint64_t n);
domain::Remittance sample_remittance(std::uint64_t n);
domain::ReconciliationRecord sample_record(std::uint64_t n, std::uint64_t settlement);
domain::ImportJob sample_job(std::uint64_t n);
domain::ImportFault sample_fault(std::int64_t row);
ports::StoredAnswer sample_answer();
ports::AuditRow sample_audit_row(std::uint64_t n);
domain::Event sample_event(std::uint64_t n);
ports::PublishedEvent published(const ports::OutboxRow& row, std::int64_t sequence);
ports::Delivery sample_delivery(std::uint64_t event, std::uint64_t endpoint);
domain::WebhookEndpoint sample_endpoint(std::uint64_t n);
domain::Task sample_task(std::uint64_t n);

}  // namespace tideover::tests
