// A remittance advice as a document (core/docs/waterfall.md#remittance-advice). Lines are written as they come, so that
// a large payout needs no more memory than its document.
//
// Threads: one thread at a time.
#pragma once
#include <memory>
#include <string>

#include "core/domain/payouts/advice.hpp"

namespace tideover::wire {

/// What every document says about the payout.
struct AdviceHead {
  domain::DisbursementAttempt payout;
  domain::AdvicePayer payer;
  bool is_simulated = false;  // no money moved
};

class AdviceDocument {
 public:
  virtual ~AdviceDocument() = default;
  virtual void add(const domain::AdviceLine& line) = 0;
  /// The document, after the last line. Once.
  virtual std::string finish() = 0;
};

std::unique_ptr<AdviceDocument> json_advice(const AdviceHead& head);
/// One row for each line, with a header line. RFC 4180.
std::unique_ptr<AdviceDocument> csv_advice();
/// X12 835 (005010X221A1): one interchange with one transaction. The same payout gives the same bytes.
std::unique_ptr<AdviceDocument> x12_advice(const AdviceHead& head);
/// A statement on pages of US letter size. The same payout gives the same bytes.
std::unique_ptr<AdviceDocument> pdf_advice(const AdviceHead& head);

}  // namespace tideover::wire
