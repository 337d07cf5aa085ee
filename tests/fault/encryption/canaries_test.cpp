// R33, F55: what clients and patients would not want to be found is in no file and no refusal: database, write-ahead
// log, server logs, our log, metrics, bodies of errors.
#include <fstream>

#include "tests/fault/encryption/identities.hpp"
#include "tests/fault/figure.hpp"
#include "tests/support/mariadb/mariadb_instance.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

/// Each is long enough to come up by chance nowhere.
const std::string kIdentifier = "CANARYIDENTIFIER7731";
const std::string kChart = "CANARYCHART7732";
const std::string kCode = "QZ7X9";
const std::string kToken = "tok_canarypayout7733";
const std::string kDefaultToken = "tok_canarydefault7743";
const std::string kNote = "CANARYNOTE7734";
const std::string kAddenda = "CANARYADDENDA7735";
const std::string kCompany = "CANARYCOMPANY7741";  // who a file says has paid
const std::string kNotified = "CANARYNOTIFIED7736";
const std::string kPayerNumber = "CANARYPAYERNUMBER7737";
const std::string kReference = "CANARYREFERENCE7738";
const std::string kImported = "CANARYIMPORTED7739";
const std::string kRejected = "CANARYREJECTED7740";
const std::string kKey = "CANARYIDEMPOTENCY7742";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("no " + from + " in " + text);
  return text.replace(at, from.size(), to);
}

std::string claim(const std::string& identifier) {
  return with(claim_body(identifier), "CH-" + identifier, kChart);
}

/// Puts a canary into every field that may hold one, and gives back those that the service made up.
std::vector<std::string> fill(World& world) {
  const ApiClient& api = *world.api;
  const auto endpoint = expect_ok(
      api.post("/v1/webhooks/endpoints", R"({"url":"http://127.0.0.1:9/hook","events":["review.completed"]})"));
  const auto review =
      expect_ok(api.post("/v1/claims/reviews", claim(kIdentifier), {{"Idempotency-Key", kKey + "-review"}}));
  const auto terms = expect_ok(
      api.post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"), "RTP", kToken)));
  expect_ok(
      api.post_nothing("/v1/settlements/" + terms.text("/settlement_id") + "/confirm", {{"Idempotency-Key", kKey}}));
  expect_ok(
      api.post("/v1/claims/reviews", with(claim("CLM-1"), "93000", kCode)));  // a finding that is stored names no value
  for (const char* status : {"submitted", "accepted"})
    expect_ok(api.patch("/v1/claims/" + kIdentifier + "/status",
                        std::string(R"({"status":")") + status + R"(","note":")" + kNote + R"("})"));
  expect_ok(
      api.post("/v1/deposits", with(deposit_body("TRN-1", "10.00"), "{", R"({"addenda":")" + kAddenda + R"(",)")));
  expect_ok(api.post("/v1/deposits/files", file_body("ccd_addenda", "date,amount,company_name,addenda\n" + day(0) +
                                                                        ",10.00," + kCompany + "," + kAddenda + "\n")));
  auto remittance = with(remittance_body("TRN-2", kNotified, "20.00"), R"("status":)",
                         R"("payer_claim_number":")" + kPayerNumber + R"(","status":)");
  remittance =
      with(remittance, R"("claims":)",
           R"("provider_adjustments":[{"code":"WO","reference":")" + kReference + R"(","amount":0.00}],"claims":)");
  expect_ok(api.post("/v1/remittances", remittance));
  const auto job = expect_ok(
      api.post("/v1/imports/claims",
               file_body("ndjson", claim(kImported) + "\n" + with(claim(kRejected), "1000.00", "-1") + "\n")));
  const auto id = job.text("/job_id");
  BOOST_REQUIRE(eventually([&] {
    const auto status = expect_ok(api.get("/v1/imports/claims/" + id)).text("/status");
    return status != "queued" && status != "running";
  }));
  const auto imported = expect_ok(api.get("/v1/imports/claims/" + id));
  BOOST_TEST(imported.integer("/accepted_rows") == 1);
  BOOST_TEST(imported.text("/errors/0/details/claim_identifier") == kRejected);
  expect_error(api.get("/v1/claims/" + kIdentifier + "x/status"), 404, "claim_not_found");
  return {endpoint.text("/secret"), world.client.secret, api.token()};
}

/// Where a text is found, byte for byte; of very long files the beginning is enough to say so.
std::size_t hits(const std::string& text, const std::vector<std::string>& canaries, const std::string& where) {
  std::size_t found = 0;
  for (const auto& canary : canaries)
    if (text.find(canary) != std::string::npos) {
      ++found;
      BOOST_ERROR(canary << " is found in " << where);
    }
  return found;
}

std::size_t hits_in_files(const std::filesystem::path& folder, const std::vector<std::string>& canaries,
                          std::size_t& files) {
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() == ".bank") continue;  // the simulated bank's own books
    ++files;
    found += hits(read_file(entry.path()), canaries, entry.path().filename().string());
  }
  return found;
}

bool is_in_some_file(const std::filesystem::path& folder, const std::string& text) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && read_file(entry.path()).find(text) != std::string::npos) return true;
  return false;
}

void look_for_canaries(World& world, const std::vector<std::filesystem::path>& folders, const std::string& engine) {
  std::vector<std::string> canaries{kIdentifier, kChart,       kCode,      kToken,    kDefaultToken, kNote,    kAddenda,
                                    kNotified,   kPayerNumber, kReference, kImported, kRejected,     kCompany, kKey};
  const auto made = fill(world);
  canaries.insert(canaries.end(), made.begin(), made.end());
  const auto identities = send_identities(world);
  canaries.insert(canaries.end(), identities.canaries.begin(), identities.canaries.end());
  const auto metrics = ApiClient(world.service->ops_port()).get("/metrics");
  BOOST_REQUIRE(metrics.status == 200);
  std::size_t found = hits(metrics.body, canaries, "the metrics");
  found += hits(identities.refusals, canaries, "a refusal");
  world.service->kill();  // the write-ahead log stays as it is
  std::size_t files = 0;
  for (const auto& folder : folders) found += hits_in_files(folder, canaries, files);
  BOOST_TEST(found == 0u);
  BOOST_TEST(is_in_some_file(folders.back(), "FAC-01"), "plain values are not found either: no file was searched");
  survived("R33", canaries.size(), 40,
           "canaries looked for in " + std::to_string(files) + " files of " + engine + ": " + std::to_string(found) +
               " hits");
}

void configure(ServiceFolder& folder) {
  folder.set("log.level", "debug");
  folder.set("webhooks.allow_loopback_http_in_sandbox", "true");
  folder.create_client({"--tenant", "with a default account", "--payout-account", kDefaultToken});
}

BOOST_AUTO_TEST_SUITE(canaries)

BOOST_AUTO_TEST_CASE(no_canary_is_in_the_embedded_store_or_a_log) {
  World world(Store::sqlite, configure);
  look_for_canaries(world, {world.folder.path()}, "the embedded store");
}

BOOST_AUTO_TEST_CASE(no_canary_is_in_the_files_of_the_database_server) {
  if (tests::MariaDbInstance::skipped()) return;
  tests::MariaDbInstance server(tests::MariaDbInstance::Encryption::none,
                                {"--log-bin", "--server-id=1", "--log-bin-trust-function-creators=1"});
  World world(Store::sqlite, [&](ServiceFolder& folder) {
    configure(folder);
    folder.use_mysql(server.create_database("canaries"));
  });
  look_for_canaries(world, {world.folder.path(), std::filesystem::path(server.certificate_file()).parent_path()},
                    "MariaDB");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
