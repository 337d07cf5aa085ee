// Bank statements end to end: a credit clears its deposit, a debit confirms an advance, and the reconciliation of the
// account names what is open.
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;

/// A camt.053 file of yesterday: one credit with a trace, and one debit with a reference.
std::string camt_of(const std::string& trace, const std::string& debit, const std::string& reference,
                    const std::string& closing) {
  const std::string date = "<Dt>" + day(-1) + "</Dt>";
  const auto balance = [&](const char* code, const std::string& amount) {
    return std::string("<Bal><Tp><CdOrPrtry><Cd>") + code + "</Cd></CdOrPrtry></Tp><Amt Ccy=\"USD\">" + amount +
           "</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt>" + date + "</Dt></Bal>";
  };
  const auto entry = [&](const std::string& amount, const char* direction, const char* family,
                         const std::string& details) {
    return "<Ntry><Amt Ccy=\"USD\">" + amount + "</Amt><CdtDbtInd>" + direction +
           "</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt>" + date + "</BookgDt><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>" +
           family + "</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls>" + details +
           "</TxDtls></NtryDtls></Ntry>";
  };
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Document "
         "xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>"
         "000123456789"
         "</Id></Othr></Id><Ccy>USD</Ccy></Acct>" +
         balance("OPBD", "1000.00") + balance("CLBD", closing) +
         entry("790.00", "CRDT", "RCDT", "<RmtInf><Ustrd>TRN*1*" + trace + "*1999999984~</Ustrd></RmtInf>") +
         entry(debit, "DBIT", "ICDT", "<Refs><EndToEndId>" + reference + "</EndToEndId></Refs>") +
         "</Stmt></BkToCstmrStmt></Document>";
}

BOOST_AUTO_TEST_SUITE(bank_statements)

BOOST_DATA_TEST_CASE(a_statement_clears_a_deposit_and_confirms_an_advance, data::make(stores()), store) {
  World world(store);
  const ApiClient& api = *world.api;
  fund(api, "CLM-1");
  const std::string bank = read_file(world.folder.path() / "rtp.bank");
  const auto begin = bank.find("|RTP-") + 1;
  const std::string reference = bank.substr(begin, bank.find('|', begin) - begin);
  const std::string file = file_body("camt053", camt_of("T-790", "640.00", reference, "1151.00"));
  const Json answer = expect_ok(api.post("/v1/deposits/files", file));
  BOOST_TEST(answer.number("/counts/created") == 1);
  BOOST_TEST(answer.text("/statements/0/result") == "stored");
  BOOST_TEST(answer.number("/statements/0/exception_count") == 0);
  BOOST_TEST(answer.text("/statements/0/account_ending") == "6789");
  BOOST_TEST(book_of(api).posted_in("deposit_clearing") == 0);
  BOOST_TEST(book_of(api).posted_in("funding_cash") == 79'000 - 64'000);

  const std::string account = answer.text("/statements/0/account");
  const std::string period = "?account=" + account + "&from=" + day(-1) + "&to=" + day(-1);
  BOOST_TEST(expect_ok(api.get("/v1/bank_statements" + period)).size("/data") == 1u);
  const Json whole = expect_ok(api.get("/v1/bank_statements/" + answer.text("/statements/0/statement_id")));
  BOOST_TEST(whole.text("/lines/0/deposit_id") == answer.text("/items/0/deposit/deposit_id"));
  BOOST_TEST(!whole.text("/lines/1/transfer_id").empty());
  BOOST_TEST(whole.text("/exceptions/0/message") ==
             "Opening 1000.00 plus credits 790.00 less debits 640.00 is 1150.00; the closing balance is 1151.00.");
  const Json days = expect_ok(api.get("/v1/bank_reconciliation" + period));
  BOOST_TEST(days.text("/data/0/exceptions/0/kind") == "statement_does_not_close");
  BOOST_TEST(days.cents("/data/0/cleared/debits") == 64'000);
  BOOST_TEST(days.cents("/data/0/uncleared/credits") == 0);

  BOOST_TEST(expect_ok(api.post("/v1/deposits/files", file)).text("/statements/0/result") == "unchanged");
  BOOST_TEST(book_of(api).posted_in("funding_cash") == 79'000 - 64'000);
  expect_error(api.get("/v1/bank_statements/bst_01M9ZP58B00000000000000066"), 404, "not_found");
  expect_error(api.get("/v1/bank_reconciliation?from=" + day(0)), 400, "invalid_parameter");
  expect_error(api.get("/v1/bank_reconciliation?from=2026-01-01&to=2026-12-31"), 400, "invalid_parameter");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
