// Random books of advances and the payments of their payer: payments, takebacks, corrections, forward balances,
// withholdings, claims without an advance and interest. A payment is split over several deposits, merged with another
// or sent twice, and all arrive in any order. The invariants:
// - After each arrival every cent of every deposit is recovered, a fee, a residual, a forward balance, credited to the
//   provider or in suspense.
// - Every cent of a residual is due, being paid or paid, exactly once. Some residuals are paid out between arrivals,
//   with lost answers and rejections of the rail.
// - Where each payment identifies its claims and balances, the order of arrival does not change the result.
// Some books add decisions of reviewers, their undo, and returned advances. A failure prints its seed;
// TIDEOVER_SEED=<seed> runs that book again.
#include <iostream>
#include <random>
#include <variant>

#include "core/usecases/funding/follow_up_payments.hpp"
#include "core/usecases/funding/pay_residual.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "core/usecases/tasks/read_tasks.hpp"
#include "tests/usecases/matching/matching_steps_world.hpp"

using namespace tideover;
using tests::Cash;
using tests::PaidClaim;
using tests::Remittance;

namespace {

using Arrival = std::variant<Cash, Remittance>;

struct Book {
  std::vector<tests::Advance> advances;
  std::vector<Arrival> arrivals;
};

class BookGenerator {
 public:
  /// `clear`: every remittance has a trace number of its own, its deposits have the same one, and only forward balances
  /// are withheld.
  BookGenerator(std::uint64_t seed, bool clear) : random_(seed), clear_(clear) {}

  Book generate() {
    for (std::size_t i = 0, count = 3 + pick(4); i < count; ++i) book_.advances.push_back({"A" + std::to_string(i)});
    const std::size_t late = pick(2);  // advances that are paid last, less forward balances
    std::vector<PaidClaim> first, second, last;
    for (std::size_t i = 0; i < book_.advances.size(); ++i) {
      const auto& name = book_.advances[i].name;
      const std::int64_t paid = one_of({79'000, 80'000, 60'000, 100'000, 65'280, 65'279, clear_ ? 90'000 : 300'000});
      if (i < late) {
        last.push_back({name, paid});
      } else if (chance(10)) {
        first.push_back({name, 0, 100'000, std::nullopt, "4"});
      } else if (!chance(10)) {
        first.push_back({name, paid});
        if (chance(50)) {
          second.push_back({name, -paid, -100'000, std::nullopt, "22"});
          if (chance(50)) second.push_back({name, one_of({79'000, 30'000, 80'000})});
        }
      }
    }
    if (chance(50)) first.push_back({"STRANGER", one_of({5'000, 21'000}), 120'000});
    if (!clear_ && chance(30)) second.push_back({"STRANGER", -5'000, -120'000, std::nullopt, "22"});
    gather(first, false);
    gather(second, true);
    gather(last, false);
    send();
    return std::move(book_);
  }

 private:
  std::size_t pick(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }
  bool chance(std::size_t percent) { return pick(100) < percent; }
  std::int64_t one_of(std::vector<std::int64_t> amounts) { return amounts[pick(amounts.size())]; }

  /// Groups claims into remittances of one to three; a takeback and its correction stay together.
  void gather(const std::vector<PaidClaim>& claims, bool carries_forward) {
    for (std::size_t i = 0; i < claims.size();) {
      Remittance remittance{"N" + std::to_string(remittances_.size()), trace(), {}};
      std::int64_t sum = 0, taken_back = 0;
      for (std::size_t most = 1 + pick(3);
           i < claims.size() && (remittance.claims.size() < most || claims[i].name == remittance.claims.back().name);
           ++i) {
        remittance.claims.push_back(claims[i]);
        sum += claims[i].paid;
        taken_back -= std::min<std::int64_t>(claims[i].paid, 0);
      }
      if (chance(20)) remittance.adjustments.emplace_back("L6", -static_cast<std::int64_t>(1 + pick(500)));
      if (carries_forward && taken_back > 0 && (sum < 0 || chance(40))) {
        const std::int64_t off = sum < 0 && chance(50) ? -sum : taken_back;
        const bool debits = sum < 0 && chance(30);  // BPR03 = D
        if (!debits) remittance.adjustments.emplace_back(chance(50) ? "FB" : "WO", -off);
        carriers_.push_back(remittance.trace);
        carried_ += debits ? std::max<std::int64_t>(0, -payment(remittance)) : off;
      } else if (const std::int64_t most = clear_ ? std::min(carried_, sum) : sum / 2;
                 !carries_forward && most > 0 && chance(clear_ ? 80 : 20)) {
        const auto withheld = static_cast<std::int64_t>(1 + pick(static_cast<std::size_t>(most)));
        remittance.adjustments.emplace_back(chance(50) ? "FB" : "WO", withheld, reference());
        carried_ -= withheld;
      }
      if (!clear_ && chance(10)) remittance.adjustments.emplace_back("CS", 100);
      if (!clear_ && chance(10)) remittance.off_balance = 1;
      remittances_.push_back(std::move(remittance));
    }
  }

  std::string trace() {
    ++traces_;
    if (clear_) return "T" + std::to_string(traces_);
    return chance(20) ? "" : "T" + std::to_string(pick(4));
  }

  /// The reference of a withholding: none, that of a forward balance, or an unknown one.
  std::string reference() {
    if (chance(40)) return "";
    return carriers_.empty() || chance(30) ? "ICN-0" : carriers_[pick(carriers_.size())];
  }

  static std::int64_t payment(const Remittance& remittance) {
    std::int64_t sum = remittance.off_balance;
    for (const auto& claim : remittance.claims) sum += claim.paid;
    for (const auto& adjustment : remittance.adjustments) sum -= adjustment.cents;
    return sum;
  }

  void deposit(std::int64_t cents, const std::string& trace) {
    book_.arrivals.emplace_back(Cash{"D" + std::to_string(deposits_++), cents, trace});
  }

  void send() {
    for (std::size_t i = 0; i < remittances_.size(); ++i) {
      auto& remittance = remittances_[i];
      std::int64_t cents = payment(remittance);
      if (i + 1 < remittances_.size() && cents > 0 && payment(remittances_[i + 1]) > 0 &&
          chance(15)) {  // one deposit for both
        remittances_[i + 1].trace = remittance.trace;
        cents += payment(remittances_[i + 1]);
        book_.arrivals.emplace_back(remittance);
        ++i;
      } else {
        for (int parts = 0; parts < 2 && cents > 1 && deposits_ < 6 && chance(25); ++parts) {
          const auto part = static_cast<std::int64_t>(1 + pick(static_cast<std::size_t>(cents - 1)));
          deposit(part, remittance.trace);
          cents -= part;
        }
      }
      if (cents > 0) deposit(cents, !clear_ && chance(20) ? "" : remittance.trace);
      book_.arrivals.emplace_back(remittances_[i]);
      if (chance(20)) book_.arrivals.emplace_back(remittances_[i]);
    }
    if (!clear_ && chance(50)) deposit(80'000, "");
  }

  std::mt19937_64 random_;
  const bool clear_;
  Book book_;
  std::vector<Remittance> remittances_;
  std::vector<std::string> carriers_;
  std::int64_t carried_ = 0;
  int traces_ = 0, deposits_ = 0;
};

struct BooksWorld : tests::MatchingStepsWorld {
  usecases::PayResidual pay_residual{*store, *disburse, ids, true};
  usecases::PayResiduals pay_residuals{*store, *disburse, ids, domain::Money::cents(1)};
  usecases::DecideTask decide_task{*store, *disburse, payers, ids, false};
  usecases::FollowUpPayments follow_up_payments{*store, *disburse, rails, clock, ids, {}};
  std::vector<std::string> decided;     // tasks closed by a reviewer and not undone
  std::map<std::string, int> outcomes;  // number of decisions by kind, accepted or refused

  BooksWorld() { same_day.expected_settlement = clock.now().plus_ms(1'000); }

  /// A reviewer decides one open task at random, or undoes an earlier decision.
  void decide_some(std::mt19937_64& dice) {
    const auto open = tasks();
    if (const auto about = open.empty() ? nullptr : &open[dice() % open.size()];
        about && domain::is_about_matching(about->kind)) {
      const auto id = about->id.text();
      const auto proposals = usecases::ReadTasks(*store).view(caller.tenant, id)->proposals;
      usecases::TaskDecision decision{std::string(about->kind == domain::kDepositDuplicate ? domain::kDistinct
                                                  : dice() % 5 == 0                        ? domain::kResolved
                                                                                           : domain::kRelease),
                                      "as the bank says", ""};
      if (!proposals.empty() && dice() % 4 != 0) {
        const auto& proposal = proposals[dice() % proposals.size()];
        decision = {std::string(proposal.decision), "as the bank says", proposal.id};
      }
      if (count_decision(decision.decision, decide_task(context("decide"), id, decision, tests::task_body)))
        decided.push_back(id);
    }
    if (!decided.empty() && dice() % 3 == 0) {
      const auto taken_back = decided.begin() + static_cast<std::ptrdiff_t>(dice() % decided.size());
      if (count_decision("undo", decide_task.undo(context("undo"), *taken_back, "the bank erred", tests::task_body)))
        decided.erase(taken_back);
    }
  }

  bool count_decision(const std::string& what, const domain::Result<usecases::StoredResponse>& answer) {
    ++outcomes[what + (answer ? "" : " refused")];
    if (!answer) BOOST_TEST((answer.error().code == domain::ErrorCode::invalid_state), tests::why(answer));
    return bool(answer);
  }

  /// The bank returns one advance.
  void send_back_some(std::mt19937_64& dice) {
    if (dice() % 6 != 0) return;
    const auto& [name, id] = *std::next(settlements.begin(), static_cast<std::ptrdiff_t>(dice() % settlements.size()));
    if (is_returned(id)) return;
    same_day.now_stands(attempt(id).rail_key, ports::RailOutcome::Kind::returned, "R02");
    clock.advance_s(4'000);
    for (int round = 0; round < 3 && !is_returned(id); ++round) BOOST_REQUIRE(bool(follow_up_payments()));
    ++outcomes[is_returned(id) ? "returned" : "not returned"];
  }
  bool is_returned(const domain::SettlementId& id) {
    return settlement(id).status == domain::SettlementStatus::canceled;
  }

  void pay_out_some(std::mt19937_64& dice) {
    using Answer = fakes::FakeRail::Answer;
    if (dice() % 2 == 0) return;
    if (dice() % 3 == 0) same_day.script = {{dice() % 2 == 0 ? Answer::reject : Answer::time_out_accepted, "R03"}};
    BOOST_REQUIRE(bool(pay_residuals()));
    (void)(*resolve_disbursements)();
    clock.advance_s(2);  // some attempts without an answer are queried
    if (dice() % 2 == 0) (void)(*resolve_disbursements)();
    same_day.script.clear();
  }

  /// Pays out every residual that is due, also after a rejection. Only an open takeback blocks a payout.
  void pay_out_all() {
    resolve();
    for (const auto& [name, id] : settlements) {
      if (reconciliation(id).residual_due <= domain::Money{}) continue;
      const auto paid = pay_residual(
          context("pay"), id.text(), [](const auto&) { return ""; }, [](const auto&) { return ""; });
      const bool is_kept_back = seen(
          [&](const ports::Records& records) { return records.remittances().is_takeback_open(caller.tenant, id); });
      BOOST_TEST(bool(paid) != is_kept_back, tests::why(paid));
      BOOST_TEST((reconciliation(id).residual_due > domain::Money{}) == is_kept_back);
    }
  }

  /// Checks that the accounts explain each cent of every deposit.
  void check_every_cent() {
    std::map<std::string, domain::Money> books;
    domain::Money receivables;
    for (const auto& balance :
         seen([&](const ports::Records& records) { return records.ledger().balances(caller.tenant, "", 10'000); })) {
      books[balance.account] = balance.posted;
      if (balance.account.starts_with("purchased_receivable:")) receivables += balance.posted;
    }
    domain::Money paid_out, bank_paid, unclaimed;
    domain::Money arrived, suspended, recovered, fees, residuals, residual_losses, principal_losses, advanced, returned,
        provider, carried, withheld;
    for (const auto& [name, id] : deposits) {
      const auto deposit = seen(
          [&, deposit = id](const ports::Records& records) { return records.deposits().find(caller.tenant, deposit); });
      if (deposit->status == domain::MatchState::suspected_duplicate ||
          deposit->status == domain::MatchState::duplicate)
        continue;  // not booked
      arrived += deposit->amount;
      suspended += deposit->amount - deposit->matched_amount;
      provider += deposit->released;
    }
    for (const auto& [name, id] : settlements) {
      (is_returned(id) ? returned : advanced) += settlement(id).terms.advance_amount;
      const auto whole = reconciliation(id);
      paid_out += whole.residual_paid_out;
      const bool is_reported = !seen([&, of = id.text()](const ports::Records& records) {
                                  return records.tasks().list(
                                      caller.tenant, {domain::TaskStatus::open, domain::kPayoutTakenBack, of}, {"", 1});
                                }).empty();
      BOOST_TEST((whole.residual_due < domain::Money{}) == is_reported,
                 "a task is open if, and only if, the payer took back a paid-out residual");
      BOOST_TEST(whole.residual_released >= domain::Money{});
      check_loss(id, whole);
      unclaimed += whole.residual_due;
      for (const auto& record : whole.records) {
        recovered += record.split.recovered;
        fees += record.split.fee;
        residuals += record.split.residual;
        residual_losses += record.split.residual_loss;
        principal_losses += record.split.principal_loss;
        if (!record.deposit)
          suspended -= record.payer_payment;  // a takeback without a deposit, or netted against other payments
      }
    }
    for (const auto& [name, id] : remittances) {
      const auto remittance = seen([&, remittance = id](const ports::Records& records) {
        return records.remittances().find(caller.tenant, remittance);
      });
      provider += remittance->paid_to_provider;
      carried += remittance->carried;
      withheld += remittance->withheld;
      if (!remittance->deposit) suspended -= remittance->paid_to_provider + remittance->carried - remittance->withheld;
    }
    BOOST_TEST(books["deposit_clearing"] == arrived);
    BOOST_TEST(arrived == recovered + fees + residuals - residual_losses + provider + carried - withheld + suspended);
    BOOST_TEST(books["suspense_unmatched"] == -suspended);
    BOOST_TEST(books["carried_balances"] == -carried);
    BOOST_TEST(books["fee_income"] == -fees);
    BOOST_TEST(books["loss_on_receivable"] == principal_losses + residual_losses + withheld);
    BOOST_TEST(books[domain::account::provider_payable(caller.tenant)] == -(residuals - paid_out + provider));
    BOOST_TEST(books["funding_cash"] == -(advanced + paid_out));
    // Payments with unknown results may have been made, but never more than the residuals that were claimed.
    for (const auto& [key, payment] : same_day.payments()) bank_paid += payment.amount;
    BOOST_TEST(bank_paid >= advanced + returned + paid_out);
    BOOST_TEST(bank_paid <= advanced + returned + residuals - unclaimed);
    BOOST_TEST(receivables == advanced - recovered - principal_losses);
    BOOST_TEST(carried >= domain::Money{});
    BOOST_TEST(suspended >= domain::Money{});
  }

  /// No settlement loses more than its advance and its fee.
  void check_loss(const domain::SettlementId& id, const domain::Reconciliation& whole) {
    const auto terms = settlement(id).terms;
    const auto split = position_of(whole.records).split;
    BOOST_TEST(split.principal_loss + split.residual_loss <= terms.advance_amount + terms.fee_estimate);
    BOOST_TEST(whole.shortfall_absorbed <= terms.advance_amount + terms.fee_estimate);
  }
  /// The sum credited to the provider, paid out or not.
  domain::Money credited() {
    domain::Money sum = -balance(domain::account::provider_payable(caller.tenant));
    for (const auto& [name, id] : settlements) sum += reconciliation(id).residual_paid_out;
    return sum;
  }
  /// holdings() without the account of the provider.
  std::string holdings_without_provider() {
    auto text = holdings() + "; ";
    const auto from = text.find("provider_payable");
    if (from != std::string::npos) text.erase(from, text.find("; ", from) + 2 - from);
    return text;
  }

  void play(const Book& book, std::mt19937_64& order, bool with_reviewers = false) {
    auto arrivals = book.arrivals;
    std::shuffle(arrivals.begin(), arrivals.end(), order);
    for (const auto& advance : book.advances) fund(advance);
    std::string so_far;
    for (const auto& arrival : arrivals) {
      std::visit([&](const auto& what) { so_far += ' ' + what.name; }, arrival);
      std::visit([&](const auto& what) { arrives(what); }, arrival);
      BOOST_TEST_CONTEXT("after" << so_far) {
        pay_out_some(order);
        check_every_cent();
        if (!with_reviewers) continue;
        decide_some(order);
        check_every_cent();
        send_back_some(order);
        check_every_cent();
      }
    }
    pay_out_all();
    check_every_cent();
  }
};

constexpr std::size_t kBooks = 12;

std::uint64_t first_seed() {
  const char* given = std::getenv("TIDEOVER_SEED");
  const std::uint64_t seed = given ? std::stoull(given) : std::random_device{}();
  std::cout << "random books from TIDEOVER_SEED=" << seed << std::endl;
  return seed;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(random_books)

BOOST_AUTO_TEST_CASE(every_cent_is_allocated_after_each_arrival) {
  const auto first = first_seed();
  for (std::uint64_t seed = first; seed < first + kBooks; ++seed) BOOST_TEST_CONTEXT("TIDEOVER_SEED=" << seed) {
      std::mt19937_64 order(seed);
      BooksWorld world;
      world.play(BookGenerator(seed, false).generate(), order);
      world.teardown();
    }
}

BOOST_AUTO_TEST_CASE(every_cent_is_allocated_after_decisions_undos_and_returns) {
  const auto first = first_seed();
  std::map<std::string, int> outcomes;
  for (std::uint64_t seed = first; seed < first + 3 * kBooks; ++seed) BOOST_TEST_CONTEXT("TIDEOVER_SEED=" << seed) {
      std::mt19937_64 order(seed);
      BooksWorld world;
      world.play(BookGenerator(seed, false).generate(), order, true);
      for (const auto& [what, times] : world.outcomes) outcomes[what] += times;
      world.teardown();
    }
  for (const auto& [what, times] : outcomes) std::cout << what << ' ' << times << "; ";
  std::cout << std::endl;
  for (const char* what : {"accept", "release", "undo", "returned"}) BOOST_TEST(outcomes[what] > 0, what);
}

BOOST_AUTO_TEST_CASE(the_order_of_arrival_does_not_change_the_result) {
  const auto first = first_seed();
  for (std::uint64_t seed = first; seed < first + kBooks; ++seed) BOOST_TEST_CONTEXT("TIDEOVER_SEED=" << seed) {
      std::mt19937_64 order(seed);
      const auto book = BookGenerator(seed, true).generate();
      std::string results, holdings;
      domain::Money credited;
      for (int i = 0; i < 3; ++i) {
        BooksWorld world;
        world.play(book, order);
        if (i == 0) {
          results = world.results();
          holdings = world.holdings_without_provider();
          credited = world.credited();
        }
        BOOST_TEST(world.results() == results);
        BOOST_TEST(world.holdings_without_provider() == holdings);
        BOOST_TEST(world.credited() == credited);
        world.teardown();
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
