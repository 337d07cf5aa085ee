// A world in which practices are paid, and their advices are read.
#pragma once
#include "core/http/wire/payouts/advice_document.hpp"
#include "core/usecases/payouts/pay_practices.hpp"
#include "core/usecases/payouts/payees.hpp"
#include "core/usecases/payouts/read_advice.hpp"
#include "tests/plugins/remittance_reader.hpp"
#include "tests/usecases/funding/payout_world.hpp"

namespace tideover::tests {

inline constexpr const char* kPractice = "1234567893";

struct AdviceWorld : PayoutWorld {
  AdviceWorld() {
    BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
      records.clients().set_payout_account(caller.tenant, domain::Sensitive(std::string("tok_tenant")));
      return {};
    })));
  }

  usecases::PayPractice pay_practice{*store, *disburse, ids, true};
  usecases::Payees payees{*store, rails, ids, "SAME_DAY"};
  usecases::ReadAdvice read_advice{*store};

  domain::Result<usecases::StoredResponse> pay_out() {
    return pay_practice(context("pay"), kPractice, payout_body, refusal_body);
  }
  std::vector<domain::DisbursementAttempt> all_payouts() {
    const auto found = payees.payouts(caller.tenant, kPractice, {"", 1000, domain::ListOrder::newest_first});
    BOOST_REQUIRE(bool(found));
    return *found;
  }
  domain::DisbursementAttempt last() { return all_payouts().front(); }

  std::vector<domain::AdviceLine> lines_of(const domain::DisbursementAttempt& payout) {
    std::vector<domain::AdviceLine> lines;
    const auto read =
        read_advice.lines(caller.tenant, payout, [&](const domain::AdviceLine& line) { lines.push_back(line); });
    BOOST_REQUIRE(bool(read));
    return lines;
  }
  /// "advanced_claim A 790.00 -640.00 -12.80 +0.00 = 137.20; ..."
  std::string advice(const domain::DisbursementAttempt& payout) {
    std::vector<std::string> texts;
    for (const auto& line : lines_of(payout))
      texts.push_back(std::string(name_of(line.kind)) + ' ' + line.claim_identifier + line.code + ' ' +
                      format_money(line.payer_payment) + ' ' + format_money(-line.advance_recovered) + ' ' +
                      format_money(-line.fee) + ' ' + format_money(line.adjustment) + " = " +
                      format_money(line.amount()));
    return joined(texts);
  }
  std::string x12_of(const domain::DisbursementAttempt& payout) {
    const auto document = wire::x12_advice({payout, {"Example Funder", "1999999999"}});
    for (const auto& line : lines_of(payout)) document->add(line);
    return document->finish();
  }
};

/// The advice as our own reader of 835 files reads it. It must be balanced and pay the payout.
inline domain::RemittanceDraft read_back(plugin_test::RemittanceReader& reader, const std::string& text,
                                         const domain::DisbursementAttempt& payout) {
  const auto payments = reader.read(text);
  BOOST_REQUIRE_MESSAGE(payments.size() == 1u, text);
  const auto& draft = payments.front();
  BOOST_TEST(domain::balance_of(draft).balanced(), text);
  BOOST_TEST(draft.payment_amount == payout.amount, text);
  BOOST_TEST(draft.trace_number == payout.id.text());
  BOOST_TEST(draft.payee_npi == payout.subject.payee_npi);
  for (const auto& warning : draft.warnings) BOOST_TEST_CONTEXT(text) BOOST_ERROR(warning);
  for (const auto& claim : draft.claims) BOOST_TEST(domain::is_consistent(claim), text);
  return draft;
}

}  // namespace tideover::tests
