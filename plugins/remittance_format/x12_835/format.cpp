// X12 835 (004010 and 005010). The format is immutable and can parse on many threads at once.
#include <array>
#include <map>
#include <optional>

#include "tideover/money.hpp"
#include "tideover/remittance_format.hpp"
#include "transaction.hpp"
#include "x12/interchange.hpp"

namespace x12_835 {
namespace {

namespace sdk = tideover::sdk;
using x12::Problem;

/// Segments between checks of the deadline.
constexpr std::int64_t kSegmentsPerLook = 1024;

constexpr std::size_t kLongestControl = 9;   // ST02
constexpr std::size_t kLongestCurrency = 3;  // ISO 4217

/// Warnings of the envelope before the first payment; further ones are dropped.
constexpr std::size_t kMostEarlyWarnings = 100;

/// Throws after the deadline.
void check_time(const Segment& segment, const sdk::Deadline& deadline) {
  if (segment.number() % kSegmentsPerLook == 0 && deadline.expired())
    throw fault_at(segment, "the time limit for reading this file was exceeded", TIDEOVER_FAULT_DEADLINE);
}

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
  const auto source = claim_rows::memory_source(bytes);
  x12::SegmentReader segments(sdk::ByteSource(&source), "835");
  Segment segment;
  std::int64_t transaction = 0;
  while (segments.next(segment)) {
    check_time(segment, deadline);
    if (segment.id() == "ST") transaction = segment.number();
    if (segment.id() == "CUR" && !segment.at(2).empty() && !sdk::is_us_dollars(segment.at(2)))
      found.emplace(transaction, segment);
  }
  return found;
}

/// Passes the payments of a file to the sink.
class Walk final : x12::InterchangeReader::Handler {
 public:
  Walk(std::string_view bytes, sdk::RemittanceSink& sink, tideover_date today, const sdk::Deadline& deadline)
      : foreign_currencies_(foreign_currencies(bytes, deadline)),
        rest_(bytes),
        interchanges_(sdk::ByteSource(&source_), "835", *this),
        sink_(sink),
        today_(today),
        deadline_(deadline) {}

  void run() {
    while (interchanges_.next()) {
      emit_early_warnings();
      check_time(interchanges_.segment(), deadline_);
    }
    if (payments_ == 0 && left_out_ == 0) throw fault_at(interchanges_.segment(), "the file has no 835 transaction");
    if (payments_ == 0) return;
    if (!interchanges_.segments().has_envelope())
      sink_.warning("the file has no ISA/IEA envelope; its delimiters were guessed");
    if (foreign_ > 0) sink_.warning("skipped transactions that are not an 835: " + std::to_string(foreign_));
  }

 private:
  void open(const Segment& header) override {
    const auto version = header.at(8).substr(0, 6);
    if (header.id() == "GS" && version != "004010" && version != "005010")
      warn(header.position(), "GS08 is neither version 004010 nor 005010");
    if (header.id() != "ST") return;
    const auto currency = foreign_currencies_.find(header.number());
    is_skipped_ = header.at(1) != "835" || currency != foreign_currencies_.end();
    const auto& isa = interchanges_.header(x12::kInterchange);
    if (!is_skipped_)
      transaction_.emplace(header, sink_, today_, isa && isa->at(15) == "T");
    else if (header.at(1) == "835")
      leave_out(header, currency->second);
    else
      ++foreign_;
  }

  void take(const Segment& segment) override {
    if (transaction_) transaction_->take(segment, interchanges_.segments().component());
  }

  void leave_out(const Segment& st, const Segment& currency) {
    ++left_out_;
    sink_.left_out(st.number(),
                   message_at(currency, "the payment of transaction " + printable(st.at(2).substr(0, kLongestControl)) +
                                            " is in " + printable(currency.at(2).substr(0, kLongestCurrency)) +
                                            " (CUR02); only US dollars are accepted"));
  }

  void close(const Segment& trailer) override {
    const bool is_se = trailer.id() == "SE", is_isa = trailer.id() == "ISA";
    // A missing SE is a warning only where its envelope continues; a new ISA may follow a truncated file.
    if (!is_se && (is_isa || !interchanges_.segments().has_envelope()))
      throw fault_at(trailer,
                     std::string("the transaction before this ") + (is_isa ? "ISA" : "segment") + " has no SE");
    if (!transaction_) return;
    transaction_->finish(trailer);
    transaction_.reset();
    ++payments_;
    if (is_se) return;
    emit_early_warnings();
    warn(trailer.position(), "the transaction before this segment has no SE and may be incomplete");
  }

  void problem(const Problem& problem) override {
    const bool is_of_group = problem.level == x12::kGroup, is_of_transaction = problem.level == x12::kTransaction;
    if (is_of_transaction && is_skipped_ && problem.position.id == "SE") return;
    if (problem.kind == Problem::kNoTrailer && !is_of_group && interchanges_.header(x12::kGroup))
      throw fault_at(problem.position, "the interchange before this ISA has neither GE nor IEA");
    if (problem.kind != Problem::kTruncated) return warn(problem.position, problem.text);
    if (is_of_group && interchanges_.header(x12::kInterchange)) return;  // reported next
    throw fault_at(problem.position, problem.text);
  }

  /// The sink adds a warning to the latest payment; warnings before the first payment wait for it.
  void warn(const Position& position, const std::string& problem) {
    const auto message = message_at(position, problem);
    if (payments_ > 0)
      sink_.warning(message);
    else if (early_.size() < kMostEarlyWarnings)
      early_.push_back(message);
  }

  void emit_early_warnings() {
    if (payments_ == 0) return;
    for (const auto& warning : early_) sink_.warning(warning);
    early_.clear();
  }

  const std::map<std::int64_t, Segment> foreign_currencies_;
  std::string_view rest_;
  const tideover_byte_source source_ = claim_rows::memory_source(rest_);
  x12::InterchangeReader interchanges_;
  sdk::RemittanceSink& sink_;
  const tideover_date today_;
  std::optional<Transaction> transaction_;
  std::vector<std::string> early_;
  const sdk::Deadline& deadline_;
  bool is_skipped_ = false;  // the latest transaction is of another kind or currency
  int foreign_ = 0;          // transactions of another kind
  int left_out_ = 0;         // of another currency
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
