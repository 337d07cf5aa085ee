// The advice as X12 835 (declared in advice_document.hpp). Claims are reported as the payer paid them (CLP, CAS, SVC).
// What was deducted or added beside them is a provider adjustment (PLB), with the claim number or payout as reference:
//
//   AP  the advance that the practice has, and what a payout of the settlement paid before
//   AH  the fee
//   FB  carried forward, or a payout that was returned; the reference is the id of that payout
//   CS  anything else
//
// BPR02 = sum of CLP04 - sum of PLB, because each line has claim payment - provider adjustments = amount.
#include <algorithm>

#include "api/plugin/tideover/x12_writer.hpp"
#include "core/http/wire/payouts/advice_document.hpp"

namespace tideover::wire {
namespace {

using domain::AdviceKind;
using domain::Money;
using sdk::x12_text;
using sdk::X12Writer;

constexpr const char* kGuide = "005010X221A1";
constexpr const char* kTransaction = "0001";
constexpr const char* kMutual = "ZZ";            // qualifier of a mutually agreed id; unknown kind of insurance (CLP06)
constexpr std::size_t kLongestClaimNumber = 38;  // CLP01
constexpr const char* kNoClaimNumber = "0";
constexpr std::size_t kLongestReference = 50;  // TRN02, PLB03-2, CLP07
constexpr std::size_t kAdjustmentsPerSegment = 6;

std::string day_text(domain::Date date) {
  auto text = format_date(date);
  text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
  return text;
}

/// 1000.00 is written as 1000, 12.80 as 12.8: X12 forbids zeros at the end.
std::string amount_text(Money amount) {
  auto text = format_money(amount);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// A control number of 1 to 999 999 999 that follows from the payout.
std::int64_t control_number_of(const domain::DisbursementAttempt& payout) {
  std::uint32_t hash = 2'166'136'261;  // FNV-1a
  for (const char c : payout.id.text()) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619;
  return hash % 999'999'999 + 1;
}

class X12Advice final : public AdviceDocument {
 public:
  explicit X12Advice(const AdviceHead& head)
      : npi_(x12_text(head.payout.subject.payee_npi, 15)), number_(control_number_of(head.payout)), out_(text_) {
    const auto& [payout, payer, is_simulated] = head;
    const auto sender = x12_text(payer.originator_id, 10), day = day_text(payout.effective_date);
    const auto at = payout.created_at.ms();
    fiscal_day_ = day.substr(0, 4) + "1231";
    out_.interchange({{kMutual, sender}, {kMutual, npi_}, at, number_, is_simulated});
    out_.segment(
        {"GS", "HP", sender, npi_, X12Writer::day(at), X12Writer::time(at), std::to_string(number_), "X", kGuide});
    before_transaction_ = out_.segments();
    out_.segment({"ST", "835", kTransaction});
    // The accounts (BPR06 to BPR15) stay with the rail.
    const bool is_ach = payout.rail != kRealTime;
    out_.segment({"BPR", "I", amount_text(payout.amount), "C", is_ach ? "ACH" : "BOP", is_ach ? "CCP" : "", "", "", "",
                  "", sender, "", "", "", "", "", day});
    out_.segment({"TRN", "1", x12_text(payout.id.text(), kLongestReference), sender});
    out_.segment({"DTM", "405", X12Writer::day(at)});
    put_payer(payer);
    out_.segment({"N1", "PE", npi_, "XX", npi_});
  }

  void add(const domain::AdviceLine& line) override {
    if (line.claim) put_claim(*line.claim);
    const auto claim = line.claim_identifier.empty() ? line.reference : line.claim_identifier;
    deduct("AP", claim, line.advance_recovered);
    deduct("AH", claim, line.fee);
    switch (line.kind) {
      case AdviceKind::provider_adjustment:
        return deduct(line.code, line.reference, -line.adjustment);
      case AdviceKind::settlement_payout:
        return deduct("AP", claim, -line.adjustment);
      case AdviceKind::returned_payout:
      case AdviceKind::carried_forward:
        return deduct("FB", line.reference, -line.adjustment);
      case AdviceKind::advanced_claim:
      case AdviceKind::claim:
      case AdviceKind::recourse:
      case AdviceKind::other:
        return deduct("CS", claim, -line.adjustment);
    }
  }

  std::string finish() override {
    flush();
    text_ += adjustments_;
    const int count = out_.segments() - before_transaction_ + adjustment_segments_ + 1;
    out_.segment({"SE", std::to_string(count), kTransaction});
    out_.segment({"GE", "1", std::to_string(number_)});
    out_.end_interchange(1, number_);
    return std::move(text_);
  }

 private:
  static constexpr std::string_view kRealTime = "RTP";

  void put_payer(const domain::AdvicePayer& payer) {
    out_.segment({"N1", "PR", x12_text(payer.name, 60)});
    if (!payer.street.empty()) out_.segment({"N3", x12_text(payer.street, 55)});
    if (!payer.city.empty())
      out_.segment({"N4", x12_text(payer.city, 30), x12_text(payer.state, 2), x12_text(payer.postal_code, 15)});
    if (!payer.phone.empty()) out_.segment({"PER", "BL", "", "TE", x12_text(payer.phone)});
  }

  void put_claim(const domain::RemittanceClaim& claim) {
    if (!has_claims_) out_.segment({"LX", "1"});
    has_claims_ = true;
    const auto identifier = x12_text(claim.claim_identifier, kLongestClaimNumber);
    out_.segment({"CLP", identifier.empty() ? kNoClaimNumber : identifier, x12_text(claim.status, 2),
                  amount_text(claim.charge_amount), amount_text(claim.paid_amount),
                  claim.patient_responsibility ? amount_text(*claim.patient_responsibility) : "", kMutual,
                  x12_text(claim.payer_claim_number, kLongestReference)});
    put_adjustments(claim.adjustments);
    out_.segment({"NM1", "QC", "1"});  // the practice knows the patient by the claim number
    if (claim.date_of_service && claim.lines.empty()) out_.segment({"DTM", "232", day_text(*claim.date_of_service)});
    for (const auto& line : claim.lines) {
      out_.segment({"SVC", procedure_of(line.cpt, line.modifier), amount_text(line.charge_amount),
                    amount_text(line.paid_amount), "", x12_text(line.units, 15),
                    line.submitted_cpt.empty() ? "" : procedure_of(line.submitted_cpt, line.submitted_modifier)});
      if (const auto day = line.date_of_service ? line.date_of_service : claim.date_of_service)
        out_.segment({"DTM", "472", day_text(*day)});
      put_adjustments(line.adjustments);
      if (line.allowed_amount) out_.segment({"AMT", "B6", amount_text(*line.allowed_amount)});
    }
  }

  /// A code of four digits is a revenue code. Modifiers are stored with the separator that is also ours.
  static std::string procedure_of(const std::string& code, const std::string& modifiers) {
    const bool is_revenue = code.size() == 4 && code.find_first_not_of("0123456789") == std::string::npos;
    std::string procedure = (is_revenue ? "NU:" : "HC:") + x12_text(code, 48);
    for (std::size_t at = 0; at < modifiers.size();) {
      const auto end = std::min(modifiers.find(':', at), modifiers.size());
      procedure += ':' + x12_text(std::string_view(modifiers).substr(at, end - at), 2);
      at = end + 1;
    }
    return procedure;
  }

  /// One segment for each run of a group, with at most six reasons.
  void put_adjustments(const std::vector<domain::Adjustment>& adjustments) {
    std::vector<std::string> segment;
    std::size_t reasons = 0;
    for (const auto& adjustment : adjustments) {
      const auto group = x12_text(adjustment.group, 2);
      if (!segment.empty() && (segment[1] != group || reasons == kAdjustmentsPerSegment)) {
        out_.segment(segment);
        segment.clear();
      }
      if (segment.empty()) {
        segment = {"CAS", group};
        reasons = 0;
      }
      segment.insert(segment.end(), {x12_text(adjustment.code, 5), amount_text(adjustment.amount), ""});
      ++reasons;
    }
    if (!segment.empty()) out_.segment(segment);
  }

  void deduct(const std::string& code, const std::string& reference, Money amount) {
    if (amount.is_zero()) return;
    if (pending_.empty()) pending_ = {"PLB", npi_, fiscal_day_};
    const auto named = x12_text(reference, kLongestReference), reason = x12_text(code, 2);
    pending_.push_back((reason.empty() ? "CS" : reason) + (named.empty() ? "" : ':' + named));
    pending_.push_back(amount_text(amount));
    if (pending_.size() == 3 + 2 * kAdjustmentsPerSegment) flush();
  }
  void flush() {
    if (pending_.empty()) return;
    X12Writer(adjustments_).segment(pending_);
    pending_.clear();
    ++adjustment_segments_;
  }

  const std::string npi_;
  const std::int64_t number_;
  std::string fiscal_day_;  // PLB02
  std::string text_;
  X12Writer out_;
  int before_transaction_ = 0;
  bool has_claims_ = false;
  std::vector<std::string> pending_;  // a PLB segment that is not full
  std::string adjustments_;           // PLB segments, which follow all claims
  int adjustment_segments_ = 0;
};

}  // namespace

std::unique_ptr<AdviceDocument> x12_advice(const AdviceHead& head) {
  return std::make_unique<X12Advice>(head);
}

}  // namespace tideover::wire
