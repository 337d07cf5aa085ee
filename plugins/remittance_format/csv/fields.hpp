// The fields of a remittance in a table, and the values of one row. `adjustments[0].group` and the like belong to the
// service line if the row has a procedure, else to the claim.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "csv/columns.hpp"
#include "tideover/remittance_format.hpp"

namespace remittance_csv {

bool is_field(std::string_view name);

/// Required fields: without them payments cannot be distinguished and sums cannot be checked.
inline constexpr std::array<std::string_view, 8> kRequiredFields{"payer_id",       "trace_number",     "payment_date",
                                                                 "payment_amount", "claim_identifier", "status",
                                                                 "charge_amount",  "paid_amount"};

/// The cells of a row by field. An invalid cell is reported once, in `fault`, and reads as absent; no message quotes
/// it.
class Cells {
 public:
  /// Row and columns must outlive it. `today` limits the dates.
  Cells(const csv::CsvRecord& row, const csv::Columns& columns, tideover_date today);

  std::string text(std::string_view field, std::size_t max_length);
  std::string required(std::string_view field, std::size_t max_length);
  std::optional<std::int64_t> amount(std::string_view field, bool may_be_negative);
  std::int64_t required_amount(std::string_view field, bool may_be_negative);
  /// YYYY-MM-DD, at most `days_ahead` days from now.
  tideover_date date(std::string_view field, int days_ahead);
  /// Of adjustments[0], adjustments[1] ...; group, code and amount in `texts` keep their order.
  struct Adjustment {
    std::string group, code;
    std::int64_t amount = 0;
  };
  std::vector<Adjustment> adjustments();

  const std::string& fault() const { return fault_; }
  void note(const std::string& fault) {
    if (fault_.empty()) fault_ = fault;
  }

 private:
  enum class Kind { text, amount, date };
  std::string cell(std::string_view field, Kind kind);

  const csv::CsvRecord& row_;
  const csv::Columns& columns_;
  const tideover_date today_;
  std::string fault_;
};

}  // namespace remittance_csv
