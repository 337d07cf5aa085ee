// Ids of practices besides their NPI: learned from the claims of a remittance, used where nothing else names the
// practice, ambiguous for two practices, and removed again.
#include "core/usecases/reconciliation/learned_aliases.hpp"
#include "tests/usecases/matching/proposal_world.hpp"

using namespace tideover;
using tests::Cash;
using tests::PaidClaim;
using tests::Plb;
using tests::Remittance;

namespace {

constexpr const char* kNorth = "1234567893";
constexpr const char* kSouth = "1234567802";
constexpr const char* kGroup = "1999999984";
constexpr const char* kTaxId = "51-2345678";

/// The ids of a payee.
struct Payee {
  std::string npi{}, tax_id{}, assigned{};
};

struct PayeeAliasWorld : tests::ProposalWorld {
  void pays(const std::string& name, const Payee& payee, const std::vector<PaidClaim>& claims,
            const std::vector<Plb>& adjustments = {}, const std::string& payer = "PAYER") {
    std::int64_t paid = 0;
    for (const auto& claim : claims) paid += claim.paid;
    for (const auto& adjustment : adjustments) paid -= adjustment.cents;
    Remittance remittance{"N" + name, "T" + name, claims, 0, payer};
    remittance.adjustments = adjustments;
    remittance.payee = payee.npi;
    remittance.tax_id = payee.tax_id;
    remittance.assigned = payee.assigned;
    arrives(remittance);
    if (paid > 0) arrives(Cash{"D" + name, paid, "T" + name, 0, payer});
  }
  void fund_north(const std::string& name) { fund({name, 100'000, "PAYER", {}, kNorth}); }
  void fund_south(const std::string& name) { fund({name, 100'000, "PAYER", {}, kSouth}); }
  /// The claim is known and was not bought.
  void know(const std::string& name, const std::string& npi) {
    auto claim = draft(name, 120'000);
    claim.servicer_npi = claim.billing_npi = npi;
    review(claim);
  }
  /// "10.00 to 1234567893 by N1; ...": the rows of the remittance that are not of advances. `by`: the evidence of the
  /// learned id that named the practice.
  std::string rows(const std::string& name) {
    return seen([&](const ports::Records& records) {
      std::vector<std::string> lines;
      for (const auto& row : records.allocations().of(caller.tenant, remittances.at("N" + name))) {
        if (row.account == domain::AllocationAccount::advance) continue;
        auto& line =
            lines.emplace_back(format_money(row.amount) + " to " + (row.payee_npi.empty() ? "-" : row.payee_npi));
        if (row.payee_alias)
          line += " by " + names[records.payee_aliases().find(caller.tenant, *row.payee_alias)->remittance.text()];
      }
      return joined(lines);
    });
  }
  std::vector<domain::PayeeAlias> learned() {
    const auto all = aliases.list(caller.tenant, {"", 100});
    BOOST_REQUIRE(all);
    return *all;
  }
  std::string shown() {
    std::vector<std::string> lines;
    for (const auto& alias : learned()) {
      const auto& [kind, form, payer] = alias.names;
      lines.push_back(std::string(name_of(kind)) + ' ' + form + (payer.empty() ? "" : " of " + payer) + " is " +
                      alias.payee_npi + " by " + names[alias.remittance.text()]);
    }
    return joined(lines);
  }
  domain::Result<usecases::StoredResponse> remove(const std::string& id) {
    return aliases.remove(context("remove alias"), id, [](const domain::PayeeAliasId& alias) { return alias.text(); });
  }

  const Payee taxed{"", kTaxId, ""};
  const PaidClaim stranger{"STRANGER", 1'000, 5'000};
  const std::string north = kNorth, south = kSouth;
  usecases::PayeeAliases aliases{*store, ids};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(payee_aliases, PayeeAliasWorld)

BOOST_AUTO_TEST_CASE(a_tax_id_names_the_practice_of_later_lines) {
  fund_north("A");
  pays("1", taxed, {{"A", 79'000}});
  BOOST_TEST(shown() == "tax_id 512345678 is " + north + " by N1");
  // A claim that was not bought, interest, and a provider adjustment that names the tax id; another hyphenation.
  pays("2", {"", "512345678", ""}, {stranger}, {{"L6", -150}, {"L6", -50, "", "51-2345678"}});
  BOOST_TEST(rows("2") == "10.00 to 1234567893 by N1; 1.50 to 1234567893 by N1; 0.50 to 1234567893 by N1");
  BOOST_TEST(tasks("match_ambiguous").empty());
}

BOOST_AUTO_TEST_CASE(a_group_npi_and_a_number_of_one_payer_are_learned_as_well) {
  fund_north("A");
  pays("1", {kGroup, "", "p-77"}, {{"A", 79'000}});
  BOOST_TEST(shown() == "npi 1999999984 is " + north + " by N1; assigned P-77 of PAYER is " + north + " by N1");
  pays("2", {kGroup, "", ""}, {stranger});
  BOOST_TEST(rows("2") == "10.00 to 1234567893 by N1");
  pays("3", {"", "", "P-77"}, {stranger}, {{"FB", 400, "", "P-77"}});
  BOOST_TEST(rows("3") == "-4.00 to 1234567893 by N1; 10.00 to 1234567893 by N1");
  pays("4", {"", "", "P-77"}, {stranger}, {}, "OTHER");
  BOOST_TEST(rows("4") == "10.00 to -");
}

BOOST_AUTO_TEST_CASE(what_names_the_practice_better_comes_first) {
  fund_north("A");
  fund_south("B");
  pays("1", taxed, {{"A", 79'000}});
  know("KNOWN", kSouth);
  // The claim itself; the NPI of a practice; the NPI of another provider, which the tax id does not overrule.
  pays("2", taxed, {stranger, {"A", -1'000, -100'000, std::nullopt, "22"}});
  BOOST_TEST(shown() == "tax_id 512345678 is " + north + " by N1");
  pays("3", {kGroup, kTaxId, ""}, {stranger});
  BOOST_TEST(rows("3") == "10.00 to 1999999984");
  pays("4", {kSouth, kTaxId, ""}, {stranger}, {{"L6", -100, "", kNorth}});
  BOOST_TEST(rows("4") == "10.00 to 1234567802; 1.00 to 1234567893");
  pays("5", taxed, {{"KNOWN", 3'000, 120'000}});
  BOOST_TEST(rows("5") == "30.00 to 1234567802");
}

BOOST_AUTO_TEST_CASE(a_tax_id_of_two_practices_names_none) {
  fund_north("A");
  fund_north("C");
  fund_south("B");
  pays("1", taxed, {{"A", 79'000}});
  pays("2", taxed, {{"B", 79'000}, stranger});
  BOOST_TEST(rows("2") == "10.00 to -");
  BOOST_TEST(shown() == "");
  pays("3", taxed, {stranger});
  BOOST_TEST(rows("3") == "10.00 to -");
  pays("4", taxed, {{"C", 79'000}});
  BOOST_TEST(shown() == "");
}

BOOST_AUTO_TEST_CASE(a_remittance_with_two_practices_makes_its_ids_ambiguous_at_once) {
  fund_north("A");
  fund_north("C");
  fund_south("B");
  pays("1", {kGroup, kTaxId, ""}, {{"A", 79'000}, {"B", 79'000}});
  pays("2", {kGroup, kTaxId, ""}, {{"C", 79'000}});
  BOOST_TEST(shown() == "");
  pays("3", {kGroup, kTaxId, ""}, {stranger});
  BOOST_TEST(rows("3") == "10.00 to 1999999984");
}

BOOST_AUTO_TEST_CASE(the_npi_of_another_practice_beside_the_tax_id_makes_it_ambiguous) {
  fund_north("A");
  fund_south("B");
  know("KNOWN", kNorth);
  pays("1", taxed, {{"A", 79'000}});
  BOOST_TEST(shown() == "tax_id 512345678 is " + north + " by N1");
  pays("2", {kSouth, kTaxId, ""}, {{"KNOWN", 3'000, 120'000}});
  BOOST_TEST(shown() == "");
}

BOOST_AUTO_TEST_CASE(a_claim_of_no_known_practice_leaves_the_ids_unlearned) {
  fund_north("A");
  fund_north("B");
  know("KNOWN", kNorth);
  pays("1", taxed, {{"A", 79'000}, stranger});
  BOOST_TEST(shown() == "");
  BOOST_TEST(rows("1") == "10.00 to -");
  pays("2", taxed, {{"KNOWN", 3'000, 120'000}});  // no advance says so
  BOOST_TEST(shown() == "");
  pays("3", taxed, {{"B", 79'000}, {"KNOWN", 3'000, 120'000}});
  BOOST_TEST(shown() == "tax_id 512345678 is " + north + " by N3");
}

BOOST_AUTO_TEST_CASE(money_that_waits_and_decisions_of_reviewers_teach_nothing) {
  fund_north("A");
  fund_north("B");
  Remittance off{"N1", "T1", {{"A", 79'000}}};
  off.off_balance = 1;
  off.tax_id = kTaxId;
  arrives(off);
  BOOST_TEST(shown() == "");
  pays("2", taxed, {{"A", 79'000, 110'000}});  // more than the charge: a reviewer decides
  BOOST_TEST(shown() == "");
  const auto task = task_about("N2");
  BOOST_REQUIRE(bool(accept(task, proposals(task).front().id)));
  BOOST_TEST(postings() == "A 790.00 settled; B -");
  BOOST_TEST(shown() == "");
}

BOOST_AUTO_TEST_CASE(ids_that_disagree_name_no_practice) {
  fund_north("A");
  fund_south("B");
  pays("1", taxed, {{"A", 79'000}});
  pays("2", {"", "", "P-77"}, {{"B", 79'000}});
  pays("3", {"", kTaxId, "P-77"}, {stranger});
  BOOST_TEST(rows("3") == "10.00 to -");
  BOOST_TEST(shown() == "tax_id 512345678 is " + north + " by N1; assigned P-77 of PAYER is " + south + " by N2");
}

BOOST_AUTO_TEST_CASE(a_removed_alias_names_nothing_and_is_not_learned_again) {
  fund_north("A");
  fund_north("B");
  pays("1", taxed, {{"A", 79'000}});
  const auto id = learned().front().id.text();
  pays("2", taxed, {stranger});
  BOOST_REQUIRE(bool(remove(id)));
  BOOST_TEST(tests::refusal_of(remove(id)) == domain::ErrorCode::not_found);
  BOOST_TEST(tests::refusal_of(remove("yal_x")) == domain::ErrorCode::not_found);
  pays("3", taxed, {stranger});
  BOOST_TEST(rows("2") == "10.00 to 1234567893 by N1");  // what was posted stays
  BOOST_TEST(rows("3") == "10.00 to -");
  pays("4", taxed, {{"B", 79'000}});
  BOOST_TEST(shown() == "");
}

BOOST_AUTO_TEST_SUITE_END()
