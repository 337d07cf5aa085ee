#include "tests/fault/sweep/life.hpp"

#include <filesystem>
#include <future>
#include <sstream>

#include "core/clock/new_york_time.hpp"

namespace tideover::fault {
namespace {

const char* const kCrashAt = "TIDEOVER_TEST_CRASH_AT";
const char* const kStopAt = "TIDEOVER_TEST_STOP_AT";
const char* const kHoldAt = "TIDEOVER_TEST_HOLD_AT";
const char* const kHoldFile = "TIDEOVER_TEST_HOLD_FILE";
constexpr std::chrono::milliseconds kPoll{1};
constexpr std::chrono::milliseconds kHead{250};  // how far a sweeper may get ahead of a held worker
constexpr int kBatch = 40;

std::string at_point(long n) {
  return "*:" + std::to_string(n);
}

/// What the client gets: status and body.
std::string reply_of(const http::Response& response) {
  return std::to_string(response.status) + ' ' + response.body;
}

}  // namespace

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all{
      {"pays", {}, {}},
      {"pays and stays silent", {"pay_silent"}, {}},
      {"loses the message", {"lost"}, {}},
      {"delivers late", {"hold 1"}, {}},
      {"delivers very late", {"hold 3", "hold 2"}, {}},
      {"refuses", {"refuse R03"}, {}},
      {"answers twice", {"twice"}, {}},
      {"dies before it pays", {"die_before"}, {}},
      {"dies when it has paid", {"die_after"}, {}},
      {"pays, then cannot be asked", {"pay_silent"}, {"silent", "throw", "garbage"}},
  };
  return all;
}

const std::vector<Scenario>& fallback_scenarios() {
  static const std::vector<Scenario> all{
      {"refuses, then pays", {"refuse R03"}, {}, {}},
      {"refuses over both rails", {"refuse R03"}, {}, {"refuse R04"}},
      {"refuses, then pays and stays silent", {"refuse R03"}, {}, {"pay_silent"}},
      {"refuses, then loses the message", {"refuse R03"}, {}, {"lost"}},
      {"refuses, then delivers late", {"refuse R03"}, {}, {"hold 1"}},
      {"pays and stays silent", {"pay_silent"}, {}, {}},
      {"loses the message", {"lost"}, {}, {}},
      {"delivers late", {"hold 1"}, {}, {}},
  };
  return all;
}

/// The time-zone database is read here once, and not again by each child.
Supply::Supply(const Site& site, Errand errand) : site_(site), errand_(errand) {
  (void)clock::NewYorkTime();
}

Advance Supply::next() {
  if (waiting_.empty()) {
    // What the life before left of its bank's script must not meet a confirm that only prepares.
    Banks(site_).script({}, {}, {});
    std::istringstream words(run_in_child({}, [&] {
                               TestService service(site_, kOpening);
                               service.settle_in();
                               std::string text;
                               for (const auto& advance : service.advances(kBatch)) {
                                 if (errand_ == Errand::payout) service.pay_for(advance);
                                 text += advance.settlement + ' ' + advance.claim + '\n';
                               }
                               return text;
                             }).said);
    for (Advance advance; words >> advance.settlement >> advance.claim;) waiting_.push_back(advance);
  }
  const Advance next = waiting_.back();
  waiting_.pop_back();
  return next;
}

Life::Life(const Site& site, Banks& banks, const Scenario& scenario, std::string settlement, std::uint32_t seed,
           Errand errand)
    : site_(site),
      banks_(banks),
      settlement_(std::move(settlement)),
      errand_(errand),
      key_("key-" + settlement_),
      dice_(seed) {
  banks_.script(scenario.submits, scenario.questions, scenario.other_submits);
}

bool Life::errand_in(const Runner& run, const std::function<void()>& about_to_ask) {
  const auto end = run([&] {
    TestService service(site_, kOpening);
    if (about_to_ask) about_to_ask();
    return reply_of(service.ask(errand_, settlement_, key_));
  });
  kills_ += end.killed;
  acknowledged_ = end.said;
  return end.killed;
}

bool Life::killed_at(long point) {
  return errand_in([&](const auto& work) { return run_in_child({{kCrashAt, at_point(point)}}, work); });
}

bool Life::overtaken_at(long point) {
  const auto mark = site_.folder / "held";
  const auto is_held = [&] { return std::filesystem::exists(mark); };
  const std::string said =
      run_in_child({{kHoldAt, at_point(point)}, {kHoldFile, mark.string()}}, [&] {
        TestService service(site_, kOpening);
        bool overtaken = false;
        auto worker = std::async(std::launch::async, [&] { return reply_of(service.ask(errand_, settlement_, key_)); });
        while (worker.wait_for(kPoll) != std::future_status::ready && !is_held()) {
        }
        if (is_held()) {
          overtaken = true;
          auto sweeper = std::async(std::launch::async, [&] { return service.recover(); });
          // A worker that is held inside a commit holds up everybody: then they go on together.
          (void)sweeper.wait_for(kHead);
          std::filesystem::remove(mark);
          (void)sweeper.get();
        }
        return (overtaken ? "overtaken\n" : "untouched\n") + worker.get();
      }).said;
  acknowledged_ = said.substr(said.find('\n') + 1);
  return said.starts_with("overtaken");
}

bool Life::forgotten_behind(long point) {
  namespace fs = std::filesystem;
  const fs::path store = site_.store.sqlite_path.parent_path(), kept = site_.folder / "kept";
  Child worker({{kStopAt, at_point(point)}}, [this] {
    TestService service(site_, kOpening);
    return reply_of(service.ask(errand_, settlement_, key_));
  });
  const bool stopped = worker.wait_until_stopped();
  if (stopped) {
    fs::copy(store, kept);
    worker.resume();
  }
  (void)worker.end();
  if (stopped) {
    fs::remove_all(store);
    fs::rename(kept, store);
    was_forgotten_ = true;
  }
  return stopped;
}

void Life::go_on() {
  // Some clients that hear nothing never ask again. Others may be quicker than the sweeper, and be killed as well.
  gave_up_ = acknowledged_.empty() && dice(4) == 0;
  // Before the journal is replayed a client is refused under its key, and tries another: the number of the next attempt
  // may have been sent over a rail that the database has forgotten.
  if (!gave_up_ && was_forgotten_ && dice(2)) {
    asked_under_second_key_ = true;
    for (const auto& key : {key_, second_key()})
      in_the_aftermath(0, [&](TestService& service) { (void)service.ask(errand_, settlement_, key); });
  }
  if (!gave_up_ && dice(2)) {
    const long point = dice(3) ? dice(30) + 1 : 0;
    in_the_aftermath(point, [&](TestService& service) { (void)service.ask(errand_, settlement_, key_); });
  }
  // Up to two recoveries are killed; the last one is left alone.
  for (long crash = dice(3); crash > 0; --crash)
    in_the_aftermath(dice(40) + 1, [](TestService& service) { (void)service.recover(); });
  in_the_aftermath(0, [](TestService& service) { (void)service.recover(); });
  // A client that was refused may come again with a new key: what was on its way under the old one must not arrive
  // then.
  if (!gave_up_ && dice(2)) {
    asked_under_second_key_ = true;
    const long point = dice(3) ? 0 : dice(30) + 1;
    in_the_aftermath(point, [&](TestService& service) { (void)service.ask(errand_, settlement_, second_key()); });
    in_the_aftermath(0, [](TestService& service) { (void)service.recover(); });
  }
  banks_.deliver_all(site_.recall == "dedup" ? BankBook::Memory::once : BankBook::Memory::never);
}

Life::Replies Life::replies_under(const std::string& key) {
  std::istringstream lines(run_in_child({}, [&] {
                             TestService service(site_, now_);
                             // What a client begins late has to come to rest as well.
                             if (!gave_up_) (void)service.ask(errand_, settlement_, key);
                             const bool rests = service.recover();
                             std::string said = rests ? "rests\n" : "moves\n";
                             for (int time = 0; time < 2; ++time)
                               said += (gave_up_ ? "" : reply_of(service.ask(errand_, settlement_, key))) + '\n';
                             for (const auto& kind : service.events_of(settlement_)) said += kind + '\n';
                             return said;
                           }).said);
  Replies replies;
  std::string rests;
  std::getline(lines, rests);
  std::getline(lines, replies.first);
  std::getline(lines, replies.second);
  replies.rests = rests == "rests";
  for (std::string kind; std::getline(lines, kind);) replies.events.push_back(kind);
  return replies;
}

Fate Life::look(const std::vector<std::string>& events) {
  const auto database = open_past_the_store(site_);
  const auto session = database->reader();
  Fate seen = fate_of(*session, banks_, settlement_, events, errand_);
  for (auto& broken : broken_books(*session, banks_)) seen.violations.push_back(std::move(broken));
  return seen;
}

Fate Life::judge() {
  std::vector<std::string> wrong;
  banks_.script({}, {}, {});  // no bank kills a process any more
  Replies replies = replies_under(key_);
  if (!replies.rests) wrong.emplace_back("I2 LEFT OPEN: recovery never ends");
  if (acknowledged_.starts_with("200") && !was_forgotten_ && replies.first != acknowledged_)
    wrong.push_back("I9 I11 the client got " + acknowledged_ + " and later " + replies.first);

  Fate seen = look(replies.events);
  // The refusal of the first key stays what it was; it is the other one that funded.
  if (seen.funded && !replies.first.starts_with("200") && asked_under_second_key_)
    replies = replies_under(second_key());
  if (!gave_up_ && replies.first.starts_with("200") != seen.funded)
    wrong.push_back("I9 the client gets " + replies.first + " of an attempt that is " + seen.state);
  if (seen.funded && replies.first != replies.second)
    wrong.push_back("I9 two replays differ: " + replies.first + " / " + replies.second);
  seen.violations.insert(seen.violations.end(), wrong.begin(), wrong.end());
  return seen;
}

void Life::in_the_aftermath(long point, const std::function<void(TestService&)>& work) {
  now_ = now_.plus_ms(70'000);
  Environment environment;
  if (point > 0) environment[kCrashAt] = at_point(point);
  kills_ += run_in_child(environment, [&] {
              TestService service(site_, now_);
              work(service);
              return std::string("done");
            }).killed;
}

}  // namespace tideover::fault
