// A world in which deposits and remittances arrive as requests of a client.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "tests/usecases/world.hpp"

namespace tideover::tests {

struct MatchingWorld : World {
  domain::Deposit money(std::int64_t cents, const std::string& trace = "") {
    domain::Deposit deposit;
    deposit.payer_id = "PAYER";
    deposit.amount = domain::Money::cents(cents);
    deposit.received_date = clock.now().utc_date();
    deposit.trace_number = trace;
    return deposit;
  }

  domain::RemittanceClaim paid(const std::string& identifier, std::int64_t cents, const std::string& status = "1",
                               std::int64_t charge = 100'000) {
    domain::RemittanceClaim claim;
    claim.claim_identifier = identifier;
    claim.status = status;
    claim.charge_amount = domain::Money::cents(charge);
    claim.paid_amount = domain::Money::cents(cents);
    return claim;
  }

  domain::RemittanceDraft remittance_of(std::vector<domain::RemittanceClaim> claims, const std::string& trace = "") {
    domain::RemittanceDraft draft;
    draft.payer_id = "PAYER";
    draft.trace_number = trace;
    draft.payment_date = clock.now().utc_date();
    for (const auto& claim : claims) draft.payment_amount += claim.paid_amount;
    draft.claims = std::move(claims);
    return draft;
  }

  domain::Result<usecases::StoredResponse> try_deposit(const domain::Deposit& deposit, const std::string& key = "") {
    return (*post_deposit)(context("deposit", key), deposit,
                           [](const usecases::PostedDeposit& posted) { return posted.deposit.id.text(); });
  }
  domain::Deposit arrives(const domain::Deposit& deposit) {
    const auto answer = try_deposit(deposit);
    BOOST_REQUIRE_MESSAGE(answer, "the deposit was refused: " << why(answer));
    return *seen([&](const ports::Records& records) {
      return records.deposits().find(caller.tenant, *domain::DepositId::parse(answer->body));
    });
  }
  domain::Deposit again(const domain::Deposit& deposit) {
    return *seen([&](const ports::Records& records) { return records.deposits().find(caller.tenant, deposit.id); });
  }
  domain::Remittance arrives(const domain::RemittanceDraft& draft) {
    const auto answer =
        (*post_remittance)(context("remittance"), {draft}, [&](const std::vector<usecases::PostedRemittance>& posted) {
          seen_before = posted.front().seen_before;
          return posted.front().remittance.id.text();
        });
    BOOST_REQUIRE_MESSAGE(answer, "the remittance was refused: " << why(answer));
    return *seen([&](const ports::Records& records) {
      return records.remittances().find(caller.tenant, *domain::RemittanceId::parse(answer->body));
    });
  }
  domain::Remittance again(const domain::Remittance& remittance) {
    return *seen(
        [&](const ports::Records& records) { return records.remittances().find(caller.tenant, remittance.id); });
  }

  std::string payable() { return domain::account::provider_payable(caller.tenant); }

  bool seen_before = false;
};

}  // namespace tideover::tests
