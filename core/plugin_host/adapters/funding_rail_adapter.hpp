// One rail plugin as a port. A doubtful result of a payment is `unknown`, never `rejected`; so is a call beyond its
// deadline.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/plugin_host/calls/plugin_call.hpp"
#include "core/ports/plugins/funding_rail.hpp"

namespace tideover::plugin_host {

class FundingRailAdapter : public ports::FundingRail {
 public:
  static domain::Result<std::unique_ptr<FundingRailAdapter>> make(std::shared_ptr<const Plugin> plugin,
                                                                  const CallBudgets& budgets);

  const ports::RailDescription& describe() const override { return description_; }
  domain::Result<domain::FundingPlan> plan(std::optional<domain::Date> desired, domain::Timestamp now,
                                           bool strict) override;
  ports::RailOutcome submit(const ports::Disbursement& disbursement, std::chrono::milliseconds timeout) override;
  ports::RailOutcome query(const std::string& key, domain::Money amount, std::chrono::milliseconds timeout) override;
  domain::Result<std::vector<ports::StatementLine>> statement(domain::Timestamp from, domain::Timestamp to,
                                                              std::chrono::milliseconds timeout) override;

 private:
  FundingRailAdapter(std::shared_ptr<const Plugin> plugin, ports::RailDescription description,
                     std::chrono::milliseconds plan_budget);
  std::shared_ptr<const Plugin> plugin_;
  const ports::RailDescription description_;
  const std::chrono::milliseconds plan_budget_;
};

class FundingRailsAdapter : public ports::FundingRails {
 public:
  /// Only during loading. Two plugins must not implement the same rail.
  domain::Status add(std::unique_ptr<FundingRailAdapter> rail);
  ports::FundingRail* find(std::string_view rail) override;
  std::vector<ports::FundingRail*> all() override;

 private:
  std::vector<std::unique_ptr<FundingRailAdapter>> rails_;
};

}  // namespace tideover::plugin_host
