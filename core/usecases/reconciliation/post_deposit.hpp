// Takes in a bank deposit, posts it to the ledger and matches it (POST /v1/deposits;
// core/docs/contract.md#reconciliation).
//
// Threads: PostDeposit is thread-safe. The functions run inside the caller's transaction, after guard_matching().
#pragma once
#include "core/ports/plugins/payer_directory.hpp"
#include "core/usecases/matching/post_in_chunks.hpp"
#include "core/usecases/request/request_context.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

struct PostedDeposit {
  domain::Deposit deposit;
  std::vector<domain::ReconciliationRecord> records;
  bool seen_before = false;                     // the same external_id came before and made no second deposit
  bool payer_learned = false;                   // it named the missing payer, and was matched again
  std::vector<domain::RemittanceId> posting{};  // long remittances that it pays and that are not posted yet
};

/// A later date means that the money is not received. A bank east of UTC may be one day ahead.
inline constexpr int kDepositDaysAhead = 1;

/// Stores, posts and matches one deposit, whose id, payer_id and created_at are set. The same external_id returns the
/// first deposit; with other content it is external_id_in_use. A deposit that another channel seems to have reported is
/// held and not posted, and a task is opened. `at_once`: a remittance with more claims is only matched, and the caller
/// runs PostInChunks after the commit; 0: everything is posted here.
domain::Result<PostedDeposit> take_deposit(const UnitOfWork& unit, domain::Deposit deposit, std::size_t at_once = 0);

/// Reads a deposit and its records again after its long remittances were posted.
void read_again(const ports::Records& records, const domain::TenantId& tenant, PostedDeposit& posted);

/// Posts and matches a deposit that was held as a suspected duplicate and is none. Error invalid_state when it is not
/// held.
domain::Status admit_deposit(const UnitOfWork& unit, const std::string& deposit_id);

class PostDeposit {
 public:
  PostDeposit(ports::Store& store, ports::PayerDirectory& payers, ports::IdSource& ids,
              ports::RulePolicy* rules = nullptr, const domain::PostingSizes& sizes = {})
      : store_(store), payers_(payers), ids_(ids), rules_(rules), post_in_chunks_(store, ids, rules, sizes) {}
  /// The same external_id returns the first deposit when the content agrees. Otherwise the request is refused.
  domain::Result<StoredResponse> operator()(const RequestContext& context, domain::Deposit deposit,
                                            const Render<PostedDeposit>& render);

 private:
  /// Posts the long remittances, then renders the response again and stores it. When that fails, the response says that
  /// posting goes on.
  void finish(const RequestContext& context, const PostedDeposit& taken, const Render<PostedDeposit>& render,
              std::string& body);

  ports::Store& store_;
  ports::PayerDirectory& payers_;
  ports::IdSource& ids_;
  ports::RulePolicy* const rules_;
  PostInChunks post_in_chunks_;
};

}  // namespace tideover::usecases
