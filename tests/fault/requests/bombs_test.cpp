// R28: bodies and files made to blow up. Each goes to a service of its own, must be refused, and may cost 64 MiB and 2
// s of processor time at most.
#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/fault/figure.hpp"
#include "tests/support/gzip.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

constexpr std::int64_t kMostKib = 64 * 1024;
constexpr double kMostSeconds = 2.0;
constexpr std::size_t kMiB = 1 << 20;

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  while (times-- > 0) all += text;
  return all;
}

struct Bomb {
  std::string name;
  std::string target;
  std::string body;
};

Bomb json(std::string name, std::string target, std::string body) {
  return {"JSON: " + std::move(name), std::move(target), std::move(body)};
}
Bomb import(std::string name, const std::string& format, const std::string& bytes) {
  return {format + ": " + std::move(name), "/v1/imports/claims", file_body(format, bytes)};
}
Bomb packed(std::string name, const std::string& format, const std::string& bytes) {
  return {"gzip: " + std::move(name), "/v1/imports/claims", file_body(format, bytes, R"(,"encoding":"gzip")")};
}
Bomb remittance(std::string name, const std::string& bytes) {
  return {"x12_835: " + std::move(name), "/v1/remittances", file_body("x12_835", bytes)};
}
Bomb deposits(std::string name, const std::string& format, const std::string& bytes) {
  return {format + ": " + std::move(name), "/v1/deposits", file_body(format, bytes)};
}
Bomb raw(std::string name, const std::string& payload, const std::string& more = "") {
  return {"Base64: " + std::move(name), "/v1/imports/claims",
          R"({"format":"csv","payload":")" + payload + "\"" + more + "}"};
}

const std::string kHeading =
    "claim_identifier,chart_identifier,servicer_npi,billing_npi,patient_primary_payor_id,submitted_amount\n";
const std::string kIsa =
    "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *261120*0800*^*00501*000000001*0*P*:~";
const std::string kRemittance =
    kIsa + "GS*HP*S*R*20261120*0800*1*X*005010X221A1~ST*835*0001~BPR*I*1*C*ACH~TRN*1*T*1512345678~N1*PR*SAMPLE~";
const std::string kClaims =
    kIsa + "GS*HC*S*R*20261120*0800*1*X*005010X222A1~ST*837*0001*005010X222A1~BHT*0019*00*1*20261110*0800*CH~";

void add_json(std::vector<Bomb>& all) {
  const std::string review = "/v1/claims/reviews";
  for (const std::string& target :
       {review, std::string("/v1/remittances"), std::string("/v1/deposits"), std::string("/v1/webhooks/endpoints")}) {
    all.push_back(json("arrays, 100 000 deep, to " + target, target, repeated("[", 100'000)));
    all.push_back(json("objects, 100 000 deep, to " + target, target, repeated("{\"a\":", 100'000)));
    all.push_back(json("200 000 keys to " + target, target, [] {
      std::string body = "{";
      for (int i = 0; i < 70'000; ++i) body += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":0";
      return body + "}";
    }()));
  }
  all.push_back(json("one key 70 000 times", review, "{" + repeated("\"a\":1,", 70'000) + "\"a\":1}"));
  all.push_back(
      json("a string of a megabyte", review, R"({"claim_identifier":")" + std::string(kMiB - 64, 'x') + "\"}"));
  all.push_back(json("a string of escapes", review, R"({"claim_identifier":")" + repeated("\\u0041", 170'000) + "\"}"));
  all.push_back(json("a number of a megabyte", review, R"({"submitted_amount":)" + std::string(kMiB - 64, '9') + "}"));
  all.push_back(json("1e999999999", review, R"({"submitted_amount":1e999999999})"));
  all.push_back(json("500 000 nulls", review, R"({"service_lines":[)" + repeated("null,", 200'000) + "null]}"));
  all.push_back(json("300 000 service lines", review, R"({"service_lines":[)" + repeated("{},", 300'000) + "{}]}"));
  all.push_back(json("half surrogates", review, R"({"claim_identifier":")" + repeated("\\udc00", 150'000) + "\"}"));
  all.push_back(json("blanks", review, std::string(kMiB - 8, ' ')));
  all.push_back(json("more than a megabyte", review, std::string(2 * kMiB, ' ')));
  all.push_back(
      json("100 000 claims", "/v1/remittances",
           R"({"payer_id":"SAMPLE-80","trace_number":"T","payment_date":"2026-11-20","payment_amount":1,"claims":[)" +
               repeated("{},", 100'000) + "{}]}"));
  all.push_back(json("UTF-16", review, std::string("\xFF\xFE", 2) + std::string(kMiB - 64, '\0')));
}

void add_packed(std::vector<Bomb>& all) {
  for (const std::string& format : {std::string("csv"), std::string("ndjson"), std::string("x12_837")}) {
    all.push_back(packed("200 MiB of zeros as " + format, format, gzip(std::string(200 * kMiB, '\0'))));
    all.push_back(packed("100 MiB of blanks as " + format, format, gzip(std::string(100 * kMiB, ' '))));
    all.push_back(packed("100 MiB of line feeds as " + format, format, gzip(std::string(100 * kMiB, '\n'))));
  }
  all.push_back(packed("a bomb in a bomb", "csv", gzip(gzip(std::string(100 * kMiB, '0')))));
  all.push_back(packed("a thousand members", "csv", repeated(gzip(std::string(kMiB / 4, '0')), 1000)));
  all.push_back(packed("a name of a megabyte", "csv", gzip("x", std::string(kMiB, 'n'))));
  all.push_back(packed("cut off", "csv", gzip(kHeading + std::string(4 * kMiB, 'a')).substr(0, 2000)));
  all.push_back(packed("a wrong checksum", "csv", [] {
    std::string bytes = gzip(kHeading);
    bytes[bytes.size() - 8] = static_cast<char>(bytes[bytes.size() - 8] + 1);
    return bytes;
  }()));
  all.push_back(packed("no gzip at all", "csv", std::string(kMiB, 'z')));
}

void add_imports(std::vector<Bomb>& all) {
  all.push_back(import("a million columns", "csv", repeated("a,", kMiB) + "\n"));
  all.push_back(import("one line of 16 MiB", "csv", std::string(16 * kMiB, 'a')));
  all.push_back(import("a quote that never ends", "csv", kHeading + '"' + std::string(16 * kMiB, '\n')));
  all.push_back(import("a storm of quotes", "csv", kHeading + repeated("\"\"", 4 * kMiB)));
  all.push_back(import("a row of a million cells", "csv", kHeading + repeated(",", kMiB) + "\n"));
  all.push_back(import("NUL bytes", "csv", std::string(16 * kMiB, '\0')));
  all.push_back(import("one line of 16 MiB", "ndjson", std::string(16 * kMiB, '1')));
  all.push_back(import("deep rows", "ndjson", repeated("[", kMiB / 2) + "\n" + repeated("{\"a\":", 100'000)));
  all.push_back(import("a row of 100 000 fields", "ndjson", [] {
    std::string row = "{";
    for (int i = 0; i < 60'000; ++i) row += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":0";
    return row + "}";
  }()));
  all.push_back(import("an element of 16 MiB", "x12_837", kClaims + "NM1*" + std::string(16 * kMiB, 'A')));
  all.push_back(import("two million empty segments", "x12_837", kClaims + repeated("~", 2 * kMiB)));
  all.push_back(import("100 000 loops", "x12_837", kClaims + repeated("HL*1*1*20*1~", 100'000)));
  all.push_back(import("no end of elements", "x12_837", kClaims + "CLM" + repeated("*", 4 * kMiB) + "~"));
  all.push_back(import("delimiters that are one", "x12_837", repeated("*", 4 * kMiB)));
}

void add_money(std::vector<Bomb>& all) {
  const std::size_t most = 700 * 1024;  // of a file in a JSON body of 1 MiB
  all.push_back(remittance("an element without an end", kRemittance + "CLP*" + std::string(most, 'A')));
  all.push_back(remittance("empty segments", kRemittance + repeated("~", most)));
  all.push_back(remittance("no end of elements", kRemittance + "CLP" + repeated("*", most) + "~"));
  all.push_back(remittance("50 000 headers", kIsa + repeated("ST*835*1~", 50'000)));
  all.push_back(remittance("4 000 interchanges", repeated(kIsa, 4'000)));
  all.push_back(remittance("100 000 adjustments", kRemittance + "CLP*A*1*1*1~" + repeated("CAS*CO*1*1~", 40'000)));
  all.push_back(remittance("delimiters that are one", repeated("*", most)));
  all.push_back(deposits("one line", "bai2", "01,B,R,261120,0700,1,,,2/\n02," + std::string(most, 'A')));
  all.push_back(deposits(
      "continuations", "bai2",
      "01,B,R,261120,0700,1,,,2/\n02,R,B,1,261120,,,/\n03,1,,/\n16,142,1,0,,,\n" + repeated("88,\n", most / 4)));
  all.push_back(deposits("groups without an end", "bai2",
                         "01,B,R,261120,0700,1,,,2/\n" + repeated("02,R,B,1,261120,,,/\n", most / 20)));
  all.push_back(deposits("one line", "ccd_addenda", std::string(most, '6')));
  all.push_back(deposits("a million columns", "ccd_addenda", repeated("a,", most / 2)));
}

void add_base64(std::vector<Bomb>& all) {
  all.push_back(raw("more than the body may have", std::string(33 * kMiB, 'A')));
  all.push_back(raw("an odd end", std::string(16 * kMiB + 1, 'A')));
  all.push_back(raw("nothing but padding", std::string(16 * kMiB, '=')));
  all.push_back(raw("line breaks", repeated("AAAA\\n", 3 * kMiB)));
  all.push_back(raw("the URL alphabet", std::string(16 * kMiB, '_')));
  all.push_back(raw("31 MiB of zeros", std::string(31 * kMiB, 'A')));
}

std::vector<Bomb> bombs() {
  std::vector<Bomb> all;
  add_json(all);
  add_packed(all);
  add_imports(all);
  add_money(all);
  add_base64(all);
  return all;
}

std::int64_t kib_of(pid_t process, const std::string& name) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return std::stoll(line.substr(name.size() + 1));
  throw std::runtime_error("no " + name + " in /proc");
}

double processor_seconds(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(stat, line);
  std::istringstream fields(line.substr(line.rfind(')') + 2));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

/// Whether the service refused it, at once or as a job, and took nothing of it.
bool is_refused(const ApiClient& api, const Answer& answer, std::string& how) {
  how = std::to_string(answer.status) + ' ' + answer.body.substr(0, 200);
  if (answer.status >= 400 && answer.status < 500) return !answer.json().text("/message").empty();
  if (answer.status != 200 || !answer.json().has("/job_id")) return false;
  const std::string job = answer.json().text("/job_id");
  Answer state;
  const bool ended = eventually(
      [&] {
        state = api.get("/v1/imports/claims/" + job);
        const auto status = state.json().text("/status");
        return status == "failed" || status == "succeeded";
      },
      std::chrono::seconds(60));
  how = state.body.substr(0, 300);
  return ended && state.json().text("/status") == "failed" && state.json().integer("/accepted_rows") == 0;
}

BOOST_AUTO_TEST_CASE(no_bomb_costs_much_and_none_is_taken) {
  std::size_t defused = 0;
  std::int64_t most_kib = 0;
  double most_seconds = 0;
  const auto all = bombs();
  for (const Bomb& bomb : all) {
    World world(Store::sqlite, [](ServiceFolder& folder) { folder.set("log.level", "error"); });
    expect_ok(world.api->get("/v1/metadata/payers"));
    const pid_t service = world.service->pid();
    const auto kib = kib_of(service, "VmHWM");
    const auto seconds = processor_seconds(service);
    std::string how;
    const bool refused =
        is_refused(*world.api, world.api->post(bomb.target, bomb.body, {{"Idempotency-Key", "bomb"}}), how);
    const auto more_kib = kib_of(service, "VmHWM") - kib;
    const auto more_seconds = processor_seconds(service) - seconds;
    BOOST_TEST_CONTEXT(bomb.name << " -> " << how) {
      BOOST_TEST(refused);
      BOOST_TEST(more_kib <= kMostKib);
      BOOST_TEST(more_seconds <= kMostSeconds);
    }
    BOOST_TEST_MESSAGE(bomb.name << ": " << more_kib / 1024 << " MiB, " << more_seconds << " s, "
                                 << how.substr(0, 120));
    defused += refused && more_kib <= kMostKib && more_seconds <= kMostSeconds;
    most_kib = std::max(most_kib, more_kib);
    most_seconds = std::max(most_seconds, more_seconds);
    expect_ok(world.api->get("/v1/metadata/payers"));
  }
  std::ostringstream what;
  what << "bombs of " << all.size() << " refused: at most " << most_kib / 1024 << " MiB and " << most_seconds
       << " s of processor time for one";
  survived("R28", defused, std::max<std::size_t>(60, all.size()), what.str());
}

}  // namespace
}  // namespace tideover::test
