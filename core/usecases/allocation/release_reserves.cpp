#include "core/usecases/allocation/release_reserves.hpp"

#include "core/usecases/allocation/book_recourse.hpp"

namespace tideover::usecases {

domain::Result<int> ReleaseReserves::operator()(std::size_t limit, ports::Tenants of) {
  const auto due = fetch(
      store_, [&](const ports::Records& records) { return records.recourse().due(clock_.now().utc_date(), limit); });
  if (!due) return due.error();
  std::optional<domain::Error> first_failure;
  int released = 0;
  for (const auto& [owner, entry] : *due) {
    const auto now = now_of(clock_, owner);
    if (!is_among(of, clock_, owner)) continue;
    if (entry.release_on && now.utc_date() < *entry.release_on) continue;
    const auto done = store_.commit(
        [&, &tenant = owner, &held = entry](ports::Records& records) -> domain::Status {
          records.clients().guard_matching(tenant);
          BookRecourse({records, tenant, now, ids_}).release(held);
          return {};
        },
        ports::Priority::background);
    if (!done && !first_failure) first_failure = done.error();
    released += done ? 1 : 0;
  }
  if (first_failure) return *first_failure;
  return released;
}

}  // namespace tideover::usecases
