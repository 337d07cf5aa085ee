// The one meaning of a payer's answer, against its table written down a second time.
#include "core/domain/reconciliation/answer.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "core/domain/basics/within.hpp"
#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

RemittanceClaim claim_of(const std::string& status, std::int64_t charge, std::int64_t paid) {
  RemittanceClaim claim;
  claim.status = status;
  claim.charge_amount = Money::cents(charge);
  claim.paid_amount = Money::cents(paid);
  return claim;
}

RemittanceClaim with_line(std::int64_t charge, std::int64_t paid, std::optional<std::int64_t> allowed) {
  auto claim = claim_of("1", 10'000, 8'000);
  RemittanceLine line;
  line.charge_amount = Money::cents(charge);
  line.paid_amount = Money::cents(paid);
  if (allowed) line.allowed_amount = Money::cents(*allowed);
  claim.lines = {line};
  return claim;
}

const std::vector<std::string> kProcessed{"1", "2", "3", "19", "20", "21"};
const std::vector<std::string> kUndecided{"", "5", "9", "10", "13", "15", "16", "17", "27", "221"};

}  // namespace

BOOST_AUTO_TEST_SUITE(answer)

BOOST_AUTO_TEST_CASE(the_status_says_what_an_answer_of_ordinary_amounts_means) {
  for (const std::int64_t paid : {0, 8'000, 12'000}) {
    for (const auto& status : kProcessed)
      BOOST_TEST((answer_of(claim_of(status, 10'000, paid)).kind == AnswerKind::processed), status);
    BOOST_TEST((answer_of(claim_of("4", 10'000, paid)).kind == AnswerKind::denied));
    BOOST_TEST((answer_of(claim_of("23", 10'000, paid)).kind == AnswerKind::forwarded));
    for (const auto& status : {"1", "4", "23"})
      BOOST_TEST(answer_of(claim_of(status, 10'000, paid)).contradiction == "");
  }
}

BOOST_AUTO_TEST_CASE(nothing_paid_for_a_reason_that_refuses_the_whole_claim_is_a_denial) {
  for (const auto& [group, code] : {std::pair{"CO", "29"}, {"PI", "197"}, {"CO", "197"}, {"OA", "18"}, {"CO", "31"}}) {
    for (const auto& status : kProcessed) {
      auto claim = claim_of(status, 10'000, 0);
      claim.adjustments = {{group, code, Money::cents(10'000)}};
      BOOST_TEST((answer_of(claim).kind == AnswerKind::denied), group << code);
      BOOST_TEST((claim_status_of(answer_of(claim)) == ClaimStatus::denied));
      claim.paid_amount = Money::cents(1);
      BOOST_TEST((answer_of(claim).kind == AnswerKind::processed), group << code);
    }
    auto by_lines = claim_of("1", 10'000, 0);
    for (const std::int64_t charge : {4'000, 6'000}) {
      auto& line = by_lines.lines.emplace_back();
      line.charge_amount = Money::cents(charge);
      line.adjustments = {{group, code, line.charge_amount}};
    }
    BOOST_TEST((answer_of(by_lines).kind == AnswerKind::denied), group << code);
    by_lines.lines[1].adjustments = {{"PR", "1", Money::cents(6'000)}};
    BOOST_TEST((answer_of(by_lines).kind == AnswerKind::processed), group << code);
  }
  // Forwarded to another payer, and other reasons, are no denial.
  auto forwarded = claim_of("23", 10'000, 0);
  forwarded.adjustments = {{"CO", "29", Money::cents(10'000)}};
  BOOST_TEST((answer_of(forwarded).kind == AnswerKind::forwarded));
  for (const auto& [group, code] :
       {std::pair{"PR", "1"}, {"PR", "29"}, {"CO", "45"}, {"OA", "29"}, {"CO", "18"}, {"PR", "31"}}) {
    auto claim = claim_of("1", 10'000, 0);
    claim.adjustments = {{group, code, Money::cents(10'000)}};
    BOOST_TEST((answer_of(claim).kind == AnswerKind::processed), group << code);
  }
  BOOST_TEST((answer_of(claim_of("1", 0, 0)).kind == AnswerKind::processed));
}

BOOST_AUTO_TEST_CASE(a_refused_repeat_is_known_whatever_status_it_has) {
  const auto is_repeat = [](const std::string& status, const std::string& group, const std::string& code,
                            std::int64_t taken) {
    auto claim = claim_of(status, 10'000, 0);
    claim.adjustments = {{group, code, Money::cents(taken)}};
    return answer_of(claim).is_repeat_refused;
  };
  for (const auto& status : {"1", "2", "4"})
    for (const auto& group : {"CO", "OA"}) BOOST_TEST(is_repeat(status, group, "18", 10'000));
  BOOST_TEST(!is_repeat("1", "PR", "18", 10'000));
  BOOST_TEST(!is_repeat("1", "OA", "18", 9'999));
  BOOST_TEST(!is_repeat("4", "CO", "29", 10'000));
  BOOST_TEST(!is_repeat("23", "OA", "18", 10'000));
}

BOOST_AUTO_TEST_CASE(a_reversal_takes_back_whichever_sign_its_charge_has) {
  for (const std::int64_t charge : {-10'000, 0, 10'000})
    for (const std::int64_t paid : {-8'000, 0}) {
      const auto answer = answer_of(claim_of("22", charge, paid));
      BOOST_TEST((answer.kind == AnswerKind::taken_back));
      BOOST_TEST((answer.charge == Money::cents(std::abs(charge))));
      BOOST_TEST(answer.contradiction == "");
    }
  BOOST_TEST(answer_of(claim_of("22", -10'000, 1)).contradiction == "a reversal pays money");
}

BOOST_AUTO_TEST_CASE(a_reversal_that_does_not_say_so_is_one) {
  for (const auto& status : {"1", "2", "3", "4", "19", "20", "21"}) {
    const auto answer = answer_of(claim_of(status, -10'000, -8'000));
    BOOST_TEST((answer.kind == AnswerKind::taken_back), status);
    BOOST_TEST((answer.charge == Money::cents(10'000)));
    BOOST_TEST((answer.paid == Money::cents(-8'000)));
    BOOST_TEST(answer.contradiction == "");
    BOOST_TEST((claim_status_of(answer) == ClaimStatus::reversed));
  }
}

BOOST_AUTO_TEST_CASE(signs_that_do_not_fit_are_a_contradiction_and_bring_the_claim_nowhere) {
  for (const auto& status : {"1", "2", "3", "4", "19", "20", "21", "23"}) {
    for (const auto& [charge, paid] : {std::pair{10'000, -8'000}, {-10'000, 8'000}, {-10'000, 0}}) {
      const auto answer = answer_of(claim_of(status, charge, paid));
      BOOST_TEST(answer.contradiction != "", status);
      BOOST_TEST(!claim_status_of(answer));
      BOOST_TEST(not_learnable(claim_of(status, charge, paid)) == answer.contradiction);
    }
  }
  BOOST_TEST(answer_of(claim_of("23", -10'000, -8'000)).contradiction != "");
}

BOOST_AUTO_TEST_CASE(an_answer_that_decides_nothing_is_never_a_contradiction) {
  for (const std::int64_t charge : {-10'000, 10'000})
    for (const std::int64_t paid : {-8'000, 0, 8'000}) {
      for (const auto& status : kUndecided) {
        BOOST_TEST((answer_of(claim_of(status, charge, paid)).kind == AnswerKind::undecided), status);
        BOOST_TEST(not_learnable(claim_of(status, charge, paid)) == "", status);
      }
      BOOST_TEST((answer_of(claim_of("25", charge, paid)).kind == AnswerKind::predetermined));
      BOOST_TEST(not_learnable(claim_of("25", charge, paid)) == "");
    }
}

BOOST_AUTO_TEST_CASE(a_line_below_zero_is_not_usable_for_learning_but_in_a_reversal) {
  BOOST_TEST(not_learnable(with_line(10'000, 8'000, 9'000)) == "");
  BOOST_TEST(not_learnable(with_line(0, 0, 0)) == "");
  BOOST_TEST(not_learnable(with_line(-1, 0, std::nullopt)) == "a service line is charged below zero");
  BOOST_TEST(not_learnable(with_line(0, -1, std::nullopt)) == "a service line is paid below zero");
  BOOST_TEST(not_learnable(with_line(0, 0, -1)) == "a service line is allowed below zero");
  auto reversal = with_line(-10'000, -8'000, -9'000);
  reversal.status = "22";
  reversal.paid_amount = Money::cents(-8'000);
  BOOST_TEST(not_learnable(reversal) == "");
}

BOOST_AUTO_TEST_CASE(a_value_is_moved_into_any_range_even_one_whose_ends_are_in_the_wrong_order) {
  BOOST_TEST(within(5, 0, 10) == 5);
  BOOST_TEST(within(-5, 0, 10) == 0);
  BOOST_TEST(within(50, 0, 10) == 10);
  for (const int value : {-5, 0, 5}) BOOST_TEST(within(value, 0, -1) == 0);
  BOOST_TEST(within(std::numeric_limits<double>::quiet_NaN(), 0.0, 1.0) == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
