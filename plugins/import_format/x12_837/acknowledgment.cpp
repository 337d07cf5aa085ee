#include "acknowledgment.hpp"

#include <algorithm>

#include "tideover/x12_writer.hpp"

namespace x12_837 {
namespace {

using x12::Problem;

constexpr std::int64_t kLargestControlNumber = 999'999'999;
constexpr std::size_t kMostCodes = 5;  // IK502 to IK506, AK905 to AK909
constexpr std::size_t kLongestClaimNumber = 35;
constexpr const char* kVersion = "005010X231A1";

using tideover::sdk::X12Writer;

/// A value of the file.
std::string plain(std::string_view text, std::size_t longest = 80) {
  return tideover::sdk::x12_text(text, longest);
}

void add_code(std::vector<std::string>& codes, const char* code) {
  if (codes.size() < kMostCodes && std::find(codes.begin(), codes.end(), code) == codes.end()) codes.emplace_back(code);
}

}  // namespace

/// The text of one interchange of answers. Its control numbers are the next ones of the service.
struct AcknowledgmentWriter::Answer {
  std::int64_t now_ms;
  std::int64_t* last_number;
  std::string text{};
  X12Writer out{text};

  std::int64_t next_number() { return *last_number = *last_number % kLargestControlNumber + 1; }
  /// Sender and receiver change places. Returns the control number.
  std::int64_t open(const Segment& isa) {
    const auto number = next_number();
    out.interchange({{std::string(isa.at(7)), std::string(isa.at(8))},
                     {std::string(isa.at(5)), std::string(isa.at(6))},
                     now_ms,
                     number,
                     isa.at(15) == "T"});
    return number;
  }
};

AcknowledgmentWriter::Transaction* AcknowledgmentWriter::transaction() {
  if (interchanges_.empty() || interchanges_.back().groups.empty()) return nullptr;
  auto& transactions = interchanges_.back().groups.back().transactions;
  return transactions.empty() ? nullptr : &transactions.back();
}

void AcknowledgmentWriter::open(const Segment& header) {
  if (header.id() == "ISA") interchanges_.push_back({header, {}, "000", false});
  if (interchanges_.empty()) return;  // a file without envelope has no sender to answer
  auto& groups = interchanges_.back().groups;
  if (header.id() == "GS") groups.push_back({header, {}, {}, {}});
  if (header.id() == "ST" && !groups.empty()) groups.back().transactions.push_back({header, {}, {}, 0, false});
}

void AcknowledgmentWriter::skip_transaction() {
  if (auto* open = transaction()) open->is_foreign = true;
}

void AcknowledgmentWriter::add_claim(const Claim& claim) {
  auto* open = transaction();
  if (!open) return;
  ++open->claims;
  if (claim.fault()) open->faults.push_back(*claim.fault());
}

void AcknowledgmentWriter::problem(const Problem& problem, const Segment& latest) {
  if (interchanges_.empty()) return;
  auto& interchange = interchanges_.back();
  const auto note = [&](const char* code) {
    if (interchange.code == "000") interchange.code = code;
  };
  if (problem.kind == Problem::kTruncated) {
    interchange.is_rejected = true;
    interchange.code = "023";
  } else if (problem.level == x12::kInterchange) {
    if (problem.kind == Problem::kWrongControl) note("001");
    if (problem.kind == Problem::kWrongCount) note("021");
    if (problem.kind == Problem::kNoTrailer || problem.kind == Problem::kNoHeader) note("022");
  } else if (problem.level == x12::kGroup && !interchange.groups.empty()) {
    auto& group = interchange.groups.back();
    if (problem.kind == Problem::kNoTrailer) add_code(group.codes, "3");
    if (problem.kind == Problem::kWrongControl) add_code(group.codes, "4");
    if (problem.kind == Problem::kWrongCount) {
      add_code(group.codes, "5");
      group.counted = plain(latest.at(1), 6);
    }
  } else if (auto* open = transaction()) {
    if (problem.kind == Problem::kWrongControl) add_code(open->codes, "3");
    if (problem.kind == Problem::kWrongCount) add_code(open->codes, "4");
  }
}

void AcknowledgmentWriter::break_off() {
  if (interchanges_.empty() || interchanges_.back().is_rejected) return;
  interchanges_.back().is_rejected = true;
  interchanges_.back().code = "024";
}

/// The claims that were read are taken, so only a transaction without any is rejected.
char AcknowledgmentWriter::status_of(const Transaction& transaction) {
  const auto refused = static_cast<int>(transaction.faults.size());
  if (transaction.is_foreign || (refused > 0 && refused == transaction.claims)) return 'R';
  return refused > 0 || !transaction.codes.empty() ? 'E' : 'A';
}

void AcknowledgmentWriter::write_transaction(Answer& answer, const Transaction& transaction) {
  const auto& header = transaction.header;
  answer.out.segment({"AK2", plain(header.at(1), 3), plain(header.at(2), 9), plain(header.at(3), 35)});
  for (const auto& fault : transaction.faults) {
    // ST is segment 1 of its transaction.
    const auto position = fault.position.number - header.number() + 1;
    answer.out.segment({"IK3", plain(fault.position.id, 3), std::to_string(position), fault.loop, fault.segment_code});
    const auto claim = plain(fault.claim_identifier, kLongestClaimNumber);
    if (!claim.empty()) answer.out.segment({"CTX", "CLM01:" + claim});
    if (fault.element > 0) answer.out.segment({"IK4", std::to_string(fault.element), "", fault.element_code});
  }
  auto codes = transaction.codes;
  if (transaction.is_foreign) add_code(codes, "1");
  if (!transaction.faults.empty()) add_code(codes, "5");
  std::vector<std::string> end{"IK5", std::string(1, status_of(transaction))};
  end.insert(end.end(), codes.begin(), codes.end());
  answer.out.segment(end);
}

void AcknowledgmentWriter::write_group(Answer& answer, const Group& group) {
  const auto& gs = group.header;
  const auto number = std::to_string(answer.next_number());  // of a numeric type: without leading zeros
  answer.out.segment({"GS", "FA", plain(gs.at(3), 15), plain(gs.at(2), 15), X12Writer::day(answer.now_ms),
                      X12Writer::time(answer.now_ms), number, "X", kVersion});
  const int before = answer.out.segments();
  answer.out.segment({"ST", "999", "0001", kVersion});
  answer.out.segment({"AK1", plain(gs.at(1), 2), plain(gs.at(6), 9), plain(gs.at(8), 12)});
  int accepted = 0;
  bool is_flawless = group.codes.empty();
  for (const auto& transaction : group.transactions) {
    write_transaction(answer, transaction);
    if (status_of(transaction) != 'R') ++accepted;
    if (status_of(transaction) != 'A') is_flawless = false;
  }
  const auto received = static_cast<int>(group.transactions.size());
  const char* status = is_flawless ? "A" : accepted == received ? "E" : accepted > 0 ? "P" : "R";
  std::vector<std::string> end{"AK9", status, group.counted.empty() ? std::to_string(received) : group.counted,
                               std::to_string(received), std::to_string(accepted)};
  end.insert(end.end(), group.codes.begin(), group.codes.end());
  answer.out.segment(end);
  answer.out.segment({"SE", std::to_string(answer.out.segments() - before + 1), "0001"});
  answer.out.segment({"GE", "1", number});
}

std::optional<tideover::sdk::Acknowledgment> AcknowledgmentWriter::write(std::int64_t last_control_number,
                                                                         std::int64_t now_ms) const {
  if (interchanges_.empty()) return std::nullopt;
  tideover::sdk::Acknowledgment made;
  made.last_control_number = last_control_number;
  for (const auto& interchange : interchanges_) {
    const auto& isa = interchange.header;
    const char* status = interchange.is_rejected ? "R" : interchange.code == "000" ? "A" : "E";
    if (isa.at(14) == "1" || *status != 'A') {
      Answer answer{now_ms, &made.last_control_number};
      const auto number = answer.open(isa);
      answer.out.segment({"TA1", X12Writer::padded(plain(isa.at(13), 9), 9), plain(isa.at(9), 6), plain(isa.at(10), 4),
                          status, interchange.code});
      answer.out.end_interchange(0, number);
      made.interchange += answer.text;
    }
    if (interchange.is_rejected || interchange.groups.empty()) continue;
    Answer answer{now_ms, &made.last_control_number};
    const auto number = answer.open(isa);
    for (const auto& group : interchange.groups) write_group(answer, group);
    answer.out.end_interchange(interchange.groups.size(), number);
    made.implementation += answer.text;
  }
  return made;
}

}  // namespace x12_837
