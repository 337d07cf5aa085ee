// A world in which remittances with more than four claims are posted in chunks of three.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/usecases/reconciliation/read_deposits.hpp"
#include "core/usecases/reconciliation/read_remittances.hpp"
#include "tests/usecases/matching/proposal_world.hpp"

namespace tideover::tests {

inline constexpr domain::PostingSizes kSmallChunks{4, 3};
inline constexpr domain::PostingSizes kAtOnce{1000, 1000};

struct PostingsWorld : ProposalWorld {
  explicit PostingsWorld(const domain::PostingSizes& sizes = kSmallChunks)
      : ProposalWorld(domain::PostOn::deposit, sizes) {}

  static std::string name_of_claim(std::size_t i) { return "C" + std::to_string(10 + i); }
  /// 790.00 for each of so many advances.
  Remittance remittance(std::size_t claims, const std::string& name = "N1", const std::string& trace = "T1") {
    Remittance made{name, trace, {}};
    for (std::size_t i = 0; i < claims; ++i) made.claims.push_back({name_of_claim(i), 79'000});
    return made;
  }
  void fund_all(std::size_t claims) {
    for (std::size_t i = 0; i < claims; ++i) fund({name_of_claim(i)});
  }
  domain::Deposit money(std::int64_t cents, const std::string& trace = "T1") {
    domain::Deposit deposit;
    deposit.payer_id = "PAYER";
    deposit.amount = domain::Money::cents(cents);
    deposit.received_date = clock.now().utc_date();
    deposit.trace_number = trace;
    return deposit;
  }
  /// As a request: the response is "<deposit> <status> <records> [posting]".
  domain::Result<usecases::StoredResponse> deposit(std::int64_t cents, const std::string& key = "key",
                                                   const std::string& trace = "T1") {
    auto answer = (*post_deposit)(context("deposit", key), money(cents, trace), [](const auto& posted) {
      return posted.deposit.id.text() + ' ' + std::string(name_of(posted.deposit.status)) + ' ' +
             std::to_string(posted.records.size()) + (posted.posting.empty() ? "" : " posting");
    });
    if (answer) note(answer->body);
    return answer;
  }
  void note(const std::string& body) {
    const auto id = body.substr(0, body.find(' '));
    names[id] = "D1";
    deposits["D1"] = domain::DepositId::trusted(id);
  }
  /// The deposit that a request stored before its process died.
  void find_deposit() {
    for (const auto& one : seen([&](const ports::Records& records) {
           return records.deposits().list(caller.tenant, {}, {"", 10});
         }))
      note(one.id.text());
  }
  static std::string tail_of(const std::string& body) { return body.substr(body.find(' ') + 1); }
  bool is_posting(const std::string& name = "N1") {
    const auto view = usecases::ReadRemittances(*store).one(caller.tenant, remittances.at(name).text());
    BOOST_REQUIRE(bool(view));
    return view->is_posting;
  }
  /// As the job does after a crash.
  void resume() {
    clock.advance_s(6);
    const auto finished = post_in_chunks->resume(clock, [] { return false; });
    BOOST_REQUIRE_MESSAGE(finished, why(finished));
    BOOST_TEST(!is_posting());
  }
  /// Claim by claim: "posted waiting ...".
  std::string states(const std::string& name = "N1") {
    static constexpr const char* kNames[] = {"waiting", "posted", "unmatched", "duplicate"};
    std::string text;
    for (const auto& record : stored(name).claims)
      text += (text.empty() ? "" : " ") + std::string(kNames[static_cast<std::size_t>(record.state)]);
    return text;
  }
  domain::Remittance stored(const std::string& name = "N1") {
    return *seen(
        [&](const ports::Records& records) { return records.remittances().find(caller.tenant, remittances.at(name)); });
  }
  /// The rows that stand, in order of their lines: "claim 0 advance 790.00 advanced_claim; ...".
  std::string rows(const std::string& name = "N1") {
    std::vector<std::string> lines;
    for (const auto& row : domain::standing(seen([&](const ports::Records& records) {
           return records.allocations().of(caller.tenant, remittances.at(name));
         })))
      lines.push_back(std::string(domain::name_of(row.line)) + ' ' + std::to_string(row.index) + ' ' +
                      std::string(domain::name_of(row.account)) + ' ' + format_money(row.amount) + ' ' +
                      std::string(domain::name_of(row.reason)));
    std::sort(lines.begin(), lines.end());
    return joined(lines);
  }
  /// Everything that must not depend on how the remittance was posted.
  std::string outcome() { return ends() + " | " + results() + " | " + holdings() + " | " + states() + " | " + rows(); }
};

}  // namespace tideover::tests
