// Bank statements: whether they close, which days lack one, and which money is due on one.
#include "core/domain/banking/bank_day.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover::domain;

namespace {

Date on(const char* text) {
  return *parse_date(text);
}

Money usd(std::int64_t cents) {
  return Money::cents(cents);
}

/// A Friday with opening 100.00, credits 50.00, debits 30.00 and closing 120.00.
struct Case {
  const char* name;
  void (*change)(BankStatement& statement, BankLineSums& sums, std::optional<EarlierBalance>& before);
  std::vector<std::string> says;
};

const Case kCases[] = {
    {"all agrees", [](auto&, auto&, auto&) {}, {}},
    {"nothing moved",
     [](auto& statement, auto& sums, auto&) {
       sums = {};
       statement.closing = usd(10'000);
       statement.credit_sum = statement.debit_sum = usd(0);
       statement.credit_count = statement.debit_count = 0;
     },
     {}},
    {"overdrawn",
     [](auto& statement, auto&, auto& before) {
       statement.opening = before->closing = usd(-10'000);
       statement.closing = usd(-8'000);
     },
     {}},
    {"no opening balance",
     [](auto& statement, auto&, auto&) { statement.opening.reset(); },
     {"The statement has no opening balance."}},
    {"no balance at all",
     [](auto& statement, auto&, auto&) {
       statement.opening.reset();
       statement.closing.reset();
     },
     {"The statement has no opening balance.", "The statement has no closing balance."}},
    {"a line is missing",
     [](auto&, auto& sums, auto&) { sums = {usd(4'000), usd(3'000), 1, 1, {}, {}, 0}; },
     {"Opening 100.00 plus credits 40.00 less debits 30.00 is 110.00; the closing balance is 120.00.",
      "The bank states credits of 50.00; the lines add up to 40.00.",
      "The bank states 2 credits; the statement has 1."}},
    {"another sum of debits",
     [](auto& statement, auto&, auto&) { statement.debit_sum = usd(3'001); },
     {"The bank states debits of 30.01; the lines add up to 30.00."}},
    {"another count of debits",
     [](auto& statement, auto&, auto&) { statement.debit_count = 7; },
     {"The bank states 7 debits; the statement has 1."}},
    {"the bank states no sums",
     [](auto& statement, auto&, auto&) {
       statement.credit_sum.reset();
       statement.debit_sum.reset();
       statement.credit_count.reset();
       statement.debit_count.reset();
     },
     {}},
    {"another closing balance before",
     [](auto&, auto&, auto& before) { before->closing = usd(9'000); },
     {"The opening balance is 100.00; the statement of 2026-11-19 closed with 90.00."}},
    {"no closing balance before", [](auto&, auto&, auto& before) { before->closing.reset(); }, {}},
    {"the first statement", [](auto&, auto&, auto& before) { before.reset(); }, {}},
    {"another balance before a missing statement",
     [](auto&, auto&, auto& before) {
       before = EarlierBalance{on("2026-11-18"), usd(9'000)};
     },
     {}},
    {"another balance before a weekend",
     [](auto& statement, auto&, auto& before) {
       statement.date = on("2026-11-23");
       before = EarlierBalance{on("2026-11-20"), usd(9'000)};
     },
     {"The opening balance is 100.00; the statement of 2026-11-20 closed with 90.00."}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(bank_days)

BOOST_AUTO_TEST_CASE(a_statement_that_does_not_close_says_why) {
  for (const auto& one : kCases) BOOST_TEST_CONTEXT(one.name) {
      BankStatement statement;
      statement.date = on("2026-11-20");
      statement.opening = usd(10'000);
      statement.closing = usd(12'000);
      statement.credit_sum = usd(5'000);
      statement.debit_sum = usd(3'000);
      statement.credit_count = 2;
      statement.debit_count = 1;
      BankLineSums sums{usd(5'000), usd(3'000), 2, 1, {}, {}, 0};
      std::optional<EarlierBalance> before = EarlierBalance{on("2026-11-19"), usd(10'000)};
      one.change(statement, sums, before);
      std::vector<std::string> said;
      for (const auto& reason : reasons_against_closing(statement, sums, before)) {
        BOOST_TEST((reason.kind == BankExceptionKind::statement_does_not_close));
        said.push_back(reason.message);
      }
      BOOST_TEST(said == one.says, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(a_banking_day_without_a_statement_is_listed_up_to_the_last_one_that_is_due) {
  const auto shown = [](const char* from, const char* to, const char* first, const char* last_due) {
    std::vector<BankStatement> statements(2);
    statements[0].date = on("2026-11-20");  // a Friday
    statements[1].date = on("2026-11-28");  // a Saturday; the 26th is Thanksgiving
    std::erase_if(statements, [&](const auto& one) { return one.date < on(from) || one.date > on(to); });
    std::string text;
    for (const auto& day : days_of_account("a", statements, {on(from), on(to)}, on(first), on(last_due)))
      text += format_date(day.date).substr(8) + (day.statement ? "s " : "- ");
    return text;
  };
  BOOST_TEST(shown("2026-11-18", "2026-11-30", "2026-11-20", "2026-11-30") == "20s 23- 24- 25- 27- 28s 30- ");
  BOOST_TEST(shown("2026-11-18", "2026-11-30", "2026-11-20", "2026-11-24") == "20s 23- 24- 28s ");
  BOOST_TEST(shown("2026-11-24", "2026-11-25", "2026-11-20", "2026-11-30") == "24- 25- ");
  BOOST_TEST(shown("2026-11-10", "2026-11-12", "2026-11-20", "2026-11-30").empty());
}

BOOST_AUTO_TEST_CASE(money_is_due_on_a_statement_three_banking_days_later) {
  BOOST_TEST(format_date(due_on_statement(on("2026-11-20"))) == "2026-11-25");
  BOOST_TEST(format_date(due_on_statement(on("2026-11-24"))) == "2026-11-30");  // over Thanksgiving and a weekend
  BOOST_TEST(format_date(last_day_due(on("2026-11-25"))) == "2026-11-22");      // a Sunday
  BOOST_TEST(format_date(last_day_due(on("2026-11-29"))) == "2026-11-23");
}

BOOST_AUTO_TEST_SUITE_END()
