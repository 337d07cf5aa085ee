// One claim of an 837 during reading, and the review request that it becomes. The loops of the guide are recognized by
// their first segments: CLM the claim (2300), SBR inside it another payer (2320), LX a line (2400). One thread at a
// time.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "institutional.hpp"
#include "tideover/import_format.hpp"
#include "x12/segments.hpp"

namespace x12_837 {

/// Values that a claim takes from the levels above it.
struct Surroundings {
  std::string billing_npi;       // NM1*85 of the billing provider's level
  std::string payer_id;          // NM1*PR of the subscriber's level
  std::string submitted_date;    // BHT04: when the file was made
  std::string currency;          // CUR02 of the billing provider's level
  std::string sequence;          // SBR01 of the subscriber's level
  std::string filing;            // SBR09
  bool is_test = false;          // ISA15 is T
  bool is_encounter = false;     // BHT06 is RP
  bool is_subrogation = false;   // BHT06 is 31: a plan that has paid requests its money
  bool has_pay_to_plan = false;  // NM1*PE of the billing provider's level
};

/// Another payer of the claim (2320), and the amounts that it paid.
struct OtherPayer {
  int rank = 0;                         // by SBR01; 0: unknown
  std::string id;                       // its NM1*PR
  std::optional<std::int64_t> cents;    // AMT*D
  std::optional<std::int64_t> by_line;  // sum of SVD02
};

/// The first fault of a claim, as a 999 reports it. The codes are those of IK304 and IK403.
struct ClaimFault {
  x12::Position position;
  std::string loop;  // 2300 the claim, 2320 another payer, 2400 a line
  std::string segment_code;
  std::size_t element = 0;  // 0: the segment as a whole
  std::string element_code{};
  std::string claim_identifier{};
};

class Claim {
 public:
  Claim(const Segment& clm, const Surroundings& above, char component);
  /// Every segment up to the next claim, level or the end of the transaction.
  void take(const Segment& segment, char component);
  tideover::sdk::Record finish();
  const std::optional<ClaimFault>& fault() const { return fault_; }

 private:
  struct Line {
    std::string procedure, modifiers, units, amount, revenue_code;
  };

  void take_line(const Segment& service, std::size_t composite, char component);
  void take_date(const Segment& dtp);
  void take_of_other_payer(const Segment& segment);
  void take_line_payment(const Segment& svd);
  std::int64_t cents(const Segment& segment, std::size_t position);
  std::optional<std::int64_t> paid_by_others() const;
  void add_coordination();
  void take_codes(const Segment& hi, char component);
  void add(const char* field, const std::string& value);
  std::string value(const Segment& segment, std::size_t position, std::string_view text);
  /// IK304 of a fault of the segment, or IK403 and the element.
  struct FaultCode {
    const char* segment;
    const char* element = "";
    std::size_t at = 0;
  };
  void spoil(const Segment& segment, const std::string& problem, const FaultCode& code);

  tideover::sdk::Record record_;
  std::optional<ClaimFault> fault_;
  Surroundings above_;
  std::string claim_identifier_, chart_identifier_, amount_, facility_, rendering_npi_, service_date_;
  std::string place_of_service_, frequency_code_, accepts_assignment_, benefits_assigned_;
  std::optional<std::int64_t> patient_paid_;
  std::vector<OtherPayer> other_payers_;
  std::vector<std::string> diagnoses_;
  Institutional institutional_;
  bool is_authorized_ = false;
  std::vector<Line> lines_;
  bool is_other_payer_ = false;  // inside 2320, whose providers and dates are not those of this claim
  bool in_line_ = false;
};

/// NM109 when NM108 says that it is an NPI.
std::string npi_of(const Segment& nm1);
/// X12 type R in the usual decimal form: ".5" is "0.5", "40." is "40".
std::string plain_decimal(std::string_view text);

}  // namespace x12_837
