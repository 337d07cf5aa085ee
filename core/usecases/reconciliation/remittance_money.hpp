// Makes deposits for tenants without a bank feed: their remittances stand for the money.
//
// Threads: runs inside the caller's transaction, after guard_matching().
#pragma once
#include "core/usecases/reconciliation/post_deposit.hpp"

namespace tideover::usecases {

/// Makes, posts and matches the deposit of a remittance that was matched before. Conditions: the tenant posts on
/// remittances, no deposit was found, the payer is known, and no task asks about the remittance, apart from a reused
/// trace number, which may be another payment. The deposit is held as a suspected duplicate when another remittance
/// stood for the same payment. nullopt when the remittance makes no deposit.
/// `at_once`: see take_deposit().
domain::Result<std::optional<PostedDeposit>> post_remittance_money(ports::Records& records,
                                                                   const RequestContext& context, ports::IdSource& ids,
                                                                   const domain::Remittance& remittance,
                                                                   ports::RulePolicy* rules, std::size_t at_once = 0);

}  // namespace tideover::usecases
