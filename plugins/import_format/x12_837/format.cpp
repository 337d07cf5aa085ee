// X12 837 claims, professional and institutional (004010 and 005010): interchanges, groups and transactions around the
// claims. The format is immutable; a reader is used by one thread at a time.
#include <array>
#include <deque>
#include <optional>

#include "claim.hpp"
#include "tideover/import_format.hpp"
#include "x12/elements.hpp"

namespace x12_837 {
namespace {

namespace sdk = tideover::sdk;

/// Reads ISA > GS > ST > HL > CLM. A claim is emitted when a later segment shows that it is complete.
class Reader final : public sdk::ImportReader {
 public:
  explicit Reader(sdk::ByteSource source) : segments_(source, "837") {}

  bool next(sdk::Record& record) override {
    while (ready_.empty() && !is_over_) {
      if (segments_.next(segment_))
        take();
      else
        end();
    }
    if (ready_.empty()) return false;
    record = std::move(ready_.front());
    ready_.pop_front();
    return true;
  }

 private:
  /// An envelope, open until its trailer.
  struct Envelope {
    std::string control;
    int parts = 0;
  };

  void take() {
    const auto id = segment_.id();
    last_ = segment_.position();
    if (transaction_) ++transaction_->parts;
    if (id == "ISA") {
      open_interchange();
    } else if (id == "IEA") {
      if (group_) flag("the group before this IEA has no GE");
      group_.reset();
      close(interchange_, "ISA13");
    } else if (id == "GS") {
      refuse_open_transaction();
      if (group_) flag("the group before this GS has no GE");
      count(interchange_);
      group_ = Envelope{std::string(segment_.at(6)), 0};
    } else if (id == "GE") {
      refuse_open_transaction();
      close(group_, "GS06");
    } else if (id == "ST") {
      open_transaction();
    } else if (id == "SE") {
      close_transaction();
    } else if (!transaction_) {
      if (id != "TA1") throw x12::fault_at(segment_, "a segment is outside every transaction");
    } else if (!is_foreign_) {
      take_of_claims(id);
    }
  }

  void take_of_claims(std::string_view id) {
    if (id == "HL") {
      hand_over();
      // 20 billing provider, 22 subscriber, 23 patient: the values of a level apply to the levels below it.
      if (segment_.at(3) == "20") {
        above_.billing_npi.clear();
        above_.currency.clear();
        above_.has_pay_to_plan = false;
      }
      if (segment_.at(3) == "20" || segment_.at(3) == "22") {
        above_.payer_id.clear();
        above_.sequence.clear();
        above_.filing.clear();
      }
    } else if (id == "CLM") {
      hand_over();
      claim_.emplace(segment_, above_, segments_.component());
    } else if (claim_) {
      claim_->take(segment_, segments_.component());
    } else if (id == "BHT") {
      above_.submitted_date = date_of(segment_.at(4));
      above_.is_encounter = segment_.at(6) == "RP";
      above_.is_subrogation = segment_.at(6) == "31";
    } else if (id == "SBR") {
      above_.sequence = segment_.at(1);
      above_.filing = segment_.at(9);
    } else if (id == "NM1" && segment_.at(1) == "PE") {
      above_.has_pay_to_plan = true;
    } else if (id == "CUR") {
      above_.currency = x12::printable(segment_.at(2));
    } else if (id == "NM1" && segment_.at(1) == "85") {
      above_.billing_npi = x12::printable(npi_of(segment_));
    } else if (id == "NM1" && segment_.at(1) == "PR") {
      above_.payer_id = x12::printable(segment_.at(9));
    }
  }

  static std::string date_of(std::string_view text) {
    if (text.size() != 8 || !x12::parse_count(text)) return {};
    return std::string(text.substr(0, 4)) + '-' + std::string(text.substr(4, 2)) + '-' + std::string(text.substr(6, 2));
  }

  void hand_over() {
    if (!claim_) return;
    ready_.push_back(claim_->finish());
    claim_.reset();
  }

  /// A problem of an envelope becomes its own row, so that it is not overlooked; the claims are read anyway.
  void flag(const std::string& problem) {
    ready_.push_back({segment_.number(), segment_.position().byte, {}, x12::message_at(segment_, problem)});
  }

  static void count(std::optional<Envelope>& envelope) {
    if (envelope) ++envelope->parts;
  }

  void open_interchange() {
    refuse_open_transaction();
    if (interchange_) flag("the interchange before this ISA has no IEA and may be incomplete");
    group_.reset();
    if (!segments_.isa_problem().empty()) flag(segments_.isa_problem());
    interchange_ = Envelope{std::string(segment_.at(13)), 0};
    is_test_ = segment_.at(15) == "T";
  }

  void open_transaction() {
    refuse_open_transaction();
    count(group_);
    transaction_ = Envelope{std::string(segment_.at(2)), 1};
    is_foreign_ = segment_.at(1) != "837";
    if (is_foreign_) flag("this transaction is not an 837 and is skipped");
    has_837_ = has_837_ || !is_foreign_;
    above_ = {};
    above_.is_test = is_test_;
  }

  void close_transaction() {
    if (!transaction_) throw x12::fault_at(segment_, "SE without ST");
    hand_over();
    if (!x12::same_control_number(segment_.at(2), transaction_->control)) {
      // Without IEA only the control number proves that SE is complete.
      if (!segments_.has_envelope())
        throw x12::fault_at(segment_, "the file is truncated: SE02 is not the control number of its ST02");
      flag("SE02 is not the control number of its ST02");
    }
    check_count(transaction_->parts, "segments");
    transaction_.reset();
  }

  void close(std::optional<Envelope>& envelope, const char* control) {
    refuse_open_transaction();
    const std::string id(segment_.id());
    if (!envelope) return flag(id + " without its header");
    check_count(envelope->parts, &envelope == &group_ ? "transactions" : "groups");
    if (!x12::same_control_number(segment_.at(2), envelope->control))
      flag(id + "02 is not the control number of its " + control);
    envelope.reset();
  }

  void check_count(int counted, const char* things) {
    if (x12::parse_count(segment_.at(1)) != counted)
      flag(std::string(segment_.id()) + "01 does not have the count of " + std::to_string(counted) + ' ' + things +
           " in the file");
  }

  /// The open claim may lack its last lines, so it is not emitted.
  void refuse_open_transaction() const {
    if (transaction_) throw x12::fault_at(segment_, "the transaction before this segment has no SE");
  }

  void end() {
    is_over_ = true;
    const char* open = transaction_                         ? "the last transaction has no SE"
                       : group_ && segments_.has_envelope() ? "the group has no GE"
                       : interchange_                       ? "the interchange has no IEA"
                                                            : nullptr;
    if (open) throw at_end(std::string("the file is truncated: ") + open);
    if (!has_837_) throw at_end("the file has no 837 transaction");
    if (const auto& surplus = segments_.surplus())
      ready_.push_back({surplus->number,
                        surplus->byte,
                        {},
                        x12::message_at(*surplus, "the data after the last IEA is not X12 and is skipped")});
  }

  sdk::Fault at_end(const std::string& problem) const {
    return sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, problem + " (after segment " + std::to_string(last_.number) + ' ' +
                                                        x12::printable(last_.id) + ", byte " +
                                                        std::to_string(last_.byte) + ")")
        .at_segment(last_.number, last_.byte);
  }

  x12::SegmentReader segments_;
  Segment segment_;
  x12::Position last_;
  std::optional<Envelope> interchange_, group_, transaction_;
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
};

}  // namespace
}  // namespace x12_837

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::ImportFormat, x12_837::Format, "x12_837", "Claims as X12 837", "1.0.0", "0.1.0");
