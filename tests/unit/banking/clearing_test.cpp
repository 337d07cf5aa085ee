// The deposit or payment of a line: one candidate with its amount and reference, or a finding.
#include "core/domain/banking/clearing.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover::domain;

namespace {

using Kind = ClearingCandidate::Kind;

FoundCandidate candidate(const char* id, std::int64_t cents, Kind kind = Kind::deposit, bool by_reference = true,
                         bool settled = false) {
  return {{kind, id, Money::cents(cents), settled}, by_reference};
}

std::string result(bool is_debit, const std::vector<FoundCandidate>& found) {
  BankLine line;
  line.is_debit = is_debit;
  line.amount = Money::cents(100);
  line.finding = BankExceptionKind::statement_missing;
  settle_line(line, found);
  std::string text;
  if (line.deposit) text += "deposit " + line.deposit->text();
  if (line.payment) text += "payment " + line.payment->text();
  if (line.finding) text += name_of(*line.finding);
  return text;
}

BankLine line_of(int number, std::int64_t cents, const char* reference) {
  BankLine line;
  line.number = number;
  line.amount = Money::cents(cents);
  line.references = {reference};
  line.finding = BankExceptionKind::credit_without_deposit;
  return line;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bank_clearing)

BOOST_AUTO_TEST_CASE(a_line_is_settled_by_the_only_candidate_with_its_amount) {
  struct {
    bool is_debit;
    std::vector<FoundCandidate> found;
    const char* gives;
  } const cases[] = {
      {false, {candidate("d1", 100)}, "deposit d1"},
      {true, {candidate("d1", 100)}, "deposit d1"},
      {true, {candidate("p1", 100, Kind::payment)}, "payment p1"},
      {false, {candidate("p1", 100, Kind::payment)}, "payment p1"},
      {false, {candidate("d1", 100), candidate("d1", 100)}, "deposit d1"},  // found by two references
      {false, {candidate("d1", 100), candidate("d2", 101)}, "deposit d1"},
      {false, {candidate("d1", 100), candidate("d2", 100)}, "ambiguous_credit"},
      {true, {candidate("x", 100), candidate("x", 100, Kind::payment)}, "ambiguous_debit"},
      {false, {candidate("d1", 100), candidate("d2", 100, Kind::deposit, true, true)}, "deposit d1"},
      {false, {candidate("d1", 100, Kind::deposit, true, true)}, "credit_without_deposit"},
      {false, {candidate("d1", 99)}, "amount_differs"},
      {true, {candidate("p1", 101, Kind::payment)}, "amount_differs"},
      {false, {candidate("d1", 99, Kind::deposit, false)}, "credit_without_deposit"},
      {false, {candidate("d1", 100, Kind::deposit, false)}, "deposit d1"},
      {false, {}, "credit_without_deposit"},
      {true, {}, "debit_without_payment"},
  };
  for (const auto& one : cases) BOOST_TEST(result(one.is_debit, one.found) == one.gives);
}

BOOST_AUTO_TEST_CASE(references_and_words_with_digits_are_searched) {
  BankLine line;
  line.references = {"T-1", "T-1", ""};
  line.text = "PAYMENT T-1 OF INV/REF-2026.7, KEY stl_01-x12 12345 SAMPLE";
  std::string keys;
  for (const auto& key : search_keys(line)) keys += key.text + (key.is_reference ? "! " : " ");
  BOOST_TEST(keys == "T-1! REF-2026.7 stl_01-x12 ");
  line.text.clear();
  for (int i = 0; i < 100; ++i) line.text += "WORD-" + std::to_string(1000 + i) + ' ';
  BOOST_TEST(search_keys(line).size() == 12u);
}

BOOST_AUTO_TEST_CASE(a_replacement_keeps_what_was_settled_or_names_the_line_it_lacks) {
  auto first = line_of(1, 100, "A"), second = line_of(2, 100, "A"), open = line_of(3, 300, "C");
  first.deposit = DepositId::trusted("d1");
  second.deposit = DepositId::trusted("d2");
  std::vector<BankLine> lines{line_of(1, 50, "NEW"), line_of(2, 100, "A"), line_of(3, 100, "A")};
  BOOST_TEST(!carry_settlements({first, second, open}, lines).has_value());
  BOOST_TEST(lines[1].deposit->text() + lines[2].deposit->text() == "d1d2");
  BOOST_TEST((!lines[0].deposit && lines[0].finding && !lines[1].finding));
  std::vector<BankLine> fewer{line_of(1, 100, "A")};
  const auto lost = carry_settlements({first, second, open}, fewer);
  BOOST_REQUIRE(lost.has_value());
  BOOST_TEST(lost->number == 2);
}

BOOST_AUTO_TEST_SUITE_END()
