// The three simulated rails through the host, and the guards around a rail that misbehaves.
#include <chrono>
#include <thread>

#include "tests/plugins/world.hpp"

using namespace tideover;
using namespace tideover::plugin_test;
using domain::Date;
using Kind = ports::RailOutcome::Kind;

namespace {

constexpr std::chrono::seconds kPlenty{10};

Date day(int year, unsigned month, unsigned d) {
  return *Date::from_ymd(year, month, d);
}

struct Rails : World {
  std::unique_ptr<plugin_host::PluginHost> host = load({{shipped("funding_rail_rtp"), "funding_rail", "", {}},
                                                        {shipped("funding_rail_same_day"), "funding_rail", "", {}},
                                                        {shipped("funding_rail_future_date"), "funding_rail", "", {}}});
  ports::FundingRail& rail(const std::string& name) {
    auto* found = host->rails().find(name);
    BOOST_REQUIRE(found != nullptr);
    return *found;
  }
  ports::RailOutcome pay(const std::string& name, const std::string& key, const std::string& token,
                         std::int64_t cents = 64'000) {
    return rail(name).submit({key, domain::Money::cents(cents), token, bank_time.date_at(clock.now())}, kPlenty);
  }
  ports::RailOutcome ask(const std::string& name, const std::string& key, std::int64_t cents = 64'000) {
    return rail(name).query(key, domain::Money::cents(cents), kPlenty);
  }
};

/// One row of the tables below; 2026-11-20 is a Friday, 11-26 is Thanksgiving.
struct PlanCase {
  const char* rail;
  Date today;
  int minute;
  std::optional<Date> desired;
  std::optional<Date> effective;  // nullopt = refused
  bool adjusted;
  bool strict_is_refused;
};

const Date kFri = day(2026, 11, 20), kSat = day(2026, 11, 21), kMon = day(2026, 11, 23), kTue = day(2026, 11, 24);
const Date kWed = day(2026, 11, 25), kThanksgiving = day(2026, 11, 26), kBlackFriday = day(2026, 11, 27);

const std::vector<PlanCase> kPlans{
    {"RTP", kSat, 1439, std::nullopt, kSat, false, false},
    {"RTP", kFri, 600, kFri, kFri, false, false},
    {"RTP", kFri, 600, kMon, std::nullopt, false, true},
    {"SAME_DAY", kFri, 599, std::nullopt, kFri, false, false},
    {"SAME_DAY", kFri, 974, kFri, kFri, false, false},
    {"SAME_DAY", kFri, 975, kFri, kMon, true, true},
    {"SAME_DAY", kSat, 600, std::nullopt, kMon, false, false},
    {"SAME_DAY", kSat, 600, kSat, kMon, true, true},
    {"SAME_DAY", kFri, 1206, std::nullopt, kMon, false, false},
    {"SAME_DAY", kWed, 975, std::nullopt, kBlackFriday, false, false},
    {"SAME_DAY", kThanksgiving, 600, kThanksgiving, kBlackFriday, true, true},
    {"SAME_DAY", kFri, 600, kMon, std::nullopt, false, true},
    {"SAME_DAY", kFri, 600, kFri.plus(-1), std::nullopt, false, true},
    {"FUTURE_DATE", kFri, 1049, std::nullopt, kMon, false, true},
    {"FUTURE_DATE", kFri, 1050, std::nullopt, kTue, false, true},
    {"FUTURE_DATE", kFri, 1049, kMon, kMon, false, false},
    {"FUTURE_DATE", kFri, 1050, kMon, kTue, true, true},
    {"FUTURE_DATE", kFri, 600, kSat, kMon, true, true},
    {"FUTURE_DATE", kMon, 600, kThanksgiving, kBlackFriday, true, true},
    {"FUTURE_DATE", kFri, 600, kFri, std::nullopt, false, true},
    {"FUTURE_DATE", kFri, 600, kFri.plus(-3), std::nullopt, false, true},
    {"FUTURE_DATE", kFri, 600, kFri.plus(90), kFri.plus(90), false, false},
    {"FUTURE_DATE", kFri, 600, kFri.plus(91), std::nullopt, false, true},
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(funding_rail, Rails)

BOOST_AUTO_TEST_CASE(each_rail_plans_by_its_cutoffs_and_holidays) {
  for (std::size_t i = 0; i < kPlans.size(); ++i) {
    const PlanCase& c = kPlans[i];
    BOOST_TEST_CONTEXT("row " << i << " " << c.rail) {
      const auto now = bank_time.instant(c.today, c.minute);
      const auto plan = rail(c.rail).plan(c.desired, now, false);
      BOOST_TEST(bool(plan) == c.effective.has_value());
      if (plan && c.effective) {
        BOOST_TEST(domain::format_date(plan->effective_date) == domain::format_date(*c.effective));
        BOOST_TEST(plan->adjusted == c.adjusted);
        BOOST_TEST((plan->desired_date == c.desired));
        BOOST_REQUIRE(plan->expected_settlement_at.has_value());
        BOOST_TEST((*plan->expected_settlement_at >= now));
      } else if (!plan) {
        BOOST_TEST((plan.error().code == domain::ErrorCode::invalid_desired_date));
      }
      const auto strict = rail(c.rail).plan(c.desired, now, true);
      BOOST_TEST(bool(strict) == !c.strict_is_refused);
      if (!strict) BOOST_TEST(strict.error().details.at(0).first == "next_effective_date");
    }
  }
}

BOOST_AUTO_TEST_CASE(same_day_settles_in_the_window_of_its_cutoff) {
  const std::vector<std::pair<int, int>> windows{
      {599, 13 * 60}, {600, 17 * 60}, {854, 17 * 60}, {855, 18 * 60}, {974, 18 * 60}};
  for (const auto& [minute, settles] : windows)
    BOOST_TEST(
        rail("SAME_DAY").plan(std::nullopt, bank_time.instant(kFri, minute), false)->expected_settlement_at->ms() ==
        bank_time.instant(kFri, settles).ms());
}

BOOST_AUTO_TEST_CASE(the_rails_describe_themselves) {
  BOOST_TEST(host->rails().all().size() == 3U);
  BOOST_TEST(rail("RTP").describe().max_amount.cents() == 100'000'000);
  BOOST_TEST(rail("RTP").describe().irrevocable);
  BOOST_TEST(rail("FUTURE_DATE").describe().max_amount.cents() == 9'999'999'999);
  const std::vector<std::string> cutoffs{"10:00", "14:15", "16:15"};
  BOOST_TEST(rail("SAME_DAY").describe().cutoffs == cutoffs, boost::test_tools::per_element());
  for (auto* each : host->rails().all()) BOOST_TEST((each->describe().recall == ports::RailRecall::dedup));
}

BOOST_AUTO_TEST_CASE(a_payment_is_taken_once_per_key) {
  const auto first = pay("RTP", "key-1", "tok_ok");
  BOOST_TEST((first.kind == Kind::settled));
  BOOST_TEST(pay("RTP", "key-1", "tok_ok").reference == first.reference);
  BOOST_TEST(ask("RTP", "key-1").reference == first.reference);
  BOOST_TEST((ask("RTP", "key-2").kind == Kind::not_found));
}

BOOST_AUTO_TEST_CASE(a_key_used_for_another_amount_is_unknown_not_rejected) {
  pay("RTP", "key-1", "tok_ok", 100);
  BOOST_TEST((pay("RTP", "key-1", "tok_ok", 101).kind == Kind::unknown));
  BOOST_TEST((ask("RTP", "key-1", 100).kind == Kind::settled));
}

BOOST_AUTO_TEST_CASE(ach_is_accepted_first_and_settled_at_its_time) {
  set_local(2026, 11, 20, 9 * 60);
  BOOST_TEST((pay("SAME_DAY", "k", "tok_ok").kind == Kind::accepted));
  set_local(2026, 11, 20, 12 * 60 + 59);
  BOOST_TEST((ask("SAME_DAY", "k").kind == Kind::accepted));
  set_local(2026, 11, 20, 13 * 60);
  BOOST_TEST((ask("SAME_DAY", "k").kind == Kind::settled));
}

BOOST_AUTO_TEST_CASE(the_bank_has_the_time_of_the_tenant_that_asks) {
  set_local(2026, 11, 24, 9 * 60);
  BOOST_TEST((pay("SAME_DAY", "shifted", "tok_ach_return_R02").kind == Kind::accepted));
  {
    const ports::TimeShift a_day(86'400'000);
    BOOST_TEST((ask("SAME_DAY", "shifted").kind == Kind::settled));
    const ports::TimeShift a_week(7 * 86'400'000);
    BOOST_TEST((ask("SAME_DAY", "shifted").kind == Kind::returned));
  }
  BOOST_TEST((ask("SAME_DAY", "shifted").kind == Kind::accepted));
}

BOOST_AUTO_TEST_CASE(a_returned_payment_was_settled_first_and_has_a_reason) {
  set_local(2026, 11, 24, 9 * 60);  // a Tuesday; settles at 13:00, Thanksgiving is no banking day
  const auto taken = pay("SAME_DAY", "back", "tok_ach_return_R02");
  BOOST_TEST((taken.kind == Kind::accepted));
  BOOST_TEST(taken.reason_code == "");
  set_local(2026, 11, 24, 13 * 60);
  BOOST_TEST((ask("SAME_DAY", "back").kind == Kind::settled));
  set_local(2026, 11, 27, 8 * 60 + 29);
  BOOST_TEST((ask("SAME_DAY", "back").kind == Kind::settled));
  set_local(2026, 11, 27, 8 * 60 + 30);
  const auto back = ask("SAME_DAY", "back");
  BOOST_TEST((back.kind == Kind::returned));
  BOOST_TEST(back.reason_code == "R02");
  BOOST_TEST(back.reason == "account_closed");
  BOOST_TEST((pay("RTP", "irrevocable", "tok_ach_return_R02").kind == Kind::settled));
  BOOST_TEST((pay("SAME_DAY", "no-such-reason", "tok_ach_return_R99").kind == Kind::accepted));
}

BOOST_AUTO_TEST_CASE(a_statement_lists_the_payments_of_its_period_in_their_present_state) {
  const TempFolder folder;
  const auto ledger = folder.path("ledger");
  std::vector<plugin_host::PluginSpec> specs;
  for (const char* name : {"funding_rail_same_day", "funding_rail_rtp"})  // two rails before one bank
    specs.push_back({shipped(name), "funding_rail", "", {{"ledger_path", ledger}}});
  host = load(specs);
  set_local(2026, 11, 20, 9 * 60);
  const auto opened = clock.now();
  pay("SAME_DAY", "paid", "tok_ok", 100);
  pay("SAME_DAY", "refused", "tok_ach_R03", 200);
  pay("SAME_DAY", "lost", "tok_timeout", 300);
  pay("RTP", "other-rail", "tok_ok", 400);
  set_local(2026, 11, 20, 15 * 60);
  const auto closed = clock.now();
  pay("SAME_DAY", "behind", "tok_ok", 500);
  host = load(specs);  // the bank remembers
  const auto lines = rail("SAME_DAY").statement(opened, closed, kPlenty);
  BOOST_REQUIRE(bool(lines));
  std::map<std::string, ports::StatementLine> by_key;
  for (const auto& line : *lines) by_key.emplace(line.key, line);
  BOOST_TEST(lines->size() == 3U);
  BOOST_TEST((by_key["paid"].kind == Kind::settled));
  BOOST_TEST(by_key["paid"].amount.cents() == 100);
  BOOST_TEST((by_key["paid"].at == opened));
  BOOST_TEST(by_key["paid"].reference == ask("SAME_DAY", "paid", 100).reference);
  BOOST_TEST((by_key["refused"].kind == Kind::rejected));
  BOOST_TEST(by_key["refused"].reason_code == "R03");
  BOOST_TEST((by_key["lost"].kind == Kind::settled));
  BOOST_TEST(rail("SAME_DAY").statement(closed, closed.plus_ms(1), kPlenty)->size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_question_with_another_amount_is_contradicted) {
  pay("RTP", "key-1", "tok_ok", 100);
  const auto answer = ask("RTP", "key-1", 101);
  BOOST_TEST((answer.kind == Kind::unknown));
  BOOST_TEST(answer.contradicts);
  BOOST_TEST(!ask("RTP", "key-1", 100).contradicts);
}

BOOST_AUTO_TEST_CASE(magic_tokens_refuse_on_their_own_network) {
  const std::vector<std::tuple<std::string, std::string, std::string>> refusals{{"RTP", "tok_rtp_AC04", "AC04"},
                                                                                {"SAME_DAY", "tok_ach_R03", "R03"},
                                                                                {"FUTURE_DATE", "tok_ach_R03", "R03"},
                                                                                {"RTP", "tok_suspended", "AC06"},
                                                                                {"SAME_DAY", "tok_suspended", "R16"}};
  for (const auto& [name, token, code] : refusals) {
    const auto outcome = pay(name, "k-" + token, token);
    BOOST_TEST((outcome.kind == Kind::rejected));
    BOOST_TEST(outcome.reason_code == code);
  }
  BOOST_TEST((pay("RTP", "other", "tok_ach_R03").kind == Kind::settled));
  BOOST_TEST((pay("SAME_DAY", "other", "tok_rtp_AC04").kind == Kind::accepted));
}

BOOST_AUTO_TEST_CASE(a_lost_answer_is_unknown_until_it_is_asked_for) {
  BOOST_TEST((pay("RTP", "lost", "tok_timeout").kind == Kind::unknown));
  BOOST_TEST((ask("RTP", "lost").kind == Kind::settled));
  BOOST_TEST((pay("RTP", "lost", "tok_timeout").kind == Kind::settled));
}

BOOST_AUTO_TEST_CASE(an_amount_beyond_the_limit_is_rejected) {
  const auto outcome = pay("RTP", "big", "tok_ok", 100'000'001);
  BOOST_TEST((outcome.kind == Kind::rejected));
  BOOST_TEST(outcome.reason_code == "AMOUNT_LIMIT");
  BOOST_TEST((pay("RTP", "nothing", "tok_ok", 0).kind == Kind::rejected));
}

BOOST_AUTO_TEST_CASE(a_limit_beyond_the_network_is_refused_at_start) {
  check_says(refusal({{shipped("funding_rail_rtp"), "funding_rail", "", {{"max_amount_cents", "1000000001"}}}}),
             {"max_amount_cents", "1000000000"});
}

BOOST_AUTO_TEST_CASE(a_rail_of_abi_1_0_is_read_as_far_as_it_reaches) {
  host = load({{broken("old_rail"), "funding_rail", "", {}}});
  BOOST_TEST(host->list()[0].abi == "1.0");
  BOOST_TEST(!rail("OLD").describe().has_statement);
  BOOST_TEST(!rail("OLD").statement(clock.now(), clock.now().plus_ms(1), kPlenty));
  const auto paid = rail("OLD").submit({"k", domain::Money::cents(5), "tok_ok", kFri}, kPlenty);
  BOOST_TEST((paid.kind == Kind::settled));
  BOOST_TEST(paid.reference == "old-1");
  BOOST_TEST(!paid.contradicts);
}

BOOST_AUTO_TEST_CASE(one_rail_cannot_be_served_twice) {
  check_says(refusal({{shipped("funding_rail_rtp"), "funding_rail", "", {}},
                      {shipped("funding_rail_rtp"), "funding_rail", "two", {}}}),
             {"two plugins serve the rail RTP"});
}

BOOST_AUTO_TEST_CASE(payments_outlive_a_restart_and_a_torn_last_line) {
  const TempFolder folder;
  const auto ledger = folder.path("ledger");
  const plugin_host::PluginSpec spec{shipped("funding_rail_rtp"), "funding_rail", "", {{"ledger_path", ledger}}};
  host = load({spec});
  const auto first = pay("RTP", "kept", "tok_ok");
  pay("RTP", "refused", "tok_rtp_AC04");
  std::ofstream(ledger, std::ios::app) << "torn|RTP|12";
  host = load({spec});
  BOOST_TEST(ask("RTP", "kept").reference == first.reference);
  BOOST_TEST(ask("RTP", "refused").reason_code == "AC04");
  BOOST_TEST((ask("RTP", "torn").kind == Kind::not_found));
  pay("RTP", "after", "tok_ok");
  host = load({spec});
  BOOST_TEST((ask("RTP", "after").kind == Kind::settled));
}

BOOST_AUTO_TEST_CASE(a_ledger_damaged_in_the_middle_is_refused) {
  const TempFolder folder;
  const auto ledger = folder.file("ledger", "garbage\nmore\n");
  check_says(refusal({{shipped("funding_rail_rtp"), "funding_rail", "", {{"ledger_path", ledger}}}}),
             {ledger + ":1", "damaged"});
}

BOOST_AUTO_TEST_CASE(two_nodes_before_one_bank_pay_a_key_once) {
  const TempFolder folder;
  const plugin_host::PluginSpec spec{
      shipped("funding_rail_rtp"), "funding_rail", "", {{"ledger_path", folder.path("ledger")}}};
  host = load({spec});
  World other;
  const auto other_host = other.load({spec});
  auto& other_rail = *other_host->rails().find("RTP");
  auto& own_rail = rail("RTP");  // looked up here: Boost.Test's checks belong to one thread
  std::vector<std::thread> senders;
  for (int i = 0; i < 8; ++i)
    senders.emplace_back([&, i] {
      auto& sender = i % 2 == 0 ? own_rail : other_rail;
      for (int key = 0; key < 20; ++key)
        sender.submit({"key-" + std::to_string(key), domain::Money::cents(5), "tok_ok", kFri}, kPlenty);
    });
  for (auto& sender : senders) sender.join();
  std::ifstream file(folder.path("ledger"));
  std::string line;
  int lines = 0;
  while (std::getline(file, line)) ++lines;
  BOOST_TEST(lines == 20);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

struct BrokenRail : World {
  TempFolder folder;
  std::unique_ptr<plugin_host::PluginHost> host =
      load({{broken("broken_rail"), "funding_rail", "", {{"release_path", folder.path("release")}}}});
  ports::FundingRail& rail = *host->rails().find("BROKEN");
  ports::RailOutcome pay(const std::string& token, std::chrono::milliseconds timeout = kPlenty) {
    return rail.submit({"k", domain::Money::cents(5), token, kFri}, timeout);
  }
  std::string last_fault() {
    const std::lock_guard<std::mutex> guard(mutex);
    return faults.empty() ? "" : faults.back().what;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(broken_funding_rail, BrokenRail)

BOOST_AUTO_TEST_CASE(every_malformed_answer_is_unknown) {
  for (const std::string token : {"not_found", "no_reference", "bad_kind", "nul", "not_utf8", "long_reference",
                                  "long_code", "no_return_code", "returned", "control"}) {
    const auto outcome = pay(token);
    BOOST_TEST((outcome.kind == Kind::unknown), token);
    BOOST_TEST(!outcome.contradicts, token);
    BOOST_TEST(last_fault() == "nonsense");
  }
  BOOST_TEST((pay("throw").kind == Kind::unknown));
  BOOST_TEST(last_fault() == "failed");
}

BOOST_AUTO_TEST_CASE(an_answer_about_another_payment_contradicts) {
  for (const std::string token : {"other_key", "long_key", "other_amount"}) {
    const auto outcome = pay(token);
    BOOST_TEST((outcome.kind == Kind::unknown), token);
    BOOST_TEST(outcome.contradicts, token);
    BOOST_TEST(last_fault() == "nonsense");
  }
  BOOST_TEST(!pay("fine").contradicts);
}

BOOST_AUTO_TEST_CASE(a_statement_with_a_wrong_line_is_refused_whole) {
  const auto on_statement = [&](std::int64_t breakage) {
    return rail.statement(domain::Timestamp::from_ms(breakage), domain::Timestamp::from_ms(1'000'000), kPlenty);
  };
  BOOST_TEST(on_statement(0)->size() == 1U);
  for (std::int64_t breakage = 1; breakage <= 7; ++breakage) {
    const auto refused = on_statement(breakage);
    BOOST_REQUIRE_MESSAGE(!refused, "breakage " << breakage << " was taken for a statement");
    BOOST_TEST((refused.error().code == domain::ErrorCode::rail_unavailable));
    BOOST_TEST(last_fault() == (breakage == 7 ? "failed" : "nonsense"));
  }
}

BOOST_AUTO_TEST_CASE(a_plan_in_the_past_is_refused) {
  const auto plan = rail.plan(std::nullopt, clock.now(), false);
  BOOST_REQUIRE(!plan);
  BOOST_TEST((plan.error().code == domain::ErrorCode::rail_unavailable));
  check_says(plan.error().message, {"'broken_rail'"});
  BOOST_TEST(last_fault() == "nonsense");
}

BOOST_AUTO_TEST_CASE(an_instant_beyond_the_latest_plan_is_nonsense) {
  for (const std::string wrong : {"microseconds", "max", "min", "401_days"}) {
    host = load(
        {{broken("broken_rail"), "funding_rail", "", {{"release_path", folder.path("release")}, {"plan", wrong}}}});
    const auto plan = host->rails().find("BROKEN")->plan(std::nullopt, clock.now(), false);
    BOOST_REQUIRE_MESSAGE(!plan, wrong << " was taken for a plan");
    BOOST_TEST((plan.error().code == domain::ErrorCode::rail_unavailable));
    BOOST_TEST(last_fault() == "nonsense");
  }
  host = load(
      {{broken("broken_rail"), "funding_rail", "", {{"release_path", folder.path("release")}, {"plan", "400_days"}}}});
  const auto plan = host->rails().find("BROKEN")->plan(std::nullopt, clock.now(), false);
  BOOST_REQUIRE(plan);
  BOOST_TEST((plan->expected_settlement_at == clock.now().plus_days(400)));
}

BOOST_AUTO_TEST_CASE(a_hanging_plan_ends_at_its_budget) {
  plugin_host::CallBudgets budgets;
  budgets.plan = std::chrono::milliseconds(20);
  host =
      load({{broken("broken_rail"), "funding_rail", "", {{"release_path", folder.path("release")}, {"plan", "hang"}}}},
           budgets);
  const auto plan = host->rails().find("BROKEN")->plan(std::nullopt, clock.now(), false);
  BOOST_REQUIRE(!plan);
  BOOST_TEST((plan.error().code == domain::ErrorCode::rail_unavailable));
  BOOST_TEST(last_fault() == "unanswered");
  folder.file("release", "");
}

BOOST_AUTO_TEST_CASE(a_time_zone_that_the_system_does_not_know_is_refused) {
  check_says(refusal({{broken("broken_rail"),
                       "funding_rail",
                       "mars",
                       {{"release_path", folder.path("release")}, {"time_zone", "Mars/Base"}}}}),
             {"time_zone", "America/New_York"});
}

BOOST_AUTO_TEST_CASE(a_hanging_submit_ends_at_its_deadline_as_unknown) {
  const auto started = std::chrono::steady_clock::now();
  const auto outcome = pay("hang", std::chrono::milliseconds(50));
  BOOST_TEST((outcome.kind == Kind::unknown));
  BOOST_TEST((std::chrono::steady_clock::now() - started < std::chrono::seconds(5)));
  BOOST_TEST(last_fault() == "unanswered");
  // The abandoned call still runs in the plugin; it is let go so that the test ends clean.
  folder.file("release", "");
  const auto deadline = std::chrono::steady_clock::now() + kPlenty;
  while (last_fault() != "late" && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  BOOST_TEST(last_fault() == "late");
  BOOST_TEST((pay("fine").kind == Kind::accepted));
}

BOOST_AUTO_TEST_SUITE_END()
