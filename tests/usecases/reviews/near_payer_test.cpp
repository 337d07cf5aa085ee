// Payers of the directory whose id is similar to the one that was sent.
#include "core/usecases/reviews/replay_review.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

struct NearPayer : World {
  NearPayer() {
    domain::Payer numbered = payers.payers.front();
    numbered.aliases.clear();
    for (const char* id : {"62308", "00431"}) {
      numbered.payer_id = id;
      payers.payers.push_back(numbered);
    }
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(near_payer, NearPayer)

BOOST_AUTO_TEST_CASE(a_payer_id_with_lost_or_added_zeros_suggests_the_similar_payer) {
  const auto near = [&](const char* payer_id) {
    auto claim = draft(std::string("CLM-") + payer_id);
    claim.payer_id = payer_id;
    const auto reviewed = review(claim);
    BOOST_TEST(reviewed.basis.near_payer == rules.near_payer_seen);
    return reviewed.basis.near_payer;
  };
  BOOST_TEST(near("062308") == "62308");
  BOOST_TEST(near("0062308") == "62308");
  BOOST_TEST(near(" 062308 ") == "62308");
  BOOST_TEST(near("431") == "00431");
  BOOST_TEST(near("0431") == "00431");
  BOOST_TEST(near("000431") == "00431");
  BOOST_TEST(near("0PAYER") == "PAYER");
  for (const char* payer_id : {"62309", "623080", "0", "000", "PAYERS", "62308"})
    BOOST_TEST(near(payer_id) == "", payer_id);
}

BOOST_AUTO_TEST_CASE(a_replay_keeps_the_similar_payer_of_the_review) {
  auto claim = draft("CLM-1");
  claim.payer_id = "062308";
  const auto given = review(claim);
  payers.payers.clear();  // the directory has changed
  usecases::ReplayReview replay{*store, digests, reason_codes, domain::Environment::sandbox};
  const auto both = replay(caller.tenant, *replay.find(caller.tenant, given.id.text()), rules);
  BOOST_REQUIRE_MESSAGE(both, why(both));
  BOOST_TEST(rules.near_payer_seen == "62308");
}

BOOST_AUTO_TEST_CASE(a_remittance_of_an_unknown_payer_suggests_the_similar_payer) {
  const auto warnings = [&](const std::string& payer_id, const std::string& said) {
    domain::RemittanceDraft remittance;
    remittance.payer_id = payer_id;
    remittance.payer_said = said;
    remittance.trace_number = "T-" + payer_id + said;
    remittance.payment_date = clock.now().utc_date();
    const auto answer = (*post_remittance)(
        context("remittance"), {remittance},
        [](const std::vector<usecases::PostedRemittance>& posted) { return posted.front().remittance.id.text(); });
    BOOST_REQUIRE(answer);
    const auto stored = seen([&](const ports::Records& records) {
      return records.remittances().find(caller.tenant, *domain::RemittanceId::parse(answer->body));
    });
    std::string text;
    for (const auto& warning : stored->draft.warnings) text += warning + '\n';
    return text;
  };
  BOOST_TEST(warnings("062308", "").find("did you mean 62308?") != std::string::npos);
  BOOST_TEST(warnings("", "RIVER HEALTH\n431").find("did you mean 00431?") != std::string::npos);  // as a file names it
  BOOST_TEST(warnings("62308", "") == "");
  BOOST_TEST(warnings("99999", "") == "");
}

BOOST_AUTO_TEST_SUITE_END()
