// Builds payments from the rows of a table. A payment is all rows of one payer and trace number, in any position. It is
// imported completely or not at all: with one invalid row, the whole payment is skipped. One thread at a time.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fields.hpp"

namespace remittance_csv {

class Payments {
 public:
  explicit Payments(tideover_date today) : today_(today) {}
  void take(const csv::CsvRecord& row, const csv::Columns& columns);
  /// Complete payments in order of their first rows, then the invalid rows by line.
  void give(tideover::sdk::RemittanceSink& sink) const;

 private:
  struct Line {
    std::string cpt, modifier, units;
    std::int64_t charge = 0, paid = 0;
    std::optional<std::int64_t> allowed;
    tideover_date date_of_service{};
    std::vector<Cells::Adjustment> adjustments;
  };
  struct Claim {
    std::string identifier, status, payer_claim_number;
    std::int64_t charge = 0, paid = 0;
    std::optional<std::int64_t> patient_responsibility;
    tideover_date date_of_service{}, received_date{};
    std::vector<Cells::Adjustment> adjustments;
    std::vector<Line> lines;
  };
  struct ProviderAdjustment {
    std::string code, reference;
    std::int64_t amount = 0;
  };
  struct Payment {
    std::string payer_id, payer_name, trace_number, originator_id, method;
    tideover_date date{};
    std::int64_t amount = 0;
    std::vector<Claim> claims;
    std::vector<ProviderAdjustment> adjustments;
    bool is_spoiled = false;
  };

  using Key = std::pair<std::string, std::string>;  // payer and trace number

  Payment& payment_of(Cells& cells, Key key);
  static void take_claim(Cells& cells, Payment& payment);
  static void take_provider_adjustment(Cells& cells, Payment& payment);
  static void give(const Payment& payment, tideover::sdk::RemittanceSink& sink);
  void misplaced(std::int64_t line, const std::string& fault);

  const tideover_date today_;
  std::vector<Payment> payments_;
  std::map<Key, std::size_t> index_;
  std::vector<std::pair<std::int64_t, std::string>> left_out_;
  std::optional<std::size_t> latest_;
  bool spoils_next_ = false;  // the payment of the row before is unknown
};

}  // namespace remittance_csv
