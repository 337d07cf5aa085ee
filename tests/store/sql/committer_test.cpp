#include "core/store/committer/committer.hpp"

#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <future>
#include <latch>
#include <optional>
#include <thread>
#include <vector>

#include "tests/store/sql/test_database.hpp"

namespace bdata = boost::unit_test::data;
using namespace tideover;
using namespace tideover::store;
using namespace tideover::tests;
using Kind = sql::SqlError::Kind;

namespace tideover::tests {

// Not in an anonymous namespace: data test cases are templates with linkage, and their lambdas hold it.
struct Running {
  explicit Running(sql::Dialect engine, const CommitterOptions& options = {}) : database(engine) {
    database.create_tables();
    committer = std::make_unique<Committer>([this] { return database->writer(); }, options);
  }

  TestDatabase database;
  std::unique_ptr<Committer> committer;
};

}  // namespace tideover::tests

namespace {

Unit insert(int id) {
  return [id](sql::Session& session) {
    session.run("INSERT INTO account (id, cents) VALUES (?, 0)", id);
    return UnitVerdict::keep;
  };
}

/// Keeps a lane inside a unit until the test has queued what belongs into one batch.
class Gate {
 public:
  explicit Gate(Committer& committer) {
    committer.commit_async(
        [this](sql::Session&) {
          entered_.set_value();
          opened_.get_future().wait();
          return UnitVerdict::keep;
        },
        Priority::interactive, [](CommitReport) {});
    entered_.get_future().wait();
  }
  void open() { opened_.set_value(); }

 private:
  std::promise<void> entered_;
  std::promise<void> opened_;
};

/// While it lives, writing past `bytes` of any file fails with EFBIG, which SQLite reports as an I/O error.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limited{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    ::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

std::future<CommitReport> queue(Committer& committer, Unit unit, Priority priority = Priority::interactive) {
  auto promise = std::make_shared<std::promise<CommitReport>>();
  auto report = promise->get_future();
  committer.commit_async(std::move(unit), priority,
                         [promise](CommitReport answer) { promise->set_value(std::move(answer)); });
  return report;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_committer)

BOOST_DATA_TEST_CASE(many_callers_share_few_transactions_and_all_is_durable, bdata::make(engines()), engine) {
  constexpr int kThreads = 16;
  constexpr int kUnitsEach = 40;
  Running running(engine, {.lanes = engine == sql::Dialect::sqlite ? 1 : 2});
  std::atomic<int> committed = 0;
  std::latch start(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        start.arrive_and_wait();
        for (int i = 0; i < kUnitsEach; ++i) {
          if (running.committer->commit(insert(t * kUnitsEach + i)).committed()) ++committed;
        }
      });
    }
  }
  BOOST_TEST(committed == kThreads * kUnitsEach);
  BOOST_TEST(running.database.count("SELECT COUNT(*) FROM account") == kThreads * kUnitsEach);
  const CommitterStats stats = running.committer->stats();
  BOOST_TEST(stats.units == static_cast<std::uint64_t>(kThreads * kUnitsEach));
  BOOST_TEST(stats.batches < stats.units);
}

BOOST_DATA_TEST_CASE(one_bad_unit_fails_alone, bdata::make(engines()), engine) {
  Running running(engine);
  BOOST_REQUIRE(running.committer->commit(insert(7)).committed());
  Gate gate(*running.committer);
  auto before = queue(*running.committer, insert(1));
  auto bad = queue(*running.committer, [](sql::Session& session) {
    session.run("INSERT INTO account (id, cents) VALUES (8, 0)");
    session.run("INSERT INTO account (id, cents) VALUES (7, 0)");
    return UnitVerdict::keep;
  });
  auto thrown = queue(*running.committer, [](sql::Session& session) -> UnitVerdict {
    session.run("INSERT INTO account (id, cents) VALUES (9, 0)");
    throw std::runtime_error("a fault in a store");
  });
  auto thrown_oddly = queue(*running.committer, [](sql::Session& session) -> UnitVerdict {
    session.run("INSERT INTO account (id, cents) VALUES (10, 0)");
    throw 1;
  });
  auto after = queue(*running.committer, insert(2));
  gate.open();

  BOOST_TEST(before.get().committed());
  BOOST_TEST(after.get().committed());
  BOOST_TEST(thrown_oddly.get().error.value() == Kind::misuse);
  const CommitReport failure = bad.get();
  BOOST_TEST((failure.outcome == CommitOutcome::failed));
  BOOST_TEST(failure.error.value() == Kind::unique_violation);
  const CommitReport fault = thrown.get();
  BOOST_TEST(fault.error.value() == Kind::misuse);
  BOOST_TEST(fault.message.find("a fault in a store") != std::string::npos);
  BOOST_TEST(running.database.count("SELECT COUNT(*) FROM account WHERE id IN (1, 2, 7)") == 3);
  BOOST_TEST(running.database.count("SELECT COUNT(*) FROM account") == 3);
  BOOST_TEST(running.committer->stats().replays == 1U);
}

BOOST_DATA_TEST_CASE(a_refusal_before_the_first_write_costs_no_replay, bdata::make(engines()), engine) {
  Running running(engine);
  running.committer->commit(insert(7));
  Gate gate(*running.committer);
  auto kept = queue(*running.committer, insert(1));
  auto discarded = queue(*running.committer, [](sql::Session& session) {
    return session.query("SELECT 1 FROM account WHERE id = 7").next() ? UnitVerdict::discard : UnitVerdict::keep;
  });
  auto duplicate = queue(*running.committer, insert(7));
  gate.open();
  BOOST_TEST(kept.get().committed());
  BOOST_TEST((discarded.get().outcome == CommitOutcome::discarded));
  BOOST_TEST(duplicate.get().error.value() == Kind::unique_violation);
  BOOST_TEST(running.committer->stats().replays == 0U);
  BOOST_TEST(running.database.count("SELECT COUNT(*) FROM account") == 2);
}

BOOST_DATA_TEST_CASE(a_unit_discarded_after_writing_leaves_nothing, bdata::make(engines()), engine) {
  Running running(engine);
  Gate gate(*running.committer);
  int runs = 0;
  auto kept = queue(*running.committer, insert(1));
  auto discarded = queue(*running.committer, [&](sql::Session& session) {
    ++runs;
    session.run("INSERT INTO account (id, cents) VALUES (2, 0)");
    return UnitVerdict::discard;
  });
  auto also_kept = queue(*running.committer, insert(3));
  gate.open();
  BOOST_TEST(kept.get().committed());
  BOOST_TEST((discarded.get().outcome == CommitOutcome::discarded));
  BOOST_TEST(also_kept.get().committed());
  BOOST_TEST(runs == 2);
  BOOST_TEST(running.database.count("SELECT COUNT(*) FROM account WHERE id <> 2") == 2);
  BOOST_TEST(running.database.count("SELECT COUNT(*) FROM account") == 2);
}

BOOST_AUTO_TEST_CASE(a_full_queue_refuses_at_once) {
  Running running(sql::Dialect::sqlite, {.queue_capacity = 2});
  Gate gate(*running.committer);
  auto first = queue(*running.committer, insert(1));
  auto second = queue(*running.committer, insert(2));
  BOOST_TEST((running.committer->commit(insert(3)).outcome == CommitOutcome::refused_queue_full));
  gate.open();
  BOOST_TEST(first.get().committed());
  BOOST_TEST(second.get().committed());
  BOOST_TEST(running.committer->commit(insert(3)).committed());
}

BOOST_AUTO_TEST_CASE(background_units_yield_to_interactive_ones) {
  Running running(sql::Dialect::sqlite);
  std::vector<std::string> order;  // written on the one lane only
  std::vector<std::future<CommitReport>> reports;
  std::future<CommitReport> interactive;
  const auto noted = [&](std::string name) {
    return [&order, name](sql::Session&) {
      order.push_back(name);
      return UnitVerdict::keep;
    };
  };
  Gate gate(*running.committer);
  // The first background unit finds no other unit waiting; while it runs, an interactive unit arrives and must not wait
  // for the rest.
  reports.push_back(queue(
      *running.committer,
      [&](sql::Session&) {
        order.push_back("background 0");
        interactive = queue(*running.committer, noted("interactive"));
        return UnitVerdict::keep;
      },
      Priority::background));
  for (int i = 1; i < 4; ++i) {
    reports.push_back(queue(*running.committer, noted("background " + std::to_string(i)), Priority::background));
  }
  gate.open();
  for (auto& report : reports) BOOST_TEST(report.get().committed());
  BOOST_TEST(interactive.get().committed());
  const std::vector<std::string> expected = {"background 0", "interactive", "background 1", "background 2",
                                             "background 3"};
  BOOST_TEST(order == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_bulk_unit_yields_to_all_others_and_no_caller_waits_for_its_end) {
  // Its turn for having waited long enough is another test's: a disk may take that long behind the gate.
  Running running(sql::Dialect::sqlite, {.bulk_patience = std::chrono::hours(1)});
  std::vector<std::string> order;  // written on the one lane only
  const auto noted = [&](std::string name) {
    return [&order, name](sql::Session&) {
      order.push_back(name);
      return UnitVerdict::keep;
    };
  };
  Gate gate(*running.committer);
  auto bulk = queue(*running.committer, noted("bulk"), Priority::bulk);
  auto background = queue(*running.committer, noted("background"), Priority::background);
  bool answered_before_bulk = false;
  running.committer->commit_async(noted("interactive"), Priority::interactive,
                                  [&](const CommitReport&) { answered_before_bulk = order.back() != "bulk"; });
  gate.open();
  BOOST_TEST(bulk.get().committed());
  BOOST_TEST(background.get().committed());
  const std::vector<std::string> expected = {"interactive", "background", "bulk"};
  BOOST_TEST(order == expected, boost::test_tools::per_element());
  BOOST_TEST(answered_before_bulk);
}

BOOST_AUTO_TEST_CASE(a_bulk_unit_comes_to_its_turn_however_many_others_wait) {
  Running running(sql::Dialect::sqlite);
  bool bulk_ran = false, others_ended = false;  // on the one lane only
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  // Each brings the next: whenever the lane looks, a unit waits.
  const std::function<UnitVerdict(sql::Session&)> another = [&](sql::Session&) {
    others_ended = bulk_ran || std::chrono::steady_clock::now() > give_up;
    if (!others_ended) running.committer->commit_async(another, Priority::interactive, [](CommitReport) {});
    return UnitVerdict::keep;
  };
  auto first = queue(*running.committer, another);
  auto bulk = queue(
      *running.committer,
      [&](sql::Session&) {
        BOOST_TEST(!others_ended);
        bulk_ran = true;
        return UnitVerdict::keep;
      },
      Priority::bulk);
  BOOST_TEST(bulk.get().committed());
  running.committer->drain();
}

BOOST_AUTO_TEST_CASE(a_batch_is_bounded_by_time) {
  Running running(sql::Dialect::sqlite, {.max_batch_time = std::chrono::milliseconds(0)});
  Gate gate(*running.committer);
  std::vector<std::future<CommitReport>> reports;
  for (int i = 0; i < 5; ++i) reports.push_back(queue(*running.committer, insert(i)));
  gate.open();
  for (auto& report : reports) BOOST_TEST(report.get().committed());
  BOOST_TEST(running.committer->stats().batches == 6U);  // the gate's and one for each unit
}

BOOST_DATA_TEST_CASE(draining_finishes_accepted_units_and_refuses_the_rest, bdata::make(engines()), engine) {
  Running running(engine);
  std::vector<std::future<CommitReport>> reports;
  for (int i = 0; i < 50; ++i) reports.push_back(queue(*running.committer, insert(i)));
  running.committer->drain();
  for (auto& report : reports) BOOST_TEST(report.get().committed());
  BOOST_TEST((running.committer->commit(insert(99)).outcome == CommitOutcome::refused_stopping));
  BOOST_TEST(running.database.count("SELECT COUNT(*) FROM account") == 50);
}

BOOST_AUTO_TEST_CASE(a_full_disk_fails_its_batch_and_later_ones_succeed) {
  Running running(sql::Dialect::sqlite);
  const auto limit_pages = [&](sql::Sql pragma) {
    return running.committer->commit([pragma](sql::Session& session) {
      session.first([](const sql::Row&) { return true; }, pragma);
      return UnitVerdict::keep;
    });
  };
  const auto big = [](sql::Session& session) {
    session.run("INSERT INTO t (id, note) VALUES ('big', ?)", std::string(1 << 20, 'x'));
    return UnitVerdict::keep;
  };
  BOOST_REQUIRE(limit_pages("PRAGMA max_page_count = 20").committed());
  Gate gate(*running.committer);
  auto innocent = queue(*running.committer, insert(1));
  auto too_big = queue(*running.committer, big);
  gate.open();
  BOOST_TEST(innocent.get().error.value() == Kind::disk_full);
  BOOST_TEST(too_big.get().error.value() == Kind::disk_full);
  BOOST_REQUIRE(limit_pages("PRAGMA max_page_count = 100000").committed());
  BOOST_TEST(running.committer->commit(big).committed());
  BOOST_TEST(running.database.count("SELECT COUNT(*) FROM account") == 0);
}

BOOST_AUTO_TEST_CASE(a_unit_that_always_conflicts_fails_alone_in_the_end) {
  Running running(sql::Dialect::sqlite);
  Gate gate(*running.committer);
  auto innocent = queue(*running.committer, insert(1));
  int runs = 0;
  auto hopeless = queue(*running.committer, [&](sql::Session&) -> UnitVerdict {
    ++runs;
    throw sql::SqlError(Kind::conflict, 0, "deadlock");
  });
  auto also_innocent = queue(*running.committer, insert(2));
  gate.open();
  BOOST_TEST(innocent.get().committed());
  BOOST_TEST(also_innocent.get().committed());
  BOOST_TEST(hopeless.get().error.value() == Kind::conflict);
  BOOST_TEST(runs == 18);  // 1 + 8 retries with its batch, 1 + 8 alone
  BOOST_TEST(running.database.count("SELECT COUNT(*) FROM account") == 2);
}

BOOST_AUTO_TEST_CASE(a_batch_that_is_run_singly_waits_once_for_a_lost_database) {
  CommitterOptions options;
  options.reconnect_time = std::chrono::milliseconds(500);
  Running running(sql::Dialect::sqlite, options);
  Gate gate(*running.committer);
  int conflicts = 0;
  auto hopeless = queue(*running.committer, [&](sql::Session&) -> UnitVerdict {
    ++conflicts;
    throw sql::SqlError(Kind::conflict, 0, "deadlock");
  });
  std::vector<std::future<CommitReport>> cut_off;
  for (int i = 0; i < 20; ++i) {
    cut_off.push_back(queue(*running.committer, [](sql::Session&) -> UnitVerdict {
      throw sql::SqlError(Kind::connection_lost, 0, "gone");
    }));
  }
  const auto began = std::chrono::steady_clock::now();
  gate.open();
  BOOST_TEST(hopeless.get().error.value() == Kind::conflict);
  for (auto& report : cut_off) BOOST_TEST(report.get().error.value() == Kind::connection_lost);
  BOOST_TEST(conflicts == 18);
  BOOST_TEST((std::chrono::steady_clock::now() - began <
              std::chrono::seconds(5)));  // 20 times half a second is what it must not be
}

BOOST_AUTO_TEST_CASE(a_witness_that_fails_leaves_the_batch_unknown) {
  struct FailingWitness final : CommitWitness {
    void mark(sql::Session&) override {}
    bool was_kept(sql::Session&) override { throw std::bad_alloc(); }
  };
  CommitterOptions options;
  options.new_witness = [] { return std::make_unique<FailingWitness>(); };
  TestDatabase database(sql::Dialect::sqlite);
  database.create_tables();
  std::optional<FileSizeLimit> no_file_may_grow;
  Committer committer([&] { return no_file_may_grow.reset(), database->writer(); }, options);
  BOOST_REQUIRE(committer.commit(insert(1)).committed());
  no_file_may_grow.emplace(512);
  BOOST_TEST(committer.commit(insert(2)).error.value() == Kind::commit_unknown);
}

BOOST_AUTO_TEST_CASE(an_io_error_in_commit_is_unknown_and_later_units_succeed) {
  Running running(sql::Dialect::sqlite);
  BOOST_REQUIRE(running.committer->commit(insert(1)).committed());
  Gate gate(*running.committer);
  auto written = queue(*running.committer, insert(2));
  auto refused_because_of_it = queue(*running.committer, [](sql::Session& session) {
    return session.query("SELECT 1 FROM account WHERE id = 2").next() ? UnitVerdict::discard : UnitVerdict::keep;
  });
  {
    const FileSizeLimit no_file_may_grow(512);
    gate.open();
    BOOST_TEST(written.get().error.value() == Kind::commit_unknown);
    // It left nothing, but its refusal rests on a row that may not exist.
    const CommitReport refusal = refused_because_of_it.get();
    BOOST_TEST((refusal.outcome == CommitOutcome::failed));
    BOOST_TEST(refusal.error.value() == Kind::connection_lost);
  }
  BOOST_TEST(running.committer->commit(insert(3)).committed());
  BOOST_TEST(running.database.count("SELECT COUNT(*) FROM account WHERE id IN (1, 3)") == 2);
}

BOOST_AUTO_TEST_SUITE_END()
