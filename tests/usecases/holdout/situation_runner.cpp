#include "tests/usecases/holdout/situation_runner.hpp"

#include <algorithm>
#include <set>

#include "core/usecases/funding/pay_residual.hpp"
#include "core/usecases/reconciliation/return_deposit.hpp"

namespace tideover::tests {
namespace {

using Value = rapidjson::Value;

constexpr int kDaysMoved = 52 * 7;

std::string text(const Value& object, const char* key) {
  const auto found = object.FindMember(key);
  return found != object.MemberEnd() && found->value.IsString() ? found->value.GetString() : "";
}
domain::Money amount(const Value& object, const char* key) {
  return domain::Money::cents(object[key].GetInt64());
}
domain::Date date(const Value& object, const char* key) {
  return domain::parse_date(text(object, key))->plus(kDaysMoved);
}
std::vector<std::string> texts(const Value& list) {
  std::vector<std::string> all;
  for (const auto& one : list.GetArray()) all.emplace_back(one.GetString());
  return all;
}

/// The kinds of task that ask what the situation expects (README of the hold-out).
const std::set<std::string_view>& kinds_that_ask(const std::string& decide) {
  static const std::map<std::string, std::set<std::string_view>> kinds{
      {"which advance", {"match_ambiguous"}},
      {"which payer", {"match_ambiguous", "deposit_unmatched"}},
      {"which remittance", {"match_ambiguous", "deposit_unmatched"}},
      {"remittance missing", {"deposit_unmatched"}},
      {"money missing", {"deposit_unmatched", "match_ambiguous"}},
      {"same trace", {"trace_reused", "match_ambiguous"}},
      {"same payment", {"deposit_duplicate", "trace_reused", "match_ambiguous"}},
      {"more than charge", {"match_ambiguous"}},
      {"takeback beyond payments", {"match_ambiguous"}},
      {"paid-out money taken back", {"payout_taken_back"}}};
  return kinds.at(decide);
}

domain::RemittanceClaim remittance_claim_of(const Value& line) {
  domain::RemittanceClaim claim;
  claim.claim_identifier = text(line, "number");
  claim.payer_claim_number = text(line, "payer_number");
  claim.status = text(line, "status");
  claim.charge_amount = amount(line, "charge");
  claim.paid_amount = amount(line, "paid");
  claim.billing_npi = text(line, "npi");
  if (!text(line, "service_date").empty()) claim.date_of_service = date(line, "service_date");
  const auto adjustments_of = [](const Value& from) {
    std::vector<domain::Adjustment> adjustments;
    if (from.HasMember("adjustments"))
      for (const auto& one : from["adjustments"].GetArray())
        adjustments.push_back({text(one, "group"), text(one, "reason"), amount(one, "amount")});
    return adjustments;
  };
  claim.adjustments = adjustments_of(line);
  if (line.HasMember("lines"))
    for (const auto& one : line["lines"].GetArray()) {
      auto& service = claim.lines.emplace_back();
      service.cpt = text(one, "cpt");
      service.charge_amount = amount(one, "charge");
      service.paid_amount = amount(one, "paid");
      service.adjustments = adjustments_of(one);
    }
  return claim;
}

}  // namespace

std::vector<std::string> SituationRunner::run() {
  know_payers_and_claims();
  for (const auto& event : situation_.at("/events").GetArray()) {
    move_clock_to(std::max(today_, text(event, "date")));
    fund_until(today_);
    if (const auto problem = happens(event); !problem.empty())
      differences_.push_back(text(event, "id") + ": " + problem);
    find_wrong_matches();
  }
  compare_advances();
  compare_sums();
  compare_tasks();
  return differences_;
}

void SituationRunner::know_payers_and_claims() {
  for (const auto& known : situation_.at("/payers").GetArray()) {
    auto payer = payers.payers.front();  // expects 80 % of the charge
    payer.payer_id = text(known, "id");
    payer.name = text(known, "name");
    payer.aliases = texts(known["originators"]);
    payers.payers.push_back(std::move(payer));
  }
  for (const auto& claim : situation_.at("/other_claims").GetArray()) review(claim_of(claim));
}

domain::ClaimDraft SituationRunner::claim_of(const Value& claim) const {
  domain::ClaimDraft draft;
  draft.claim_identifier = text(claim, "claim");
  draft.chart_identifier = domain::Sensitive<std::string>("CH-" + draft.claim_identifier);
  for (const auto& practice : situation_.at("/practices").GetArray())
    if (text(practice, "id") == text(claim, "practice")) draft.servicer_npi = draft.billing_npi = text(practice, "npi");
  draft.payer_id = text(claim, "payer");
  draft.submitted_amount = amount(claim, "charge");
  draft.date_of_service = date(claim, "service_date");
  return draft;
}

void SituationRunner::fund_until(const std::string& day) {
  for (const auto& advance : situation_.at("/advances").GetArray()) {
    const auto number = text(advance, "claim");
    if (text(advance, "funded_on") > day || std::count(funded_.begin(), funded_.end(), number) > 0) continue;
    funded_.push_back(number);
    const auto claim = claim_of(advance);
    // Terms of a payer that no directory knows are those of the file, too.
    const auto known = payers.payers.size();
    if (!*payers.get(claim.payer_id)) {
      payers.payers.push_back(payers.payers.front());
      payers.payers.back().payer_id = claim.payer_id;
      payers.payers.back().aliases.clear();
    }
    const auto terms = adjudicate(review(claim));
    payers.payers.resize(known);
    BOOST_REQUIRE(bool(try_confirm(terms.id)));
    const auto funded = settlement(terms.id);
    BOOST_TEST(*funded.funded_amount == amount(advance, "advance"));
    names[terms.id.text()] = number;
    settlements[number] = terms.id;
  }
}

void SituationRunner::move_clock_to(const std::string& day) {
  today_ = day;
  const auto wanted = domain::parse_date(day)->plus(kDaysMoved);
  if (const int days = days_between(clock.now().utc_date(), wanted); days > 0) clock.advance_days(days);
}

std::string SituationRunner::happens(const Value& event) {
  const auto type = text(event, "type");
  if (type == "remittance") return arrives_remittance(event);
  if (type == "deposit") return arrives_deposit(event);
  if (type == "deposit_returned") return deposit_returns(event);
  if (type == "payout") return pays_out(event);
  if (type == "payout_returned") return payout_returns(event);
  if (type == "advance_returned") return advance_returns(event);
  if (type == "decision") return decides(event);
  if (type == "clock") {
    after_days(0);
    return "";
  }
  return "the service has no " + type;
}

std::string SituationRunner::arrives_remittance(const Value& event) {
  domain::RemittanceDraft draft;
  const auto named = text(event["payer"], "id");
  const auto known = payers.get(named);
  if (known && *known) draft.payer_id = (*known)->payer_id;
  draft.payer_name = text(event["payer"], "name");
  draft.payer_said = draft.payer_name + '\n' + named;
  draft.originator_id = text(event, "originator");
  draft.trace_number = text(event, "trace");
  draft.payee_npi = text(event, "payee");
  draft.payment_method = text(event, "method");
  draft.payment_date = date(event, "payment_date");
  draft.payment_amount = amount(event, "amount");
  for (const auto& line : event["claims"].GetArray()) draft.claims.push_back(remittance_claim_of(line));
  for (const auto& row : event["provider_adjustments"].GetArray())
    draft.provider_adjustments.push_back(
        {text(row, "code"), text(row, "reference"), amount(row, "amount"), text(row, "npi")});
  const auto answer = (*post_remittance)(
      context("remittance"), {draft},
      [](const std::vector<usecases::PostedRemittance>& posted) { return posted.front().remittance.id.text(); });
  if (!answer) return "the remittance was refused: " + why(answer);
  if (names.contains(answer->body)) repeats_.insert(text(event, "id"));  // the answer is an earlier remittance
  names[answer->body] += (names.contains(answer->body) ? "=" : "") + text(event, "id");
  remittances.insert_or_assign(text(event, "id"), *domain::RemittanceId::parse(answer->body));
  return "";
}

std::string SituationRunner::arrives_deposit(const Value& event) {
  Cash money{text(event, "id"), event["amount"].GetInt64(), text(event, "trace")};
  money.day = days_between(clock.now().utc_date(), date(event, "date"));
  money.payer = text(event, "payer");
  if (event["originator"].IsObject()) money.originator = text(event["originator"], "id");
  if (money.payer.empty()) money.channel = "bai2";
  arrives(money, text(event, "addenda"));
  return "";
}

std::string SituationRunner::deposit_returns(const Value& event) {
  usecases::ReturnDeposit return_deposit{*store, ids};
  const auto returned =
      return_deposit(context("return " + text(event, "id")),
                     {deposits.at(text(event, "of")).text(), date(event, "date"), text(event, "reason")},
                     [](const auto&) { return ""; });
  return returned ? "" : "the return was refused: " + why(returned);
}

std::string SituationRunner::pays_out(const Value& event) {
  usecases::PayResidual pay{*store, *disburse, ids, true};
  for (const auto& [number, id] : settlements)
    if (reconciliation(id).residual_due == amount(event, "amount")) {
      const auto paid = pay(
          context("pay " + text(event, "id")), id.text(), [](const auto&) { return ""; },
          [](const auto&) { return ""; });
      if (!paid) return "the payout was refused: " + why(paid);
      paid_out_.insert_or_assign(text(event, "id"), id);
      return "";
    }
  return "no advance owes this amount";
}

std::string SituationRunner::payout_returns(const Value& event) {
  const auto paid = paid_out_.find(text(event, "of"));
  if (paid == paid_out_.end()) return "there is no payout to return";
  ports::RailOutcome outcome;
  outcome.kind = ports::RailOutcome::Kind::returned;
  outcome.reason_code = text(event, "reason");
  const auto returned = disburse->record(caller.tenant, attempt(paid->second, domain::Purpose::residual),
                                         domain::AttemptEvent::return_, outcome, nullptr);
  return returned ? "" : "the return was refused: " + returned.error().message;
}

std::string SituationRunner::advance_returns(const Value& event) {
  ports::RailOutcome outcome;
  outcome.kind = ports::RailOutcome::Kind::returned;
  outcome.reason_code = text(event, "reason");
  const auto returned = disburse->record(caller.tenant, attempt(settlements.at(text(event, "claim"))),
                                         domain::AttemptEvent::return_, outcome, nullptr);
  return returned ? "" : "the return was refused: " + returned.error().message;
}

std::string SituationRunner::decides(const Value& event) {
  const auto about = texts(event["about"]);
  std::set<std::string> wanted;
  if (event.HasMember("match"))
    for (const char* part : {"remittances", "deposits"})
      for (const auto& id : texts(event["match"][part])) wanted.insert(id);
  if (event.HasMember("claim")) wanted.insert(text(event, "claim"));
  for (const auto& task : tasks()) {
    if (std::count(about.begin(), about.end(), names[task.object_id]) == 0) continue;
    for (const auto& proposal : proposals(task.id.text())) {
      std::set<std::string> of{names[task.object_id]};
      for (const auto& candidate : proposal.candidates) of.insert(names[candidate]);
      const bool fits = event.HasMember("claim") ? of.contains(text(event, "claim")) : of == wanted;
      if (proposal.decision != text(event, "choice") || !fits) continue;
      const auto decided = decide(task.id.text(), proposal.decision, proposal.id);
      return decided ? "" : "the decision was refused: " + why(decided);
    }
  }
  return "no task proposes " + text(event, "choice") + " of " +
         joined(std::vector<std::string>(wanted.begin(), wanted.end()));
}

void SituationRunner::compare_advances() {
  for (const auto& expected : situation_.at("/expected/advances").GetArray()) {
    const auto number = text(expected, "claim");
    const auto funded = settlement(settlements.at(number));
    const auto whole = reconciliation(funded.id);
    const bool is_canceled = funded.status == domain::SettlementStatus::canceled;
    differ("status of " + number, is_canceled ? "canceled" : std::string(name_of(whole.status)),
           text(expected, "status"));
    if (is_canceled) continue;
    differ("repaid of " + number, whole.advance_recovered.cents(), expected["repaid"].GetInt64());
    differ("fee of " + number, whole.fee_collected.cents(), expected["fee"].GetInt64());
  }
}

void SituationRunner::compare_sums() {
  const auto sum_of = [&](const char* list, const char* plus, const char* minus) {
    std::int64_t sum = 0;
    for (const auto& row : situation_.at(std::string("/expected/") + list).GetArray())
      sum += row[plus].GetInt64() - (*minus == '\0' ? 0 : row[minus].GetInt64());
    return sum;
  };
  const auto credit = [&](const std::string& account) { return -balance(account).cents(); };
  differ("owed to practices", credit(domain::account::provider_payable(caller.tenant)),
         sum_of("payable", "owed", "paid_out"));
  differ("carried", credit(std::string(domain::account::kCarriedBalances)), sum_of("carried", "amount", ""));
  differ("unmatched money", credit(std::string(domain::account::kSuspenseUnmatched)),
         situation_.at("/expected/unmatched_money").GetInt64());
  std::int64_t held = 0;
  for (const auto& [name, id] : deposits) {
    const auto deposit = seen(
        [&, wanted = id](const ports::Records& records) { return records.deposits().find(caller.tenant, wanted); });
    if (deposit->status == domain::MatchState::suspected_duplicate) held += deposit->amount.cents();
  }
  differ("held deposits", held, situation_.at("/expected/held_deposits").GetInt64());
}

void SituationRunner::compare_tasks() {
  std::set<std::string> subjects;
  const auto open = tasks();
  for (const auto& expected : situation_.at("/expected/tasks").GetArray()) {
    const auto about = texts(expected["about"]);
    subjects.insert(about.begin(), about.end());
    const auto asks = [&](const domain::Task& task) {
      if (std::count(about.begin(), about.end(), names[task.object_id]) == 0) return false;
      const auto meanings = texts(expected["decide"]);
      return std::any_of(meanings.begin(), meanings.end(),
                         [&](const auto& meaning) { return kinds_that_ask(meaning).contains(task.kind); });
    };
    if (std::none_of(open.begin(), open.end(), asks))
      differences_.push_back("no task asks " + joined(texts(expected["decide"])) + " about " + joined(about));
  }
  for (const auto& task : open)
    if (!subjects.contains(names[task.object_id]))
      differences_.push_back("unexpected task " + task.kind + " about " + names[task.object_id]);
}

void SituationRunner::find_wrong_matches() {
  for (const auto& forbidden : situation_.at("/expected/must_not").GetArray())
    if (!repeats_.contains(text(forbidden, "event")) && is_matched(forbidden))
      differences_.push_back("wrong match of " + text(forbidden, "event") + " with " + text(forbidden, "with"));
}

/// Practices and adjustments are compared in sums: what must not reach them shows there.
bool SituationRunner::is_matched(const Value& forbidden) {
  auto event = text(forbidden, "event"), with = text(forbidden, "with");
  if (deposits.contains(event) && remittances.contains(with)) std::swap(event, with);
  const auto remittance = remittances.find(event);
  if (const auto deposit = deposits.find(with); remittance != remittances.end() && deposit != deposits.end())
    return seen([&](const ports::Records& records) {
             return records.remittances().find(caller.tenant, remittance->second);
           })->deposit == deposit->second;
  const auto advance = settlements.find(with);
  if (advance == settlements.end() || forbidden.HasMember("plb")) return false;
  const auto records = reconciliation(advance->second).records;
  return std::any_of(records.begin(), records.end(), [&](const domain::ReconciliationRecord& record) {
    if (remittance != remittances.end()) {
      if (record.remittance != remittance->second) return false;
      if (!forbidden.HasMember("line")) return true;
      const auto whole = seen(
          [&](const ports::Records& stored) { return stored.remittances().find(caller.tenant, remittance->second); });
      return whole->claims.at(static_cast<std::size_t>(forbidden["line"].GetInt())).settlement == advance->second;
    }
    return deposits.contains(event) && record.deposit == deposits.at(event);
  });
}

void SituationRunner::differ(const std::string& what, const std::string& seen_value, const std::string& expected) {
  if (seen_value != expected) differences_.push_back(what + " is " + seen_value + ", expected " + expected);
}
void SituationRunner::differ(const std::string& what, std::int64_t seen_value, std::int64_t expected) {
  differ(what, std::to_string(seen_value), std::to_string(expected));
}

}  // namespace tideover::tests
