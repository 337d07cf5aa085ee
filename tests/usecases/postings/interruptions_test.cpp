// A posting in chunks that is interrupted, shared or overtaken ends right, once, and its books verify at every commit.
#include "core/usecases/ledger/close_period.hpp"
#include "core/usecases/reconciliation/return_deposit.hpp"
#include "core/usecases/reconciliation/write_off_overdue.hpp"
#include "tests/usecases/postings/postings_world.hpp"

using namespace tideover;
using tests::Cash;
using tests::PostingsWorld;
using tests::Remittance;
using tests::why;

namespace {

constexpr std::size_t kClaimsInChunks = 8;
constexpr std::int64_t kPaidInChunks = 8 * 79'000;
/// The first commit matches the deposit, three post, one ends the posting, one completes the response.
constexpr int kCommitsOfPosting = 6;

struct InterruptedWorld : PostingsWorld {
  explicit InterruptedWorld(const domain::PostingSizes& sizes = tests::kSmallChunks) : PostingsWorld(sizes) {
    fund_all(kClaimsInChunks);
    arrives(remittance(kClaimsInChunks));
  }
  /// Every settlement was paid once, and all money is posted.
  void check_posted() {
    verify();
    BOOST_TEST(!is_posting());
    BOOST_TEST(ends().find("D1 matched") == 0U, ends());
    BOOST_TEST(balance("suspense_unmatched").is_zero());
    BOOST_TEST(states() == "posted posted posted posted posted posted posted posted");
    for (const auto& [name, id] : settlements) BOOST_TEST(reconciliation(id).records.size() == 1U, name);
    BOOST_TEST(stored().claims.size() == kClaimsInChunks);
  }
};

/// What happens before the n-th commit of the posting, for each n.
template <class World = InterruptedWorld, class Meanwhile, class Check>
void between_chunks(Meanwhile meanwhile, Check check) {
  for (int n = 2; n <= kCommitsOfPosting; ++n) BOOST_TEST_CONTEXT("before commit " << n) {
      World world;
      world.store->before_commit(n, [&] {
        world.find_deposit();
        world.verify();
        meanwhile(world);
        world.verify();
      });
      const auto answer = world.deposit(kPaidInChunks);
      BOOST_TEST(bool(answer), why(answer));
      world.verify();
      check(world, n);
      world.teardown();
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(postings_interrupted)

BOOST_AUTO_TEST_CASE(a_crash_at_any_commit_is_resumed) {
  for (int n = 1; n <= kCommitsOfPosting; ++n) BOOST_TEST_CONTEXT("after commit " << n) {
      InterruptedWorld world;
      world.store->die_after(n);
      const auto answer = world.deposit(kPaidInChunks);
      world.store->revive();
      BOOST_REQUIRE_MESSAGE(answer, why(answer));  // the deposit was accepted
      // The response is the stored one, whatever came of the posting.
      BOOST_TEST(world.answer_under("deposit", "key")->body == answer->body);
      BOOST_TEST(world.tail_of(answer->body) == (n < kCommitsOfPosting ? "partly_matched 0 posting" : "matched 8"));
      world.verify();
      world.resume();
      world.check_posted();
      world.teardown();
    }
}

BOOST_AUTO_TEST_CASE(a_lost_answer_and_a_lost_commit_are_resumed) {
  for (const bool is_kept : {true, false})
    for (int n = 1; n <= kCommitsOfPosting; ++n)
      BOOST_TEST_CONTEXT((is_kept ? "the answer" : "the commit") << " is lost: " << n) {
        InterruptedWorld world;
        is_kept ? world.store->lose_answer_of_commit(n) : world.store->lose_commit(n);
        const auto answer = world.deposit(kPaidInChunks);
        BOOST_TEST(bool(answer) == (n > 1));
        if (n == 1 && !is_kept) {
          BOOST_TEST(!world.is_posting());
          world.teardown();
          continue;
        }
        world.find_deposit();
        world.verify();
        world.resume();
        world.check_posted();
        world.teardown();
      }
}

BOOST_AUTO_TEST_CASE(a_conflict_repeats_the_chunk) {
  for (int n = 2; n < kCommitsOfPosting; ++n) {
    InterruptedWorld world;
    world.store->collide_at_commit(n);
    BOOST_TEST(world.tail_of(world.deposit(kPaidInChunks)->body) == "matched 8");
    world.check_posted();
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(two_posters_post_each_claim_once) {
  for (const int commits_of_the_other : {1, 2, 3, 4})
    between_chunks(
        [&](InterruptedWorld& world) {
          fakes::InterruptedStore other_store(*world.sql);
          other_store.die_after(commits_of_the_other);
          usecases::PostInChunks other(other_store, world.ids, &world.rules, tests::kSmallChunks);
          (void)other(world.caller.tenant, world.remittances["N1"], world.clock.now());
        },
        [](InterruptedWorld& world, int) { world.check_posted(); });
}

BOOST_AUTO_TEST_CASE(another_remittance_pays_an_advance_in_between) {
  between_chunks(
      [](InterruptedWorld& world) {
        world.arrives(Cash{"D2", 2 * 79'000, "T2"});
        world.arrives(Remittance{"N2", "T2", {{"C10", 79'000}, {"C17", 79'000}}});
      },
      [](InterruptedWorld& world, int) {
        BOOST_TEST(!world.is_posting());
        // Whichever came second waits for a reviewer; no advance is paid twice.
        for (const auto& [name, id] : world.settlements) {
          BOOST_TEST(world.reconciliation(id).records.size() == 1U, name);
          BOOST_TEST(world.reconciliation(id).payer_payment == domain::Money::cents(79'000));
        }
        BOOST_TEST(world.balance("suspense_unmatched") == domain::Money::cents(-2 * 79'000));
        BOOST_TEST(world.tasks("match_ambiguous").size() >= 1U);
      });
}

BOOST_AUTO_TEST_CASE(the_bank_takes_the_deposit_back_in_between) {
  between_chunks(
      [](InterruptedWorld& world) {
        usecases::ReturnDeposit return_deposit(*world.sql, world.ids);
        const auto returned =
            return_deposit(world.context("return"), {world.deposits["D1"].text(), world.clock.now().utc_date(), "R01"},
                           [](const usecases::DepositView&) { return std::string("returned"); });
        BOOST_TEST(bool(returned), why(returned));
      },
      [](InterruptedWorld& world, int) {
        BOOST_TEST(!world.is_posting());
        BOOST_TEST(world.states() == "waiting waiting waiting waiting waiting waiting waiting waiting");
        BOOST_TEST(world.balance("suspense_unmatched").is_zero());
        for (const auto& [name, id] : world.settlements) BOOST_TEST(world.reconciliation(id).payer_payment.is_zero());
        // It waits for other money, which posts it.
        world.arrives(Cash{"D2", kPaidInChunks, "T1", 1});
        BOOST_TEST(world.balance("suspense_unmatched").is_zero());
        BOOST_TEST(world.states() == "posted posted posted posted posted posted posted posted");
      });
}

namespace {

/// The advance of the first claim is funded late, that of the last never.
struct LateFundingWorld : PostingsWorld {
  LateFundingWorld() {
    send({name_of_claim(0)});
    for (std::size_t i = 1; i < kClaimsInChunks; ++i) fund({name_of_claim(i)});
    arrives(remittance(kClaimsInChunks));
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_advance_is_funded_in_between) {
  between_chunks<LateFundingWorld>(
      [](LateFundingWorld& world) { world.resolve(); },
      [](LateFundingWorld& world, int) {
        BOOST_TEST(!world.is_posting());
        BOOST_TEST(world.states() == "posted posted posted posted posted posted posted posted");
        BOOST_TEST(world.balance("suspense_unmatched").is_zero());
      });
}

namespace {

/// A reviewer decides on the first claim, whose charge differs from that of its advance.
struct AskedWorld : PostingsWorld {
  AskedWorld() {
    fund_all(kClaimsInChunks);
    auto asked = remittance(kClaimsInChunks);
    asked.claims[0].charge = 110'000;
    arrives(asked);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_reviewer_decides_and_undoes_in_between) {
  between_chunks<AskedWorld>(
      [](AskedWorld& world) {
        if (world.tasks("match_ambiguous").empty()) return;  // the claim was not judged yet
        const auto task = world.task_about("N1");
        const auto decided = world.decide(task, domain::kRelease);
        BOOST_REQUIRE_MESSAGE(decided, why(decided));
        world.verify();
        const auto undone = world.undo(task);
        BOOST_REQUIRE_MESSAGE(undone, why(undone));
        BOOST_REQUIRE(bool(world.decide(world.task_about("N1"), domain::kRelease)));
      },
      [](AskedWorld& world, int n) {
        BOOST_TEST(!world.is_posting());
        BOOST_TEST(world.states() == "unmatched posted posted posted posted posted posted posted");
        const bool is_decided = n > 2;
        BOOST_TEST(world.balance("suspense_unmatched").is_zero() == is_decided);
        BOOST_TEST(world.tasks("match_ambiguous").empty() == is_decided);
      });
}

namespace {

/// A reviewer is asked about the first claim. The others are paid less than their advances, and the rule charges what
/// is missing to the practice.
struct ShortWorld : PostingsWorld {
  static constexpr std::int64_t kPaid = 60'000;
  ShortWorld() {
    rules.bears = [](const domain::RecourseFacts& facts) {
      domain::RecourseProposal proposal;
      proposal.split.future_residuals = facts.amount;
      return std::optional(proposal);
    };
    fund_all(kClaimsInChunks);
    auto asked = remittance(kClaimsInChunks);
    for (auto& claim : asked.claims) claim.paid = kPaid;
    asked.claims[0].charge = 110'000;
    arrives(asked);
  }
};

/// The deposit came first, so that nothing says which advances the remittance is about before they are judged.
struct OverdueWorld : PostingsWorld {
  OverdueWorld() {
    fund_all(kClaimsInChunks);
    clock.advance_days(400);
    arrives(Cash{"D1", kPaidInChunks, "T1"});
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_decision_posts_asks_the_recourse_rule) {
  ShortWorld world;
  bool is_decided = false;
  world.store->before_commit(4, [&] {  // the first claims are judged
    world.find_deposit();
    const auto decided = world.decide(world.task_about("N1"), domain::kRelease);
    BOOST_REQUIRE_MESSAGE(decided, why(decided));
    is_decided = true;
  });
  const auto answer = world.deposit(kClaimsInChunks * ShortWorld::kPaid);
  BOOST_REQUIRE_MESSAGE(answer, why(answer));
  BOOST_TEST(is_decided);
  world.verify();
  int entries = 0;
  for (const auto& [name, id] : world.settlements)
    entries += static_cast<int>(world.reconciliation(id).recourse.size());
  BOOST_TEST(entries == static_cast<int>(kClaimsInChunks) - 1);
  BOOST_TEST(world.balance("loss_on_receivable").is_zero());
}

BOOST_AUTO_TEST_CASE(an_advance_is_not_called_unpaid_while_its_payment_is_posted) {
  for (int n = 2; n <= 4; ++n) BOOST_TEST_CONTEXT("before commit " << n) {
      OverdueWorld world;
      usecases::WriteOffOverdue write_off(*world.sql, world.rules, world.ids, world.clock);
      world.store->before_commit(n, [&] { BOOST_REQUIRE(bool(write_off({}, 100))); });
      world.arrives(world.remittance(kClaimsInChunks));
      BOOST_TEST(!world.is_posting());
      for (const auto& [name, id] : world.settlements) BOOST_TEST(world.reconciliation(id).records.size() == 1U, name);
      BOOST_TEST(world.balance("loss_on_receivable").is_zero());
      BOOST_TEST(world.events("task.opened") == 0);
      world.teardown();
    }
}

BOOST_AUTO_TEST_CASE(a_deposit_without_a_trace_pays_no_advance_that_is_being_paid) {
  for (int n = 2; n <= 4; ++n) BOOST_TEST_CONTEXT("before commit " << n) {
      PostingsWorld world;
      world.fund_all(kClaimsInChunks - 1);
      world.fund({"LAST", 200'000});  // the only one with this amount
      const auto last = world.settlement(world.settlements["LAST"]);
      const auto expected = last.expected_reimbursement.cents();
      world.clock.advance_days(days_between(world.clock.now().utc_date(), last.expected_payment_date));
      auto whole = world.remittance(kClaimsInChunks - 1);
      whole.claims.push_back({"LAST", expected, 200'000});
      world.arrives(
          Cash{"D1", kPaidInChunks - 79'000 + expected, "T1"});  // first: so no remittance announces a payment
      world.store->before_commit(n, [&] {
        world.arrives(Cash{"D2", expected, ""});
        world.verify();
      });
      world.arrives(whole);
      BOOST_TEST(!world.is_posting());
      BOOST_TEST(world.states() == "posted posted posted posted posted posted posted posted");
      BOOST_TEST(world.ends().find("D2 unmatched") != std::string::npos, world.ends());
      world.verify();
      world.teardown();
    }
}

BOOST_AUTO_TEST_CASE(a_posting_that_fails_does_not_stop_the_others) {
  PostingsWorld world;
  world.fund_all(2 * kClaimsInChunks);
  auto first = world.remittance(2 * kClaimsInChunks), second = first;
  first.claims.resize(kClaimsInChunks);
  second.claims.erase(second.claims.begin(), second.claims.begin() + kClaimsInChunks);
  second.name = "N2";
  second.trace = "T2";
  world.arrives(first);
  world.arrives(second);
  for (const auto* trace : {"T1", "T2"}) {
    world.store->die_after(1);
    (void)world.deposit(kPaidInChunks, trace, trace);
    world.store->revive();
    world.clock.advance_s(1);
  }
  BOOST_TEST(world.is_posting("N1"));
  BOOST_TEST(world.is_posting("N2"));
  world.clock.advance_s(6);
  world.store->lose_commit(1);
  const auto finished = world.post_in_chunks->resume(world.clock, [] { return false; });
  BOOST_TEST(!finished);  // the failure of N1
  BOOST_TEST(world.is_posting("N1"));
  BOOST_TEST(!world.is_posting("N2"));
  world.resume();
  BOOST_TEST(world.balance("suspense_unmatched").is_zero());
}

BOOST_AUTO_TEST_CASE(a_month_is_closed_in_between) {
  between_chunks(
      [](InterruptedWorld& world) {
        const auto today = world.clock.now().utc_date();
        world.clock.advance_days(days_between(today, domain::Month::of(today).next().first_day()));
        usecases::ClosePeriod periods(*world.sql, world.ids);
        const auto closed = periods.close(world.context("close"), domain::Month::of(today).text(),
                                          [](const auto& period) { return period.month.text(); });
        BOOST_REQUIRE_MESSAGE(closed, why(closed));
      },
      [](InterruptedWorld& world, int) { world.check_posted(); });
}

BOOST_AUTO_TEST_CASE(a_payment_of_an_advance_comes_and_goes_back_in_between) {
  between_chunks(
      [](InterruptedWorld& world) {
        // It pays an advance first, or may be a second payment of it.
        world.arrives(Remittance{"N2", "T2", {{"C10", 79'000}}});
        world.arrives(Cash{"D2", 79'000, "T2"});
        usecases::ReturnDeposit return_deposit(*world.sql, world.ids);
        const auto returned =
            return_deposit(world.context("return"), {world.deposits["D2"].text(), world.clock.now().utc_date(), "R01"},
                           [](const usecases::DepositView&) { return std::string("returned"); });
        BOOST_TEST(bool(returned), why(returned));
      },
      [](InterruptedWorld& world, int) {
        BOOST_TEST(!world.is_posting());
        BOOST_TEST(world.states() == "posted posted posted posted posted posted posted posted");
      });
}

BOOST_AUTO_TEST_SUITE_END()
