// The parts of a payer's texts that a search found.
#include "core/domain/claims/payer_highlights.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover;

namespace {

/// "name: [First] [Co]ast"; the parts are in brackets.
std::string shown(const std::vector<domain::PayerHighlight>& highlights) {
  std::string text;
  for (const auto& [field, value, parts] : highlights) {
    std::string marked = value;  // of ASCII texts
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
      marked.insert(part->start + part->length, "]").insert(part->start, "[");
    text += (text.empty() ? "" : "; ") + field + ": " + marked;
  }
  return text;
}

domain::PayerMatch match(std::vector<std::string> fields) {
  domain::PayerMatch found;
  auto& payer = found.payer;
  payer.payer_id = "FCHP-1";
  payer.name = "First Coast Health-Plan";
  payer.short_name = "First Coast";
  payer.aliases = {"FCHP", "Coast"};
  payer.identifiers = {{"stedi", "FC01"}, {"optum", "99"}};
  payer.states = {"FL"};
  found.fields = std::move(fields);
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(payer_highlights)

BOOST_AUTO_TEST_CASE(beginnings_of_words_are_parts_without_regard_to_case) {
  BOOST_TEST(shown(highlights_of(match({"name"}), "first co PLAN")) == "name: [First] [Co]ast Health-[Plan]");
  BOOST_TEST(shown(highlights_of(match({"name"}), "oast")) == "");
  BOOST_TEST(shown(highlights_of(match({"name"}), "c coa")) == "name: First [Coa]st Health-Plan");
}

BOOST_AUTO_TEST_CASE(each_value_of_a_matched_field_is_looked_at_and_no_other_field) {
  BOOST_TEST(shown(highlights_of(match({"short_name", "aliases"}), "coast")) ==
             "short_name: First [Coast]; aliases: [Coast]");
  BOOST_TEST(shown(highlights_of(match({"identifiers.stedi"}), "fc01")) == "identifiers.stedi: [FC01]");
  BOOST_TEST(shown(highlights_of(match({"payer_id"}), "fchp-1")) == "payer_id: [FCHP]-[1]");
  BOOST_TEST(shown(highlights_of(match({"states"}), "florida")) == "");
  BOOST_TEST(shown(highlights_of(match({"unheard_of"}), "coast")) == "");
}

BOOST_AUTO_TEST_CASE(parts_count_characters) {
  auto found = match({"name"});
  found.payer.name = "Caf\xc3\xa9 Sant\xc3\xa9 Plan";
  const auto highlights = highlights_of(found, "sant\xc3\xa9");
  BOOST_REQUIRE(highlights.size() == 1u);
  BOOST_REQUIRE(highlights[0].parts.size() == 1u);
  BOOST_TEST(highlights[0].parts[0].start == 5u);
  BOOST_TEST(highlights[0].parts[0].length == 5u);
}

BOOST_AUTO_TEST_SUITE_END()
