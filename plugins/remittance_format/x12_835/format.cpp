// X12 835 (004010 and 005010): interchanges, groups and transactions around the payments. The format is immutable and
// may parse on many threads at once.
#include <array>
#include <optional>

#include "elements.hpp"
#include "segments.hpp"
#include "tideover/remittance_format.hpp"
#include "transaction.hpp"

namespace x12_835 {
namespace {

namespace sdk = tideover::sdk;

/// How often the deadline is looked at.
constexpr std::int64_t kSegmentsPerLook = 1024;

/// Walks ISA > GS > ST, checks what is open and what was counted.
class Walk {
 public:
  Walk(std::string_view bytes, sdk::RemittanceSink& sink) : reader_(bytes), sink_(sink) {}

  void run(const sdk::Deadline& deadline) {
    Segment segment;
    while (reader_.next(segment)) {
      if (segment.number % kSegmentsPerLook == 0 && deadline.expired())
        throw fault_at(segment, "the time allowed for reading this file is over");
      take(segment);
      last_ = segment;
    }
    if (payments_ > 0 && !reader_.has_envelope())
      sink_.warning("the file has no ISA/IEA envelope; its delimiters were guessed");
    refuse_open();
    if (payments_ == 0) throw fault_at(last_, "the file holds no 835 transaction");
  }

 private:
  void take(const Segment& segment) {
    const auto id = segment.id();
    if (id == "ISA" || id == "IEA" || id == "GS" || id == "GE" || id == "ST") {
      if (transaction_ || is_foreign_) throw fault_at(segment, "the transaction before this segment has no SE");
    }
    if (id == "ISA") {
      if (interchange_) throw fault_at(segment, "the interchange before this ISA has no IEA");
      interchange_ = segment;
      groups_ = 0;
    } else if (id == "IEA") {
      end_group(segment, false);
      if (!interchange_) return warn(segment, "IEA without ISA");
      check_count(segment, groups_, "groups");
      check_control(segment, interchange_->at(13), "ISA13");
      interchange_.reset();
    } else if (id == "GS") {
      end_group(segment, false);
      group_ = segment;
      ++groups_;
      transactions_ = 0;
    } else if (id == "GE") {
      end_group(segment, true);
    } else if (id == "ST") {
      begin_transaction(segment);
    } else if (id == "SE") {
      end_transaction(segment);
    } else if (transaction_) {
      transaction_->take(segment, reader_.component());
    } else if (!is_foreign_ && id != "TA1") {
      throw fault_at(segment, "a segment stands outside every transaction");
    }
  }

  void begin_transaction(const Segment& st) {
    ++transactions_;
    if (st.at(1) == "835") {
      transaction_.emplace(st, sink_);
    } else {
      is_foreign_ = true;
      ++foreign_;
    }
  }

  void end_transaction(const Segment& se) {
    if (transaction_) {
      // Without IEA the control number alone tells a whole SE from one that was cut.
      if (!reader_.has_envelope() && !same_control_number(se.at(2), transaction_->opened_by().at(2)))
        throw fault_at(se, "the file is cut: SE02 is not the control number of its ST02");
      transaction_->finish(se);
      transaction_.reset();
      ++payments_;
      for (; foreign_ > 0; --foreign_) sink_.warning("a transaction that is not an 835 was left out");
    } else if (is_foreign_) {
      is_foreign_ = false;
    } else {
      throw fault_at(se, "SE without ST");
    }
  }

  void end_group(const Segment& segment, bool is_ge) {
    if (!group_) {
      if (is_ge) warn(segment, "GE without GS");
      return;
    }
    if (is_ge) {
      check_count(segment, transactions_, "transactions");
      check_control(segment, group_->at(6), "GS06");
    } else {
      warn(segment, "the group before this segment has no GE");
    }
    group_.reset();
  }

  void check_count(const Segment& segment, int counted, const char* things) {
    if (parse_count(segment.at(1)) != counted)
      warn(segment, std::string(segment.id()) + "01 counts " + printable(trim(segment.at(1)).substr(0, 12)) + " " + things +
                        ", there are " + std::to_string(counted));
  }

  void check_control(const Segment& segment, std::string_view opened, const char* name) {
    if (!same_control_number(segment.at(2), opened))
      warn(segment, std::string(segment.id()) + "02 is not the control number of its " + name);
  }

  /// A file that ends while something is open was cut.
  void refuse_open() const {
    if (transaction_ || is_foreign_) throw fault_at(last_, "the file is cut: the last transaction has no SE");
    if (interchange_) throw fault_at(last_, "the file is cut: the interchange has no IEA");
    if (group_ && reader_.has_envelope()) throw fault_at(last_, "the file is cut: the group has no GE");
  }

  /// The sink ties a warning to the latest payment; before the first one there is nothing to tie it to.
  void warn(const Segment& segment, const std::string& problem) {
    if (payments_ > 0)
      sink_.warning(problem + " (segment " + std::to_string(segment.number) + ", byte " + std::to_string(segment.byte) +
                    ")");
  }

  SegmentReader reader_;
  sdk::RemittanceSink& sink_;
  Segment last_{0, 0, {""}};
  std::optional<Segment> interchange_;
  std::optional<Segment> group_;
  std::optional<Transaction> transaction_;
  bool is_foreign_ = false;  // inside a transaction of another kind
  int foreign_ = 0;          // such transactions not yet warned about
  int groups_ = 0;
  int transactions_ = 0;
  int payments_ = 0;
};

class Format : public sdk::RemittanceFormat {
 public:
  static constexpr std::array<tideover_config_key, 0> kConfigKeys{};
  Format(const sdk::Host&, const sdk::Config&) {}

  void parse(std::string_view bytes, sdk::RemittanceSink& sink, const sdk::Deadline& deadline) override {
    Walk(bytes, sink).run(deadline);
  }
};

}  // namespace
}  // namespace x12_835

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::RemittanceFormat, x12_835::Format, "x12_835", "X12 835 remittance", "1.0.0", "0.1.0");
