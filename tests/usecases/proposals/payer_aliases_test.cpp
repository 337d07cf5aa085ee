// Payers that no directory has: named by their claims, learned with evidence, and removed again.
#include "core/usecases/reconciliation/learned_aliases.hpp"
#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using tests::Cash;
using tests::PaidClaim;
using tests::Remittance;

namespace {

struct AliasWorld : tests::ProposalWorld {
  /// A remittance of a payer with this id, and its money, whose payer the bank does not know.
  void pays(const std::string& name, const std::string& id, const std::vector<PaidClaim>& claims,
            const std::string& originator = "") {
    std::int64_t paid = 0;
    for (const auto& claim : claims) paid += claim.paid;
    arrives(Remittance{"N" + name, "T" + name, claims, 0, id, originator});
    arrives(Cash{"D" + name, paid, "T" + name, 0, ""});
  }
  std::string payer_of(const std::string& name) {
    return seen([&](const ports::Records& records) {
             return records.remittances().find(caller.tenant, remittances.at("N" + name));
           })
        ->draft.payer_id;
  }
  std::vector<domain::PayerAlias> learned() {
    const auto all = aliases.list(caller.tenant, {"", 100});
    BOOST_REQUIRE(all);
    return *all;
  }
  std::string shown() {
    std::string text;
    for (const auto& alias : learned())
      text += (text.empty() ? "" : "; ") + std::string(name_of(alias.kind)) + ' ' + alias.alias + " is " +
              alias.payer_id + " by " + names[alias.remittance.text()];
    return text;
  }
  domain::Result<usecases::StoredResponse> remove(const std::string& id) {
    return aliases.remove(context("remove alias"), id, [](const domain::PayerAliasId& alias) { return alias.text(); });
  }

  usecases::PayerAliases aliases{*store, ids};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(payer_aliases, AliasWorld)

BOOST_AUTO_TEST_CASE(the_claims_name_the_payer_and_teach_its_id_and_originator) {
  fund({"A"});
  fund({"B"});
  pays("1", "new-7", {{"A", 79'000}}, "1512345678");
  BOOST_TEST(payer_of("1") == "PAYER");
  BOOST_TEST(shown() == "id NEW-7 is PAYER by N1; originator 1512345678 is PAYER by N1");
  // A claim that is not known: only the learned id names the payer.
  pays("2", "NEW-7", {{"UNKNOWN", 1'000, 5'000}});
  BOOST_TEST(payer_of("2") == "PAYER");
  pays("3", "NEW-8", {{"UNKNOWN-2", 1'000, 5'000}}, "1512345678");
  BOOST_TEST(payer_of("3") == "PAYER");
  BOOST_TEST(postings() == "A 790.00 settled; B -");
  BOOST_TEST(tasks("match_ambiguous").empty());
}

BOOST_AUTO_TEST_CASE(one_claim_that_is_not_certain_leaves_the_payer_unknown) {
  fund({"A"});
  for (const auto& doubtful : {PaidClaim{"UNKNOWN", 1'000, 5'000}, PaidClaim{"A", 1'000, 200'000},
                               PaidClaim{"A", 1'000, 50'000, 9}, PaidClaim{"A", 1'000, 100'000, std::nullopt, "2"}}) {
    const auto name = std::to_string(remittances.size());
    pays(name, "NEW-7", {{"A", 79'000}, doubtful});
    BOOST_TEST(payer_of(name) == "NEW-7");
  }
  BOOST_TEST(shown().empty());
  BOOST_TEST(postings() == "A -");
}

BOOST_AUTO_TEST_CASE(a_remittance_with_claims_of_two_payers_waits_as_a_whole) {
  fund({"A"});
  fund({"B", 100'000, "OTHER"});
  pays("1", "ADMIN-5", {{"A", 79'000}, {"B", 70'000}, {"UNKNOWN", 1'000, 5'000}});
  BOOST_TEST(payer_of("1").empty());
  BOOST_TEST(postings() == "A -; B -");
  BOOST_TEST(-balance("suspense_unmatched").cents() == 150'000);
  BOOST_TEST(shown().empty());
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(decide(task, domain::kAssignPayer, "PAYER")));
  BOOST_TEST(postings() == "A 790.00 settled; B -");
}

BOOST_AUTO_TEST_CASE(a_name_of_two_payers_names_none) {
  fund({"A"});
  fund({"B", 100'000, "OTHER"});
  pays("1", "CHX", {{"A", 79'000}});
  pays("2", "CHX", {{"B", 79'000}});
  BOOST_TEST(payer_of("2") == "OTHER");
  BOOST_TEST(shown().empty());
  pays("3", "CHX", {{"UNKNOWN", 1'000, 5'000}});
  BOOST_TEST(payer_of("3") == "CHX");
  BOOST_TEST(postings() == "A 790.00 settled; B 790.00 settled");
}

BOOST_AUTO_TEST_CASE(a_removed_alias_names_nothing_and_is_not_learned_again) {
  fund({"A"});
  fund({"B"});
  pays("1", "NEW-7", {{"A", 79'000}});
  const auto id = learned().front().id.text();
  BOOST_REQUIRE(bool(remove(id)));
  BOOST_TEST(tests::refusal_of(remove(id)) == domain::ErrorCode::not_found);
  BOOST_TEST(tests::refusal_of(remove("pal_x")) == domain::ErrorCode::not_found);
  pays("2", "NEW-7", {{"UNKNOWN", 1'000, 5'000}});
  BOOST_TEST(payer_of("2") == "NEW-7");
  pays("3", "NEW-7", {{"B", 79'000}});
  BOOST_TEST(payer_of("3") == "PAYER");
  BOOST_TEST(shown().empty());
}

BOOST_AUTO_TEST_CASE(an_id_under_which_claims_were_advanced_is_a_payer_of_its_own) {
  fund({"A"});
  fund({"B", 100'000, "PRIVATE"});
  pays("1", "PRIVATE", {{"A", 79'000}});
  BOOST_TEST(payer_of("1") == "PRIVATE");
  BOOST_TEST(postings() == "A -; B -");
  BOOST_TEST(shown().empty());
}

BOOST_AUTO_TEST_CASE(only_decisions_of_a_balanced_remittance_teach) {
  fund({"A"});
  for (const char* status : {"23", "25", "5"}) {
    arrives(Remittance{
        "N" + std::string(status), "", {{"A", 0, 100'000, std::nullopt, status}}, 0, "NEW-" + std::string(status)});
    BOOST_TEST(shown() == "", status);
  }
  Remittance off{"N1", "T1", {{"A", 79'000}}, 0, "NEW-1"};
  off.off_balance = 1;
  arrives(off);
  BOOST_TEST(shown() == "");
  pays("2", "NEW-2", {{"A", 79'000}});
  BOOST_TEST(shown() == "id NEW-2 is PAYER by N2");
}

BOOST_AUTO_TEST_SUITE_END()
