// Remittance files that others published, against claims derived from them: every payment is posted exactly once, to
// the cent, and what cannot be matched stays in suspense. Skipped with a message where the files are not beside the
// checkout.
#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "tests/rest/money/x12_reader.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace data = boost::unit_test::data;
namespace fs = std::filesystem;

const fs::path kFolder = fs::path(TIDEOVER_SOURCE_DIR) / ".." / "shared" / "data" / "x12_835";

/// A payer without a history of denials: what these tests are about is the money behind the review.
constexpr const char* kPayer =
    R"({"payer_id":"FILE-PAYER","name":"Payer of the files","short_name":"Files","aliases":[],)"
    R"("coverage_types":["medical"],)"
    R"("programs":["commercial"],"states":["NATIONAL"],"transactions":{"claim_837p":"supported","era_835":"supported",)"
    R"("status_276":"supported","eligibility_270":"supported"},"timely_filing_days":365,"supports_advance":true,)"
    R"("updated_at":"2026-11-20T00:00:00Z","denial_bps":0,"allowed_bps":8000,"patient_share_bps":0,)"
    R"("median_days_to_pay":14,)"
    R"("p80_days_to_pay":21})"
    "\n";

std::vector<fs::path> files() {
  std::vector<fs::path> found;
  if (fs::is_directory(kFolder))
    for (const auto& entry : fs::directory_iterator(kFolder)) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::string plus_days(const std::string& date, int days) {
  using namespace std::chrono;
  const sys_days start = year(std::stoi(date.substr(0, 4))) /
                         month(static_cast<unsigned>(std::stoi(date.substr(5, 2)))) /
                         std::chrono::day(static_cast<unsigned>(std::stoi(date.substr(8, 2))));
  const year_month_day moved = start + std::chrono::days(days);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(moved.year()),
                static_cast<unsigned>(moved.month()), static_cast<unsigned>(moved.day()));
  return text;
}

/// The claim as its provider must have sent it, with or without its lines.
std::string review_body(const X12Claim& claim, bool with_lines) {
  std::string lines;
  for (const auto& line : claim.lines) {
    if (!with_lines || line.code.empty() || line.charge.empty()) continue;
    const bool counted = !line.units.empty() && std::stod(line.units) > 0;
    lines += (lines.empty() ? "" : ",") + std::string(R"({"cpt":)") + quoted(line.code) + R"(,"modifier":)" +
             quoted(line.modifier) + (counted ? R"(,"units":)" + line.units : "") + R"(,"amount":)" + line.charge + "}";
  }
  return R"({"claim_identifier":)" + quoted(claim.identifier) +
         R"(,"chart_identifier":"CH-1","servicer_npi":"1234567893","billing_npi":"1999999984",)"
         R"("patient_primary_payor_id":"FILE-PAYER",)"
         R"("submitted_amount":)" +
         claim.charge +
         (claim.service_date.empty() ? ""
                                     : R"(,"date_of_service":")" + claim.service_date + R"(","date_of_submission":")" +
                                           plus_days(claim.service_date, 7) + "\"") +
         R"(,"service_lines":[)" + lines + "]}";
}

/// A claim of a file and what became of it.
struct Followed {
  X12Claim claim;
  bool ambiguous = false;  // the file has another claim of this identifier with the same charge and date
  std::string settlement;
};

/// One claim per identifier, since a provider's identifiers are its own.
std::vector<Followed> follow(const X12Payment& payment) {
  std::vector<Followed> followed;
  for (const auto& claim : payment.claims) {
    const auto same = [&](const Followed& other) { return other.claim.identifier == claim.identifier; };
    const auto known = std::find_if(followed.begin(), followed.end(), same);
    if (known == followed.end())
      followed.push_back({claim, false, ""});
    else if (known->claim.charge_cents == claim.charge_cents && known->claim.service_date == claim.service_date)
      known->ambiguous = true;
  }
  return followed;
}

Json adjudicate(const ApiClient& api, const X12Claim& claim, bool with_lines) {
  const Json review = expect_ok(api.post("/v1/claims/reviews", review_body(claim, with_lines)));
  return expect_ok(api.post("/v1/claims/adjudications", adjudication_body(review.text("/authorization_id"))));
}

/// A claim that is declined for its lines is sent again without them: every payment needs something to post to.
void fund_all(const ApiClient& api, std::vector<Followed>& followed) {
  for (auto& one : followed) {
    Json terms = adjudicate(api, one.claim, true);
    if (terms.text("/decision") == "declined") terms = adjudicate(api, one.claim, false);
    BOOST_REQUIRE_EQUAL(terms.text("/decision"), "approved");
    one.settlement = terms.text("/settlement_id");
    expect_ok(api.post_nothing("/v1/settlements/" + one.settlement + "/confirm"));
  }
}

struct Sums {
  std::int64_t recovered = 0, fees = 0, residual = 0;
};

Sums check_settlements(const ApiClient& api, const std::vector<Followed>& followed) {
  Sums sums;
  for (const auto& one : followed) {
    BOOST_TEST_CONTEXT("claim " << one.claim.identifier) {
      const Json whole = expect_ok(api.get("/v1/settlements/" + one.settlement + "/reconciliation"));
      if (one.ambiguous) {
        BOOST_TEST(whole.text("/final_status") == "pending");
        BOOST_TEST(whole.size("/records") == 0u);
        continue;
      }
      BOOST_TEST(whole.size("/records") == 1u);
      BOOST_TEST(whole.cents("/payer_payment") == one.claim.paid_cents);
      if (one.claim.status == "4" && one.claim.paid_cents == 0) BOOST_TEST(whole.text("/final_status") == "denied");
      sums.recovered += whole.cents("/advance_recovered");
      sums.fees += whole.cents("/fee_collected");
      sums.residual += whole.cents("/residual_released");
    }
  }
  return sums;
}

/// One file holds a claim of 211 366.97, which is more than the shipped policy approves by itself.
void raise_cap(const fs::path& rule_file) {
  std::string text = read_file(rule_file);
  const std::string cap = "usd(25000.";
  for (const std::string field : {"approve_up_to_cents = { value = ", "submitted_cents = "})
    for (auto at = text.find(field + cap); at != std::string::npos; at = text.find(field + cap))
      text.replace(at + field.size(), cap.size(), "usd(999999.");
  save_file(rule_file, text);
}

/// Both orders of every file, each as a tenant of its own in one service per store.
struct Files {
  explicit Files(Store store)
      : world(store, [](ServiceFolder& folder) {
          folder.use_payers(kPayer);
          const fs::path rules = folder.copy_rules();
          raise_cap(rules / "params.lua");
          raise_cap(rules / "cases" / "terms_standard.lua");
        }) {
    world.service->ask_to_stop();
    BOOST_REQUIRE_EQUAL(world.service->wait_for_end(), 0);
    for (std::size_t i = 0; i < 2 * files().size(); ++i)
      tenants.push_back(world.folder.create_client({"--role", "admin", "--tenant", "file" + std::to_string(i)}));
    world.start();
  }

  World world;
  std::vector<Credentials> tenants;
};

void post_file_and_money(const ApiClient& api, const fs::path& file, bool money_first) {
  const std::string text = read_file(file);
  const auto payments = read_835(text);
  BOOST_REQUIRE_EQUAL(payments.size(), 1u);
  const X12Payment& payment = payments.front();
  auto followed = follow(payment);
  fund_all(api, followed);

  const std::string body = file_body("x12_835", text);
  const auto send_money = [&] {
    if (payment.amount_cents <= 0) return;
    expect_ok(api.post("/v1/deposits", R"({"payer_id":"FILE-PAYER","amount":)" + payment.amount +
                                           R"(,"received_date":")" + payment.date + R"(","trace_number":)" +
                                           quoted(payment.trace) + "}"));
  };
  if (money_first) send_money();
  const Json remittance = expect_ok(api.post("/v1/remittances", body));
  if (!money_first) send_money();
  // A file without money whose payer no directory has: its claims name the payer.
  if (payment.amount_cents == 0)
    BOOST_TEST(expect_ok(api.get("/v1/remittances/" + remittance.text("/remittance_id"))).text("/payer_id") ==
               "FILE-PAYER");
  // None of these files carries a balance; what it adjusts beside its claims goes to the provider.
  const std::int64_t beside_claims = -remittance.cents("/balance/provider_adjustments_total");

  const Sums sums = check_settlements(api, followed);
  const Book book = book_of(api);
  BOOST_TEST(book.posted_sum == 0);
  BOOST_TEST(book.pending_sum == 0);
  BOOST_TEST(book.posted_in("deposit_clearing") == payment.amount_cents);
  BOOST_TEST(payment.amount_cents ==
             sums.recovered + sums.fees + sums.residual + beside_claims - book.posted_in("suspense_unmatched"));
  BOOST_TEST(-book.posted_in("fee_income") == sums.fees);
  BOOST_TEST(-book.posted_in("provider_payable:") == sums.residual + beside_claims);

  const auto ledger = ledger_of(api);
  const Json again = expect_ok(api.post("/v1/remittances", body));
  BOOST_TEST(again.text("/status") == "duplicate");
  BOOST_TEST(again.size("/records") == 0u);
  BOOST_TEST((ledger_of(api) == ledger));
  check_settlements(api, followed);
}

BOOST_AUTO_TEST_SUITE(remittance_files)

BOOST_DATA_TEST_CASE(every_payment_of_every_file_posts_exactly_once, data::make(stores()), store) {
  if (files().empty()) {
    BOOST_TEST_MESSAGE("skipped: there is no folder " << kFolder);
    return;
  }
  Files fixture(store);
  std::size_t tenant = 0;
  for (const auto& file : files())
    for (const bool money_first : {true, false}) {
      BOOST_TEST_MESSAGE(file.filename() << (money_first ? ", money first" : ", file first"));
      BOOST_TEST_CONTEXT(file.filename() << (money_first ? ", money first" : ", file first"))
      post_file_and_money(ApiClient(fixture.world.service->port(), fixture.tenants[tenant++]), file, money_first);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
