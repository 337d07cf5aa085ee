// One ST..SE transaction of an 835: collects segments and hands the payment, its claims and its provider adjustments to
// the sink in the order that the ABI asks for. A claim is held until its last segment, since dates and allowed amounts
// follow the segment that they belong to. One thread at a time.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "segments.hpp"
#include "tideover/remittance_format.hpp"

namespace x12_835 {

class Transaction {
 public:
  /// `st` opens it; segments stay views of the input, which outlives the transaction.
  Transaction(const Segment& st, tideover::sdk::RemittanceSink& sink) : st_(st), sink_(sink) {}

  /// Every segment between ST and SE.
  void take(const Segment& segment, char component);
  /// At SE.
  void finish(const Segment& se);
  const Segment& opened_by() const { return st_; }

 private:
  struct Line {
    tideover_remittance_line lent{};
    std::string modifier;
    std::vector<tideover_adjustment> adjustments;
    int date_rank = 0;
  };
  struct Claim {
    tideover_remittance_claim lent{};
    std::vector<tideover_adjustment> adjustments;
    std::vector<Line> lines;
    int date_rank = 0;
  };

  void take_payment(const Segment& bpr);
  void take_party(const Segment& n1);
  void take_claim(const Segment& clp);
  void take_line(const Segment& svc, char component);
  void take_adjustments(const Segment& cas);
  void take_date(const Segment& dtm);
  void take_provider_adjustments(const Segment& plb, char component);
  void emit_payment();
  void emit_claim();
  void warn(const Segment& segment, const std::string& problem);
  tideover_str text(std::string_view element);
  std::int64_t amount(const Segment& segment, std::size_t position, const char* name);
  tideover_date date(const Segment& segment, std::size_t position);

  Segment st_;
  tideover::sdk::RemittanceSink& sink_;
  std::int64_t segments_ = 1;  // ST counts
  bool has_payment_ = false;   // BPR was seen
  bool is_emitted_ = false;    // the header went to the sink
  bool is_payer_loop_ = false;
  tideover_payment payment_{};
  std::vector<std::string> payer_ids_;
  std::optional<Claim> claim_;
  std::deque<std::string> cleaned_;  // what text() could not lend from the input
  std::vector<std::string> warnings_;  // before the header is out
};

}  // namespace x12_835
