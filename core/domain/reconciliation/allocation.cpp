#include "core/domain/reconciliation/allocation.hpp"

#include <array>
#include <set>

#include "core/domain/basics/enum_names.hpp"

namespace tideover::domain {
namespace {

// Stored and shown in the API: do not rename.
constexpr std::array<std::string_view, 4> kLines{"claim", "provider_adjustment", "payment", "shortfall"};
constexpr std::array<std::string_view, 3> kAccounts{"advance", "payable", "carried"};
constexpr std::array<std::string_view, 14> kReasons{"advanced_claim",    "decided",
                                                    "confirmed",         "not_advanced",
                                                    "released",          "beside_claims",
                                                    "carried_forward",   "balance_recovered",
                                                    "advance_recovered", "recovered_before",
                                                    "claim_recovered",   "unknown_recovered",
                                                    "accepted_short",    "takeback_beyond_payments"};

}  // namespace

std::string_view name_of(AllocationLine line) {
  return kLines[static_cast<std::size_t>(line)];
}
std::optional<AllocationLine> allocation_line_named(std::string_view name) {
  return enum_named<AllocationLine>(kLines, name);
}
std::string_view name_of(AllocationAccount account) {
  return kAccounts[static_cast<std::size_t>(account)];
}
std::optional<AllocationAccount> allocation_account_named(std::string_view name) {
  return enum_named<AllocationAccount>(kAccounts, name);
}
std::string_view name_of(AllocationReason reason) {
  return kReasons[static_cast<std::size_t>(reason)];
}
std::optional<AllocationReason> allocation_reason_named(std::string_view name) {
  return enum_named<AllocationReason>(kReasons, name);
}

std::vector<AllocationRow> standing(const std::vector<AllocationRow>& rows) {
  std::set<int> undone;
  for (const auto& row : rows)
    if (row.undoes) undone.insert(*row.undoes);
  std::vector<AllocationRow> left;
  for (const auto& row : rows)
    if (!row.undoes && !undone.contains(row.number)) left.push_back(row);
  return left;
}

int next_number(const std::vector<AllocationRow>& rows) {
  return rows.empty() ? 1 : rows.back().number + 1;
}

AllocationRow opposite_of(const AllocationRow& row) {
  AllocationRow opposite = row;
  opposite.number = 0;
  opposite.amount = -row.amount;
  opposite.undoes = row.number;
  opposite.task.reset();
  opposite.record.reset();
  opposite.transaction.reset();
  return opposite;
}

Money sum_of(const std::vector<AllocationRow>& rows, std::optional<AllocationAccount> account) {
  Money sum;
  for (const auto& row : rows)
    if (!account || row.account == *account) sum += row.amount;
  return sum;
}

}  // namespace tideover::domain
