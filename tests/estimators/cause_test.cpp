// Which cause a denial is for.
#include "core/estimators/effects/cause.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover::estimators;

BOOST_AUTO_TEST_SUITE(causes)

BOOST_AUTO_TEST_CASE(before_any_denial_codes_mean_what_they_say) {
  const Reasons reasons;
  BOOST_TEST(reasons.share(Cause::patient, CarcGroup::eligibility) >
             20 * reasons.share(Cause::procedure, CarcGroup::eligibility));
  BOOST_TEST(reasons.share(Cause::enrolment, CarcGroup::provider) >
             5 * reasons.share(Cause::office, CarcGroup::provider));
  BOOST_TEST(reasons.share(Cause::documents, CarcGroup::documents) >
             20 * reasons.share(Cause::office, CarcGroup::documents));
  BOOST_TEST(reasons.share(Cause::procedure, CarcGroup::necessity) >
             5 * reasons.share(Cause::patient, CarcGroup::necessity));
}

BOOST_AUTO_TEST_CASE(how_payers_use_codes_is_learned) {
  Reasons reasons;
  for (int i = 0; i < 600; ++i) reasons.learn(Cause::procedure, CarcGroup::format, 1);
  BOOST_TEST(reasons.share(Cause::procedure, CarcGroup::format) > 0.4);
  BOOST_TEST(reasons.share(Cause::patient, CarcGroup::format) < 0.1);
}

BOOST_AUTO_TEST_CASE(what_is_learned_can_be_taken_back) {
  Reasons reasons;
  const double before = reasons.share(Cause::office, CarcGroup::format);
  reasons.learn(Cause::office, CarcGroup::format, 0.75);
  BOOST_TEST(reasons.share(Cause::office, CarcGroup::format) > before);
  reasons.learn(Cause::office, CarcGroup::format, -0.75);
  BOOST_REQUIRE_CLOSE(reasons.share(Cause::office, CarcGroup::format), before, 1e-9);
}

BOOST_AUTO_TEST_SUITE_END()
