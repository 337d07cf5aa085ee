// Collects what the reader finds in a file, and writes the answers: TA1 about each interchange, 999 (005010X231A1)
// about its transactions. One thread at a time.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "claim.hpp"
#include "tideover/import_format.hpp"
#include "x12/interchange.hpp"

namespace x12_837 {

class AcknowledgmentWriter {
 public:
  // The reader calls these in file order.
  void open(const Segment& header);
  void skip_transaction();  // the open transaction is no 837
  void add_claim(const Claim& claim);
  /// `latest`: the segment that shows the problem.
  void problem(const x12::Problem& problem, const Segment& latest);
  /// The rest of the file cannot be read.
  void break_off();

  /// nullopt when the file has no interchange to answer.
  std::optional<tideover::sdk::Acknowledgment> write(std::int64_t last_control_number, std::int64_t now_ms) const;

 private:
  struct Transaction {
    Segment header;
    std::vector<ClaimFault> faults;
    std::vector<std::string> codes;  // IK502 and following
    int claims = 0;
    bool is_foreign = false;
  };
  struct Group {
    Segment header;
    std::vector<Transaction> transactions;
    std::vector<std::string> codes;  // AK905 and following
    std::string counted;             // GE01 where it is wrong
  };
  struct Interchange {
    Segment header;
    std::vector<Group> groups;
    std::string code = "000";  // TA105
    bool is_rejected = false;
  };
  struct Answer;

  Transaction* transaction();
  static char status_of(const Transaction& transaction);
  static void write_transaction(Answer& answer, const Transaction& transaction);
  static void write_group(Answer& answer, const Group& group);

  std::vector<Interchange> interchanges_;
};

}  // namespace x12_837
