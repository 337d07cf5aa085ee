// What the chunks of a long remittance share while it is posted: read once, before the first chunk, outside the
// transactions of the chunks.
//
// Threads: plain values.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/domain/funding/settlement.hpp"
#include "core/domain/reconciliation/allocation.hpp"
#include "core/domain/reconciliation/posting.hpp"
#include "core/domain/reconciliation/remittance.hpp"
#include "core/usecases/allocation/payee_names.hpp"

namespace tideover::usecases {

/// The positions of the claims of a remittance by their numbers.
struct ClaimNumbers {
  domain::RemittanceId of;
  std::unordered_map<std::string, std::vector<std::size_t>> by_number, by_payers_number;
};
std::shared_ptr<const ClaimNumbers> numbers_of(const domain::Remittance& remittance);

/// The advances that claims of the remittance pay by their own number. Charge and date match no other claim with one
/// that they pay in full.
struct AnsweredAdvances {
  std::map<domain::SettlementId, domain::Money> paid;
  std::set<int> counted;  // the claims that pay them
  std::set<domain::SettlementId> full;

  /// Counts a claim once.
  void count(int claim, const domain::Settlement& settlement, domain::Money amount);
};

/// As the claims say that are posted or wait for their advance.
AnsweredAdvances answered_before(const ports::Records& records, const domain::TenantId& tenant,
                                 const domain::Remittance& remittance);

/// What a chunk changed.
struct PostedChunk {
  bool is_whole = false;      // the whole remittance was posted or held at once: the posting has ended
  domain::Remittance part{};  // with the claims of the chunk as they are now
  int rows = 0;               // appended to the allocation
  domain::Money sum{};        // of these rows
  AnsweredAdvances answered{};
};

/// A remittance that is being posted, as of posting.revision.
class OpenPosting {
 public:
  OpenPosting(domain::RemittancePosting posting, domain::Remittance remittance, std::vector<domain::AllocationRow> rows,
              NamesOfPayee names, AnsweredAdvances answered);

  const domain::RemittancePosting& posting() const { return posting_; }
  /// With all claims.
  const domain::Remittance& whole() const { return whole_; }
  const std::shared_ptr<const ClaimNumbers>& numbers() const { return numbers_; }
  /// Of these claims, and of the lines that are no claims.
  std::vector<domain::AllocationRow> rows_of(const std::vector<std::size_t>& positions) const;
  domain::Money allocated() const { return allocated_; }
  int next_number() const { return next_number_; }
  const AnsweredAdvances& answered() const { return answered_; }
  const NamesOfPayee& names() const { return names_; }
  /// The totals of all claims after the chunk changed these.
  domain::ClaimTotals totals_with(const std::vector<domain::RemittanceClaimRecord>& changed) const;
  /// The remittance without its claims.
  domain::Remittance header() const;

  /// The positions of the next chunk, from the phase in which there is one; empty: all claims are done.
  std::vector<std::size_t> next_chunk(std::size_t most);
  /// The posting after the chunk with these positions.
  domain::RemittancePosting moved_past(const std::vector<std::size_t>& positions, domain::Timestamp now) const;
  void take(const PostedChunk& chunk, const domain::RemittancePosting& moved);

 private:
  bool is_open(std::size_t position) const;

  domain::RemittancePosting posting_;
  domain::Remittance whole_;
  std::vector<domain::AllocationRow> rows_;
  std::shared_ptr<const ClaimNumbers> numbers_;
  std::set<std::size_t> first_;  // takebacks, and the payments that they may count on
  domain::ClaimTotals totals_;
  domain::Money allocated_;
  int next_number_ = 1;
  NamesOfPayee names_;
  AnsweredAdvances answered_;
};

}  // namespace tideover::usecases
