// The shipped payer directory through the host.
#include <algorithm>

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
};

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
  BOOST_TEST(best("09102", "stedi") == "");
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
    const auto page = host->payers().search("", "internal", after, 4);
    BOOST_REQUIRE(page);
    for (const auto& match : page->found) ids.push_back(match.payer.payer_id);
    if (page->found.size() < 4) break;
    after = ids.back();
  }
  BOOST_TEST(ids.size() == 15U);
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
  BOOST_TEST(both->payers().search("", "internal", "", 100)->found.size() == 16U);
}

BOOST_AUTO_TEST_SUITE_END()
