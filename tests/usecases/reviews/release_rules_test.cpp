// Promotion and rollback of rules.
#include "core/usecases/rules/release_rules.hpp"
#include "core/usecases/rules/shadow_failing_rule.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using namespace tideover::tests;
using domain::BundleState;
using domain::ErrorCode;

namespace {

struct Release : World {
  usecases::ReleaseRules release(bool needs_second_operator = false,
                                 std::chrono::milliseconds switch_delay = std::chrono::milliseconds(0)) {
    usecases::ReleaseRulesOptions options;
    options.needs_second_operator = needs_second_operator;
    options.switch_delay = switch_delay;
    options.usable = [this](const domain::RuleBundle& bundle) -> domain::Status {
      if (bundle.sha256 != unusable) return {};
      return domain::Error::of(ErrorCode::invalid_state, "a table is missing");
    };
    return {*store, clock, ids, std::move(options)};
  }
  /// Of bundle 'a' it makes 'b', in which the rule is in shadow mode.
  struct Library final : ports::RuleLibrary {
    domain::Result<std::shared_ptr<ports::RulePolicy>> open(std::string_view) override {
      return domain::Error::of(ErrorCode::not_found, "");
    }
    domain::Result<ports::EditedRules> with_shadow(std::string_view, const std::string& rule_id, bool) override {
      if (rule_id != "denial.zero") return domain::Error::of(ErrorCode::not_found, "Rule not found.");
      return ports::EditedRules{digest('b'), "vb", "files"};
    }
  };
  Library library;
  std::string shadow(usecases::ReleaseRules& rules_release, const std::string& rule = "denial.zero",
                     bool is_terms = false) {
    usecases::ShadowFailingRule shadow_failing_rule(*store, clock, ids, rules_release, library, {"node a", "tenant"});
    const auto note = shadow_failing_rule({digest('a'), rule, is_terms, 6, 40});
    BOOST_REQUIRE_MESSAGE(note, why(note));
    return *note;
  }
  std::string unusable;  // digest of a bundle that this program cannot run
  static std::string digest(char of) { return std::string(64, of); }
  void file(char of, const std::string& actor = "ann", const std::string& problem = "") {
    auto rules_release = release();
    const auto filed = rules_release.file({digest(of), std::string("v") + of, "files", problem}, actor);
    BOOST_REQUIRE_MESSAGE(filed, why(filed));
  }
  void promote(char of) {
    auto rules_release = release();
    const auto live = rules_release.promote(digest(of), "ann", "");
    BOOST_REQUIRE_MESSAGE(live, why(live));
  }
  BundleState state(char of) {
    return seen([&](const ports::Records& records) { return records.rules().find(digest(of)); })->state;
  }
  domain::LiveRules live() {
    return *seen([](const ports::Records& records) { return records.rules().live(); });
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(release_rules)

BOOST_FIXTURE_TEST_CASE(a_promotion_replaces_the_live_rules_and_writes_history_audit_and_event, Release) {
  // Events go to tenants that have a client.
  BOOST_REQUIRE(sql->commit([&](ports::Records& records) -> domain::Status {
    domain::Client client;
    client.id = caller.client;
    client.tenant = caller.tenant;
    client.name = "platform";
    records.clients().insert(client);
    return {};
  }));
  file('a');
  promote('a');
  file('b');
  BOOST_TEST((state('b') == BundleState::tested));
  promote('b');
  BOOST_TEST((state('a') == BundleState::retired));
  BOOST_TEST((state('b') == BundleState::live));
  BOOST_TEST(live().sha256 == digest('b'));
  BOOST_TEST(live().previous_sha256 == digest('a'));
  BOOST_TEST(live().generation == 2);
  BOOST_TEST(events("rules.promoted") == 2);
  const auto acts = seen([](const ports::Records& records) { return records.rules().history(10); });
  BOOST_REQUIRE(acts.size() == 4u);
  BOOST_TEST((acts[0].act == domain::RuleAct::promoted));
  BOOST_TEST(acts[0].sha256 == digest('b'));
}

BOOST_FIXTURE_TEST_CASE(a_rollback_restores_the_previous_rules_and_pins_them, Release) {
  file('a');
  promote('a');
  file('b');
  promote('b');
  auto rules_release = release();
  const auto back = rules_release.roll_back("", "bob", "too many denials");
  BOOST_REQUIRE_MESSAGE(back, why(back));
  BOOST_TEST(live().sha256 == digest('a'));
  BOOST_TEST(live().is_pinned);
  BOOST_TEST((state('b') == BundleState::retired));

  file('c');
  const auto held = rules_release.promote(digest('c'), "node a", "", true);
  BOOST_TEST((refusal_of(held) == ErrorCode::invalid_state));
  BOOST_TEST(live().sha256 == digest('a'));
  // A second rollback needs an explicit target.
  BOOST_TEST((refusal_of(rules_release.roll_back("", "bob", "")) == ErrorCode::invalid_state));
  promote('c');
  BOOST_TEST(!live().is_pinned);
  const auto named = rules_release.roll_back(digest('b'), "bob", "");
  BOOST_REQUIRE_MESSAGE(named, why(named));
  BOOST_TEST(live().sha256 == digest('b'));
}

BOOST_FIXTURE_TEST_CASE(unusable_rules_are_not_promoted_or_restored_by_an_operator, Release) {
  file('a');
  promote('a');
  file('b');
  promote('b');
  unusable = digest('a');
  auto rules_release = release();
  for (const auto& to : {std::string(), digest('a')}) {
    const auto back = rules_release.roll_back(to, "bob", "");
    BOOST_TEST((refusal_of(back) == ErrorCode::invalid_state));
    BOOST_TEST(back.error().message == "a table is missing");
  }
  BOOST_TEST((refusal_of(rules_release.promote(digest('a'), "bob", "")) == ErrorCode::invalid_state));
  BOOST_TEST(live().sha256 == digest('b'));
  BOOST_TEST((state('a') == BundleState::retired));
  unusable.clear();
  BOOST_REQUIRE(rules_release.roll_back("", "bob", ""));
  BOOST_TEST(live().sha256 == digest('a'));
}

BOOST_FIXTURE_TEST_CASE(a_rejected_bundle_is_refused_with_the_reason_of_its_rejection, Release) {
  file('a');
  promote('a');
  file('b', "ann", "denial/one.lua:3: a slip");
  unusable = digest('b');
  auto rules_release = release();
  const auto refused = rules_release.promote(digest('b'), "bob", "");
  BOOST_TEST((refusal_of(refused) == ErrorCode::invalid_state));
  BOOST_TEST(refused.error().message.find("was rejected: denial/one.lua:3: a slip") != std::string::npos,
             refused.error().message);
}

BOOST_FIXTURE_TEST_CASE(promoting_the_live_rules_only_removes_the_pin, Release) {
  file('a');
  promote('a');
  file('b');
  promote('b');
  auto rules_release = release();
  BOOST_TEST((refusal_of(rules_release.promote(digest('b'), "ann", "")) == ErrorCode::invalid_state));
  BOOST_REQUIRE(rules_release.roll_back("", "bob", ""));
  BOOST_REQUIRE(rules_release.promote(digest('a'), "ann", ""));
  BOOST_TEST(!live().is_pinned);
  BOOST_TEST((state('a') == BundleState::live));
}

BOOST_FIXTURE_TEST_CASE(a_rollback_needs_rules_that_were_live_before, Release) {
  file('a');
  promote('a');
  file('b');
  auto rules_release = release();
  BOOST_TEST((refusal_of(rules_release.roll_back(digest('b'), "bob", "")) == ErrorCode::invalid_state));
  BOOST_TEST((refusal_of(rules_release.roll_back(digest('z'), "bob", "")) == ErrorCode::not_found));
  BOOST_TEST(live().sha256 == digest('a'));
}

BOOST_FIXTURE_TEST_CASE(a_second_operator_must_approve_if_configured, Release) {
  file('a');
  promote('a');
  file('b', "ann");
  auto rules_release = release(true);
  const auto alone = rules_release.promote(digest('b'), "ann", "");
  BOOST_TEST((refusal_of(alone) == ErrorCode::invalid_state));
  BOOST_TEST(alone.error().message.find("waits for a second operator") != std::string::npos);
  const auto own = rules_release.approve(digest('b'), "ann", "");
  BOOST_REQUIRE(!own);
  BOOST_TEST(own.error().message.find("another operator must approve it") != std::string::npos);
  BOOST_REQUIRE(rules_release.approve(digest('b'), "bob", "looked at every case"));
  BOOST_REQUIRE(rules_release.promote(digest('b'), "ann", ""));
  BOOST_TEST(live().sha256 == digest('b'));
  // Rules that were live are approved: a rollback needs no second operator.
  BOOST_TEST(bool(rules_release.roll_back("", "ann", "")));
}

BOOST_FIXTURE_TEST_CASE(a_rejected_bundle_is_not_promoted_until_it_is_filed_without_faults, Release) {
  file('a');
  promote('a');
  file('b', "node a", "denial/x.lua:3:1: unexpected symbol");
  auto rules_release = release();
  const auto refused = rules_release.promote(digest('b'), "ann", "");
  BOOST_TEST((refusal_of(refused) == ErrorCode::invalid_state));
  BOOST_TEST(refused.error().message.find("denial/x.lua:3:1") != std::string::npos);
  BOOST_TEST(seen([&](const ports::Records& records) { return records.rules().find(digest('b')); })->files.empty());
  file('b');
  promote('b');
  BOOST_TEST(live().sha256 == digest('b'));

  file('c');
  BOOST_REQUIRE(rules_release.reject(digest('c'), "bob", "wrong payer"));
  BOOST_TEST((refusal_of(rules_release.promote(digest('c'), "ann", "")) == ErrorCode::invalid_state));
  const auto filed_again =
      rules_release.file({digest('c'), "vc", "files", ""}, "node a");  // an operator's rejection stays
  BOOST_TEST((refusal_of(filed_again) == ErrorCode::invalid_state));
  BOOST_TEST(filed_again.error().message.find("wrong payer") != std::string::npos, filed_again.error().message);
  BOOST_TEST((state('c') == BundleState::rejected));
  BOOST_TEST(!bool(rules_release.reject(digest('b'), "bob", "")));  // it is live
}

BOOST_FIXTURE_TEST_CASE(a_promotion_takes_effect_after_a_delay_except_the_first, Release) {
  auto rules_release = release(false, std::chrono::seconds(2));
  file('a');
  BOOST_REQUIRE(rules_release.promote(digest('a'), "ann", ""));
  BOOST_TEST((live().effective_at == clock.now()));
  file('b');
  BOOST_REQUIRE(rules_release.promote(digest('b'), "ann", ""));
  BOOST_TEST((live().effective_at == clock.now().plus_ms(2000)));
}

BOOST_FIXTURE_TEST_CASE(a_known_bundle_is_not_filed_again, Release) {
  file('a', "ann");
  file('a', "bob");
  BOOST_TEST(seen([&](const ports::Records& records) { return records.rules().find(digest('a')); })->filed_by == "ann");
  BOOST_TEST(seen([](const ports::Records& records) { return records.rules().history(10); }).size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_failing_rule_is_put_into_shadow_mode_once_with_a_task, Release) {
  file('a');
  promote('a');
  auto rules_release = release();
  BOOST_TEST(shadow(rules_release) ==
             "denial.zero failed on 6 of 40 calls; it is in shadow mode. Correct it and save the rules.");
  BOOST_TEST(live().sha256 == digest('b'));
  BOOST_TEST(!live().is_pinned);
  BOOST_REQUIRE(tasks().size() == 1u);
  BOOST_TEST(tasks()[0].kind == "rule_failing");
  BOOST_TEST(tasks()[0].object_id == "denial.zero");
  const auto acts = seen([](const ports::Records& records) { return records.rules().history(10); });
  BOOST_TEST(acts[0].reason == "Rule failed: denial.zero failed on 6 of 40 calls");
  BOOST_TEST(acts[0].actor == "node a");
  BOOST_TEST(shadow(rules_release) == "");  // another node found the same
  BOOST_TEST(tasks().size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_failing_rule_stays_with_a_task_if_it_is_pinned_or_needs_a_second_operator, Release) {
  file('a');
  promote('a');
  file('c');
  promote('c');
  auto rules_release = release();
  BOOST_REQUIRE(bool(rules_release.roll_back("", "bob", "too many")));
  BOOST_TEST(shadow(rules_release).find("it stays in force: The rules are pinned") != std::string::npos);
  BOOST_TEST(live().sha256 == digest('a'));
  BOOST_TEST(tasks().size() == 1u);
  shadow(rules_release);
  BOOST_TEST(tasks().size() == 1u);

  BOOST_REQUIRE(bool(rules_release.promote(digest('a'), "bob", "")));
  auto with_second_operator = release(true);
  BOOST_TEST(shadow(with_second_operator).find("waits for a second operator") != std::string::npos);
  BOOST_TEST(live().sha256 == digest('a'));
  BOOST_TEST((state('b') == BundleState::tested));
}

BOOST_FIXTURE_TEST_CASE(a_failing_terms_rule_stays_in_force_with_a_task, Release) {
  file('a');
  promote('a');
  auto rules_release = release();
  BOOST_TEST(shadow(rules_release, "terms.plain", true) ==
             "terms.plain failed on 6 of 40 calls; it stays in force: a terms rule has no shadow mode");
  BOOST_TEST(live().sha256 == digest('a'));
  BOOST_REQUIRE(tasks().size() == 1u);
  BOOST_TEST(tasks()[0].object_id == "terms.plain");
}

BOOST_AUTO_TEST_SUITE_END()
