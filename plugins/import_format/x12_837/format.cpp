// X12 837 claims, professional and institutional (004010 and 005010). The format is immutable; a reader is used by one
// thread at a time.
#include <array>
#include <deque>
#include <optional>

#include "acknowledgment.hpp"
#include "claim.hpp"
#include "tideover/import_format.hpp"
#include "x12/elements.hpp"
#include "x12/interchange.hpp"

namespace x12_837 {
namespace {

namespace sdk = tideover::sdk;
using x12::Problem;

/// Reads HL > CLM of each transaction. A claim is emitted when a later segment shows that it is complete.
class Reader final : public sdk::ImportReader, x12::InterchangeReader::Handler {
 public:
  /// `answer` may be null. It must outlive the reader.
  explicit Reader(sdk::ByteSource source, AcknowledgmentWriter* answer = nullptr)
      : interchanges_(source, "837", *this), answer_(answer) {}

  bool next(sdk::Record& record) override {
    while (ready_.empty() && !is_over_) {
      is_over_ = !interchanges_.next();
      if (is_over_ && !has_837_ && !answer_) throw at_end("the file has no 837 transaction");
    }
    if (ready_.empty()) return false;
    record = std::move(ready_.front());
    ready_.pop_front();
    return true;
  }

 private:
  void open(const Segment& header) override {
    if (answer_) answer_->open(header);
    if (header.id() == "ISA") is_test_ = header.at(15) == "T";
    if (header.id() != "ST") return;
    is_foreign_ = header.at(1) != "837";
    if (is_foreign_ && answer_) answer_->skip_transaction();
    if (is_foreign_) flag(header.position(), "this transaction is not an 837 and is skipped");
    has_837_ = has_837_ || !is_foreign_;
    above_ = {};
    above_.is_test = is_test_;
  }

  void take(const Segment& segment) override {
    if (is_foreign_) return;
    const auto id = segment.id();
    const char component = interchanges_.segments().component();
    if (id == "HL") {
      hand_over();
      // 20 billing provider, 22 subscriber, 23 patient: the values of a level apply to the levels below it.
      if (segment.at(3) == "20") {
        above_.billing_npi.clear();
        above_.currency.clear();
        above_.has_pay_to_plan = false;
      }
      if (segment.at(3) == "20" || segment.at(3) == "22") {
        above_.payer_id.clear();
        above_.sequence.clear();
        above_.filing.clear();
      }
    } else if (id == "CLM") {
      hand_over();
      claim_.emplace(segment, above_, component);
    } else if (claim_) {
      claim_->take(segment, component);
    } else if (id == "BHT") {
      above_.submitted_date = date_of(segment.at(4));
      above_.is_encounter = segment.at(6) == "RP";
      above_.is_subrogation = segment.at(6) == "31";
    } else if (id == "SBR") {
      above_.sequence = segment.at(1);
      above_.filing = segment.at(9);
    } else if (id == "NM1" && segment.at(1) == "PE") {
      above_.has_pay_to_plan = true;
    } else if (id == "CUR") {
      above_.currency = x12::printable(segment.at(2));
    } else if (id == "NM1" && segment.at(1) == "85") {
      above_.billing_npi = x12::printable(npi_of(segment));
    } else if (id == "NM1" && segment.at(1) == "PR") {
      above_.payer_id = x12::printable(segment.at(9));
    }
  }

  static std::string date_of(std::string_view text) {
    if (text.size() != 8 || !x12::parse_count(text)) return {};
    return std::string(text.substr(0, 4)) + '-' + std::string(text.substr(4, 2)) + '-' + std::string(text.substr(6, 2));
  }

  void hand_over() {
    if (!claim_) return;
    if (answer_) answer_->add_claim(*claim_);
    ready_.push_back(claim_->finish());
    claim_.reset();
  }

  /// The open claim may lack its last lines where SE is missing, so it is not emitted.
  void close(const Segment& trailer) override {
    if (trailer.id() != "SE") throw x12::fault_at(trailer, "the transaction before this segment has no SE");
    hand_over();
  }

  /// A problem of an envelope becomes its own row, so that it is not overlooked; the claims are read anyway. Rows do
  /// not quote the file.
  void problem(const Problem& problem) override {
    const auto& id = problem.position.id;
    if (answer_) answer_->problem(problem, interchanges_.segment());
    if (problem.kind == Problem::kTruncated)
      throw problem.level == x12::kTransaction && id == "SE" ? x12::fault_at(problem.position, problem.text)
                                                             : at_end(problem.text);
    const bool is_group_open = problem.kind == Problem::kNoTrailer && problem.level == x12::kGroup;
    flag(problem.position, is_group_open                        ? "the group before this " + id + " has no GE"
                           : problem.kind == Problem::kNoHeader ? id + " without its header"
                           : problem.kind == Problem::kWrongCount
                               ? id + "01 does not have the count of " + problem.counted + " in the file"
                               : problem.text);
  }

  void flag(const x12::Position& position, const std::string& problem) {
    ready_.push_back({position.number, position.byte, {}, x12::message_at(position, problem)});
  }

  sdk::Fault at_end(const std::string& problem) const {
    const auto& last = interchanges_.segment().position();
    return sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, problem + " (after segment " + std::to_string(last.number) + ' ' +
                                                        x12::printable(last.id) + ", byte " +
                                                        std::to_string(last.byte) + ")")
        .at_segment(last.number, last.byte);
  }

  x12::InterchangeReader interchanges_;
  AcknowledgmentWriter* const answer_;
  Surroundings above_;
  std::optional<Claim> claim_;
  std::deque<sdk::Record> ready_;
  bool is_foreign_ = false;  // inside a transaction of another kind
  bool has_837_ = false;
  bool is_test_ = false;  // inside a test interchange
  bool is_over_ = false;
};

class Format final : public sdk::ImportFormat {
 public:
  static constexpr std::array<tideover_config_key, 0> kConfigKeys{};
  Format(const sdk::Host&, const sdk::Config&) {}

  std::unique_ptr<sdk::ImportReader> open(sdk::ByteSource source, const sdk::Pairs& mapping) override {
    if (!mapping.empty())
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_MAPPING, "an X12 file has no headers; remove mapping");
    return std::make_unique<Reader>(source);
  }

  std::optional<sdk::Acknowledgment> acknowledge(std::string_view bytes, std::int64_t last_control_number,
                                                 std::int64_t now_ms) override {
    AcknowledgmentWriter answer;
    const auto source = claim_rows::memory_source(bytes);
    try {
      Reader reader(sdk::ByteSource(&source), &answer);
      sdk::Record record;
      while (reader.next(record)) {
      }
    } catch (const sdk::Fault&) {
      answer.break_off();
    }
    return answer.write(last_control_number, now_ms);
  }
};

}  // namespace
}  // namespace x12_837

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::ImportFormat, x12_837::Format, "x12_837", "Claims as X12 837", "1.0.0", "0.1.0");
