// A world in which advances are confirmed with the rail journal: journalled keys, lost payments, nodes.
#pragma once
#include <algorithm>
#include <chrono>

#include "core/usecases/funding/replay_journal.hpp"
#include "tests/usecases/world.hpp"

namespace tideover::tests {

struct WitnessWorld : World {
  explicit WitnessWorld(ports::RailRecall recall = ports::RailRecall::dedup) { same_day.description.recall = recall; }

  domain::Settlement ready(const std::string& identifier = "CLM-1") { return adjudicate(review(draft(identifier))); }
  long submits() const {
    const auto calls = same_day.calls();
    return std::count(calls.begin(), calls.end(), "submit");
  }
  std::string key_of(const domain::Settlement& settlement, int number = 1) const {
    return digests.digest("rail-key-v1",
                          caller.tenant.text() + '\n' + settlement.id.text() + '\n' + std::to_string(number));
  }
  ports::JournalledSend sent(const domain::Settlement& settlement, int number = 1) const {
    return {caller.tenant,
            settlement.id,
            domain::Purpose::advance,
            number,
            "SAME_DAY",
            key_of(settlement, number),
            settlement.terms.advance_amount,
            1,
            clock.now(),
            std::nullopt};
  }
  /// A payment that a restored database has lost: the journal has its key and the rail may have paid.
  void happened_and_was_forgotten(const domain::Settlement& settlement, bool paid) {
    BOOST_REQUIRE(bool(journal.append(sent(settlement))));
    if (paid)
      same_day.submit({key_of(settlement), settlement.terms.advance_amount, "tok_ok", clock.now().utc_date()}, {});
  }
  usecases::ReplayJournal replay() {
    return {*store, *disburse, rails, journal, clock, ids, std::chrono::milliseconds(100)};
  }
  usecases::ConfirmSettlement patient_confirm(usecases::Disburse& with) {
    return {*store, rules, with, ids, usecases::ConfirmOptions{std::chrono::seconds(20)}};
  }
  usecases::Disburse node(const std::string& name, ports::RailJournal& own) {
    usecases::DisburseOptions options;
    options.node = name;
    return {*store, rails, own, clock, ids, digests, options};
  }
  static std::string body(const usecases::Confirmation& confirmed) { return "funded " + confirmed.transfer.text(); }
  static std::string refusal(const domain::Error& error) { return std::string(name_of(error.code)); }

  void check_funded_once(const domain::Settlement& settlement) {
    const auto now = this->settlement(settlement.id);
    BOOST_TEST(now.status == domain::SettlementStatus::funded);
    BOOST_TEST(*now.funded_amount == settlement.terms.advance_amount);
    BOOST_TEST(same_day.payments()[key_of(settlement)].count == 1);
    BOOST_TEST(balance(domain::account::purchased_receivable(settlement.id)) == settlement.terms.advance_amount);
    BOOST_TEST(pending(domain::account::purchased_receivable(settlement.id)) == domain::Money{});
  }
};

}  // namespace tideover::tests
