// The money of a tenant without a bank feed: the payer's remittance stands for it, once its payer is known.
#pragma once
#include "core/usecases/reconciliation/post_deposit.hpp"

namespace tideover::usecases {

/// Makes, books and matches the deposit of the remittance where its tenant has no bank feed, no money was found for it,
/// its payer is known and no person is asked about it - but for whether its trace number was used again: it may be, by
/// another payment. Held as a suspected duplicate where another remittance stood for the same payment. nullopt where
/// the notice stands for no money. Inside a unit, after guard_matching(), of a notice that was matched.
domain::Result<std::optional<PostedDeposit>> post_remittance_money(ports::Records& records,
                                                                   const RequestContext& context, ports::IdSource& ids,
                                                                   const domain::Remittance& remittance);

}  // namespace tideover::usecases
