// Takes a bank deposit in, books it, and matches it (POST /v1/deposits; core/docs/contract.md#reconciliation).
#pragma once
#include "core/ports/plugins/payer_directory.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

struct PostedDeposit {
  domain::Deposit deposit;
  std::vector<domain::ReconciliationRecord> records;
  bool seen_before = false;    // the same external_id again made no other deposit
  bool payer_learned = false;  // but brought its payer, whom nobody knew: it was matched again
};

/// Money that is dated later has not come; a bank east of UTC may be a day ahead.
inline constexpr int kDepositDaysAhead = 1;

/// Records, books and matches one deposit; its id, payer_id and created_at are set. Inside a unit, after
/// guard_matching(). The same external_id again is answered with the first deposit, other content under it is
/// validation_error. One that another channel seems to have reported already is held, and booked nowhere: a task is
/// open about it.
domain::Result<PostedDeposit> take_deposit(ports::Records& records, const domain::TenantId& tenant,
                                           domain::Timestamp now, ports::IdSource& ids, domain::Deposit deposit);

/// Books and matches a deposit that was held as a suspected duplicate and is none. Error invalid_state where it is not
/// held.
domain::Status admit_deposit(ports::Records& records, const domain::TenantId& tenant, domain::Timestamp now,
                             ports::IdSource& ids, const std::string& deposit_id);

class PostDeposit {
 public:
  PostDeposit(ports::Store& store, ports::PayerDirectory& payers, ports::IdSource& ids)
      : store_(store), payers_(payers), ids_(ids) {}
  /// The same external_id again answers the first deposit when the content agrees, and is refused when it does not.
  domain::Result<StoredResponse> operator()(const RequestContext& context, domain::Deposit deposit,
                                            const Render<PostedDeposit>& render);

 private:
  ports::Store& store_;
  ports::PayerDirectory& payers_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
