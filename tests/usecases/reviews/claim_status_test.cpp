// The claim's status as clients move it (core/docs/contract.md#claim-status).
#include "tests/usecases/world.hpp"

using namespace tideover;
using domain::ClaimStatus;
using domain::ErrorCode;
using tests::detail_of;
using tests::refusal_of;

namespace {

struct StatusWorld : tests::World {
  domain::Result<usecases::StoredResponse> move(ClaimStatus to, std::optional<int> expected_version = std::nullopt,
                                                const std::string& claim = "CLM-1") {
    usecases::StatusUpdate update;
    update.status = to;
    update.reason_code = "29";
    update.note = "a note";
    if (expected_version)
      update.expected = [expected_version](const domain::ClaimStatusRecord& now) {
        return now.version == *expected_version;
      };
    return (*update_claim_status)(context("status"), claim, update, [](const domain::ClaimStatusRecord& record) {
      return std::string(name_of(record.status));
    });
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(claim_status_update, StatusWorld)

BOOST_AUTO_TEST_CASE(a_status_move_is_stored_with_its_reasons_and_an_event) {
  review(draft("CLM-1"));
  clock.advance_s(10);
  BOOST_TEST(move(ClaimStatus::submitted)->body == "submitted");
  const auto now = claim_status("CLM-1");
  BOOST_TEST(now.status == ClaimStatus::submitted);
  BOOST_TEST(*now.previous == ClaimStatus::reviewed);
  BOOST_TEST(now.version == 2);
  BOOST_TEST(now.reason_code == "29");
  BOOST_TEST(now.note == "a note");
  BOOST_TEST(now.updated_at == clock.now());
  BOOST_TEST(events("claim.status_changed") == 1);
}

BOOST_AUTO_TEST_CASE(a_client_may_skip_statuses_along_the_graph) {
  review(draft("CLM-1"));
  BOOST_TEST(move(ClaimStatus::paid)->body == "paid");
  BOOST_TEST(move(ClaimStatus::closed)->body == "closed");
}

BOOST_AUTO_TEST_CASE(a_refused_move_reports_the_allowed_ones) {
  review(draft("CLM-1"));
  BOOST_REQUIRE(bool(move(ClaimStatus::closed)));
  auto refused = move(ClaimStatus::paid);
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_transition);
  BOOST_TEST(refused.error().lists.front().first == "allowed");
  BOOST_TEST(refused.error().lists.front().second.empty());
  review(draft("CLM-2"));
  refused = move(ClaimStatus::received, std::nullopt, "CLM-2");
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_transition);
  BOOST_TEST(detail_of(refused.error(), "status") == "reviewed");
  BOOST_TEST(refused.error().lists.front().second ==
                 domain::allowed_moves(ClaimStatus::reviewed, domain::StatusSource::client),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_same_status_again_changes_nothing) {
  review(draft("CLM-1"));
  const auto before = claim_status("CLM-1");
  BOOST_TEST(move(ClaimStatus::reviewed)->body == "reviewed");
  BOOST_TEST(claim_status("CLM-1").version == before.version);
  BOOST_TEST(claim_status("CLM-1").note == "");
  BOOST_TEST(events("claim.status_changed") == 0);
}

BOOST_AUTO_TEST_CASE(an_outdated_version_is_refused) {
  review(draft("CLM-1"));
  BOOST_REQUIRE(bool(move(ClaimStatus::submitted, 1)));
  const auto refused = move(ClaimStatus::accepted, 1);
  BOOST_TEST(refusal_of(refused) == ErrorCode::version_conflict);
  BOOST_TEST(detail_of(refused.error(), "version") == "v2");
  BOOST_REQUIRE(bool(move(ClaimStatus::accepted, 2)));
}

BOOST_AUTO_TEST_CASE(a_claim_is_found_by_identifier_or_id_and_only_by_its_tenant) {
  const auto reviewed = review(draft("CLM-1"));
  BOOST_REQUIRE(bool(move(ClaimStatus::submitted, std::nullopt, reviewed.claim_id.text())));
  BOOST_TEST(claim_status("CLM-1").status == ClaimStatus::submitted);
  BOOST_TEST(refusal_of(move(ClaimStatus::accepted, std::nullopt, "CLM-2")) == ErrorCode::claim_not_found);
  const auto ours = caller.tenant;
  caller.tenant = domain::TenantId::of({9, 9});
  BOOST_TEST(refusal_of(move(ClaimStatus::accepted)) == ErrorCode::claim_not_found);
  caller.tenant = ours;
}

BOOST_AUTO_TEST_SUITE_END()
