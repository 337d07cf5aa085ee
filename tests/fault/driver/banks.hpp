// The banks of a site: one behind each of its rails. No bank knows the keys of another, as in the world, so a payment
// over the wrong rail is a second payment. What they paid counts together.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tests/fault/driver/test_service.hpp"
#include "tests/fault/rail/bank_book.hpp"

namespace tideover::fault {

/// A payment and the rail that made it.
struct RailPayment : Payment {
  std::string rail;
};

class Banks {
 public:
  explicit Banks(const Site& site) : first_(site.bank()) {
    if (site.has_fallback) other_.emplace(site.other_bank());
  }

  std::vector<RailPayment> payments() {
    std::vector<RailPayment> all;
    const auto add = [&](BankBook& bank, const char* rail) {
      for (auto& payment : bank.payments()) all.push_back({std::move(payment), rail});
    };
    add(first_, kRail);
    if (other_) add(*other_, kOtherRail);
    return all;
  }
  /// What becomes of the next submits and questions at the first bank, and of the next submits at the other one.
  void script(const std::vector<std::string>& submits, const std::vector<std::string>& questions,
              const std::vector<std::string>& other_submits) {
    first_.script("submit", submits);
    first_.script("query", questions);
    if (other_) other_->script("submit", other_submits);
  }
  /// Everything that is still on its way arrives now.
  void deliver_all(BankBook::Memory memory) {
    first_.deliver_all(memory);
    if (other_) other_->deliver_all(memory);
  }

 private:
  BankBook first_;
  std::optional<BankBook> other_;  // of the rail of the fallback
};

}  // namespace tideover::fault
