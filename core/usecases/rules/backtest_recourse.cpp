#include "core/usecases/rules/backtest_recourse.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "core/domain/basics/midnight.hpp"

namespace tideover::usecases {
namespace {

using domain::Money;
using domain::RecourseEntry;

constexpr std::size_t kEntriesAtOnce = 1000;

/// One of the two policies, with the reserves as its decisions leave them.
class PolicySide {
 public:
  PolicySide(ports::RulePolicy& rules, const domain::TermsLimits& limits)
      : rules_(rules), limits_(limits), policy_(rules.recourse_policy()) {}

  domain::RecourseDecision decide(domain::RecourseFacts facts) {
    auto& reserve = reserve_of(facts);
    facts.reserve = reserve;
    auto assessed = rules_.decide_recourse(facts);
    auto decision = bound_recourse(assessed.proposal, facts);
    if (!assessed.faults.empty()) decision.problem = assessed.faults.front().problem;
    reserve += facts.event == domain::RecourseEvent::overpayment ? decision.split.reserve : -decision.split.reserve;
    return decision;
  }
  /// A movement that no rule decided.
  void move(const RecourseEntry& entry) { reserve_of(entry.facts) += entry.moved.reserve; }

  /// The fee that this policy would have agreed on, for a principal that was recovered so many days after the funding.
  Money fee_of(const domain::Terms& agreed, int days) const {
    domain::BoundedTerms bounded;
    bounded.decision = domain::Decision::approved;
    bounded.terms.advance_amount = agreed.advance_amount;
    bounded.terms.fee_bps = agreed.fee_bps;
    bounded.terms.fee_estimate = portion(agreed.advance_amount, agreed.fee_bps);
    apply_policy(bounded, policy_, limits_, days, std::nullopt);
    return fee_after(bounded.terms, days);
  }

 private:
  /// At its first event a practice has the reserve that it had then.
  Money& reserve_of(const domain::RecourseFacts& facts) {
    return reserves_.try_emplace(facts.payee_npi, facts.reserve).first->second;
  }

  ports::RulePolicy& rules_;
  const domain::TermsLimits& limits_;
  domain::RecoursePolicy policy_;
  std::map<std::string, Money> reserves_;
};

void add_to(RecourseSums& sums, const domain::RecourseDecision& decision, domain::RecourseEvent event) {
  if (event == domain::RecourseEvent::overpayment) {
    sums.reserve_filled += decision.split.reserve;
    return;
  }
  sums.funder_loss += decision.split.funder;
  sums.practice_debt += decision.split.future_residuals;
  sums.reserve_used += decision.split.reserve;
}

/// Replays one period under both policies.
class RecourseReplay {
 public:
  RecourseReplay(ports::Store& store, const domain::TenantId& tenant, PolicySide before, PolicySide after,
                 domain::Timestamp from, domain::Timestamp until)
      : store_(store),
        tenant_(tenant),
        before_(std::move(before)),
        after_(std::move(after)),
        from_(from),
        until_(until) {}

  domain::Status events() {
    // What was undone, also after the period, moved nothing in the end.
    std::set<domain::LedgerTransactionId> undone;
    const auto looked = each_entry(kNever, [&](const RecourseEntry& entry) {
      if (entry.undoes) undone.insert(*entry.undoes);
    });
    if (!looked) return looked;
    return each_entry(until_, [&](const RecourseEntry& entry) {
      if (!entry.undoes && !undone.contains(entry.id)) replay(entry);
    });
  }

  domain::Status fees() {
    for (std::string last;;) {
      auto page = fetch(store_, [&](const ports::Records& records) {
        return records.recourse().fees_between(tenant_, from_, until_, last, kEntriesAtOnce);
      });
      if (!page) return page.error();
      const bool is_last = page->size() < kEntriesAtOnce;
      // The records of one settlement stay together: those of the last one may go on behind the page.
      if (!is_last && page->front().settlement != page->back().settlement) {
        const auto of_last = page->back().settlement;
        std::erase_if(*page, [&](const auto& fee) { return fee.settlement == of_last; });
      }
      for (std::size_t i = 0; i < page->size();) {
        const auto& first = (*page)[i];
        Money sum;
        for (; i < page->size() && (*page)[i].settlement == first.settlement; ++i) sum += (*page)[i].fee;
        count(first, sum);
      }
      if (is_last) return {};
      last = page->back().settlement.text();
    }
  }

  RecourseComparison take() { return std::move(comparison_); }

  static constexpr auto kNever = domain::Timestamp::from_ms(253'402'300'799'000);  // 9999-12-31

 private:
  domain::Status each_entry(domain::Timestamp until, const std::function<void(const RecourseEntry&)>& visit) {
    for (std::string last;;) {
      const auto page = fetch(store_, [&](const ports::Records& records) {
        return records.recourse().between(tenant_, from_, until, last, kEntriesAtOnce);
      });
      if (!page) return page.error();
      for (const auto& entry : *page) visit(entry);
      if (page->size() < kEntriesAtOnce) return {};
      last = page->back().id.text();
    }
  }

  void replay(const RecourseEntry& entry) {
    if (entry.kind != RecourseEntry::Kind::event) {
      before_.move(entry);
      after_.move(entry);
      return;
    }
    const auto was = before_.decide(entry.facts), is = after_.decide(entry.facts);
    comparison_.changed += was.split != is.split ? 1 : 0;
    comparison_.refused += is.problem.empty() ? 0 : 1;
    for (auto* sums : {&comparison_.total, &comparison_.payers[entry.facts.payer_id]}) {
      ++sums->events;
      add_to(sums->before, was, entry.facts.event);
      add_to(sums->after, is, entry.facts.event);
    }
  }

  /// The fees of one settlement in the period: its first record, and the sum of all.
  void count(const ports::CollectedFee& first, Money sum) {
    if (sum.is_zero()) return;
    // A part of the fee was paid where the payment was short: of another fee at most as much.
    const bool is_whole = sum >= fee_after(first.terms, first.days);
    const auto fee_of = [&](const PolicySide& side) {
      const Money agreed = side.fee_of(first.terms, first.days);
      return is_whole ? agreed : std::min(agreed, sum);
    };
    for (auto* sums : {&comparison_.total, &comparison_.payers[first.payer_id]}) {
      sums->before.fees += fee_of(before_);
      sums->after.fees += fee_of(after_);
    }
  }

  ports::Store& store_;
  const domain::TenantId& tenant_;
  PolicySide before_, after_;
  const domain::Timestamp from_, until_;
  RecourseComparison comparison_;
};

}  // namespace

domain::Result<RecourseComparison> BacktestRecourse::operator()(const domain::TenantId& tenant,
                                                                ports::RulePolicy& before, ports::RulePolicy& after,
                                                                const RecoursePeriod& period) {
  RecourseReplay replay(store_, tenant, {before, limits_}, {after, limits_},
                        period.from ? midnight_of(*period.from) : domain::Timestamp::from_ms(0),
                        period.to ? midnight_of(period.to->plus(1)) : RecourseReplay::kNever);
  if (const auto done = replay.events(); !done) return done.error();
  if (const auto done = replay.fees(); !done) return done.error();
  return replay.take();
}

}  // namespace tideover::usecases
