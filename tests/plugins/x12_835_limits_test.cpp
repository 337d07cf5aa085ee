// What no file may do to the reader: be cut without being noticed, or take memory that grows with it.
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/plugins/remittance_reader.hpp"

using namespace tideover;
using namespace tideover::plugin_test;
using domain::ErrorCode;
using domain::RemittanceDraft;

namespace {

constexpr auto kTooLarge = ErrorCode::payload_too_large;
constexpr std::size_t kGigabyte = std::size_t{1} << 30;
constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr rlim_t kMostGrowth = rlim_t{16} << 20;

const std::string kIsa =
    "ISA*00*          *00*          *ZZ*SAMPLEPAYER    *ZZ*SAMPLECLINIC   *261120*0740*^*00501*000000001*0*T*:~";
const std::string kHead = kIsa +
                          "GS*HP*SAMPLEPAYER*SAMPLECLINIC*20261120*0740*1*X*005010X221A1~ST*835*0001~"
                          "BPR*I*0*C*NON************20261120~TRN*1*T-1*1000000001~N1*PR*Sample Payer~";

/// A gigabyte of address space that repeats one megabyte of memory: `head`, then `pattern` over and over.
class Gigabyte {
 public:
  Gigabyte(const std::string& head, const std::string& pattern) {
    const int file = ::memfd_create("gigabyte", MFD_CLOEXEC);
    BOOST_REQUIRE(file >= 0);
    std::string block, first = head;
    while (block.size() < kBlock) block += pattern;
    block.resize(kBlock);
    first += block.substr(0, kBlock - first.size());
    BOOST_REQUIRE_EQUAL(::write(file, first.data(), kBlock), static_cast<ssize_t>(kBlock));
    BOOST_REQUIRE_EQUAL(::write(file, block.data(), kBlock), static_cast<ssize_t>(kBlock));
    start_ =
        static_cast<char*>(::mmap(nullptr, kGigabyte, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    BOOST_REQUIRE(start_ != MAP_FAILED);
    for (std::size_t at = 0; at < kGigabyte; at += kBlock)
      BOOST_REQUIRE(::mmap(start_ + at, kBlock, PROT_READ, MAP_SHARED | MAP_FIXED, file,
                           at == 0 ? 0 : static_cast<off_t>(kBlock)) != MAP_FAILED);
    ::close(file);
  }
  ~Gigabyte() { ::munmap(start_, kGigabyte); }
  Gigabyte(const Gigabyte&) = delete;
  Gigabyte& operator=(const Gigabyte&) = delete;
  std::string_view bytes() const { return {start_, kGigabyte}; }

 private:
  char* start_ = nullptr;
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// While it lives this process gets no more than `kMostGrowth` of memory of its own beyond what it has. Not under a
/// sanitizer, whose own books grow too.
class LittleMemory {
 public:
  LittleMemory() {
    BOOST_REQUIRE_EQUAL(::getrlimit(RLIMIT_DATA, &before_), 0);
    if (kSanitized) return;
    const rlimit little{own_memory() + kMostGrowth, before_.rlim_max};
    BOOST_REQUIRE_EQUAL(::setrlimit(RLIMIT_DATA, &little), 0);
  }
  ~LittleMemory() { ::setrlimit(RLIMIT_DATA, &before_); }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;

 private:
  static rlim_t own_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
      if (line.rfind("VmData:", 0) == 0) return std::stoull(line.substr(7)) * 1024;
    BOOST_FAIL("/proc/self/status says nothing of VmData");
    return 0;
  }

  rlimit before_{};
};

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

bool same_payment(const RemittanceDraft& a, const RemittanceDraft& b) {
  return a.trace_number == b.trace_number && a.payment_amount == b.payment_amount &&
         a.claims.size() == b.claims.size() && domain::balance_of(a).difference == domain::balance_of(b).difference &&
         a.provider_adjustments.size() == b.provider_adjustments.size();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(x12_835_limits, RemittanceReader)

/// What is returned for a beginning of a file is payments in full, and fewer of them only where an interchange ended.
BOOST_AUTO_TEST_CASE(no_file_cut_at_any_byte_is_taken_for_less_than_it_says) {
  std::size_t cuts = 0;
  const std::string folder = TIDEOVER_SOURCE_DIR "/tests/data/x12_835";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".835" || entry.file_size() == 0) continue;
    const auto whole = bytes_of(entry.path().string());
    const auto complete = parse(whole);
    if (!complete) continue;
    BOOST_TEST_CONTEXT(entry.path().filename())
    for (std::size_t length = 0; length < whole.size(); ++length, ++cuts) {
      const auto part = whole.substr(0, length);
      const auto result = parse(part);
      if (!result) {
        if (result.error().details.size() != 2) BOOST_ERROR("cut after byte " << length << ": no position");
        continue;
      }
      bool is_whole = result->size() <= complete->size();
      for (std::size_t i = 0; is_whole && i < result->size(); ++i)
        is_whole = same_payment((*result)[i], (*complete)[i]);
      if (!is_whole) BOOST_ERROR("cut after byte " << length << ": half a payment");
      const auto last = part.rfind("IEA");
      if (result->size() < complete->size() && (last == std::string::npos || part.size() - last > 20))
        BOOST_ERROR("cut after byte " << length << ": fewer payments although no interchange ended there");
    }
  }
  BOOST_TEST_MESSAGE(cuts << " cuts");
  BOOST_TEST(cuts > 30'000u);
  BOOST_TEST(faults.empty());
}

BOOST_AUTO_TEST_CASE(a_gigabyte_on_one_line_is_refused_early_and_in_little_memory) {
  struct Flood {
    std::string head, pattern, says;
    ErrorCode code = ErrorCode::invalid_payload;
  };
  const std::vector<Flood> floods{
      {"", "A", "must start with ISA"},
      {"", std::string(1, '\0'), "padding"},
      {kIsa, "A", "longer than 16384 bytes"},
      {kIsa, "*", "longer than 16384 bytes"},
      {kIsa, std::string(1, '\0'), "padding"},
      {"ISA", "*", "delimiters"},
      {"ST*835*0001", "*", "longer than 16384 bytes"},
      {kHead + "CLP*V-1*1*1*1~", "SVC*HC:99213*1*1~", "more than 999 service lines", kTooLarge},
      {kHead + "CLP*V-1*1*1*1~", "CAS*CO*45*1~", "more than 594 adjustments", kTooLarge},
      {kHead + "CLP*V-1*1*1*1~", "CAS*CO*45*1e9~", "CAS03"}};
  for (const auto& flood : floods) {
    BOOST_TEST_CONTEXT(flood.head << " and " << flood.pattern) {
      const Gigabyte file(flood.head, flood.pattern);
      const LittleMemory limit;
      check_says(refused(file.bytes(), flood.code).message, {flood.says});
    }
  }
  BOOST_TEST(faults.empty());
}

BOOST_AUTO_TEST_CASE(a_file_of_more_details_than_a_request_may_bring_is_refused) {
  const std::string claim = "CLP*V-1*1*0*0~" + repeated("SVC*HC:99213*0*0~", 999);
  const std::string end = "SE*1*0001~GE*1*1~IEA*1*000000001~";
  check_says(refused(kHead + repeated(claim, 251) + end, kTooLarge).message, {"more than 250000"});
  check_says(refused(kHead + repeated("PLB*1*20261231*WO:A*1~", 250'001) + end, kTooLarge).message,
             {"more than 250000"});
  BOOST_TEST(read(kHead + repeated("PLB*1*20261231*WO:A*1~", 249'999) + end).at(0).provider_adjustments.size() ==
             249'999u);
  BOOST_TEST(faults.empty());
}

BOOST_AUTO_TEST_CASE(warnings_end_with_a_warning_that_there_are_more) {
  const std::string end = "SE*1*0001~GE*1*1~IEA*1*000000001~";
  const auto drafts = read(kHead + repeated("CLP*V-1*1*1*0~", 2'000) + end);
  BOOST_TEST(drafts.at(0).warnings.size() == 1'000u);
  check_says(drafts.at(0).warnings.back(), {"further warnings were omitted"});

  const auto payments = read(repeated("ST*835*0001~BPR*I*0*C~SE*1*0001~", 5'000));
  std::size_t warnings = 0;
  for (const auto& draft : payments) warnings += draft.warnings.size();
  BOOST_TEST(warnings == 10'000u);
  BOOST_TEST(faults.empty());
}

BOOST_AUTO_TEST_SUITE_END()
