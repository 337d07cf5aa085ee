// The life of a claim, against core/docs/contract.md#claim-status written down a second time, from status to status.
#include "core/domain/claims/claim_status.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <string>

#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

using Names = std::set<std::string>;

const std::map<std::string, Names> kGraph{
    {"received", {"reviewed", "submitted", "voided"}},
    {"reviewed", {"submitted", "voided"}},
    {"submitted", {"accepted", "rejected", "pending", "voided"}},
    {"accepted", {"pending", "info_requested", "denied", "paid", "partially_paid"}},
    {"rejected", {"submitted", "closed", "voided"}},
    {"pending", {"info_requested", "denied", "paid", "partially_paid"}},
    {"info_requested", {"pending", "denied", "paid", "partially_paid"}},
    {"denied", {"appealed", "closed"}},
    {"appealed", {"denied", "paid", "partially_paid", "closed"}},
    {"partially_paid", {"paid", "reversed", "closed"}},
    {"paid", {"reversed", "closed"}},
    {"reversed", {"paid", "denied", "closed"}},
    {"closed", {}},
    {"voided", {}},
};

/// Where a walk of one or more steps can end.
Names walk_from(const std::string& start) {
  Names seen;
  const auto visit = [&](const auto& self, const std::string& at) -> void {
    for (const auto& next : kGraph.at(at))
      if (seen.insert(next).second) self(self, next);
  };
  visit(visit, start);
  return seen;
}

ClaimStatus status(const std::string& name) {
  return *claim_status_named(name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(claim_status)

BOOST_AUTO_TEST_CASE(the_statuses_are_the_contract_s_fourteen) {
  BOOST_TEST(kGraph.size() == static_cast<std::size_t>(kClaimStatusCount));
  const auto names = claim_status_names();
  BOOST_TEST(Names(names.begin(), names.end()).size() == kGraph.size());
  for (const auto& [name, moves] : kGraph) {
    BOOST_REQUIRE_MESSAGE(claim_status_named(name), name);
    BOOST_TEST(name_of(status(name)) == name);
  }
  BOOST_TEST(!claim_status_named("Paid"));
  BOOST_TEST(!claim_status_named(""));
}

BOOST_AUTO_TEST_CASE(every_move_of_every_source_follows_the_graph) {
  for (const auto& [from, direct] : kGraph) {
    const Names far = walk_from(from);
    for (const auto& [to, unused] : kGraph) {
      const auto what = from + " -> " + to;
      BOOST_TEST(may_move(status(from), status(to), StatusSource::system) == direct.contains(to), what);
      BOOST_TEST(may_move(status(from), status(to), StatusSource::client) == far.contains(to), what);
      BOOST_TEST(may_move(status(from), status(to), StatusSource::payer) == far.contains(to), what);
    }
  }
}

BOOST_AUTO_TEST_CASE(allowed_statuses_are_listed_in_one_order) {
  for (const auto& [from, direct] : kGraph) {
    const auto allowed = allowed_moves(status(from), StatusSource::system);
    BOOST_TEST(Names(allowed.begin(), allowed.end()) == direct, boost::test_tools::per_element());
    const auto far = allowed_moves(status(from), StatusSource::client);
    BOOST_TEST(Names(far.begin(), far.end()) == walk_from(from), boost::test_tools::per_element());
    for (std::size_t i = 1; i < far.size(); ++i) BOOST_TEST((status(far[i - 1]) < status(far[i])));
  }
}

BOOST_AUTO_TEST_CASE(closed_and_voided_are_final) {
  for (const auto source : {StatusSource::client, StatusSource::payer, StatusSource::system}) {
    BOOST_TEST(allowed_moves(ClaimStatus::closed, source).empty());
    BOOST_TEST(allowed_moves(ClaimStatus::voided, source).empty());
  }
}

BOOST_AUTO_TEST_CASE(a_remittance_s_status_code_says_paid_denied_or_reversed) {
  const std::map<std::string, std::string> known{{"1", "paid"},  {"2", "paid"},  {"3", "paid"},   {"19", "paid"},
                                                 {"20", "paid"}, {"21", "paid"}, {"4", "denied"}, {"22", "reversed"}};
  for (int code = 0; code < 100; ++code) {
    const auto found = known.find(std::to_string(code));
    const auto read = claim_status_of_clp02(std::to_string(code));
    BOOST_TEST(read.has_value() == (found != known.end()), code);
    if (read && found != known.end()) BOOST_TEST(name_of(*read) == found->second);
  }
  BOOST_TEST(!claim_status_of_clp02(""));
  BOOST_TEST(!claim_status_of_clp02("01"));
}

BOOST_AUTO_TEST_CASE(sources_have_names) {
  for (const auto source : {StatusSource::client, StatusSource::payer, StatusSource::system})
    BOOST_TEST((status_source_named(name_of(source)) == source));
  BOOST_TEST(!status_source_named("person"));
}

BOOST_AUTO_TEST_SUITE_END()
