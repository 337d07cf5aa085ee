// R8: whatever becomes of a rail's answer, the payment ends as the bank's book says, without a guess.
#include <array>
#include <chrono>
#include <map>

#include "tests/fault/figure.hpp"
#include "tests/fault/rail/bank_book.hpp"
#include "tests/fault/rail/mutations.hpp"
#include "tests/fault/requests/side_by_side.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

using fault::BankBook;
using Clock = std::chrono::steady_clock;

constexpr int kClients = 16;
constexpr std::array<const char*, 4> kRecalls{"dedup", "fence", "query", "blind"};
constexpr std::int64_t kAdvance = 64'000;
constexpr auto kSoon = std::chrono::seconds(30);

/// What the rail does with a payment that it is asked to make, and what becomes of its answer.
const std::vector<std::string>& behaviours() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> words{"pay",     "pay_silent",   "lost",      "late",       "twice", "throw",
                                   "garbage", "no_reference", "not_found", "refuse:R03", "hold:3"};
    for (int i = 0; i < fault::kMutations; ++i) words.push_back("mutate:" + std::to_string(i));
    return words;
  }();
  return all;
}

std::string rail_of(const std::string& recall) {
  std::string name = "FAULT_" + recall;
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

/// A service before four banks.
struct FourBanks : World {
  FourBanks() : World(Store::sqlite, [](ServiceFolder& given) { configure(given); }) {
    for (const char* recall : kRecalls) banks.emplace(recall, bank_folder(folder, recall));
  }
  static std::filesystem::path bank_folder(const ServiceFolder& given, const std::string& recall) {
    return given.path() / ("bank_" + recall);
  }
  static void configure(ServiceFolder& given) {
    given.set("funding.submit_timeout_ms", "300");
    for (const std::string recall : kRecalls)
      given.use_plugin("funding_rail", "fault_" + recall, TIDEOVER_FAULT_RAIL,
                       {{"folder", bank_folder(given, recall).string()},
                        {"rail", rail_of(recall)},
                        {"recall", recall},
                        {"final_on_accept", "1"},
                        {"max_latency_s", "2"}});
  }
  std::map<std::string, BankBook> banks;  // by recall
};

/// One settlement and its way.
struct Case {
  std::string recall;
  std::string behaviour;
  std::string token;
  std::string claim;
  std::string settlement;
  int status = 0;             // of the confirm
  Clock::time_point since{};  // when the confirm was answered
  std::string state;          // settled | rejected | manual | open
};

std::string funding_status(const ApiClient& api, const std::string& claim) {
  return expect_ok(api.get("/v1/claims/" + claim)).text("/adjudication/funding/funding_status");
}

/// Open tasks about payments, by settlement.
std::map<std::string, std::string> with_a_person(const ApiClient& api) {
  std::map<std::string, std::string> tasks;
  std::string cursor;
  do {
    const auto page = expect_ok(api.get("/v1/tasks?status=open&kind=funding_unknown&order=asc&limit=100" +
                                        (cursor.empty() ? "" : "&cursor=" + cursor)));
    for (std::size_t i = 0; i < page.size("/data"); ++i) {
      const std::string at = "/data/" + std::to_string(i);
      tasks[page.text(at + "/object_id")] = page.text(at + "/task_id");
    }
    cursor = page.flag("/has_more") ? page.text("/next_cursor") : "";
  } while (!cursor.empty());
  return tasks;
}

void confirm(const ApiClient& api, Case& one) {
  const auto answer =
      api.post_nothing("/v1/settlements/" + one.settlement + "/confirm", {{"Idempotency-Key", "k-" + one.settlement}});
  one.status = answer.status;
  one.since = Clock::now();
}

std::vector<Case> settle_in(FourBanks& world, const std::vector<std::string>& words,
                            const std::vector<std::string>& recalls) {
  std::vector<Case> all;
  for (const auto& word : words)
    for (const auto& recall : recalls) {
      const std::string number = std::to_string(all.size());
      all.push_back({recall, word, "do:" + word + ":" + number, "CLM-" + number, "", 0, {}, "open"});
    }
  side_by_side(all.size(), kClients, [&](std::size_t i) {
    all[i].settlement = advance(*world.api, all[i].claim, rail_of(all[i].recall), all[i].token);
  });
  return all;
}

/// Waits until every case is at its end or with an operator; how long the slowest took from `asked`.
std::chrono::milliseconds come_to_rest(FourBanks& world, std::vector<Case>& all, Clock::time_point asked) {
  std::size_t open = all.size();
  std::chrono::milliseconds slowest{0};
  eventually(
      [&] {
        const auto tasks = with_a_person(*world.api);
        open = 0;
        for (auto& one : all) {
          if (one.state != "open") continue;
          const auto now = funding_status(*world.api, one.claim);
          if (now == "settled" || now == "rejected")
            one.state = now;
          else if (tasks.contains(one.settlement))
            one.state = "manual";
          else
            ++open;
          if (one.state != "open")
            slowest = std::max(slowest, std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - asked));
        }
        return open == 0;
      },
      2 * kSoon);
  BOOST_TEST(open == 0u, open << " settlements came to no end");
  return slowest;
}

/// Payments in the bank's book, by the fingerprint of the payout token.
std::map<std::string, std::vector<fault::Payment>> paid_by_account(BankBook& bank) {
  std::map<std::string, std::vector<fault::Payment>> paid;
  for (const auto& payment : bank.payments()) paid[payment.account].push_back(payment);
  return paid;
}

/// Holds what the service believes against what the banks know; those that are with an operator are decided by the book
/// first.
void check_against_the_books(FourBanks& world, std::vector<Case>& all) {
  std::int64_t moved = 0;
  const auto tasks = with_a_person(*world.api);
  for (auto& [recall, bank] : world.banks) {
    bank.deliver_all(recall == "dedup" ? BankBook::Memory::once : BankBook::Memory::never);
    const auto paid = paid_by_account(bank);
    for (auto& one : all) {
      if (one.recall != recall) continue;
      BOOST_TEST_CONTEXT(one.recall << ' ' << one.behaviour << ", confirm " << one.status << ", " << one.state) {
        const auto found = paid.find(fault::fingerprint_of(one.token));
        const std::size_t payments = found == paid.end() ? 0 : found->second.size();
        BOOST_TEST(payments <= 1u);
        for (std::size_t i = 0; i < payments; ++i) BOOST_TEST(found->second[i].amount == kAdvance);
        moved += static_cast<std::int64_t>(payments) * kAdvance;
        if (one.state == "settled") BOOST_TEST(payments == 1u);
        if (one.state == "rejected") BOOST_TEST(payments == 0u);
        if (one.state != "manual") continue;
        BOOST_REQUIRE(tasks.contains(one.settlement));
        const std::string decision = payments == 1 ? "paid" : "not_paid";
        const auto decided =
            expect_ok(world.api->post("/v1/tasks/" + tasks.at(one.settlement) + "/decide",
                                      R"({"decision":")" + decision + R"(","reason":"the bank's book"})"));
        BOOST_TEST(decided.text("/status") == "closed");
        BOOST_TEST(funding_status(*world.api, one.claim) == (payments == 1 ? "settled" : "rejected"));
      }
    }
  }
  const auto book = book_of(*world.api);
  BOOST_TEST(book.posted_sum == 0);
  BOOST_TEST(book.pending_sum == 0);
  BOOST_TEST(book.posted_in("funding_cash") == -moved);
  BOOST_TEST(with_a_person(*world.api).empty());
}

BOOST_AUTO_TEST_SUITE(lost_replies)

BOOST_AUTO_TEST_CASE(every_answer_that_can_go_wrong_ends_as_the_bank_s_book_says) {
  const std::size_t rounds = cases(1, 50);
  std::size_t ran = 0, by_itself = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    FourBanks world;
    auto all = settle_in(world, behaviours(), {kRecalls.begin(), kRecalls.end()});
    side_by_side(all.size(), kClients, [&](std::size_t i) { confirm(*world.api, all[i]); });
    const auto asked = Clock::now();
    const auto slowest = come_to_rest(world, all, asked);
    BOOST_TEST((slowest <= kSoon), "the slowest took " << slowest.count() << " ms");
    for (const auto& one : all) {
      BOOST_TEST_CONTEXT(one.recall << ' ' << one.behaviour) {
        // An operator is asked only where no other source can tell.
        const bool contradicted =
            one.behaviour.rfind("mutate:", 0) == 0 && std::stoi(one.behaviour.substr(7)) >= fault::kFirstContradiction;
        const bool may_ask_a_person = one.recall == "blind" || one.recall == "query" || contradicted;
        BOOST_TEST((one.state != "manual" || may_ask_a_person));
        by_itself += one.state == "settled" || one.state == "rejected";
      }
    }
    ran += all.size();
    check_against_the_books(world, all);
  }
  survived("R8", ran, cases(200, 10'000),
           "answers lost, late, doubled or wrong (" + std::to_string(fault::kMutations) + " mutations): " +
               std::to_string(by_itself) + " ended by themselves within 30 s, the rest by an operator, 0 wrong");
}

BOOST_AUTO_TEST_CASE(a_rail_that_answers_after_the_service_died_and_came_back_ends_it) {
  FourBanks world;
  const std::vector<std::string> words{"pay_silent", "late", "twice", "throw"};
  for (auto& [recall, bank] : world.banks) bank.script("query", {"always silent"});
  auto all = settle_in(world, words, {"dedup", "fence", "query"});
  side_by_side(all.size(), kClients, [&](std::size_t i) { confirm(*world.api, all[i]); });
  for (const auto& one : all) BOOST_TEST(one.status == 503, one.recall << ' ' << one.behaviour);
  world.service->kill();
  for (auto& [recall, bank] : world.banks) bank.script("query", {"answer"});
  world.start();
  const auto slowest = come_to_rest(world, all, Clock::now());
  BOOST_TEST((slowest <= kSoon), "the slowest took " << slowest.count() << " ms");
  check_against_the_books(world, all);
  survived("R8", all.size(), words.size() * 3,
           "answers after a kill and a restart: each found within " + std::to_string(slowest.count()) + " ms, 0 wrong");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
