// A service and its reference, which go through the same history, and their comparison.
#pragma once
#include <deque>
#include <random>

#include "tests/fault/histories/reference.hpp"
#include "tests/usecases/world.hpp"

namespace tideover::tests {

// The message is made only where it is needed: a million steps go through here.
#define REQUIRE_SAME(condition, what) \
  do {                                \
    if (!(condition)) fail(what);     \
  } while (false)

class ComparedWorld : public World {
 public:
  explicit ComparedWorld(std::uint64_t seed) : seed_(seed), random_(seed), reference_(caller.tenant.text()) {}

 protected:
  [[noreturn]] void fail(const std::string& what) {
    std::string text = what + "\nTIDEOVER_SEED=" + std::to_string(seed_) + ", step " + std::to_string(step_) +
                       "; the last operations:";
    for (const auto& line : last_) text += "\n  " + line;
    BOOST_FAIL(text);
    throw std::logic_error("unreachable");
  }
  void did(std::string what) {
    last_.push_back(std::to_string(step_) + ": " + std::move(what));
    if (last_.size() > 24) last_.pop_front();
  }
  std::size_t pick(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }
  bool chance(std::size_t percent) { return pick(100) < percent; }
  Loan* any_loan() { return reference_.loans.empty() ? nullptr : &reference_.loans[pick(reference_.loans.size())]; }

  void compare_books() {
    std::map<std::string, Cents> posted, pending;
    Cents sum = 0;
    for (const auto& balance :
         seen([&](const ports::Records& records) { return records.ledger().balances(caller.tenant, "", 1'000'000); })) {
      if (!balance.posted.is_zero()) posted[balance.account] = balance.posted.cents();
      if (!balance.pending.is_zero()) pending[balance.account] = balance.pending.cents();
      sum += balance.posted.cents();
    }
    REQUIRE_SAME(sum == 0, "the books do not sum to zero");
    REQUIRE_SAME(posted == reference_.posted(), "posted: " + difference(posted, reference_.posted()));
    REQUIRE_SAME(pending == reference_.pending(), "pending: " + difference(pending, reference_.pending()));
  }
  static std::string difference(const std::map<std::string, Cents>& service,
                                const std::map<std::string, Cents>& reference) {
    std::string text;
    auto accounts = service;
    accounts.insert(reference.begin(), reference.end());
    for (const auto& [account, ignored] : accounts) {
      const auto at = [&](const auto& books) { return books.contains(account) ? books.at(account) : 0; };
      if (at(service) != at(reference))
        text +=
            account + " holds " + std::to_string(at(service)) + ", should hold " + std::to_string(at(reference)) + "; ";
    }
    return text;
  }

  void compare_settlements() {
    for (const auto& loan : reference_.loans) {
      if (!loan.decided)
        REQUIRE_SAME(std::string(name_of(claim_status(loan.claim).status)) == kStatuses[loan.status],
                     loan.claim + " has another status");
      if (loan.state == Loan::State::reviewed) continue;
      const auto id = *domain::SettlementId::parse(loan.settlement);
      const auto stored = settlement(id);
      const bool funded = loan.state == Loan::State::funded;
      const auto expected = funded          ? domain::SettlementStatus::funded
                            : loan.approved ? domain::SettlementStatus::approved
                                            : domain::SettlementStatus::pending_confirmation;
      REQUIRE_SAME(stored.status == expected, loan.claim + " is " + std::string(name_of(stored.status)));
      REQUIRE_SAME(!funded || stored.funded_amount->cents() == loan.advance,
                   loan.claim + " was funded with another amount");
      const auto whole = reconciliation(id);
      REQUIRE_SAME(std::string(name_of(whole.status)) == (loan.record ? loan.record->status : "pending"),
                   loan.claim + " is " + std::string(name_of(whole.status)) + ", not " +
                       (loan.record ? loan.record->status : "pending"));
      REQUIRE_SAME(!loan.record || whole.payer_payment.cents() == loan.record->payment,
                   loan.claim + " was paid with another amount");
    }
    for (const auto& over : reference_.ended) {
      const auto id = *domain::SettlementId::parse(over.settlement);
      REQUIRE_SAME(std::string(name_of(settlement(id).status)) == over.status,
                   over.settlement + " is not " + over.status);
      REQUIRE_SAME(!over.record || reconciliation(id).payer_payment.cents() == over.record->payment,
                   over.settlement + " was paid with another amount");
    }
  }

  const std::uint64_t seed_;
  std::mt19937_64 random_;
  Reference reference_;
  int step_ = 0;
  std::deque<std::string> last_;
};

}  // namespace tideover::tests
