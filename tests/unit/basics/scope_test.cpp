// Scopes and the roles that bundle them (core/docs/contract.md#access).
#include "core/domain/basics/scope.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <sstream>

using tideover::domain::Roles;
using tideover::domain::Scope;
using tideover::domain::ScopeSet;

namespace {

using Names = std::set<std::string>;

const Names kAll{"claims:read",      "claims:write",        "reviews:write",      "adjudications:write",
                 "settlements:read", "settlements:confirm", "settlements:cancel", "reconciliation:read",
                 "deposits:write",   "imports:read",        "imports:write",      "metadata:read",
                 "webhooks:manage",  "events:read",         "tasks:read",         "tasks:decide",
                 "rules:read",       "rules:write",         "audit:read",         "admin"};

Names split(const ScopeSet& scopes) {
  std::istringstream words(scopes.text());
  Names names;
  for (std::string word; words >> word;) names.insert(word);
  return names;
}

Names role(const char* name) {
  return split(*Roles().find(name));
}

Names all_but(std::initializer_list<std::string> missing) {
  Names names = kAll;
  for (const auto& name : missing) names.erase(name);
  return names;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scope)

BOOST_AUTO_TEST_CASE(the_scopes_are_the_contract_s) {
  BOOST_TEST(split(ScopeSet::all()) == kAll, boost::test_tools::per_element());
  for (const auto& name : kAll) BOOST_TEST(ScopeSet::parse(name)->text() == name);
}

BOOST_AUTO_TEST_CASE(an_integrator_may_all_but_decide_tasks_change_rules_and_administer) {
  BOOST_TEST(role("integrator") == all_but({"tasks:decide", "rules:read", "rules:write", "admin"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_auditor_only_reads) {
  for (const auto& name : role("auditor")) BOOST_TEST(name.ends_with(":read"), name);
  BOOST_TEST(role("auditor").contains("audit:read"));
}

BOOST_AUTO_TEST_CASE(only_roles_for_money_or_decisions_may_move_money_or_decide) {
  const std::map<std::string, Names> holders{{"settlements:confirm", {"integrator", "funder", "admin"}},
                                             {"tasks:decide", {"reviewer", "admin"}},
                                             {"deposits:write", {"integrator", "reconciler", "admin"}},
                                             {"rules:write", {"admin"}},
                                             {"admin", {"admin"}}};
  const Roles roles;
  for (const auto& [scope, expected] : holders) {
    Names found;
    for (const auto& [name, scopes] : roles.all())
      if (split(scopes).contains(scope)) found.insert(name);
    BOOST_TEST(found == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(the_roles_are_the_contract_s_seven) {
  BOOST_TEST(Roles().names() == "integrator, submitter, funder, reviewer, reconciler, auditor, admin");
  BOOST_TEST(role("admin") == kAll, boost::test_tools::per_element());
  BOOST_TEST(!Roles().find("owner"));
}

BOOST_AUTO_TEST_CASE(configured_roles_come_beside_the_shipped_ones_or_replace_them) {
  const Roles::Configured configured{{"biller", "claims:read claims:write"}, {"auditor", "audit:read"}};
  BOOST_TEST(!Roles::fault_of(configured));
  const Roles roles(configured);
  BOOST_TEST(roles.names() == "integrator, submitter, funder, reviewer, reconciler, auditor, admin, biller");
  BOOST_TEST(roles.find("biller")->text() == "claims:read claims:write");
  BOOST_TEST(roles.find("auditor")->text() == "audit:read");
  BOOST_TEST(roles.find("admin")->text() == Roles().find("admin")->text());
}

BOOST_AUTO_TEST_CASE(a_configured_role_at_fault_is_named) {
  const auto fault = [](const Roles::Configured& configured) { return Roles::fault_of(configured).value_or(""); };
  BOOST_TEST(fault({}) == "");
  BOOST_TEST(fault({{"biller", "claims:fly"}}).starts_with("biller has an unknown scope; the scopes are claims:read "));
  BOOST_TEST(fault({{"biller", " "}}) == "biller has no scopes");
  for (const std::string& name : {std::string(), std::string("Biller"), std::string("a b"), std::string(41, 'a')})
    BOOST_TEST(fault({{name, "claims:read"}}) ==
               "'" + name + "' is not a name of 1 to 40 lower-case letters, digits, '-' and '_'");
  BOOST_TEST(fault({{"a", ""}, {"b", ""}}) == "a has no scopes; b has no scopes");
}

BOOST_AUTO_TEST_CASE(a_scope_text_is_words_between_blanks) {
  BOOST_TEST(ScopeSet::parse("claims:read  admin ")->text() == "claims:read admin");
  BOOST_TEST(ScopeSet::parse("admin admin")->text() == "admin");
  BOOST_TEST(ScopeSet::parse("")->empty());
  for (const char* text : {"claims:delete", "Claims:read", "claims:read,admin", "claims:read\tadmin", "claims"})
    BOOST_TEST(!ScopeSet::parse(text), text);
}

BOOST_AUTO_TEST_CASE(a_set_contains_its_parts) {
  const auto some = *ScopeSet::parse("claims:read deposits:write");
  BOOST_TEST(some.has(Scope::claims_read));
  BOOST_TEST(!some.has(Scope::claims_write));
  BOOST_TEST(ScopeSet::all().contains(some));
  BOOST_TEST(!some.contains(ScopeSet::all()));
  BOOST_TEST(some.contains(ScopeSet{}));
  BOOST_TEST(ScopeSet::from_bits(some.bits()).text() == some.text());
}

BOOST_AUTO_TEST_SUITE_END()
