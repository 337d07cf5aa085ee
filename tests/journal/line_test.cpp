// A line of the journal proves itself, or is no line.
#include "core/journal/line.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover;
using journal::Entry;

namespace {

ports::JournalledSend send() {
  ports::JournalledSend send;
  send.tenant = domain::TenantId::of({1, 1});
  send.subject = domain::SettlementId::of({1, 2});
  send.attempt = 3;
  send.rail = "SAME_DAY";
  send.key = "0123456789abcdef0123456789abcdef";
  send.amount = domain::Money::cents(64'000);
  send.epoch = 2;
  send.at = domain::Timestamp::from_ms(1'795'186'800'000);
  return send;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(journal_line)

BOOST_AUTO_TEST_CASE(every_kind_comes_back_as_it_was_written) {
  const auto at = domain::Timestamp::from_ms(7);
  auto practice = send();
  practice.purpose = domain::Purpose::payable;
  practice.subject = domain::PaymentSubject::practice("1234567893");
  const std::vector<Entry> entries{journal::Begun{at, 12},
                                   send(),
                                   practice,
                                   journal::Outcome{at, "key", domain::AttemptState::manual},
                                   journal::Cut{at, 4096},
                                   journal::Resumed{at}};
  std::string hash(journal::kNoLineBefore);
  for (const auto& entry : entries) {
    const std::string before = hash;
    const std::string text = journal::write_line(entry, hash);
    BOOST_TEST(text.back() == '\n');
    const auto line = journal::read_line(std::string_view(text).substr(0, text.size() - 1));
    BOOST_REQUIRE(line.has_value());
    BOOST_TEST(line->previous == before);
    BOOST_TEST(line->hash == hash);
    std::string same = before;
    BOOST_TEST(journal::write_line(line->entry, same) == text);  // all of it was read
  }
}

BOOST_AUTO_TEST_CASE(a_line_names_the_claim_by_its_digest_and_one_of_an_earlier_version_names_none) {
  auto named = send();
  named.claim = "fedcba9876543210fedcba9876543210";
  for (const auto& sent : {named, send()}) {
    std::string hash(journal::kNoLineBefore);
    const std::string text = journal::write_line(sent, hash);
    BOOST_TEST(text.ends_with(' ' + (sent.claim.empty() ? "2" : sent.claim) + '\n'));
    const auto line = journal::read_line(std::string_view(text).substr(0, text.size() - 1));
    BOOST_REQUIRE(line.has_value());
    BOOST_TEST(std::get<ports::JournalledSend>(line->entry).claim == sent.claim);
  }
}

BOOST_AUTO_TEST_CASE(a_line_with_any_byte_changed_is_none) {
  std::string hash(journal::kNoLineBefore);
  const std::string good = journal::write_line(send(), hash);
  for (std::size_t i = 0; i + 1 < good.size(); ++i) {
    for (const char change : {'\x01', '\x20', '\x7f'}) {
      std::string bad = good.substr(0, good.size() - 1);
      bad[i] = static_cast<char>(bad[i] ^ change);
      BOOST_TEST(!journal::read_line(bad), "byte " << i);
    }
    BOOST_TEST(!journal::read_line(good.substr(0, i)), "cut at " << i);
  }
}

BOOST_AUTO_TEST_SUITE_END()
