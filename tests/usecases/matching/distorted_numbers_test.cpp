// Trace numbers and claim numbers, distorted as payers, clearinghouses and spreadsheets do. The generator distorts
// random claim numbers; a failure prints its seed.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/usecases/matching/alike_world.hpp"

using namespace tideover;
using domain::Money;
using tests::AlikeWorld;
using tests::Cash;
using tests::PaidClaim;
using tests::Remittance;

namespace {

/// Distorts a claim number as payers, clearinghouses and spreadsheets do.
class Distortion {
 public:
  explicit Distortion(std::mt19937_64& dice) : dice_(dice) {}

  std::string of(std::string number) {
    for (auto steps = 1 + dice_() % 3; steps > 0; --steps) number = once(std::move(number));
    return number.empty() ? "0" : number;
  }

 private:
  std::string once(std::string number) {
    const auto at = number.empty() ? 0 : dice_() % number.size();
    switch (dice_() % 10) {
      case 0:
        std::transform(number.begin(), number.end(), number.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        break;
      case 1:
        std::transform(number.begin(), number.end(), number.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        break;
      case 2:
        std::erase_if(number, [](char c) { return c == '-' || c == '/' || c == ' '; });
        break;
      case 3:
        number.erase(0, number.find_first_not_of('0'));
        break;
      case 4:
        number.insert(0, "00");
        break;
      case 5:
        number += ' ';
        break;
      case 6:
        number.insert(at, "?");
        break;
      case 7:
        std::replace(number.begin(), number.end(), '0', 'O');
        break;
      case 8:
        number.resize(std::min<std::size_t>(number.size(), dice_() % 2 == 0 ? 17 : 20));
        break;
      default:
        number = "0";
        break;
    }
    return number;
  }

  std::mt19937_64& dice_;
};

std::string a_number(std::mt19937_64& dice, int i) {
  const auto tail = std::to_string(1000 + i);
  switch (dice() % 5) {
    case 0:
      return "CLINIC-7-VISIT-2026-00" + tail;
    case 1:
      return "000120" + tail;
    case 2:
      return "CLM/" + tail + "-X";
    case 3:
      return "3f2b8c1e-7d44-4a09-" + tail + "-0be5a2d71c33";
    default:
      return "Po-" + tail + "-0";
  }
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(alike_claims, AlikeWorld)

BOOST_AUTO_TEST_CASE(a_distorted_trace_number_opens_a_task_at_once) {
  for (const auto& [on_money, on_remittance] : {std::pair("5", "EFT-5"), {"EFT-5", "5"}, {"eft5", "EFT-5"}})
    for (const bool is_remittance_first : {false, true}) {
      AlikeWorld world;
      world.fund({"CLMA-X"});
      const Remittance remittance{"N1", on_remittance, {{"CLMA-X", 31'100}}};
      if (is_remittance_first) world.arrives(remittance);
      world.arrives(Cash{"D1", 31'100, on_money});
      if (!is_remittance_first) world.arrives(remittance);
      BOOST_TEST(world.ends() == "D1 unmatched; CLMA-X pending; deposit_unmatched about D1",
                 on_money << ' ' << on_remittance);
      const auto task = world.task_about("D1");
      BOOST_REQUIRE(bool(world.accept(task, world.proposal_of(task, {"N1"}))));
      BOOST_TEST(world.ends() == "D1 matched; CLMA-X settled_short by person");
      world.teardown();
    }
}

BOOST_AUTO_TEST_CASE(the_deposit_of_a_posted_remittance_is_recognized_under_another_form_of_its_number) {
  AlikeWorld world(domain::PostOn::remittance);
  world.fund({"CLMA-X"});
  world.arrives(Remittance{"N1", "EFT-0005", {{"CLMA-X", 79'000}}});
  world.arrives(Cash{"D1", 79'000, "5"});
  BOOST_TEST(world.ends() == "D1 suspected_duplicate; CLMA-X settled by trace_number; deposit_duplicate about D1");
  world.teardown();
}

BOOST_AUTO_TEST_CASE(a_distorted_number_is_posted_to_its_own_advance_or_waits_for_a_reviewer) {
  const char* given = std::getenv("TIDEOVER_SEED");
  const std::uint64_t first = given ? std::strtoull(given, nullptr, 10) : 1, last = given ? first : 60;
  int posted = 0, accepted = 0, released = 0;
  for (auto seed = first; seed <= last; ++seed) {
    std::mt19937_64 dice(seed);
    AlikeWorld world(dice() % 4 == 0 ? domain::PostOn::remittance : domain::PostOn::deposit);
    std::vector<std::pair<std::string, Remittance>> payments;
    for (int i = 0; i < 3; ++i) {
      const std::int64_t billed = 100'000 + 1'000 * static_cast<std::int64_t>(dice() % 2);
      const auto number = a_number(dice, i);
      world.fund({number, billed});
      std::string distorted;
      do distorted = Distortion(dice).of(number);
      while (distorted == number);
      PaidClaim paid{distorted, billed / 5 * 4 - 100 * i, billed};
      if (dice() % 2 == 0) paid.service_day = 0;
      payments.emplace_back(
          number,
          Remittance{"N" + std::to_string(i), "T" + std::to_string(i), {paid}, 0, dice() % 4 == 0 ? "ALIAS" : "PAYER"});
    }
    std::shuffle(payments.begin(), payments.end(), dice);
    BOOST_TEST_CONTEXT("TIDEOVER_SEED=" << seed) {
      Money residuals;
      for (auto& [number, remittance] : payments) {
        BOOST_TEST_MESSAGE(number << " as '" << remittance.claims.front().name << "'");
        const auto before = world.credited();
        const Cash money{"D" + remittance.name, remittance.claims.front().paid, remittance.trace};
        const bool is_remittance_first = dice() % 2 == 0;
        if (is_remittance_first) world.arrives(remittance);
        const auto paid = [&] { return world.reconciliation(world.settlements[number]).payer_payment; };
        // Otherwise the remittance created its own deposit.
        if (world.tasks().empty() && paid() == Money{}) world.arrives(money);
        if (!is_remittance_first) world.arrives(remittance);
        if (world.tasks().empty()) {
          BOOST_TEST(paid() == Money::cents(remittance.claims.front().paid));
          BOOST_TEST(world.in_suspense() == Money{});
          ++posted;
          continue;
        }
        BOOST_TEST(world.credited() == before, number << " as '" << remittance.claims.front().name << "'");
        BOOST_TEST(world.in_suspense() == Money::cents(remittance.claims.front().paid));
        const auto task = world.task_about(remittance.name);
        const bool accepts = dice() % 3 != 0;
        const auto proposal = world.proposal_of(task, {number});
        BOOST_REQUIRE(bool(accepts ? world.accept(task, proposal) : world.decide(task, domain::kRelease)));
        ++(accepts ? accepted : released);
        BOOST_TEST(world.in_suspense() == Money{});
        if (dice() % 3 == 0) {
          BOOST_REQUIRE(bool(world.undo(task)));
          BOOST_TEST(world.credited() == before);
          BOOST_REQUIRE(bool(world.accept(world.task_about(remittance.name), proposal)));
        }
      }
      world.teardown();
    }
  }
  if (!given)
    BOOST_TEST((posted > 30 && accepted > 30 && released > 10),
               posted << " posted, " << accepted << " accepted, " << released << " released");
}

BOOST_AUTO_TEST_SUITE_END()
