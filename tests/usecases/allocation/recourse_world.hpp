// A world in which a recourse rule decides, deposits are returned and residuals are paid out. An advance of 640.00 with
// a fee of 12.80; the payer's 790.00 leave a residual of 137.20.
#pragma once
#include "core/usecases/allocation/release_reserves.hpp"
#include "core/usecases/funding/pay_residual.hpp"
#include "core/usecases/reconciliation/return_deposit.hpp"
#include "core/usecases/reconciliation/write_off_overdue.hpp"
#include "tests/usecases/matching/proposal_world.hpp"

namespace tideover::tests {

struct RecourseWorld : ProposalWorld {
  usecases::ReturnDeposit return_deposit{*store, ids, &rules};
  usecases::PayResidual pay_residual{*store, *disburse, ids, true};
  usecases::ReleaseReserves release_reserves{*store, ids, clock};

  enum class Bearer { practice, reserve, funder };
  /// The rule gives everything of these events to one bearer.
  void bears(domain::RecourseEvent event, Bearer bearer) {
    rules.bears = [=, others = rules.bears](const domain::RecourseFacts& facts) {
      if (facts.event != event) return others(facts);
      domain::RecourseProposal proposal;
      (bearer == Bearer::practice  ? proposal.split.future_residuals
       : bearer == Bearer::reserve ? proposal.split.reserve
                                   : proposal.split.funder) = facts.amount;
      proposal.reasons = {"policy"};
      return std::optional(proposal);
    };
  }
  void pays(const std::string& advance, std::int64_t cents, const std::string& name) {
    arrives(Cash{"D" + name, cents, "T" + name});
    arrives(Remittance{"N" + name, "T" + name, {{advance, cents}}});
  }
  void takes_back(const std::string& advance, std::int64_t cents, const std::string& name) {
    arrives(Remittance{"N" + name, "T" + name, {{advance, -cents, -100'000, std::nullopt, "22"}}});
  }
  void must_return(const std::string& name) {
    const auto returned =
        return_deposit(context("return"), {deposits.at(name).text(), clock.now().utc_date(), "R01"},
                       [](const usecases::DepositView& view) { return std::string(name_of(view.deposit.status)); });
    BOOST_REQUIRE_MESSAGE(returned, why(returned));
  }
  domain::Result<usecases::StoredResponse> pay_out(const std::string& advance) {
    return pay_residual(
        context("pay"), settlements.at(advance).text(), [](const auto&) { return ""; }, [](const auto&) { return ""; });
  }
  std::vector<domain::RecourseEntry> entries(const std::string& advance) {
    return reconciliation(settlements.at(advance)).recourse;
  }
  std::string due(const std::string& advance) {
    const auto whole = reconciliation(settlements.at(advance));
    return format_money(whole.residual_due) + " due, " + format_money(whole.residual_held) + " held";
  }
  int release() {
    const auto released = release_reserves(100);
    BOOST_REQUIRE_MESSAGE(released, why(released));
    return *released;
  }
};

}  // namespace tideover::tests
