// What only an institutional claim (837I) says: its bill, its period, the stay, and the codes of HI. Optional values in
// another form are omitted. One thread at a time.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tideover/import_format.hpp"
#include "x12/segments.hpp"

namespace x12_837 {

using x12::Segment;

/// CCYYMMDD as YYYY-MM-DD, also with a time behind it; other text unchanged.
std::string iso_date(std::string_view text);

class Institutional {
 public:
  /// CLM05 is a type of bill when its second component is A.
  void take_bill(const std::vector<std::string_view>& facility);
  /// A line has a revenue code (SV2).
  void note_revenue_line() { is_institutional_ = true; }
  /// A segment of the claim itself.
  void take(const Segment& segment);
  /// A composite of HI with this qualifier, split.
  void take_code(std::string_view qualifier, const std::vector<std::string_view>& parts);
  /// Of the next diagnosis code; C022-9.
  void take_present_on_admission(std::string_view indicator);

  /// What was read so far says that the claim is institutional.
  bool is_institutional() const { return is_institutional_; }
  const std::string& statement_from() const { return statement_from_; }
  const std::string& attending_npi() const { return attending_npi_; }
  /// The fields of the review request; none of a professional claim.
  void add_to(tideover::sdk::Pairs& fields) const;

 private:
  struct Coded {
    std::string code, first, second;  // date; first and last day; amount
  };
  void take_period(const Segment& dtp);

  bool is_institutional_ = false;
  bool has_discharge_hour_ = false;
  std::string type_of_bill_, statement_from_, statement_through_, admission_date_, admission_type_, admission_source_,
      patient_status_, attending_npi_, operating_npi_, drg_;
  std::vector<std::string> present_on_admission_, conditions_;
  std::vector<Coded> occurrences_, spans_, values_;
};

}  // namespace x12_837
