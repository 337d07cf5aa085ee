#include "core/lua/ruleset/recourse_policy.hpp"

#include <string>
#include <utility>

#include "core/domain/basics/within.hpp"
#include "core/lua/vm/rates.hpp"

namespace tideover::lua {
namespace {

/// Reads one table with its faults.
class PolicyReader {
 public:
  PolicyReader(lua_State* state, const TableReader::Complain& complain) : state_(state), complain_(complain) {}

  void read(domain::RecoursePolicy& policy) {
    TableReader table(state_, -1, "policy", complain_);
    policy.hold_days = whole(table, "hold_days", policy.hold_days);
    policy.reserve_days = whole(table, "reserve_days", policy.reserve_days);
    policy.reserve_bps = share(table, "reserve_percentage");
    policy.balance_floor = cents(table, "balance_floor_cents");
    policy.least_advance = cents(table, "least_advance_cents").value_or(domain::Money{});
    policy.least_fee = cents(table, "least_fee_cents").value_or(domain::Money{});
    if (table.push("fee_tiers") != LUA_TNIL) read_fee_tiers(policy);
    lua_pop(state_, 1);
    table.refuse_other_fields();
  }

 private:
  /// The domain refuses what is not in its range; this keeps it in an int.
  static int whole(TableReader& table, const char* key, int preset) {
    constexpr std::int64_t kLimit = 1'000'000;
    return static_cast<int>(domain::within(table.integer(key).value_or(preset), -kLimit, kLimit));
  }

  std::optional<domain::Money> cents(TableReader& table, const char* key) const {
    const auto value = table.integer(key);
    if (!value) return std::nullopt;
    const auto most = domain::kLargestAmount.cents();
    if (*value < -most || *value > most) complain_(key, std::string(key) + " is not a valid amount");
    return domain::Money::cents(domain::within(*value, -most, most));
  }

  int share(TableReader& table, const char* key) const {
    const auto value = table.number(key);
    const auto bps = value ? exact_scaled(*value, domain::kOneInBps) : 0;
    if (bps && *bps >= 0 && *bps <= domain::kOneInBps) return static_cast<int>(*bps);
    complain_(key, std::string(key) + " must be a share between 0 and 1 with at most four decimals");
    return 0;
  }

  void read_fee_tiers(domain::RecoursePolicy& policy) {
    TableReader tiers(state_, -1, "fee_tiers", complain_);
    tiers.each_element([&](int) {
      TableReader tier(state_, -1, "a fee tier", complain_);
      for (const char* key : {"from_day", "percentage"}) tier.require(key);
      const int day = whole(tier, "from_day", 1);
      policy.fee_tiers.push_back({day, share(tier, "percentage")});
      tier.refuse_other_fields();
    });
  }

  lua_State* state_;
  const TableReader::Complain& complain_;
};

}  // namespace

domain::RecoursePolicy read_recourse_policy(TableReader& rule, lua_State* state,
                                            const TableReader::Complain& complain) {
  domain::RecoursePolicy policy;
  if (rule.push("policy") != LUA_TNIL) {
    PolicyReader(state, complain).read(policy);
    std::vector<std::string> problems;
    policy = domain::bounded(std::move(policy), problems);
    for (auto& problem : problems) complain(problem.substr(0, problem.find(' ')), problem);
  }
  lua_pop(state, 1);
  return policy;
}

}  // namespace tideover::lua
