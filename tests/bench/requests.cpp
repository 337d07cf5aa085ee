#include "tests/bench/requests.hpp"

#include <array>
#include <chrono>
#include <cstdio>

namespace tideover::bench {
namespace {

constexpr std::array kPayers = {"87726", "60054", "62308", "61101", "SAMPLE-80"};

std::string hex(std::uint64_t number) {
  std::array<char, 17> text;
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

std::string day(int from_today) {
  using namespace std::chrono;
  const year_month_day date = floor<days>(system_clock::now()) + days(from_today);
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text.data();
}

}  // namespace

ReviewRequests::ReviewRequests(std::string token)
    : head_(
          "POST /v1/claims/reviews HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nAuthorization: "
          "Bearer " +
          token + "\r\nIdempotency-Key: "),
      random_(std::random_device{}()),
      run_(hex(random_()).substr(0, 8)) {}

void ReviewRequests::operator()(std::string& text) {
  static const std::string service_day = day(-5), submission_day = day(-1);
  const std::string number = std::to_string(++claims_);
  const std::string cents = std::to_string(10 + random_() % 90);
  std::string body =
      R"({"claim_identifier":")" + run_ + '-' + number + R"(","chart_identifier":"CH-)" + number +
      R"(","facility":"FAC-01","date_of_service":")" + service_day + R"(","date_of_submission":")" + submission_day +
      R"(","servicer_npi":"1234567893","billing_npi":"1999999984","patient_primary_payor_id":")" +
      kPayers[random_() % kPayers.size()] + R"(","submitted_amount":1000.)" + cents +
      R"(,"service_lines":[{"cpt":"99213","modifier":"25","units":1,"amount":400.00},)" +
      R"({"cpt":"93000","units":2,"amount":500.00},{"cpt":"80053","modifier":"","units":1,"amount":100.)" + cents +
      "}]}";
  text = head_ + hex(random_()) + hex(random_()) + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

std::function<void(std::string&)> always(std::string request) {
  return [request = std::move(request)](std::string& text) { text = request; };
}

std::string get_request(const std::string& target, const std::string& token) {
  return "GET " + target + " HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer " + token + "\r\n\r\n";
}

std::string post_500_bytes() {
  return "POST / HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n" +
         std::string(500, 'x');
}

}  // namespace tideover::bench
