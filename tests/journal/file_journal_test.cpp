// The journal's file under crashes, full disks, damage and crowds.
#include "core/journal/file_journal.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstdlib>
#include <future>
#include <map>
#include <new>
#include <set>
#include <thread>

#include "tests/crypto/temp_folder.hpp"
#include "tests/fakes/fixed_clock.hpp"

using namespace tideover;
using domain::AttemptState;
using ports::Witnessed;

namespace {

constexpr std::size_t kTail = 4096;

/// Thousands of small files are made here: in memory, where the machine has such a place.
struct InMemory {
  InMemory() {
    if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  }
};

struct JournalWorld : InMemory {
  testing::TempFolder folder;
  fakes::FixedClock clock;
  std::filesystem::path path = folder.path() / "rail-journal";
  std::unique_ptr<journal::FileJournal> file;

  JournalWorld() { reopen(); }

  journal::JournalOptions options() const {
    journal::JournalOptions options;
    options.path = path;
    options.compact_from = 10;
    return options;
  }
  std::string why_not() {
    file.reset();
    auto opened = journal::FileJournal::open(options(), clock);
    if (!opened) return opened.error().message;
    file = std::move(*opened);
    return "";
  }
  void reopen() {
    const auto problem = why_not();
    BOOST_REQUIRE_MESSAGE(problem.empty(), problem);
  }
  static std::string key(int n) { return "key-" + std::to_string(n); }
  ports::JournalledSend send(int n) const {
    ports::JournalledSend send;
    send.tenant = domain::TenantId::of({1, 1});
    send.subject = domain::SettlementId::of({2, static_cast<std::uint64_t>(n)});
    send.rail = "RTP";
    send.key = key(n);
    send.amount = domain::Money::cents(100 + n);
    send.at = clock.now();
    return send;
  }
  Witnessed append(int n) {
    const auto witnessed = file->append(send(n));
    BOOST_REQUIRE(bool(witnessed));
    return *witnessed;
  }
  /// Written here, not merely suspected.
  bool holds(int n) const { return file->may_hold(key(n), clock.now().plus_days(1)); }
  std::vector<ports::JournalledSend> entries() const {
    std::vector<ports::JournalledSend> all;
    BOOST_REQUIRE(bool(file->visit([&](const ports::JournalledSend& sent) {
      all.push_back(sent);
      return true;
    })));
    return all;
  }
  void damage(const std::string& bytes) {
    file.reset();
    folder.write("rail-journal", bytes);
  }
};

/// The numbers whose lines are whole in `bytes`, up to the first `count` keys.
std::set<int> whole_lines(const std::string& original, std::size_t damaged_from, std::size_t damaged_to) {
  std::set<int> whole;
  std::size_t start = 0;
  while (start < original.size()) {
    const auto end = original.find('\n', start) + 1;
    const auto line = original.substr(start, end - start);
    const auto at = line.find(" key-");
    if (at != std::string::npos && line.find(" sent ") != std::string::npos &&
        (end <= damaged_from || start >= damaged_to))
      whole.insert(std::stoi(line.substr(at + 5)));
    start = end;
  }
  return whole;
}

/// Of this thread's large allocations the one with this number fails, while it is not zero.
thread_local int failing_allocation = 0;

}  // namespace

// Not inlined: g++ would take one of a pair for the library's.
__attribute__((noinline)) void* operator new(std::size_t size) {
  constexpr std::size_t kLarge = 400;  // what a long key is part of
  if (failing_allocation > 0 && size >= kLarge && --failing_allocation == 0) throw std::bad_alloc();
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* memory) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

BOOST_FIXTURE_TEST_SUITE(file_journal, JournalWorld)

// Memory may be short at any allocation of an append: no later append waits for ever, and none is lost.
BOOST_AUTO_TEST_CASE(whichever_allocation_of_an_append_fails_the_next_one_is_written) {
  int failures = 0;
  for (bool failed = true; failed; failures += failed) {
    auto large = send(100 + failures);
    large.key = std::string(500, 'k') + std::to_string(failures);
    large.claim = std::string(100, 'c');
    failing_allocation = failures + 1;
    failed = false;
    try {
      failed = !file->append(large);
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    failing_allocation = 0;
    auto next = std::async(std::launch::async, [&] { return bool(file->append(send(failures))); });
    BOOST_REQUIRE_MESSAGE(next.wait_for(std::chrono::seconds(20)) == std::future_status::ready,
                          "append waits for ever behind allocation " << failures + 1);
    BOOST_TEST(next.get());
    if (failed) BOOST_TEST(bool(file->append(large)));  // not lost: written now, or known as perhaps shown
    BOOST_TEST(file->may_hold(large.key, clock.now().plus_days(1)));
  }
  BOOST_TEST(failures >= 3);
  reopen();
  for (int n = 0; n <= failures; ++n) BOOST_TEST(holds(n));
}

BOOST_AUTO_TEST_CASE(witnessed_attempts_are_there_after_a_restart) {
  BOOST_TEST(file->opened().created);
  for (int n = 0; n < 5; ++n) BOOST_TEST((append(n) == Witnessed::now));
  file->note(key(1), AttemptState::settled, clock.now());
  for (int round = 0; round < 2; ++round) {
    for (int n = 0; n < 5; ++n) BOOST_TEST(holds(n));
    BOOST_TEST(!holds(5));
    BOOST_TEST((append(3) == Witnessed::before));
    const auto all = entries();
    BOOST_REQUIRE(all.size() == 5u);
    for (int n = 0; n < 5; ++n) {
      const auto& sent = all[static_cast<std::size_t>(n)];
      BOOST_TEST(sent.key == key(n));
      BOOST_TEST((sent.subject == send(n).subject));
      BOOST_TEST((sent.amount == send(n).amount));
      BOOST_TEST((sent.outcome == (n == 1 ? std::optional(AttemptState::settled) : std::nullopt)));
    }
    reopen();
    BOOST_TEST(!file->opened().created);
    BOOST_TEST(file->opened().entries == 5u);
    BOOST_TEST(file->opened().open == 4u);
    BOOST_TEST(file->opened().cut_bytes == 0u);
  }
}

BOOST_AUTO_TEST_CASE(an_attempt_older_than_the_kept_entries_may_have_been_shown_to_the_rail) {
  BOOST_TEST(!file->may_hold(key(1), clock.now().plus_days(-29)));
  BOOST_TEST(file->may_hold(key(1), clock.now().plus_days(-31)));
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_far_ahead_at_the_start_drops_nothing) {
  for (int n = 0; n < 20; ++n) {
    append(n);
    file->note(key(n), AttemptState::settled, clock.now());
  }
  clock.advance_days(400);
  reopen();
  BOOST_TEST(file->opened().dropped == 0u);
  for (int n = 0; n < 20; ++n) BOOST_TEST(holds(n));
}

BOOST_AUTO_TEST_CASE(only_the_owner_may_read_it_and_no_second_process_uses_it) {
  struct stat status {};
  BOOST_REQUIRE(::stat(path.c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777) == 0600u);
  const auto second = journal::FileJournal::open(options(), clock);
  BOOST_REQUIRE(!second);
  BOOST_TEST(second.error().message.find("another process uses it") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(sixteen_threads_witness_one_key_once_and_all_keys_each) {
  std::atomic<int> first{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t)
    threads.emplace_back([&, t] {
      for (int n = 0; n < 25; ++n) {
        const auto shared = file->append(send(n));
        if (shared && *shared == Witnessed::now) ++first;
        const auto own = file->append(send(1000 * (t + 1) + n));
        if (!own || *own != Witnessed::now) first = -1000;
        file->note(key(n), AttemptState::accepted, clock.now());
      }
    });
  for (auto& thread : threads) thread.join();
  BOOST_TEST(first == 25);
  reopen();
  BOOST_TEST(file->opened().entries == 25u + 16 * 25);
  BOOST_TEST(file->opened().open == 16u * 25);
  BOOST_TEST(file->opened().cut_bytes == 0u);
}

BOOST_AUTO_TEST_CASE(a_flip_of_any_of_the_last_4096_bytes_loses_no_other_line_and_makes_every_open_attempt_suspect) {
  for (int n = 0; n < 32; ++n) append(n);
  file.reset();
  const std::string good = testing::read_file(path);
  BOOST_REQUIRE(good.size() > kTail + 500);
  const auto attempt_before = clock.now();
  int tried = 0;
  for (std::size_t at = good.size() - kTail; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (tried % 2 ? 0x01 : 0x80));
    damage(bad);
    const auto problem = why_not();
    BOOST_REQUIRE_MESSAGE(problem.empty(), "byte " << at << ": " << problem);
    BOOST_REQUIRE(file->opened().cut_bytes > 0u);
    for (const int n : whole_lines(good, at, at + 1))
      if (!holds(n) && good[at] != '\n') BOOST_ERROR("byte " << at << " lost key " << n);
    // Attempts that were open when the line was lost are asked about; later ones are not held up.
    BOOST_REQUIRE(file->may_hold("any key", attempt_before));
    BOOST_REQUIRE(!file->may_hold("any key", clock.now().plus_ms(1)));
    if (at % 64 == 0) {
      reopen();
      BOOST_REQUIRE(file->opened().cut_bytes == 0u);
      BOOST_REQUIRE(file->may_hold("any key", attempt_before));
      append(1000);
    }
    ++tried;
  }
  BOOST_TEST(tried == static_cast<int>(kTail));
}

BOOST_AUTO_TEST_CASE(a_file_that_ends_at_any_of_its_last_4096_bytes_keeps_every_whole_line) {
  for (int n = 0; n < 32; ++n) append(n);
  file.reset();
  const std::string good = testing::read_file(path);
  for (std::size_t cut = 1; cut <= kTail; ++cut) {
    const std::size_t size = good.size() - cut;
    damage(good.substr(0, size));
    const auto problem = why_not();
    BOOST_REQUIRE_MESSAGE(problem.empty(), "cut " << cut << ": " << problem);
    const bool torn = good[size - 1] != '\n';
    BOOST_REQUIRE((file->opened().cut_bytes > 0) == torn);
    const auto whole = whole_lines(good, size, good.size());
    for (int n = 0; n < 26; ++n) BOOST_REQUIRE(holds(n) == whole.contains(n));
  }
}

BOOST_AUTO_TEST_CASE(damage_further_from_the_end_refuses_the_start_in_a_sentence) {
  for (int n = 0; n < 60; ++n) append(n);
  file.reset();
  const std::string good = testing::read_file(path);
  const auto line = [&](int which) {
    std::size_t start = 0;
    for (int i = 0; i < which; ++i) start = good.find('\n', start) + 1;
    return start;
  };
  std::vector<std::string> damaged;
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{40}, line(3) + 5, line(10) + 60, good.size() - kTail - 600}) {
    damaged.push_back(good);
    damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ 1);
  }
  damaged.push_back(good.substr(0, line(5)) + good.substr(line(6)));  // a line is gone
  damaged.push_back(good.substr(0, line(5)) + good.substr(line(6), line(7) - line(6)) +
                    good.substr(line(5), line(6) - line(5)) + good.substr(line(7)));  // two swapped
  damaged.push_back(good.substr(0, line(6)) + good.substr(line(5)));                  // one twice
  damaged.push_back(good.substr(line(1)));                                            // the beginning is gone
  for (const auto& bad : damaged) {
    damage(bad);
    const auto problem = why_not();
    BOOST_TEST(problem.find("damaged at byte") != std::string::npos, problem);
    BOOST_TEST(testing::read_file(path) == bad);  // evidence is left alone
  }
}

BOOST_AUTO_TEST_CASE(a_full_disk_refuses_leaves_no_torn_line_and_heals_without_a_restart) {
  append(1);
  const auto size = std::filesystem::file_size(path);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit full{size + 50, before.rlim_max};
  BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &full) == 0);
  const auto refused = file->append(send(2));
  const auto ready = file->ready();
  BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == domain::ErrorCode::service_unavailable));
  BOOST_TEST(!ready);
  BOOST_TEST(std::filesystem::file_size(path) == size);
  BOOST_TEST(!holds(2));

  BOOST_TEST(bool(file->ready()));
  BOOST_TEST((append(2) == Witnessed::now));
  reopen();
  BOOST_TEST(holds(1));
  BOOST_TEST(holds(2));
  BOOST_TEST(file->opened().cut_bytes == 0u);
}

BOOST_AUTO_TEST_CASE(attempts_that_ended_long_ago_are_dropped_and_the_chain_continues_from_the_file_before) {
  for (int n = 0; n < 30; ++n) append(n);
  for (int n = 0; n < 12; ++n) file->note(key(n), AttemptState::settled, clock.now());
  for (int n = 12; n < 15; ++n) file->note(key(n), AttemptState::unknown, clock.now());
  clock.advance_days(29);
  reopen();
  BOOST_TEST(file->opened().dropped == 0u);
  clock.advance_days(2);
  append(30);
  file.reset();
  const auto old = testing::read_file(path);
  const auto last_hash = old.substr(old.rfind('\n', old.size() - 2) + 1, 32);
  reopen();
  BOOST_TEST(file->opened().dropped == 12u);
  BOOST_TEST(file->opened().entries == 19u);
  BOOST_TEST(testing::read_file(path.string() + ".before") == old);
  BOOST_TEST(testing::read_file(path).substr(33, 32) == last_hash);
  for (int n = 0; n < 30; ++n) BOOST_TEST(holds(n) == (n >= 12));
  append(100);
  reopen();
  BOOST_TEST(file->opened().dropped == 0u);
  BOOST_TEST(file->opened().entries == 20u);
}

BOOST_AUTO_TEST_CASE(a_rail_moves_to_another_journal_with_all_that_was_sent_over_it) {
  append(1);
  for (int n = 2; n < 6; ++n) append(n);
  file->note(key(3), AttemptState::accepted, clock.now());
  auto of_other_rail = send(6);
  of_other_rail.rail = "SAME_DAY";
  BOOST_REQUIRE(bool(file->append(of_other_rail)));

  auto there = options();
  there.path = folder.path() / "journal-of-the-new-sender";
  const auto opened = journal::FileJournal::open(there, clock);
  BOOST_REQUIRE(bool(opened));
  auto& next = **opened;
  BOOST_REQUIRE(bool(next.append(send(1))));
  const auto taken = next.take_over(*file, "RTP");
  BOOST_REQUIRE(bool(taken));
  BOOST_TEST(*taken == 4u);
  std::map<std::string, std::optional<AttemptState>> outcomes;
  BOOST_REQUIRE(bool(next.visit([&](const ports::JournalledSend& sent) {
    outcomes[sent.key] = sent.outcome;
    return true;
  })));
  BOOST_TEST(outcomes.size() == 5u);
  BOOST_TEST((outcomes[key(3)] == AttemptState::accepted));
  BOOST_TEST(!outcomes.contains(key(6)));
}

BOOST_AUTO_TEST_CASE(a_journal_that_replaces_a_lost_one_makes_every_attempt_until_now_a_question) {
  const auto before = clock.now();
  BOOST_REQUIRE(bool(file->distrust()));
  for (int round = 0; round < 2; ++round) {
    BOOST_TEST(file->may_hold("any key", before));
    BOOST_TEST(!file->may_hold("any key", before.plus_ms(1)));
    reopen();
  }
}

BOOST_AUTO_TEST_CASE(a_reader_sees_all_beside_the_writer_and_changes_nothing) {
  for (int n = 0; n < 3; ++n) append(n);
  const auto before = testing::read_file(path);
  const auto looked = journal::FileJournal::look_at(path, clock);  // the writer has it locked
  BOOST_REQUIRE(bool(looked));
  const auto tomorrow = clock.now().plus_days(1);
  for (int n = 0; n < 3; ++n) BOOST_TEST((*looked)->may_hold(key(n), tomorrow));
  BOOST_TEST(!(*looked)->may_hold(key(3), tomorrow));
  append(3);
  BOOST_TEST(!(*looked)->may_hold(key(3), tomorrow));
  BOOST_TEST((*journal::FileJournal::look_at(path, clock))->may_hold(key(3), tomorrow));

  // Behind a torn end anything may be missing that was there until now.
  damage(before.substr(0, before.size() - 10));
  const auto torn = journal::FileJournal::look_at(path, clock);
  BOOST_REQUIRE(bool(torn));
  BOOST_TEST((*torn)->may_hold(key(1), tomorrow));
  BOOST_TEST(!(*torn)->may_hold(key(2), tomorrow));
  BOOST_TEST((*torn)->may_hold(key(2), clock.now()));
  BOOST_TEST(testing::read_file(path).size() == before.size() - 10);
  BOOST_TEST(!journal::FileJournal::look_at(folder.path() / "none", clock));
}

BOOST_AUTO_TEST_SUITE_END()
