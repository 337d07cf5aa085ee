// Causes of denials.
#include "core/estimators/effects/cause.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover::estimators;

BOOST_AUTO_TEST_SUITE(causes)

BOOST_AUTO_TEST_CASE(without_denials_codes_have_their_published_cause) {
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

BOOST_AUTO_TEST_CASE(the_cause_of_a_code_is_learned_from_denials) {
  Reasons reasons;
  for (int i = 0; i < 600; ++i) reasons.learn(Cause::procedure, CarcGroup::format, 1);
  BOOST_TEST(reasons.share(Cause::procedure, CarcGroup::format) > 0.4);
  BOOST_TEST(reasons.share(Cause::patient, CarcGroup::format) < 0.1);
}

BOOST_AUTO_TEST_CASE(a_learned_denial_can_be_removed) {
  Reasons reasons;
  const double before = reasons.share(Cause::office, CarcGroup::format);
  reasons.learn(Cause::office, CarcGroup::format, 0.75);
  BOOST_TEST(reasons.share(Cause::office, CarcGroup::format) > before);
  reasons.learn(Cause::office, CarcGroup::format, -0.75);
  BOOST_REQUIRE_CLOSE(reasons.share(Cause::office, CarcGroup::format), before, 1e-9);
}

BOOST_AUTO_TEST_SUITE_END()
