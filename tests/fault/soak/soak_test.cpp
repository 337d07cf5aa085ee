// Every test file through every reader, in random order, with a restart after each round: the service answers, starts
// and keeps true books.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <sstream>

#include "tests/fault/figure.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

namespace fs = std::filesystem;

struct File {
  std::string name, bytes;
};

/// One way into the service: a route and a format of it.
struct Reader {
  const char* path;
  const char* format;
};
constexpr Reader kReaders[] = {
    {"/v1/remittances", "x12_835"},        {"/v1/remittances", "csv"},    {"/v1/deposits/files", "bai2"},
    {"/v1/deposits/files", "ccd_addenda"}, {"/v1/imports/claims", "csv"}, {"/v1/imports/claims", "ndjson"},
    {"/v1/imports/claims", "x12_837"},
};

/// A claim and a payment as an 835 names them.
struct Paid {
  std::string claim, charge, trace, amount;
};

std::size_t number_of(const char* variable, std::size_t preset) {
  const char* value = std::getenv(variable);
  return value != nullptr ? std::stoul(value) : preset;
}

std::vector<File> files() {
  std::vector<fs::path> folders{fs::path(TIDEOVER_SOURCE_DIR) / "tests" / "data",
                                fs::path(TIDEOVER_SOURCE_DIR) / "tests" / "fuzz" / "corpus"};
  if (const char* more = std::getenv("TIDEOVER_SOAK_FILES")) folders.emplace_back(more);
  constexpr std::uintmax_t kLargest = 256 << 10;  // a file is sent to each reader in a body of its own
  std::vector<File> found;
  for (const auto& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && entry.file_size() <= kLargest && entry.path().extension() != ".md")
        found.push_back({entry.path().lexically_relative(folder).string(), read_file(entry.path())});
  std::sort(found.begin(), found.end(), [](const File& a, const File& b) { return a.name < b.name; });
  return found;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

bool is_amount(const std::string& text) {
  return !text.empty() && text.size() <= 8 && text.front() != '.' && text.back() != '.' && text.front() != '0' &&
         text.find_first_not_of("0123456789.") == std::string::npos && std::count(text.begin(), text.end(), '.') <= 1;
}

bool is_plain(const std::string& text) {
  return !text.empty() && text.size() <= 50 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

/// What of a file looks like claims that are paid. A rough look: what it misses is sent unadvanced.
std::vector<Paid> paid_in(const std::string& text) {
  std::vector<Paid> found;
  const std::size_t isa = text.find("ISA");
  if (isa == std::string::npos || text.size() < isa + 106) return found;
  std::string amount, trace;
  for (auto& segment : split(text.substr(isa), text[isa + 105])) {
    segment.erase(0, segment.find_first_not_of("\r\n "));
    const auto elements = split(segment, text[isa + 3]);
    if (elements.size() > 2 && elements[0] == "BPR") amount = elements[2];
    if (elements.size() > 2 && elements[0] == "TRN") trace = elements[2];
    if (elements.size() > 4 && elements[0] == "CLP" && is_plain(elements[1]) && is_amount(elements[3]))
      found.push_back({elements[1], elements[3], trace, amount});
  }
  return found;
}

class Soak {
 public:
  explicit Soak(unsigned seed) : random_(seed), files_(files()) {
    for (const auto& file : files_)
      for (const auto& paid : paid_in(file.bytes)) paid_.push_back(paid);
  }

  void advance_claims() {
    std::size_t funded = 0;
    std::set<std::string> seen;
    for (const auto& paid : paid_) {
      if (!seen.insert(paid.claim).second) continue;
      std::string body = claim_body(paid.claim);
      Json claim(body);
      rapidjson::Document charge;
      charge.Parse(paid.charge.c_str());
      claim.document()["submitted_amount"].CopyFrom(charge, claim.document().GetAllocator());
      claim.document().RemoveMember("service_lines");
      const Answer review = send("/v1/claims/reviews", text_of(claim.root()));
      if (review.status != 200) continue;
      const Answer terms = send("/v1/claims/adjudications", adjudication_body(review.json().text("/authorization_id")));
      if (terms.status != 200 || terms.json().text("/decision") != "approved") continue;
      funded += send("/v1/settlements/" + terms.json().text("/settlement_id") + "/confirm", "").status == 200 ? 1 : 0;
    }
    BOOST_TEST(funded > 0u, "no claim of the files was advanced: nothing of what follows moves an advance");
  }

  /// Every file to every reader, and a deposit for each payment that a file names; the order is another one in each
  /// round.
  void round(std::size_t number) {
    struct Step {
      const File* file;
      const Reader* reader;
      const Paid* deposit;
    };
    std::vector<Step> steps;
    for (const auto& file : files_)
      for (const auto& reader : kReaders) steps.push_back({&file, &reader, nullptr});
    for (const auto& paid : paid_)
      if (is_plain(paid.trace) && is_amount(paid.amount)) steps.push_back({nullptr, nullptr, &paid});
    std::shuffle(steps.begin(), steps.end(), random_);
    for (const auto& step : steps) {
      if (step.deposit)
        send("/v1/deposits", deposit_body(step.deposit->trace, step.deposit->amount,
                                          "soak-" + std::to_string(number) + "-" + step.deposit->trace));
      else
        send(step.reader->path, file_body(step.reader->format, step.file->bytes),
             step.file->name + " as " + step.reader->format);
    }
  }

  /// SIGTERM or SIGKILL, then a start on the same data, which must be well within the deadline.
  void restart(bool orderly) {
    if (orderly) {
      world_.service->ask_to_stop();
      BOOST_REQUIRE_EQUAL(world_.service->wait_for_end(), 0);
    } else {
      world_.service->kill();
    }
    world_.service.emplace(world_.folder);
    world_.api.emplace(world_.api->at(world_.service->port()));
    const ApiClient ops(world_.service->ops_port());
    BOOST_REQUIRE(eventually([&] { return ops.get("/readyz").status == 200; }, std::chrono::seconds(30)));
  }

  /// What was taken in is learned and posted, and the service goes on as if nothing had been odd.
  void settle() {
    const std::string settlement = fund(*world_.api, "SOAK-LAST");
    expect_ok(world_.api->post("/v1/deposits", deposit_body("SOAK-LAST-T", "790.00")));
    expect_ok(world_.api->post("/v1/remittances", remittance_body("SOAK-LAST-T", "SOAK-LAST", "790.00")));
    BOOST_TEST(expect_ok(world_.api->get("/v1/settlements/" + settlement + "/reconciliation")).text("/final_status") ==
               "settled");
    BOOST_TEST(book_of(*world_.api).posted_sum == 0);
  }

  std::size_t sent() const { return sent_; }

 private:
  Answer send(const std::string& path, const std::string& body, const std::string& what = "") {
    const Answer answer = body.empty() ? world_.api->post_nothing(path) : world_.api->post(path, body);
    ++sent_;
    BOOST_REQUIRE_MESSAGE(answer.status >= 200 && answer.status < 500,
                          path << ' ' << what << ": " << answer.status << ' ' << answer.body);
    return answer;
  }

  std::mt19937 random_;
  std::vector<File> files_;
  std::vector<Paid> paid_;
  World world_;
  std::size_t sent_ = 0;
};

BOOST_AUTO_TEST_SUITE(soak)

BOOST_AUTO_TEST_CASE(every_file_through_every_reader_with_restarts_leaves_a_running_service_and_true_books) {
  const auto seed = static_cast<unsigned>(number_of("TIDEOVER_SOAK_SEED", 1));
  const std::size_t rounds = number_of("TIDEOVER_SOAK_ROUNDS", cases(2, 20));
  BOOST_TEST_MESSAGE("seed " << seed << ", " << rounds << " rounds");
  Soak soak(seed);
  soak.advance_claims();
  for (std::size_t i = 0; i < rounds; ++i) {
    soak.round(i);
    soak.restart(i % 2 == 0);
  }
  soak.settle();
  BOOST_TEST_MESSAGE(soak.sent() << " requests");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
