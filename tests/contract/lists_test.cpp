// The rules of lists in core/docs/contract.md#lists-and-metadata, for every list of openapi.yaml.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

#include "tests/contract/openapi.hpp"

namespace tideover::test {
namespace {

using Names = std::set<std::string>;

struct ListRules {
  OpenApi openapi;

  bool has(const Operation& operation, const std::string& parameter) const {
    return openapi.query_parameter(operation, parameter).IsDefined();
  }
  /// The operations with all of `with` and none of `without`.
  Names operations(const Names& with, const Names& without) const {
    Names found;
    for (const auto& operation : openapi.operations()) {
      const auto has_it = [&](const std::string& name) { return has(operation, name); };
      if (std::all_of(with.begin(), with.end(), has_it) && std::none_of(without.begin(), without.end(), has_it))
        found.insert(operation.id);
    }
    return found;
  }
  std::string limits_of(const Operation& operation) const {
    const auto schema = openapi.query_parameter(operation, "limit")["schema"];
    return schema["minimum"].as<std::string>("") + ' ' + schema["maximum"].as<std::string>("") + ' ' +
           schema["default"].as<std::string>("all");
  }
};

BOOST_FIXTURE_TEST_SUITE(lists, ListRules)

BOOST_AUTO_TEST_CASE(a_list_has_pages_unless_it_is_short) {
  Names one_page;
  for (const auto& operation : openapi.operations())
    if (openapi.returns_list(operation) && !has(operation, "cursor")) one_page.insert(operation.id);
  const Names expected{"getBankStatement", "getChangelog", "getOutstanding",
                       "listFundingRails", "listPeriods",  "listRoles"};
  BOOST_TEST(one_page == expected, boost::test_tools::per_element());
  for (const auto& operation : openapi.operations())
    if (has(operation, "cursor")) BOOST_TEST(openapi.returns_list(operation), operation.id);
}

BOOST_AUTO_TEST_CASE(a_page_has_1_to_100_items_and_25_without_a_limit) {
  for (const auto& operation : openapi.operations()) {
    if (!has(operation, "cursor")) continue;
    const bool is_long = operation.id == "listJournal" || operation.id == "getPayeeStatement";
    const bool is_whole = operation.id == "listReasonCodes";
    BOOST_TEST(limits_of(operation) == (is_whole ? "1 1000 all" : is_long ? "1 1000 100" : "1 100 25"), operation.id);
  }
}

BOOST_AUTO_TEST_CASE(a_list_in_order_of_creation_is_bounded_by_it) {
  const Names without_bounds{"listBankStatements", "listClaimStatusHistory", "listPickupFiles", "listRuleBundles",
                             "listWebhookDeliveries"};
  BOOST_TEST(operations({"order"}, {"created_from"}) == without_bounds, boost::test_tools::per_element());
  const Names by_key_or_writing{
      "getBankReconciliation", "getPayeeStatement", "getPayout",  "listAuditRows", "listEvents",     "listJournal",
      "listLedgerBalances",    "listLedgerEntries", "listPayees", "listPayers",    "listReasonCodes"};
  BOOST_TEST(operations({"cursor"}, {"order"}) == by_key_or_writing, boost::test_tools::per_element());
  BOOST_TEST(operations({"created_from"}, {"order"}).empty());
  BOOST_TEST(operations({"created_from"}, {"created_to"}).empty());
  BOOST_TEST(operations({"created_to"}, {"created_from"}).empty());
  BOOST_TEST(operations({"created_from"}, {}).size() >= 12u);
}

BOOST_AUTO_TEST_CASE(lists_of_objects_that_one_post_makes_are_searched_by_its_key) {
  const Names expected{"listClients", "listDeposits",    "listImports",         "listRemittances",
                       "listReviews", "listSettlements", "listWebhookEndpoints"};
  BOOST_TEST(operations({"idempotency_key"}, {}) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_operation_documents_the_refusal_of_a_parameter) {
  for (const auto& operation : openapi.operations()) BOOST_TEST(bool(operation.node["responses"]["400"]), operation.id);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
