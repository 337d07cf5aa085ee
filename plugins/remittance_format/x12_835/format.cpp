// X12 835 (004010 and 005010): interchanges, groups and transactions around the payments. The format is immutable and
// can parse on many threads at once.
#include <array>
#include <map>
#include <optional>

#include "tideover/money.hpp"
#include "tideover/remittance_format.hpp"
#include "transaction.hpp"

namespace x12_835 {
namespace {

namespace sdk = tideover::sdk;

/// Segments between checks of the deadline.
constexpr std::int64_t kSegmentsPerLook = 1024;

constexpr std::size_t kLongestControl = 9;   // ST02
constexpr std::size_t kLongestCurrency = 3;  // ISO 4217

/// Warnings of the envelope before the first payment; further ones are dropped.
constexpr std::size_t kMostEarlyWarnings = 100;

std::int64_t read_view(void* ctx, char* into, std::size_t capacity) noexcept {
  auto& rest = *static_cast<std::string_view*>(ctx);
  const std::size_t count = rest.copy(into, capacity);
  rest.remove_prefix(count);
  return static_cast<std::int64_t>(count);
}

/// Segments of a file in memory.
class Segments {
 public:
  explicit Segments(std::string_view bytes) : rest_(bytes), reader_(sdk::ByteSource(&source_), "835") {}
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;
  x12::SegmentReader* operator->() { return &reader_; }
  const x12::SegmentReader* operator->() const { return &reader_; }
  /// Throws after the deadline.
  bool next(Segment& segment, const sdk::Deadline& deadline) {
    if (!reader_.next(segment)) return false;
    if (segment.number() % kSegmentsPerLook == 0 && deadline.expired())
      throw fault_at(segment, "the time limit for reading this file was exceeded", TIDEOVER_FAULT_DEADLINE);
    return true;
  }

 private:
  std::string_view rest_;
  const tideover_byte_source source_{sizeof source_, 0, &rest_, &read_view};
  x12::SegmentReader reader_;
};

/// True when the file contains the letters CUR, even across a line break.
bool may_hold_currency(std::string_view bytes) {
  constexpr std::string_view id = "CUR";
  std::size_t matched = 0;
  for (const char c : bytes) {
    if (c == '\n' || c == '\r') continue;
    matched = c == id[matched] ? matched + 1 : c == id.front() ? 1 : 0;
    if (matched == id.size()) return true;
  }
  return false;
}

/// For each transaction, by the number of its ST, the first CUR segment with a currency other than US dollars. CUR may
/// be at any position, and a payment is emitted as soon as its first claim is read, so a file with CUR is scanned in
/// advance.
std::map<std::int64_t, Segment> foreign_currencies(std::string_view bytes, const sdk::Deadline& deadline) {
  std::map<std::int64_t, Segment> found;
  if (!may_hold_currency(bytes)) return found;
  Segments segments(bytes);
  Segment segment;
  std::int64_t transaction = 0;
  while (segments.next(segment, deadline)) {
    if (segment.id() == "ST") transaction = segment.number();
    if (segment.id() == "CUR" && !segment.at(2).empty() && !sdk::is_us_dollars(segment.at(2)))
      found.emplace(transaction, segment);
  }
  return found;
}

/// Reads ISA > GS > ST and checks the open envelopes and their counts.
class Walk {
 public:
  Walk(std::string_view bytes, sdk::RemittanceSink& sink, tideover_date today, const sdk::Deadline& deadline)
      : foreign_currencies_(foreign_currencies(bytes, deadline)),
        reader_(bytes),
        sink_(sink),
        today_(today),
        deadline_(deadline) {}

  void run() {
    Segment segment;
    while (reader_.next(segment, deadline_)) {
      take(segment);
      last_ = segment.position();
    }
    if (payments_ > 0 && !reader_->has_envelope())
      sink_.warning("the file has no ISA/IEA envelope; its delimiters were guessed");
    refuse_open();
    if (payments_ == 0 && left_out_ == 0) throw fault_at(last_, "the file has no 835 transaction");
    if (payments_ == 0) return;
    if (const auto& surplus = reader_->surplus())
      sink_.warning(message_at(*surplus, "the data after the last IEA is not X12 and is skipped"));
    if (foreign_ > 0) sink_.warning("skipped transactions that are not an 835: " + std::to_string(foreign_));
  }

 private:
  bool in_transaction() const { return transaction_ || is_skipped_; }

  void take(const Segment& segment) {
    const auto id = segment.id();
    if (id == "ISA") {
      begin_interchange(segment);
    } else if (id == "IEA") {
      end_interchange(segment);
    } else if (id == "GS") {
      begin_group(segment);
    } else if (id == "GE") {
      end_group(segment);
    } else if (id == "ST") {
      begin_transaction(segment);
    } else if (id == "SE") {
      if (!in_transaction()) throw fault_at(segment, "SE without ST");
      end_transaction(segment);
    } else if (transaction_) {
      transaction_->take(segment, reader_->component());
    } else if (!is_skipped_ && id != "TA1") {
      throw fault_at(segment, "a segment is outside every transaction");
    }
  }

  /// A trailer is only known to be missing when its envelope continues; a new ISA may follow a truncated file.
  void begin_interchange(const Segment& isa) {
    if (in_transaction()) throw fault_at(isa, "the transaction before this ISA has no SE");
    if (interchange_ && group_) throw fault_at(isa, "the interchange before this ISA has neither GE nor IEA");
    if (interchange_) warn(isa, "the interchange before this ISA has no IEA and may be incomplete");
    if (!reader_->isa_problem().empty()) warn(isa, reader_->isa_problem());
    interchange_ = isa;
    groups_ = 0;
  }

  void end_interchange(const Segment& iea) {
    end_open_group(iea);
    if (!interchange_) return warn(iea, "IEA without ISA");
    check_count(iea, groups_, "groups");
    check_control(iea, interchange_->at(13), "ISA13");
    interchange_.reset();
  }

  void begin_group(const Segment& gs) {
    end_open_group(gs);
    const auto version = gs.at(8).substr(0, 6);
    if (version != "004010" && version != "005010") warn(gs, "GS08 is neither version 004010 nor 005010");
    group_ = gs;
    ++groups_;
    transactions_ = 0;
  }

  void end_group(const Segment& ge) {
    end_open_transaction(ge);
    if (!group_) return warn(ge, "GE without GS");
    check_count(ge, transactions_, "transactions");
    check_control(ge, group_->at(6), "GS06");
    group_.reset();
  }

  void begin_transaction(const Segment& st) {
    end_open_transaction(st);
    ++transactions_;
    is_skipped_ = true;
    if (st.at(1) != "835") {
      ++foreign_;
    } else if (const auto currency = foreign_currencies_.find(st.number()); currency != foreign_currencies_.end()) {
      leave_out(st, currency->second);
    } else {
      is_skipped_ = false;
      transaction_.emplace(st, sink_, today_, interchange_ && interchange_->at(15) == "T");
    }
  }

  void leave_out(const Segment& st, const Segment& currency) {
    ++left_out_;
    sink_.left_out(st.number(),
                   message_at(currency, "the payment of transaction " + printable(st.at(2).substr(0, kLongestControl)) +
                                            " is in " + printable(currency.at(2).substr(0, kLongestCurrency)) +
                                            " (CUR02); only US dollars are accepted"));
  }

  void end_transaction(const Segment& segment) {
    is_skipped_ = false;
    if (!transaction_) return;
    const bool is_se = segment.id() == "SE";
    // Without IEA only the control number proves that SE is complete.
    if (is_se && !reader_->has_envelope() && !same_control_number(segment.at(2), transaction_->opened_by().at(2)))
      throw fault_at(segment, "the file is truncated: SE02 is not the control number of its ST02");
    transaction_->finish(segment);
    transaction_.reset();
    ++payments_;
    for (const auto& warning : early_) sink_.warning(warning);
    early_.clear();
    if (!is_se) warn(segment, "the transaction before this segment has no SE and may be incomplete");
  }

  void end_open_transaction(const Segment& behind) {
    if (!in_transaction()) return;
    if (!reader_->has_envelope()) throw fault_at(behind, "the transaction before this segment has no SE");
    end_transaction(behind);
  }

  void end_open_group(const Segment& behind) {
    end_open_transaction(behind);
    if (group_) warn(behind, "the group before this segment has no GE");
    group_.reset();
  }

  void check_count(const Segment& segment, int counted, const char* things) {
    if (x12::parse_count(segment.at(1)) != counted)
      warn(segment, std::string(segment.id()) + "01 counts " + printable(segment.at(1).substr(0, 12)) + " " + things +
                        ", the file has " + std::to_string(counted));
  }

  void check_control(const Segment& segment, std::string_view opened, const char* name) {
    if (!same_control_number(segment.at(2), opened))
      warn(segment, std::string(segment.id()) + "02 is not the control number of its " + name);
  }

  /// A file that ends with an open envelope is truncated.
  void refuse_open() const {
    if (in_transaction()) throw fault_at(last_, "the file is truncated: the last transaction has no SE");
    if (interchange_) throw fault_at(last_, "the file is truncated: the interchange has no IEA");
    if (group_ && reader_->has_envelope()) throw fault_at(last_, "the file is truncated: the group has no GE");
  }

  /// The sink adds a warning to the latest payment; warnings before the first payment wait for it.
  void warn(const Segment& segment, const std::string& problem) {
    const auto message = message_at(segment.position(), problem);
    if (payments_ > 0)
      sink_.warning(message);
    else if (early_.size() < kMostEarlyWarnings)
      early_.push_back(message);
  }

  const std::map<std::int64_t, Segment> foreign_currencies_;
  Segments reader_;
  sdk::RemittanceSink& sink_;
  const tideover_date today_;
  Position last_;
  std::optional<Segment> interchange_;
  std::optional<Segment> group_;
  std::optional<Transaction> transaction_;
  std::vector<std::string> early_;
  const sdk::Deadline& deadline_;
  bool is_skipped_ = false;  // inside a transaction of another kind or currency
  int foreign_ = 0;          // transactions of another kind
  int left_out_ = 0;         // of another currency
  int groups_ = 0;
  int transactions_ = 0;
  int payments_ = 0;
};

class Format : public sdk::RemittanceFormat {
 public:
  static constexpr std::array<tideover_config_key, 0> kConfigKeys{};
  Format(const sdk::Host& host, const sdk::Config&) : host_(host) {}

  void parse(std::string_view bytes, sdk::RemittanceSink& sink, const sdk::Deadline& deadline) override {
    Walk(bytes, sink, host_.local_date(host_.now_ms()), deadline).run();
  }

 private:
  const sdk::Host host_;
};

}  // namespace
}  // namespace x12_835

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::RemittanceFormat, x12_835::Format, "x12_835", "X12 835 remittance", "1.0.0",
                       "0.1.0");
