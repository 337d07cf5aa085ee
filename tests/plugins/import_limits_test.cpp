// Files that are made to hurt: lines without end, formulas, foreign encodings - read in bounded memory, and reported
// with where and why.
#include <sys/resource.h>

#include "tests/plugins/import_reader.hpp"

using namespace tideover;
using namespace tideover::plugin_test;

namespace {

/// A beginning, then the same byte over and over, then an end; never held as a whole.
class LongSource : public ports::ByteSource {
 public:
  LongSource(std::string beginning, char filling, std::size_t count, std::string end)
      : beginning_(std::move(beginning)), filling_(filling), count_(count), end_(std::move(end)) {}
  domain::Result<std::size_t> read(char* into, std::size_t capacity) override {
    std::string& text = beginning_.empty() && count_ == 0 ? end_ : beginning_;
    if (text.empty() && count_ > 0) {
      const auto given = std::min(capacity, count_);
      std::fill_n(into, given, filling_);
      count_ -= given;
      return given;
    }
    const auto given = std::min(capacity, text.size());
    text.copy(into, given);
    text.erase(0, given);
    return given;
  }

 private:
  std::string beginning_;
  const char filling_;
  std::size_t count_;
  std::string end_;
};

/// No more address space than the process has now and so much.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t more) {
    BOOST_REQUIRE(::getrlimit(RLIMIT_AS, &before_) == 0);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = before_;
    limit.rlim_cur = pages * 4096 + more;
    BOOST_REQUIRE(::setrlimit(RLIMIT_AS, &limit) == 0);
  }
  ~MemoryLimit() { ::setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

constexpr std::size_t kGigabyte = 1 << 30;
constexpr std::size_t kMemoryLimit = 48 << 20;
const std::string kHeader =
    "claim_identifier,chart_identifier,servicer_npi,billing_npi,patient_primary_payor_id,submitted_amount\n";
const std::string kRow = "C-1,CH-1,1234567893,1999999984,87726,1000.00\n";
const std::string kObject = R"({"claim_identifier":"C-1","chart_identifier":"CH-1","servicer_npi":"1234567893",)"
                            R"("billing_npi":"1999999984","patient_primary_payor_id":"87726","submitted_amount":1})"
                            "\n";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(import_limits, Formats)

BOOST_AUTO_TEST_CASE(a_line_of_a_gigabyte_costs_a_few_megabytes) {
  struct Case {
    const char* format;
    std::string beginning;
    char filling;
    std::string end;
    std::size_t whole_rows;
  };
  const std::vector<Case> cases{{"ndjson", kObject + "{\"claim_identifier\":\"", 'x', "\"}\n" + kObject, 2},
                                {"ndjson", kObject + "[[", '[', "\n" + kObject, 2},
                                {"csv", kHeader + kRow, 'x', "\n" + kRow, 2},
                                {"csv", kHeader + kRow, '"', "\n" + kRow, 1},
                                {"csv", "claim_identifier,", 'x', "\n" + kRow, 0},
                                {"x12_837", "ST*837*1~CLM*", 'x', "~", 0},
                                {"x12_837", "", ' ', "ISA", 0}};
  for (const auto& bad : cases) {
    BOOST_TEST_CONTEXT(bad.format << " of '" << bad.filling << "'") {
      LongSource source(bad.beginning, bad.filling, kGigabyte, bad.end);
      const MemoryLimit limit(kMemoryLimit);
      std::size_t whole = 0, broken_rows = 0;
      auto reader = host->imports().find(bad.format)->open(source, {});
      if (!reader) {
        BOOST_TEST(reader.error().message != "");
        BOOST_TEST(bad.whole_rows == 0u);
        continue;
      }
      for (;;) {
        ports::ImportRow row;
        const auto more = (*reader)->next(row);
        if (!more) ++broken_rows;
        if (!more || !*more) break;
        ++(row.fault.empty() ? whole : broken_rows);
      }
      BOOST_TEST(whole >= bad.whole_rows);
      BOOST_TEST(broken_rows >= 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_cell_that_a_spreadsheet_would_run_is_refused_with_its_position) {
  for (const std::string cell : {"=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "=HYPERLINK(\"\"x\"\")"}) {
    const auto found = rows("csv", kHeader + "\"" + cell + "\",CH-1,1234567893,1999999984,87726,1000.00\n" + kRow);
    BOOST_REQUIRE(found.size() == 2u);
    BOOST_TEST((found[0].fault.find("'claim_identifier' has a formula (line 2)") != std::string::npos), found[0].fault);
    BOOST_TEST(found[0].fault.find("SUM") == std::string::npos);
    BOOST_TEST(found[1].fault == "");
  }
  // Numbers with a sign are the core's business, and so is what stands in columns that mean nothing.
  BOOST_TEST(rows("csv", kHeader + "C-1,CH-1,1234567893,1999999984,87726,-5.00\n").front().fault == "");
  BOOST_TEST(rows("csv", "note," + kHeader + "=1+1," + kRow).front().fault == "");
}

BOOST_AUTO_TEST_SUITE_END()
