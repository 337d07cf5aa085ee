#include "tests/fault/encryption/identities.hpp"

namespace tideover::test {
namespace {

class Requests {
 public:
  explicit Requests(World& world) : world_(world), api_(*world.api) {}

  Identities all() {
    review_with_identities();
    refused_requests();
    imported_files();
    payment_files();
    secrets();
    return std::move(sent_);
  }

 private:
  /// A value that comes up by chance nowhere.
  std::string canary(const std::string& what) {
    sent_.canaries.push_back("CANARY" + what + std::to_string(8000 + sent_.canaries.size()));
    return sent_.canaries.back();
  }
  void note(const Answer& answer) {
    BOOST_TEST(answer.status != 0);
    if (answer.status >= 400) sent_.refusals += answer.body + '\n';
  }
  void refused(const Answer& answer, int status) {
    BOOST_TEST(answer.status == status, answer.body);
    note(answer);
  }
  /// `body` with more members: its names and canaries.
  std::string with_members(std::string body, const std::vector<std::string>& names) {
    std::string members;
    for (const auto& name : names) members += quoted(name) + ':' + quoted(canary(name)) + ',';
    return body.insert(1, members);
  }

  void review_with_identities() {
    expect_ok(api_.post("/v1/claims/reviews",
                        with_members(claim_body("CLM-31"),
                                     {"patient_name", "patient_first_name", "patient_last_name", "date_of_birth", "ssn",
                                      "member_id", "subscriber_id", "patient_address", "patient_phone", "email"})));
    std::string nested = claim_body("CLM-32");
    nested.insert(1, R"("patient":{"name":)" + quoted(canary("nested")) + "},");
    expect_ok(api_.post("/v1/claims/reviews", nested));
  }

  void refused_requests() {
    refused(api_.post("/v1/claims/reviews", with_members(claim_body("CLM-33"), {"patient_name"}),
                      {{"Prefer", "handling=strict"}}),
            400);
    refused(api_.post("/v1/claims/reviews", R"({"patient":")" + canary("malformed") + "\""), 400);
    refused(api_.get("/v1/claims?patient_name=" + canary("query")), 400);
    refused(api_.get("/v1/claims/" + canary("path")), 404);
    expect_ok(api_.get("/v1/reviews?claim_identifier=" + canary("filter")));
    expect_ok(api_.get("/v1/health", {{"User-Agent", canary("agent")}, {"Cookie", "session=" + canary("cookie")}}));
    refused(api_.get("/v1/health", {{"Authorization", "Bearer " + canary("token")}}), 401);
    refused(ApiClient(world_.service->port())
                .post("/v1/oauth/token", R"({"grant_type":"client_credentials","client_id":)" +
                                             test::quoted(world_.client.id) + R"(,"client_secret":)" +
                                             quoted(canary("secret")) + "}"),
            401);
    refused(api_.patch("/v1/claims/CLM-31/status",
                       R"({"status":"submitted","note":"ssn 123-45-6789 )" + canary("note") + "\"}"),
            400);
  }

  void imported_files() {
    const std::string row = with_members(claim_body("CLM-34"), {"patient_name", "member_id"});
    import_file("ndjson", row + "\n");
    import_file("csv",
                "claim_identifier,chart_identifier,servicer_npi,billing_npi,patient_primary_payor_id,submitted_amount,"
                "Patient Name,SSN\nCLM-35," +
                    canary("chart") + ",1234567893,1999999984,SAMPLE-80,100," + canary("name") + "," + canary("ssn") +
                    "\nCLM-36,CH-1," + canary("badcell") + ",1999999984,SAMPLE-80,100,,\n");
  }
  void import_file(const std::string& format, const std::string& text) {
    const auto job = expect_ok(api_.post("/v1/imports/claims", file_body(format, text))).text("/job_id");
    BOOST_TEST(eventually([&] {
      const auto status = expect_ok(api_.get("/v1/imports/claims/" + job)).text("/status");
      return status != "queued" && status != "running";
    }));
  }

  void payment_files() {
    expect_ok(api_.post("/v1/remittances", with_members(remittance_body("TRN-31", canary("claim"), "20.00"),
                                                        {"patient_name", "subscriber_name"})));
    const std::vector<std::string> bai2{
        "01,BANK1,SAMPLE,250603,0700,1,,,2/",
        "02,SAMPLE,BANK1,1,250603,0600,USD,2/",
        "03," + canary("account") + ",,010,0,,,015,79000,,/",
        "16,165,79000,0," + canary("bankref") + "," + canary("customerref") + "," + canary("text") + "/",
        "49,158000,3/",
        "98,158000,1,5/",
        "99,158000,1,7/"};
    std::string file;
    for (const auto& line : bai2) file += line + '\n';
    expect_ok(api_.post("/v1/deposits/files", file_body("bai2", file)));
  }

  /// Each is shown once.
  void secrets() {
    const auto endpoint = expect_ok(api_.post("/v1/webhooks/endpoints", R"({"url":"http://127.0.0.1:9/hook"})"));
    const std::string path = "/v1/webhooks/endpoints/" + endpoint.text("/id") + "/rotate-secret";
    const auto client = expect_ok(api_.post("/v1/clients", R"({"name":"Reader","scopes":["claims:read"]})"));
    const std::string rotation = "/v1/clients/" + client.text("/client_id") + "/rotate-secret";
    for (const auto& secret :
         {endpoint.text("/secret"), expect_ok(api_.post(path, "{}")).text("/secret"), client.text("/client_secret"),
          expect_ok(api_.post(rotation, "{}")).text("/client_secret")})
      sent_.canaries.push_back(secret);
  }

  World& world_;
  const ApiClient& api_;
  Identities sent_;
};

}  // namespace

Identities send_identities(World& world) {
  return Requests(world).all();
}

}  // namespace tideover::test
