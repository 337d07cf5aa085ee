#include "tests/bench/remittances.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/bench/encodings.hpp"

namespace tideover::bench {
namespace {

using Clock = std::chrono::steady_clock;
using test::ApiClient;
using test::Json;

constexpr int kClients = 8;
constexpr const char* kServed = "2026-10-05";
/// Rules look at how much is open to one billing provider: these share the claims.
constexpr std::array kBilling{"1999999984", "1100000003", "1200000002", "1300000001", "1400000000", "1500000009"};

/// The platform of these practices. A payee that is one of them would put the claims of the others in question.
constexpr const char* kPayee = "1600000008";

Json expect_ok(const test::Answer& answer) {
  if (answer.status != 200)
    throw std::runtime_error(fmt::format("a request was refused with {}: {}", answer.status, answer.body));
  return answer.json();
}

std::string identifier(std::size_t i) {
  return fmt::format("CLM-{:06}", i);
}

test::Answer review(const ApiClient& api, const std::string& claim, std::size_t practice = 0) {
  return api.post("/v1/claims/reviews",
                  fmt::format(R"({{"claim_identifier":"{}","chart_identifier":"CH-{}","date_of_service":"{}",)"
                              R"("servicer_npi":"1234567893","billing_npi":"{}",)"
                              R"("patient_primary_payor_id":"SAMPLE-80","submitted_amount":1000.00,)"
                              R"("service_lines":[{{"cpt":"99213","units":1,"amount":1000.00}}]}})",
                              claim, claim, kServed, kBilling[practice % kBilling.size()]));
}

void fund(const ApiClient& api, std::size_t i) {
  const auto reviewed = expect_ok(review(api, identifier(i), i));
  const auto terms = expect_ok(
      api.post("/v1/claims/adjudications",
               fmt::format(R"({{"authorization_id":"{}","funding":{{"rail":"RTP"}},"payout_account_token":"tok_ok"}})",
                           reviewed.text("/authorization_id"))));
  expect_ok(api.post_nothing("/v1/settlements/" + terms.text("/settlement_id") + "/confirm"));
}

void fund_all(const Service& service, std::size_t claims) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::vector<std::thread> clients;
  for (int client = 0; client < kClients; ++client)
    clients.emplace_back([&] {
      try {
        const auto api = service.api();
        for (std::size_t i = next++; i < claims && !failed; i = next++) fund(api, i);
      } catch (const std::exception& error) {
        if (!failed.exchange(true)) fmt::print(stderr, "{}\n", error.what());
      }
    });
  for (auto& client : clients) client.join();
  if (failed) throw std::runtime_error("the claims could not be funded");
}

/// Of the claims behind `first`.
std::string file_of(std::size_t first, std::size_t claims, const std::string& trace) {
  std::string text = fmt::format(
      "ISA*00*          *00*          *ZZ*SAMPLE80       *ZZ*PROVIDER       "
      "*261101*0000*^*00501*000000001*0*T*:~GS*HP*SAMPLE80*PROVIDER*20261101*0000*1*X*005010X221A1~"
      "ST*835*0001~BPR*I*{}*C*ACH*CCP*01*999999992*DA*1*1999999984**01*999999992*DA*2*20261101~TRN*1*{}*1999999984~"
      "N1*PR*SAMPLE PAYER*XV*SAMPLE-80~N1*PE*SAMPLE PLATFORM*XX*{}~LX*1~",
      claims * 790, trace, kPayee);
  for (std::size_t i = first; i < first + claims; ++i)
    text += fmt::format("CLP*{}*1*1000*790*10*12*PCN{}~CAS*CO*45*200~CAS*PR*3*10~DTM*232*20261005~", identifier(i), i);
  return text + fmt::format("SE*{}*0001~GE*1*1~IEA*1*000000001~", 7 + 4 * claims);
}

/// Reviews claims until it is stopped, and measures how long each takes.
class Reviewing {
 public:
  Reviewing(const Service& service, std::string name) : api_(service.api()), name_(std::move(name)) {
    thread_ = std::thread([this] { run(); });
  }
  /// The waits so far: their median, and the longest.
  Sample stop() {
    stops_ = true;
    thread_.join();
    if (waits_.empty()) throw std::runtime_error("no review was answered");
    std::sort(waits_.begin(), waits_.end());
    Sample sample;
    sample.p50_ms = waits_[waits_.size() / 2];
    sample.p99_ms = waits_[waits_.size() * 99 / 100];
    sample.longest_ms = waits_.back();
    return sample;
  }

 private:
  void run() {
    for (std::size_t i = 0; !stops_; ++i) {
      const auto started = Clock::now();
      if (review(api_, fmt::format("{}-{}", name_, i)).status != 200) return;
      waits_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - started).count());
    }
  }

  ApiClient api_;
  const std::string name_;
  std::vector<double> waits_;
  std::atomic<bool> stops_{false};
  std::thread thread_;
};

}  // namespace

WaitsBeside835 wait_beside_835(std::size_t claims) {
  constexpr std::chrono::seconds kQuiet{3};
  const Service service;
  fund_all(service, claims);
  const auto api = service.api();
  expect_ok(
      api.post("/v1/remittances", R"({"format":"x12_835","payload":")" + base64(file_of(0, claims, "TRN-0")) + "\"}"));
  WaitsBeside835 waits;
  Reviewing before(service, "BEFORE");
  std::this_thread::sleep_for(kQuiet);
  waits.quiet = before.stop();
  Reviewing beside(service, "BESIDE");
  const auto started = Clock::now();
  const auto posted = expect_ok(api.post(
      "/v1/deposits",
      fmt::format(R"({{"payer_id":"SAMPLE-80","amount":{}.00,"received_date":"2026-11-01","trace_number":"TRN-0"}})",
                  claims * 790)));
  const double seconds = std::chrono::duration<double>(Clock::now() - started).count();
  waits.posting = beside.stop();
  waits.posting.rate = static_cast<double>(claims) / seconds;
  waits.quiet.rate = waits.posting.rate;
  if (posted.text("/status") != "matched")
    throw std::runtime_error("the deposit is not posted: " + posted.text("/status") +
                             (posted.has("/posting") ? ", in progress" : ""));
  return waits;
}

Sample post_835(std::size_t claims, std::size_t files) {
  const Service service;
  const auto all = claims * files;
  fund_all(service, all);
  const auto api = service.api();
  std::vector<std::string> bodies;
  for (std::size_t i = 0; i < files; ++i) {
    const auto trace = fmt::format("TRN-{}", i);
    expect_ok(api.post(
        "/v1/deposits",
        fmt::format(R"({{"payer_id":"SAMPLE-80","amount":{}.00,"received_date":"2026-11-01","trace_number":"{}"}})",
                    claims * 790, trace)));
    bodies.push_back(R"({"format":"x12_835","payload":")" + base64(file_of(i * claims, claims, trace)) + "\"}");
  }

  const double cpu = cpu_seconds(service.process());
  const auto started = Clock::now();
  for (const auto& body : bodies) expect_ok(api.post("/v1/remittances", body));
  Sample sample;
  sample.rate = static_cast<double>(all) / std::chrono::duration<double>(Clock::now() - started).count();
  sample.cpu_us = (cpu_seconds(service.process()) - cpu) * 1e6 / static_cast<double>(all);
  if (expect_ok(api.get("/v1/deposits?status=unmatched")).size("/data") +
          expect_ok(api.get("/v1/deposits?status=partly_matched")).size("/data") >
      0)
    throw std::runtime_error("the deposits are not all posted");
  return sample;
}

}  // namespace tideover::bench
