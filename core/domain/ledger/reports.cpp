#include "core/domain/ledger/reports.hpp"

#include <algorithm>

namespace tideover::domain {

void add_outstanding(PayerOutstanding& payer, int days, const AgingCell& cell) {
  const auto bucket =
      std::lower_bound(kOutstandingBuckets.begin(), kOutstandingBuckets.end(), days) - kOutstandingBuckets.begin();
  for (auto* sum : {&payer.buckets[static_cast<std::size_t>(bucket)], &payer.total}) {
    sum->count += cell.count;
    sum->amount += cell.amount;
  }
}

}  // namespace tideover::domain
