// Watched folders with the real service and the shipped plugins: files are posted once, and the log shows them. A file
// of claims gets its answers.
#include <sys/stat.h>

#include <fstream>

#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;
namespace data = boost::unit_test::data;

std::string x12_of_payment(const std::string& trace) {
  const std::string date = compact(day(0));
  return "ISA*00*          *00*          *ZZ*SAMPLE80       *ZZ*PROVIDER       "
         "*260101*0000*^*00501*000000001*0*T*:~GS*HP*SAMPLE80*PROVIDER*" +
         date +
         "*0000*1*X*005010X221A1~ST*835*0001~BPR*I*790*C*ACH*CCP*01*999999992*DA*1*1999999984**01*999999992*DA*2*" +
         date + "~TRN*1*" + trace +
         "*1999999984~N1*PR*SAMPLE PAYER*XV*SAMPLE-80~N1*PE*SAMPLE "
         "PROVIDER*XX*1999999984~LX*1~CLP*CLM-1*1*1000*790**12*"
         "PCN1~DTM*232*" +
         compact(day(-5)) + "~SVC*HC:99213*1000*790**1~SE*10*0001~GE*1*1~IEA*1*000000001~";
}

std::string bank_file_of(const std::string& reference) {
  const std::string today = compact(day(0)).substr(2);
  return "01,BANK1,SAMPLE," + today + ",0700,1,,,2/\n02,SAMPLE,BANK1,1," + today +
         ",0600,USD,2/\n03,0001234567,,010,,,/\n16,165,79000,V," + today + ",0900," + reference +
         ",,HCCLAIMPMT/\n49,79000,3/\n98,79000,1,5/\n99,79000,1,7/\n";
}

std::string claims_file() {
  return "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       "
         "*261120*0800*^*00501*000000017*1*T*:~GS*HC*FROM*TO*20261120*0800*5*X*005010X222A1~ST*837*0001*005010X222A1~"
         "BHT*0019*00*1*20261110*0800*CH~HL*1**20*1~NM1*85*2*SAMPLE CLINIC*****XX*1999999984~HL*2*1*22*0~"
         "SBR*P*18*******CI~NM1*PR*2*SAMPLE PAYER*****PI*SAMPLE-80~CLM*C-1*100***11:B:1*Y*A*Y*Y~HI*ABK:J029~LX*1~"
         "SV1*HC:99213*100*UN*1***1~DTP*472*D8*20261103~SE*13*0001~GE*1*5~IEA*1*000000017~";
}

struct Folder {
  fs::path path;
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(path / "inbox" / (name + ".part")) << text;
    fs::rename(path / "inbox" / (name + ".part"), path / "inbox" / name);
  }
};

Folder watched(ServiceFolder& folder) {
  const auto path = folder.path() / "era";
  folder.set("pickup.folders",
             "[{ name: era, path: " + path.string() + ", tenant: default, poll_ms: 20, stable_ms: 0 }]");
  return {path};
}

Json finished(const ApiClient& api, std::size_t count) {
  Json page("{}");
  BOOST_REQUIRE(eventually([&] {
    page = expect_ok(api.get("/v1/pickup/files?order=asc"));
    if (page.size("/data") != count) return false;
    for (std::size_t i = 0; i < count; ++i) {
      const auto status = page.text("/data/" + std::to_string(i) + "/status");
      if (status == "received" || status == "waiting") return false;
    }
    return true;
  }));
  return page;
}

BOOST_AUTO_TEST_SUITE(pickup)

BOOST_DATA_TEST_CASE(files_of_every_kind_are_posted_once_and_logged, data::make(stores()), store) {
  Folder folder;
  World world(store, [&](ServiceFolder& service) { folder = watched(service); });
  const ApiClient& api = *world.api;
  folder.put("a.835", x12_of_payment("T-1"));
  Json page = finished(api, 1);
  BOOST_TEST(page.text("/data/0/name") == "a.835");
  BOOST_TEST(page.text("/data/0/kind") == "remittance");
  BOOST_TEST(page.text("/data/0/format") == "x12_835");
  BOOST_TEST(page.text("/data/0/status") == "posted");
  expect_ok(api.get("/v1/remittances/" + page.text("/data/0/remittance_ids/0")));
  const auto first = page.text("/data/0/id");

  folder.put("b.835", x12_of_payment("T-1"));
  page = finished(api, 2);
  BOOST_TEST(page.text("/data/1/status") == "duplicate");
  BOOST_TEST(page.text("/data/1/duplicate_of") == first);
  BOOST_TEST(expect_ok(api.get("/v1/remittances")).size("/data") == 1u);

  folder.put("c.bai", bank_file_of("REF-1"));
  page = finished(api, 3);
  BOOST_TEST(page.text("/data/2/kind") == "deposit");
  expect_ok(api.get("/v1/deposits/" + page.text("/data/2/deposit_ids/0")));

  folder.put("d", "no format has this");
  page = finished(api, 4);
  BOOST_TEST(page.text("/data/3/status") == "quarantined");
  BOOST_TEST(page.text("/data/3/error_code") == "invalid_payload");
  BOOST_REQUIRE(eventually([&] { return fs::exists(folder.path / "quarantine" / "d"); }));
  BOOST_TEST(read_file(folder.path / "quarantine" / "d.error.txt") ==
             "invalid_payload: " + page.text("/data/3/error") + "\n");

  BOOST_TEST(expect_ok(api.get("/v1/pickup/files?status=quarantined&folder=era")).size("/data") == 1u);
  BOOST_TEST(expect_ok(api.get("/v1/pickup/files?limit=1")).text("/data/0/name") == "d");
  BOOST_TEST(expect_ok(api.get("/v1/pickup/files?to=" + day(-1))).size("/data") == 0u);
  const Json half = expect_ok(api.get("/v1/pickup/files?order=asc&limit=2"));
  BOOST_TEST(expect_ok(api.get("/v1/pickup/files?order=asc&limit=2&cursor=" + half.text("/next_cursor")))
                 .text("/data/1/name") == "d");
  expect_error(api.get("/v1/pickup/files?status=gone"), 400, "invalid_parameter");
  expect_error(api.get("/v1/pickup/files?from=x"), 400, "invalid_parameter");
  expect_error(api.post_nothing("/v1/pickup/files/" + first + "/retry"), 409, "invalid_state");
  const auto again = expect_ok(api.post_nothing("/v1/pickup/files/" + page.text("/data/3/id") + "/retry"));
  BOOST_TEST(again.text("/status") == "waiting");
  finished(api, 4);
}

BOOST_AUTO_TEST_CASE(a_file_of_claims_is_imported_and_answered) {
  Folder folder;
  World world(Store::sqlite, [&](ServiceFolder& service) { folder = watched(service); });
  const ApiClient& api = *world.api;
  folder.put("claims.837", claims_file());
  const Json page = finished(api, 1);
  BOOST_TEST(page.text("/data/0/format") == "x12_837");
  const auto import = "/v1/imports/claims/" + page.text("/data/0/import_id");
  BOOST_REQUIRE(eventually([&] { return expect_ok(api.get(import)).text("/status") == "succeeded"; }));
  BOOST_TEST(expect_ok(api.get(import)).number("/accepted_rows") == 1);

  const auto answer = api.get(import + "/acknowledgment", {{"Accept", "application/edi-x12"}});
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(answer.header("Content-Type") == "application/edi-x12");
  BOOST_TEST(answer.body.find("AK9*A*1*1*1~") != std::string::npos);
  BOOST_REQUIRE(eventually([&] { return fs::exists(folder.path / "archive" / day(0) / "claims.837"); }));
  BOOST_TEST(read_file(folder.path / "answers" / "claims.837.999") == answer.body);
  BOOST_TEST(read_file(folder.path / "answers" / "claims.837.ta1") ==
             api.get(import + "/acknowledgment?kind=TA1").body);
  expect_error(api.get(import + "/acknowledgment?kind=277"), 400, "invalid_parameter");
}

BOOST_AUTO_TEST_CASE(a_killed_service_leaves_no_file_behind_and_posts_none_twice) {
  for (const std::string point : {"pickup.recorded", "remittance.traced", "remittance.committed", "pickup.posted",
                                  "pickup.settled", "pickup.moved"}) {
    Folder folder;
    World world(Store::sqlite, [&](ServiceFolder& service) {
      folder = watched(service);
      service.set_variable("TIDEOVER_TEST_CRASH_AT", point);
    });
    folder.put("a.835", x12_of_payment("T-1"));
    world.service->wait_for_end();
    world.folder.set_variable("TIDEOVER_TEST_CRASH_AT", "none");
    world.start();
    BOOST_TEST_CONTEXT(point) {
      const Json page = finished(*world.api, 1);
      BOOST_TEST(page.text("/data/0/status") == "posted");
      BOOST_REQUIRE(eventually([&] { return fs::exists(folder.path / "archive" / day(0) / "a.835"); }));
      BOOST_TEST(!fs::exists(folder.path / "inbox" / "a.835"));
      BOOST_TEST(expect_ok(world.api->get("/v1/remittances")).size("/data") == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_used_stops_the_start) {
  ServiceFolder folder;
  watched(folder);
  fs::create_directories(folder.path() / "era" / "inbox");
  BOOST_REQUIRE(::chmod((folder.path() / "era" / "inbox").c_str(), 0777) == 0);
  folder.write_config();
  folder.create_client();
  BOOST_CHECK_EXCEPTION(ServiceProcess service(folder), std::exception, [](const std::exception& error) {
    return std::string(error.what()).find("can be written by every user") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
