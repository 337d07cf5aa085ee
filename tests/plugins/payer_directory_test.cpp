// The shipped payer directory through the host.
#include <algorithm>
#include <set>

#include "tests/plugins/world.hpp"

using namespace tideover;
using namespace tideover::plugin_test;

namespace {

plugin_host::PluginSpec directory(const std::string& path) {
  return {shipped("payer_directory_file"), "payer_directory", "", {{"path", path}}};
}

struct Shipped : World {
  std::unique_ptr<plugin_host::PluginHost> host = load({directory(TIDEOVER_SOURCE_DIR "/config/payers.jsonl")});
  std::string best(const std::string& text, const std::string& system = "internal") {
    const auto found = host->payers().search(text, system, "", 5);
    BOOST_REQUIRE(found);
    return found->found.empty() ? "" : found->found.front().payer.payer_id;
  }
  std::vector<std::string> ids(const std::string& text, std::size_t limit, const std::string& system = "internal") {
    std::vector<std::string> ids;
    const auto result = host->payers().search(text, system, "", limit);
    for (const auto& match : result->found) ids.push_back(match.payer.payer_id);
    return ids;
  }
  std::vector<domain::Payer> all() {
    std::vector<domain::Payer> payers;
    const auto result = host->payers().search("", "internal", "", kAll);
    for (const auto& match : result->found) payers.push_back(match.payer);
    return payers;
  }
  static constexpr std::size_t kAll = 10'000;
};

const std::set<std::string> kStates{"AK", "AL", "AR", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "GA", "HI", "IA",
                                    "ID", "IL", "IN", "KS", "KY", "LA", "MA", "MD", "ME", "MI", "MN", "MO", "MS",
                                    "MT", "NC", "ND", "NE", "NH", "NJ", "NM", "NV", "NY", "OH", "OK", "OR", "PA",
                                    "RI", "SC", "SD", "TN", "TX", "UT", "VA", "VT", "WA", "WI", "WV", "WY"};

bool contains(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool is_made_up(const std::string& payer_id) {
  return payer_id.rfind("SAMPLE-", 0) == 0 || payer_id.rfind("TEST-", 0) == 0;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(payer_directory, Shipped)

BOOST_AUTO_TEST_CASE(a_payer_is_found_by_id_alias_and_crosswalk_in_any_case) {
  for (const std::string name : {"87726", "uhc", "United-Healthcare"}) {
    const auto payer = host->payers().get(name);
    BOOST_REQUIRE(payer);
    BOOST_REQUIRE(payer->has_value());
    BOOST_TEST((*payer)->payer_id == "87726");
  }
  BOOST_TEST((*host->payers().get("09102"))->payer_id == "MEDICARE-B-FL");
  BOOST_TEST(!host->payers().get("NO-SUCH-PAYER")->has_value());
}

BOOST_AUTO_TEST_CASE(the_sample_payer_expects_eighty_percent) {
  for (const std::string id : {"SAMPLE-80", "TEST-APPROVE"}) {
    const auto payer = *host->payers().get(id);
    BOOST_REQUIRE(payer.has_value());
    BOOST_TEST(payer->rates.denial_bps == 0);
    BOOST_TEST(payer->rates.allowed_bps == 8000);
    BOOST_TEST(payer->rates.patient_share_bps == 0);
  }
  for (const std::string id : {"TEST-DECLINE", "TEST-REVIEW", "TEST-SLOW"})
    BOOST_TEST(host->payers().get(id)->has_value());
}

BOOST_AUTO_TEST_CASE(search_ranks_exact_alias_prefix_token_and_spelling) {
  BOOST_TEST(best("60054") == "60054");
  BOOST_TEST(best("uhc") == "87726");
  BOOST_TEST(best("united") == "87726");
  BOOST_TEST(best("Omaha, Mutual") == "71412");
  BOOST_TEST(best("humanna") == "61101");
  BOOST_TEST(best("unitedhelthcare") == "87726");
  BOOST_TEST(best("zzzzzzzz") == "");
}

BOOST_AUTO_TEST_CASE(a_search_returns_first_what_a_biller_means) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {"bcbs tx", {"BCBS-TX"}},
      {"BCBS of Texas", {"BCBS-TX"}},
      {"blue cross texas", {"BCBS-TX"}},
      {"BlueCross BlueShield of Texas", {"BCBS-TX"}},
      {"bcbs id", {"BCBS-ID", "REGENCE-ID-BS"}},
      {"blue shield california", {"BLUE-SHIELD-OF-CA"}},
      {"florida blue", {"BCBS-FL"}},
      {"anthem ohio", {"BCBS-OH"}},
      {"uhc", {"87726", "UHC-COMMUNITY-PLAN"}},
      {"united healthcare", {"87726", "UHC-COMMUNITY-PLAN"}},
      {"united health care", {"87726"}},
      {"medicaid ny", {"MEDICAID-NY"}},
      {"NY Medicaid", {"MEDICAID-NY"}},
      {"mcd texas", {"MEDICAID-TX"}},
      {"medi-cal", {"MEDICAID-CA"}},
      {"masshealth", {"MEDICAID-MA"}},
      {"medicaid virginia", {"MEDICAID-VA", "MEDICAID-WV"}},
      {"aetna", {"60054"}},
      {"aetna ppo", {"60054"}},
      {"aetna better health florida", {"128FL"}},
      {"medicare florida", {"MEDICARE-B-FL"}},
      {"medicare tx", {"MEDICARE-B-TX"}},
      {"first coast", {"MEDICARE-B-FL", "MEDICARE-B-PR", "MEDICARE-B-VI"}},
      {"railroad medicare", {"MEDICARE-RAILROAD"}},
      {"tricare", {"TRICARE-EAST", "TRICARE-WEST", "TRICARE-FOR-LIFE"}},
      {"va", {"VACCN", "TWVACCN"}},
      {"medigap", {"36273"}},
      {"workers comp ohio", {"BWC-OH"}},
      {"delta dental ca", {"DELTA-DENTAL-CA"}},
      {"sample payer", {"SAMPLE-80"}}};
  for (const auto& [text, expected] : cases)
    BOOST_TEST_CONTEXT(text) BOOST_TEST(ids(text, expected.size()) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_family_name_finds_all_its_payers_before_others) {
  const std::vector<std::pair<std::string, std::string>> cases{{"bcbs", "Blue"},
                                                               {"Blue Cross Blue Shield", "Blue"},
                                                               {"medicaid", "Medicaid"},
                                                               {"medicare", "Medicare Part B"},
                                                               {"anthem", "Anthem Blue Cross"},
                                                               {"Aetna Better Health", "Aetna Better Health"}};
  for (const auto& [text, part] : cases) {
    const auto result = host->payers().search(text, "internal", "", 10);
    const auto& found = result->found;
    BOOST_TEST(found.size() == 10U, text);
    for (const auto& match : found)
      BOOST_TEST(match.payer.name.find(part) != std::string::npos, text << ": " << match.payer.name);
  }
}

BOOST_AUTO_TEST_CASE(a_misspelled_name_is_found_if_nothing_is_written_so) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"cigan", "62308"},           {"humanna", "61101"},          {"aetan", "60054"},
      {"unitedhelthcare", "87726"}, {"united helthcare", "87726"}, {"blue corss texas", "BCBS-TX"},
      {"ambeter", "68069"},         {"medciaid ny", "MEDICAID-NY"}};
  for (const auto& [text, expected] : cases) BOOST_TEST(best(text) == expected, text);
  const auto as_written = host->payers().search("humana", "internal", "", kAll);
  for (const auto& match : as_written->found) BOOST_TEST(match.score_bps > 5'000, match.payer.name);
}

BOOST_AUTO_TEST_CASE(a_payer_that_the_text_cannot_mean_is_no_result) {
  for (const std::string text :
       {"health", "health plan", "the", "insurance company", "johns hopkins", "xy", "zzzzzzzz"})
    BOOST_TEST(best(text) == "", text);
  for (const auto& id : ids("Aetna Better Health", kAll)) {
    const auto payer = host->payers().get(id);
    BOOST_TEST((*payer)->name.find("Aetna") == 0U, (*payer)->name);
  }
  // The directory has no such plan. Its brand and a word of half the text are enough, a state alone is not.
  BOOST_TEST(best("Aetna Better Health of California") == "60054");
  BOOST_TEST(best("purple california") == "");
}

BOOST_AUTO_TEST_CASE(equal_scores_keep_the_order_of_the_file) {
  const TempFolder folder;
  const auto own = load({directory(folder.file("own.jsonl",
                                               "{\"payer_id\":\"Z\",\"name\":\"Acme East\"}\n"
                                               "{\"payer_id\":\"A\",\"name\":\"Acme West\"}\n"
                                               "{\"payer_id\":\"M\",\"name\":\"Acme South\"}\n"))});
  std::vector<std::string> ids;
  const auto result = own->payers().search("acme", "internal", "", 10);
  for (const auto& match : result->found) ids.push_back(match.payer.payer_id);
  const std::vector<std::string> expected{"Z", "A", "M"};
  BOOST_TEST(ids == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_crosswalk_finds_a_payer_by_its_id_in_each_system) {
  const std::vector<std::vector<std::string>> cases{
      {"60054", "stedi", "60054"},           {"60054", "availity", "60054"},    {"62308", "optum", "62308"},
      {"61101", "stedi", "61101"},           {"87726", "optum", "87726"},       {"G84980", "availity", "BCBS-TX"},
      {"SMPL80W", "waystar", "SAMPLE-80"},   {"13202", "cms", "MEDICARE-B-NY"}, {"79413", "naic", "87726"},
      {"00-0000001", "ein", "SAMPLE-DENTAL"}};
  for (const auto& row : cases) BOOST_TEST(best(row[0], row[1]) == row[2], row[1] << " " << row[0]);
}

BOOST_AUTO_TEST_CASE(the_sandbox_has_the_payers_of_every_state) {
  std::set<std::string> blue, medicaid, medicare;
  std::size_t real = 0;
  for (const auto& payer : all()) {
    if (is_made_up(payer.payer_id)) continue;
    ++real;
    const auto add_to = [&](std::set<std::string>& states) { states.insert(payer.states.begin(), payer.states.end()); };
    if (payer.name.find("Blue") != std::string::npos) add_to(blue);
    if (payer.payer_id.rfind("MEDICAID-", 0) == 0) add_to(medicaid);
    if (payer.payer_id.rfind("MEDICARE-B-", 0) == 0) add_to(medicare);
  }
  BOOST_TEST(real >= 200U);
  for (const auto* states : {&blue, &medicaid, &medicare})
    BOOST_TEST(std::includes(states->begin(), states->end(), kStates.begin(), kStates.end()));
  for (const auto& state : kStates) {
    BOOST_TEST(contains(ids("bcbs " + state, 3), "BCBS-" + state), state);
    BOOST_TEST(best("medicaid " + state) == "MEDICAID-" + state);
    BOOST_TEST(best("medicare " + state).rfind("MEDICARE-B-" + state, 0) == 0U, state);
  }
}

BOOST_AUTO_TEST_CASE(an_id_and_an_alias_name_one_payer) {
  std::set<std::pair<std::string, std::string>> identifiers;
  for (const auto& payer : all()) {
    auto names = payer.aliases;
    names.push_back(payer.payer_id);
    for (const auto& name : names) BOOST_TEST((*host->payers().get(name))->payer_id == payer.payer_id, name);
    for (const auto& [system, id] : payer.identifiers) {
      // One insurance company may run the plans of several states: its NAIC code is no name of one of them.
      if (system != "naic") {
        BOOST_TEST(identifiers.emplace(system, id).second, system << " " << id);
        BOOST_TEST((*host->payers().get(id))->payer_id == payer.payer_id, id);
      }
      BOOST_TEST(contains(ids(id, kAll, system), payer.payer_id), system << " " << id);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_better_rung_has_a_better_score) {
  const auto score = [&](const std::string& text) {
    return host->payers().search(text, "internal", "", 1)->found.front().score_bps;
  };
  BOOST_TEST(score("61101") == 10'000);
  BOOST_TEST(score("ambetter") > score("ambett"));
  BOOST_TEST(score("ambett") > score("centene amb"));
  BOOST_TEST(score("centene amb") > score("ambeter"));
}

BOOST_AUTO_TEST_CASE(a_system_limits_the_search_to_its_namespace) {
  BOOST_TEST(best("09102", "cms") == "MEDICARE-B-FL");
  BOOST_TEST(best("09102", "any") == "MEDICARE-B-FL");
  BOOST_TEST(best("13202", "stedi") == "");
  const auto unknown = host->payers().search("x", "nonesuch", "", 5);
  BOOST_REQUIRE(!unknown);
  BOOST_TEST((unknown.error().code == domain::ErrorCode::invalid_parameter));
  BOOST_REQUIRE(unknown.error().lists.size() == 1);
  const std::vector<std::string> allowed{"internal", "stedi", "availity", "optum", "waystar",
                                         "cms",      "naic",  "ein",      "any"};
  BOOST_TEST(unknown.error().lists[0].second == allowed, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_text_every_payer_comes_in_pages_by_id) {
  std::vector<std::string> ids;
  std::string after;
  for (;;) {
    const auto page = host->payers().search("", "internal", after, 40);
    BOOST_REQUIRE(page);
    for (const auto& match : page->found) ids.push_back(match.payer.payer_id);
    if (page->found.size() < 40) break;
    after = ids.back();
  }
  BOOST_TEST(ids.size() == all().size());
  BOOST_TEST(std::is_sorted(ids.begin(), ids.end()));
}

BOOST_AUTO_TEST_CASE(a_search_text_has_at_most_200_characters) {
  BOOST_TEST(bool(host->payers().search(std::string(200, 'a'), "internal", "", 5)));
  const auto refused = host->payers().search(std::string(201, 'a'), "internal", "", 5);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == domain::ErrorCode::invalid_parameter));
}

BOOST_AUTO_TEST_CASE(a_wrong_file_is_refused_with_its_line) {
  const TempFolder folder;
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {"{\"payer_id\":\"A\",\"name\":\"A\"}\n\n{\"payer_id\":\"B\",}\n", {":3: column"}},
      {"# note\n{\"payer_id\":\"A\",\"name\":\"A\",\"nmae\":\"x\"}\n", {":2: ", "unknown key 'nmae'", "the keys are"}},
      {"{\"payer_id\":\"A\",\"name\":\"A\",\"denial_bps\":10001}\n",
       {":1: 'denial_bps' must be a whole number from 0 to 10000"}},
      {"{\"payer_id\":\"A\",\"name\":\"A\"}\n{\"payer_id\":\"B\",\"name\":\"B\",\"aliases\":[\"a\"]}\n",
       {":2: 'a' is already", "line 1"}},
      {"{\"name\":\"A\"}\n", {":1: 'payer_id' is missing"}},
      {"# nothing\n", {"has no payer"}}};
  for (const auto& [content, parts] : cases)
    check_says(refusal({directory(folder.file("payers.jsonl", content))}), parts);
  check_says(refusal({directory("/no/such/file")}), {"cannot read the payer file /no/such/file"});
}

BOOST_AUTO_TEST_CASE(two_directories_are_asked_in_order) {
  const TempFolder folder;
  auto own = directory(
      folder.file("own.jsonl",
                  "\xEF\xBB\xBF{\"payer_id\":\"87726\",\"name\":\"Ours\"}\n{\"payer_id\":\"OWN\",\"name\":\"Own\"}\n"));
  own.id = "own";
  const auto both = load({own, directory(TIDEOVER_SOURCE_DIR "/config/payers.jsonl")});
  BOOST_TEST((*both->payers().get("87726"))->name == "Ours");
  BOOST_TEST((*both->payers().get("60054"))->name == "Aetna");
  BOOST_TEST(both->payers().search("", "internal", "", kAll)->found.size() == all().size() + 1);
}

BOOST_AUTO_TEST_SUITE_END()
