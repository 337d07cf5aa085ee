// Whole files of remittances, from X12 to the statement: every cent of the deposit has its account, and no
// task is opened.
#include <algorithm>

#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;

std::string dollars(std::int64_t cents) {
  const std::string digits = std::to_string(std::abs(cents));
  const std::string padded = std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
  return (cents < 0 ? "-" : "") + padded.substr(0, padded.size() - 2) + '.' + padded.substr(padded.size() - 2);
}

struct PaidClaim {
  std::string identifier;
  std::string status;  // CLP02
  std::int64_t paid = 0;
};

struct Adjusted {
  std::string code;  // PLB03-1
  std::int64_t cents = 0;
};

/// An 835 of one payment; BPR02 and BPR03 follow from what is in it.
std::string x12_835(const std::string& trace, const std::vector<PaidClaim>& claims,
                    const std::vector<Adjusted>& adjustments = {}) {
  std::int64_t payment = 0;
  std::string body;
  int segments = 6;
  for (const auto& claim : claims) {
    const std::string sign = claim.paid < 0 ? "-" : "";
    body += "CLP*" + claim.identifier + '*' + claim.status + '*' + sign + "1000*" + dollars(claim.paid) + "**12*PCN-" +
            claim.identifier + "~DTM*232*" + compact(day(-5)) + '~';
    if (claim.paid != 100'000 && claim.paid != -100'000)
      body += "CAS*CO*45*" + dollars(claim.paid < 0 ? -100'000 - claim.paid : 100'000 - claim.paid) + "~", ++segments;
    segments += 2;
    payment += claim.paid;
  }
  for (const auto& adjustment : adjustments) {
    body += "PLB*1999999984*" + compact(day(0)).substr(0, 4) + "1231*" + adjustment.code + ":REF*" +
            dollars(adjustment.cents) + '~';
    ++segments;
    payment -= adjustment.cents;
  }
  const std::string date = compact(day(0));
  return "ISA*00*          *00*          *ZZ*SAMPLE80       *ZZ*PROVIDER       "
         "*260101*0000*^*00501*000000001*0*T*:~GS*HP*SAMPLE80*PROVIDER*" +
         date + "*0000*1*X*005010X221A1~ST*835*0001~BPR*I*" + dollars(std::abs(payment)) +
         (payment < 0 ? "*D*" : "*C*") +
         (payment == 0 ? "NON************" : "ACH*CCP*01*999999992*DA*1*1999999984**01*999999992*DA*2*") + date +
         "~TRN*1*" + trace + "*1999999984~N1*PR*SAMPLE PAYER*XV*SAMPLE-80~N1*PE*SAMPLE PROVIDER*XX*1999999984~LX*1~" +
         body + "SE*" + std::to_string(segments + 1) + "*0001~GE*1*1~IEA*1*000000001~";
}

Json post(const World& world, const std::string& file) {
  const Json answer = expect_ok(world.api->post("/v1/remittances", file_body("x12_835", file)));
  BOOST_TEST(answer.at("/remittances/0/balance/balanced").GetBool());
  BOOST_TEST(answer.size("/warnings") == 0u);
  return answer;
}

/// Closing of each account, and the checks that hold for every statement.
std::map<std::string, std::int64_t> statement_of(const World& world) {
  const Json statement = expect_ok(world.api->get("/v1/statements?from=" + day(-1) + "&to=" + day(1)));
  const Book book = book_of(*world.api);
  std::map<std::string, std::int64_t> closings;
  std::int64_t sum = 0;
  for (const auto& account : statement.at("/accounts").GetArray()) {
    const std::string name = account["account"].GetString();
    std::int64_t closing = cents_of(account["opening"]);
    for (const auto& movement : account["movements"].GetArray())
      closing += cents_of(movement["debits"]) - cents_of(movement["credits"]);
    BOOST_TEST(cents_of(account["closing"]) == closing, name);
    BOOST_TEST(book.posted_in(name) == closing, name);
    closings[name.substr(0, name.find(':'))] = closing;
    sum += closing;
  }
  BOOST_TEST(sum == 0);
  return closings;
}

struct Sums {
  std::int64_t recovered = 0, fees = 0, residuals = 0, absorbed = 0, paid = 0;
};

Sums sums_of(const World& world, const std::vector<std::string>& settlements) {
  Sums sums;
  for (const auto& settlement : settlements) {
    const Json whole = expect_ok(world.api->get("/v1/settlements/" + settlement + "/reconciliation"));
    BOOST_TEST(whole.text("/final_status") != "pending");
    sums.recovered += whole.cents("/advance_recovered");
    sums.fees += whole.cents("/fee_collected");
    sums.residuals += whole.cents("/residual_released");
    sums.absorbed += whole.cents("/shortfall_absorbed");
    sums.paid += whole.cents("/payer_payment");
  }
  return sums;
}

void no_task_is_open(const World& world) {
  BOOST_TEST(expect_ok(world.api->get("/v1/tasks?status=open")).size("/data") == 0u);
}

BOOST_AUTO_TEST_SUITE(every_cent)

BOOST_DATA_TEST_CASE(eighty_two_claims_in_one_deposit, data::make(stores()) * data::make({true, false}), store,
                     money_first) {
  World world(store);
  std::vector<std::string> settlements;
  std::vector<PaidClaim> claims;
  std::int64_t total = 0;
  for (int i = 0; i < 82; ++i) {
    const std::string identifier = "CLM-" + std::to_string(i);
    settlements.push_back(fund(*world.api, identifier));
    const std::int64_t paid = i % 20 == 7 ? 0 : 55'000 + 517 * i;  // short, as expected, and above
    claims.push_back({identifier, i % 40 == 7 ? "4" : "1", paid});
    total += paid;
  }
  constexpr std::int64_t kInterest = 1'234;
  total += kInterest;
  const std::string file = x12_835("T-82", claims, {{"L6", -kInterest}}),
                    deposit = deposit_body("T-82", dollars(total));
  if (money_first) expect_ok(world.api->post("/v1/deposits", deposit));
  post(world, file);
  if (!money_first) expect_ok(world.api->post("/v1/deposits", deposit));

  const auto books = statement_of(world);
  const auto sums = sums_of(world, settlements);
  BOOST_TEST(books.at("deposit_clearing") == total);
  BOOST_TEST(total == sums.recovered + sums.fees + sums.residuals + kInterest);
  BOOST_TEST(books.at("suspense_unmatched") == 0);
  BOOST_TEST(books.at("purchased_receivable") == 0);
  BOOST_TEST(books.at("fee_income") == -sums.fees);
  BOOST_TEST(books.at("provider_payable") == -sums.residuals - kInterest);
  BOOST_TEST(books.at("loss_on_receivable") == 82 * 64'000 - sums.recovered);
  BOOST_TEST(expect_ok(world.api->get("/v1/deposits")).text("/data/0/status") == "matched");
  no_task_is_open(world);
  const Json aging = expect_ok(world.api->get("/v1/receivables/aging"));
  BOOST_TEST(aging.integer("/total/count") == 0);
  BOOST_TEST(aging.cents("/ledger_balance") == 0);
}

BOOST_DATA_TEST_CASE(takebacks_without_a_deposit, data::make(stores()), store) {
  World world(store);
  std::vector<std::string> settlements;
  for (int i = 0; i < 4; ++i) settlements.push_back(fund(*world.api, "CLM-" + std::to_string(i)));
  const Json before = expect_ok(world.api->get("/v1/receivables/aging"));
  BOOST_TEST(before.integer("/total/count") == 4);
  BOOST_TEST(before.cents("/ledger_balance") == before.cents("/total/amount"));
  BOOST_TEST(before.cents("/payers/0/total/amount") == 4 * 64'000);

  post(world, x12_835("T-1", {{"CLM-0", "1", 79'000}, {"CLM-1", "1", 60'000}, {"CLM-2", "1", 80'000}}));
  expect_ok(world.api->post("/v1/deposits", deposit_body("T-1", "2190.00")));
  // The first is withheld from later payments in full, of the second a debit is announced: no money comes with either.
  const Json withheld = post(world, x12_835("T-2", {{"CLM-0", "22", -79'000}}, {{"FB", -79'000}}));
  BOOST_TEST(withheld.cents("/remittances/0/carried_balance") == 79'000);
  BOOST_TEST(withheld.text("/records/0/final_status") == "reversed");
  BOOST_TEST(withheld.cents("/records/0/payer_payment") == -79'000);
  const Json debit = post(world, x12_835("T-3", {{"CLM-1", "22", -60'000}}));
  BOOST_TEST(debit.cents("/remittances/0/balance/payment_amount") == -60'000);
  BOOST_TEST(debit.cents("/remittances/0/carried_balance") == 60'000);
  BOOST_TEST(statement_of(world).at("carried_balances") == -139'000);

  // A part of it is withheld from the next payment.
  post(world, x12_835("T-4", {{"CLM-3", "1", 80'000}}, {{"WO", 50'000}}));
  expect_ok(world.api->post("/v1/deposits", deposit_body("T-4", "300.00")));

  const auto books = statement_of(world);
  const auto sums = sums_of(world, settlements);
  BOOST_TEST(books.at("deposit_clearing") == 249'000);
  BOOST_TEST(books.at("carried_balances") == -89'000);
  BOOST_TEST(books.at("suspense_unmatched") == 0);
  BOOST_TEST(books.at("purchased_receivable") == 0);
  // Paid by the payer less what it has yet to withhold is what came.
  BOOST_TEST(sums.paid + 89'000 == 249'000);
  BOOST_TEST(books.at("provider_payable") == -sums.residuals);
  no_task_is_open(world);
  const CommandResult verified = run_tideover({"ledger", "verify", "--config", world.folder.config_file().string()});
  BOOST_TEST(verified.exit_code == 0, verified.out + verified.err);
  const CommandResult aging = run_tideover({"ledger", "aging", "--config", world.folder.config_file().string()});
  BOOST_TEST(aging.exit_code == 0, aging.out + aging.err);
  BOOST_TEST(aging.out.find("all payers") != std::string::npos, aging.out);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
