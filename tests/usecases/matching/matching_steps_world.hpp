// A world in which advances, deposits and remittances have short names, for tables of cases and their results:
// "D1~N1 trace_number: amount_differs", "D1 unmatched; A pending; deposit_unmatched about D1".
#pragma once
#include <algorithm>
#include <map>
#include <set>

#include "core/domain/claims/npi.hpp"
#include "core/usecases/matching/match_trail.hpp"
#include "tests/usecases/world.hpp"

namespace tideover::tests {

/// An advance on a claim of this name: 80 % of what is billed is expected.
struct Advance {
  std::string name;
  std::int64_t billed = 100'000;
  std::string payer = "PAYER";
  std::vector<std::string> lines = {};  // procedures, each an equal part of what is billed
  std::string npi = "";                 // of the practice
};

struct PaidClaim {
  std::string name;
  std::int64_t paid = 0;
  std::int64_t charge = 100'000;
  std::optional<int> service_day = std::nullopt;  // days behind the claim's own date of service
  std::string status = "1";
  std::string payer_number = "";
  std::string line = "";            // the only procedure that is decided on
  std::vector<int> line_days = {};  // a service line of each of these days, counted like service_day
  std::vector<domain::Adjustment> adjustments = {};
};

struct Plb {
  const char* code;
  std::int64_t cents;
  std::string reference = "";
  std::string provider = "";  // PLB01: an NPI or another id
};

struct Remittance {
  std::string name;
  std::string trace;
  std::vector<PaidClaim> claims;
  int day = 0;  // of the payment, from today
  std::string payer = "PAYER";
  std::string originator = "";
  std::int64_t adjustment = 0;  // PLB: positive lowers the payment
  std::string method = "ACH";
  std::int64_t off_balance = 0;
  std::vector<Plb> adjustments = {};  // further PLB
  std::string payee = "";
  std::string tax_id = "";    // of the payee
  std::string assigned = "";  // the payer's own number of the payee
};

struct Cash {
  std::string name;
  std::int64_t cents = 0;
  std::string trace;
  int day = 0;
  std::string payer = "PAYER";
  std::string originator = "";
  std::string channel = "api";
};

inline std::string task_body(const domain::Task& task) {
  return task.id.text();
}

struct MatchingStepsWorld : World {
  explicit MatchingStepsWorld(domain::PostOn post_on = domain::PostOn::deposit,
                              const domain::PostingSizes& sizes = posting_sizes_of_environment())
      : World(post_on, sizes) {
    // Another payer that the directory knows: a payer that it does not know is the payer of its claims.
    payers.payers.push_back(payers.payers.front());
    payers.payers.back().payer_id = "OTHER";
    payers.payers.back().aliases.clear();
  }
  void fund(const Advance& advance) { BOOST_REQUIRE(bool(try_confirm(terms_of(advance)))); }
  /// An advance whose rail has not answered yet: it is funded by resolve().
  void send(const Advance& advance) {
    same_day.script = {{fakes::FakeRail::Answer::time_out_accepted}};
    BOOST_TEST(refusal_of(try_confirm(terms_of(advance))) == domain::ErrorCode::rail_outcome_unknown);
  }
  domain::SettlementId terms_of(const Advance& advance) {
    auto claim = draft(advance.name, advance.billed);
    claim.payer_id = advance.payer;
    if (!advance.npi.empty()) claim.servicer_npi = claim.billing_npi = advance.npi;
    for (const auto& procedure : advance.lines)
      claim.service_lines.push_back(
          {procedure, "", 1000,
           domain::Money::cents(advance.billed / static_cast<std::int64_t>(advance.lines.size()))});
    const auto terms = adjudicate(review(claim));
    names[terms.id.text()] = advance.name;
    settlements[advance.name] = terms.id;
    return terms.id;
  }

  void arrives(const Cash& money, const std::string& addenda = "") {
    domain::Deposit deposit;
    deposit.addenda = addenda;
    deposit.id = ids.next<domain::DepositId>();
    deposit.created_at = clock.now();
    deposit.payer_id = money.payer;
    deposit.amount = domain::Money::cents(money.cents);
    deposit.received_date = clock.now().utc_date().plus(money.day);
    deposit.trace_number = money.trace;
    deposit.originator = money.originator;
    deposit.channel = money.channel;
    const auto context = this->context("deposit");
    std::vector<domain::RemittanceId> posting;
    const auto kept = sql->commit([&](ports::Records& records) -> domain::Status {
      records.clients().guard_matching(caller.tenant);
      const auto taken = usecases::take_deposit({records, caller.tenant, clock.now(), ids, &rules}, deposit,
                                                post_in_chunks->sizes().at_once);
      if (!taken) return taken.error();
      posting = taken->posting;
      usecases::leave_trace(records, context, ids, deposit.id.text(), "");
      return {};
    });
    BOOST_REQUIRE_MESSAGE(kept, "the deposit was refused");
    names[deposit.id.text()] = money.name;
    for (const auto& remittance : posting)
      BOOST_REQUIRE(bool((*post_in_chunks)(caller.tenant, remittance, clock.now())));
    deposits[money.name] = deposit.id;
  }

  void arrives(const Remittance& remittance) {
    domain::RemittanceDraft draft;
    draft.payer_id = remittance.payer;
    draft.trace_number = remittance.trace;
    draft.originator_id = remittance.originator;
    draft.payee_npi = remittance.payee;
    draft.payee_tax_id = remittance.tax_id;
    draft.payee_assigned_id = remittance.assigned;
    draft.payment_method = remittance.method;
    draft.payment_date = clock.now().utc_date().plus(remittance.day);
    for (const auto& paid : remittance.claims) {
      domain::RemittanceClaim claim;
      claim.claim_identifier = paid.name;
      claim.status = paid.status;
      claim.charge_amount = domain::Money::cents(paid.charge);
      claim.paid_amount = domain::Money::cents(paid.paid);
      claim.payer_claim_number = paid.payer_number;
      claim.adjustments = paid.adjustments;
      if (!paid.line.empty()) {
        auto& line = claim.lines.emplace_back();
        line.cpt = paid.line;
        line.charge_amount = claim.charge_amount;
        line.paid_amount = claim.paid_amount;
      }
      for (const int day : paid.line_days)
        claim.lines.emplace_back().date_of_service = clock.now().utc_date().plus(day - 2);
      if (paid.service_day) claim.date_of_service = clock.now().utc_date().plus(*paid.service_day - 2);
      draft.payment_amount += claim.paid_amount;
      draft.claims.push_back(std::move(claim));
    }
    if (remittance.adjustment != 0)
      draft.provider_adjustments.push_back({"WO", "", domain::Money::cents(remittance.adjustment)});
    draft.payment_amount -= domain::Money::cents(remittance.adjustment - remittance.off_balance);
    for (const auto& [code, cents, reference, provider] : remittance.adjustments) {
      const bool is_npi = domain::has_npi_format(provider);
      draft.provider_adjustments.push_back({code, reference, domain::Money::cents(cents),
                                            is_npi ? provider : std::string(), is_npi ? std::string() : provider});
      draft.payment_amount -= domain::Money::cents(cents);
    }
    const auto answer = (*post_remittance)(
        context("remittance"), {draft},
        [](const std::vector<usecases::PostedRemittance>& posted) { return posted.front().remittance.id.text(); });
    BOOST_REQUIRE_MESSAGE(answer, "the remittance was refused: " << why(answer));
    names[answer->body] = remittance.name;
    remittances[remittance.name] = *domain::RemittanceId::parse(answer->body);
  }

  /// The result of every compared pair, in either order: "D1~N1 trace_number: amount_differs; N1~A claim_identifier".
  std::string pairs() {
    std::set<std::string> lines;
    for (const auto& [id, name] : names)
      for (const auto& seen : seen([&, object = id](const ports::Records& records) {
             return usecases::trail_of(records, caller.tenant, object);
           })) {
        if (seen.candidate.empty()) continue;
        auto left = names[seen.subject], right = names[seen.candidate];
        if (right.front() == 'D') std::swap(left, right);
        std::string line = left + '~' + right + ' ' + std::string(name_of(seen.step));
        if (seen.verdict == domain::MatchVerdict::rejected) {
          line += ':';
          for (const auto& reason : seen.reasons) line += ' ' + reason;
        }
        if (seen.verdict == domain::MatchVerdict::undone) line += " undone";
        lines.insert(line);
      }
    return joined(lines);
  }

  /// The final states: "D1 matched; A settled by trace_number; deposit_unmatched about D1".
  std::string ends() {
    std::vector<std::string> lines;
    for (const auto& [name, id] : deposits)
      lines.push_back(name + ' ' + std::string(name_of(seen([&, deposit = id](const ports::Records& records) {
                                                         return records.deposits().find(caller.tenant, deposit);
                                                       })->status)));
    for (const auto& [name, id] : settlements) {
      const auto whole = reconciliation(id);
      lines.push_back(name + ' ' + std::string(name_of(whole.status)) +
                      (whole.matched_by.empty() ? "" : " by " + whole.matched_by));
    }
    for (const auto& task : tasks()) lines.push_back(task.kind + " about " + names[task.object_id]);
    return joined(lines);
  }

  /// The postings to each advance, payment by payment: "A 790.00 settled, -790.00 reversed".
  std::string postings() {
    std::vector<std::string> lines;
    for (const auto& [name, id] : settlements) {
      std::string line = name;
      for (const auto& record : reconciliation(id).records)
        line += (line == name ? " " : ", ") + format_money(record.payer_payment) + ' ' +
                std::string(name_of(record.split.status));
      lines.push_back(line == name ? name + " -" : line);
    }
    return joined(lines);
  }

  /// What each advance came to, whatever the order of its payments: "A 0.00 reversed, charge 0.00".
  std::string results() {
    std::vector<std::string> lines;
    for (const auto& [name, id] : settlements) {
      const auto whole = reconciliation(id);
      domain::Money charge;
      for (const auto& record : whole.records) charge += record.charge;
      lines.push_back(name + ' ' + format_money(whole.payer_payment) + ' ' + std::string(name_of(whole.status)) +
                      ", charge " + format_money(charge));
    }
    return joined(lines);
  }

  /// The balance of every account except cash and the bank: "fee_income -12.80; receivable A 640.00".
  std::string holdings() {
    std::vector<std::string> lines;
    for (const auto& balance :
         seen([&](const ports::Records& records) { return records.ledger().balances(caller.tenant, "", 10'000); })) {
      if (balance.posted.is_zero() || balance.account == "funding_cash" || balance.account == "deposit_clearing")
        continue;
      const auto colon = balance.account.find(':');
      const auto kind = balance.account.substr(0, colon);
      lines.push_back(
          (kind == "purchased_receivable" ? "receivable " + names[balance.account.substr(colon + 1)] : kind) + ' ' +
          format_money(balance.posted));
    }
    return joined(lines);
  }

  template <class Lines>
  static std::string joined(const Lines& lines) {
    std::string text;
    for (const auto& line : lines) text += (text.empty() ? "" : "; ") + line;
    return text;
  }

  std::map<std::string, std::string> names;  // by id
  std::map<std::string, domain::SettlementId> settlements;
  std::map<std::string, domain::DepositId> deposits;
  std::map<std::string, domain::RemittanceId> remittances;
};

}  // namespace tideover::tests
