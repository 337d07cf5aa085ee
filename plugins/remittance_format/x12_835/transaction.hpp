// One ST..SE transaction of an 835: collects segments and passes the payment, its claims and its provider adjustments
// to the sink in the order that the ABI requires. A claim is kept until its last segment, since dates and allowed
// amounts follow the segment that they belong to. One thread at a time.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "claim.hpp"
#include "tideover/remittance_format.hpp"

namespace x12_835 {

class Transaction {
 public:
  /// `st` opens it. Dates are compared with `today`. `is_test`: ISA15 is T.
  Transaction(const Segment& st, tideover::sdk::RemittanceSink& sink, tideover_date today, bool is_test)
      : st_(st), sink_(sink), today_(today) {
    payment_.is_test = is_test ? 1 : 0;
  }

  /// Every segment between ST and SE.
  void take(const Segment& segment, char component);
  /// Called at its SE, or at the segment that shows that SE is missing.
  void finish(const Segment& end);

 private:
  void take_payment(const Segment& bpr);
  void take_trace(const Segment& trn);
  void take_party(const Segment& n1);
  void take_payee(const Segment& segment);
  void take_claim(const Segment& clp);
  void take_line(const Segment& svc, char component);
  void take_adjustments(const Segment& cas);
  void take_date(const Segment& dtm);
  void take_provider_adjustments(const Segment& plb, char component);
  void emit_payment();
  void emit_claim();
  void warn(const Position& position, const std::string& problem);
  std::vector<std::string_view> composite(const Segment& segment, std::size_t position, char component);
  tideover_str text(const Segment& segment, std::size_t position);
  tideover_str text(const Segment& segment, std::size_t position, std::string_view part);
  tideover_str npi(const Segment& segment, std::size_t position);
  tideover_str payee_id(const Segment& segment, std::size_t position);
  std::string modifiers(const Segment& segment, std::size_t position, const std::vector<std::string_view>& parts);
  std::int64_t amount(const Segment& segment, std::size_t position);
  std::int64_t informative_amount(const Segment& segment, std::size_t position);
  tideover_date date(const Segment& segment, std::size_t position);

  Segment st_;
  tideover::sdk::RemittanceSink& sink_;
  const tideover_date today_;
  bool has_payment_ = false;  // BPR was seen
  bool has_party_ = false;    // N1*PR was seen
  bool is_emitted_ = false;   // the header was passed to the sink
  bool is_payer_loop_ = false;
  bool is_payee_loop_ = false;
  bool is_information_only_ = false;  // BPR01 = H
  Position bpr_;
  tideover_payment payment_{};
  std::vector<std::string> payer_ids_;
  std::string header_npi_;  // TS301 of the claims that follow
  std::optional<Claim> claim_;
  std::deque<std::string> texts_;      // texts lent by text(), until they are emitted
  std::vector<std::string> warnings_;  // warnings before the header is emitted
};

}  // namespace x12_835
