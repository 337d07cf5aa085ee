#include "tests/support/world/flow.hpp"

#include <openssl/evp.h>

#include <chrono>
#include <cstdio>

namespace tideover::test {

std::string day(int from_today) {
  using namespace std::chrono;
  const year_month_day date = floor<days>(system_clock::now()) + days(from_today);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()));
  return text;
}

std::string compact(std::string date) {
  std::erase(date, '-');
  return date;
}

std::string claim_body(const std::string& identifier, const std::string& payer) {
  return R"({"claim_identifier":)" + quoted(identifier) + R"(,"chart_identifier":)" + quoted("CH-" + identifier) +
         R"(,"facility":"FAC-01","date_of_service":")" + day(-5) + R"(","date_of_submission":")" + day(-1) +
         R"(","servicer_npi":"1234567893","billing_npi":"1999999984","patient_primary_payor_id":)" + quoted(payer) +
         R"(,"submitted_amount":1000.00,"service_lines":[{"cpt":"99213","modifier":"25","units":1,"amount":400.00},)"
         R"({"cpt":"93000","units":2,"amount":600.00}]})";
}

Json expect_ok(const Answer& answer) {
  BOOST_REQUIRE_MESSAGE(answer.status == 200, "status " << answer.status << ": " << answer.body);
  return answer.json();
}

Json expect_error(const Answer& answer, int status, const std::string& error) {
  BOOST_REQUIRE_MESSAGE(answer.status == status,
                        "status " << answer.status << " instead of " << status << ": " << answer.body);
  Json json = answer.json();
  BOOST_TEST(json.text("/error") == error, answer.body);
  BOOST_TEST(json.text("/message").size() > 10u);
  BOOST_TEST(json.text("/request_id") == answer.header("X-Request-Id"));
  BOOST_TEST(json.has("/retryable"));
  return json;
}

std::string adjudication_body(const std::string& authorization, const std::string& rail,
                              const std::string& payout_token) {
  return R"({"authorization_id":)" + quoted(authorization) + R"(,"funding":{"rail":)" + quoted(rail) +
         R"(},"payout_account_token":)" + quoted(payout_token) + "}";
}

std::string advance(const ApiClient& api, const std::string& identifier, const std::string& rail,
                    const std::string& payout_token) {
  const Json review = expect_ok(api.post("/v1/claims/reviews", claim_body(identifier)));
  const Json terms = expect_ok(
      api.post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"), rail, payout_token)));
  BOOST_REQUIRE_EQUAL(terms.text("/decision"), "approved");
  return terms.text("/settlement_id");
}

std::string fund(const ApiClient& api, const std::string& identifier, const std::string& rail) {
  const std::string settlement = advance(api, identifier, rail);
  expect_ok(api.post_nothing("/v1/settlements/" + settlement + "/confirm"));
  return settlement;
}

std::string deposit_body(const std::string& trace, const std::string& amount, const std::string& external_id) {
  return R"({"payer_id":"SAMPLE-80","amount":)" + amount + R"(,"received_date":")" + day(0) + R"(","trace_number":)" +
         quoted(trace) + (external_id.empty() ? "" : R"(,"external_id":)" + quoted(external_id)) + "}";
}

std::string remittance_body(const std::string& trace, const std::string& identifier, const std::string& amount,
                            const std::string& clp02) {
  return R"({"payer_id":"SAMPLE-80","trace_number":)" + quoted(trace) + R"(,"payment_date":")" + day(0) +
         R"(","payment_amount":)" + amount + R"(,"claims":[{"claim_identifier":)" + quoted(identifier) +
         R"(,"status":")" + clp02 + R"(","charge_amount":1000.00,"paid_amount":)" + amount + R"(,"date_of_service":")" +
         day(-5) + R"("}]})";
}

std::string base64(const std::string& bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

std::string file_body(const std::string& format, const std::string& bytes, const std::string& more) {
  return R"({"format":)" + quoted(format) + R"(,"payload":")" + base64(bytes) + "\"" + more + "}";
}

std::int64_t Book::posted_in(const std::string& prefix) const {
  std::int64_t sum = 0;
  for (const auto& [account, cents] : posted)
    if (account.starts_with(prefix)) sum += cents;
  return sum;
}

Book book_of(const ApiClient& api) {
  Book book;
  std::string cursor;
  while (true) {
    const Json page = expect_ok(api.get("/v1/ledger/balances?limit=3" + cursor));
    for (const auto& balance : page.at("/data").GetArray()) {
      const std::string account = balance["account"].GetString();
      book.posted_sum += book.posted[account] = cents_of(balance["posted"]);
      book.pending_sum += book.pending[account] = cents_of(balance["pending"]);
    }
    if (!page.flag("/has_more")) return book;
    cursor = "&cursor=" + page.text("/next_cursor");
  }
}

std::vector<std::string> ledger_of(const ApiClient& api) {
  std::vector<std::string> transactions;
  std::string cursor;
  while (true) {
    const Json page = expect_ok(api.get("/v1/ledger/entries?limit=100" + cursor));
    for (const auto& transaction : page.at("/data").GetArray()) transactions.push_back(text_of(transaction));
    if (!page.flag("/has_more")) return transactions;
    cursor = "&cursor=" + page.text("/next_cursor");
  }
}

}  // namespace tideover::test
