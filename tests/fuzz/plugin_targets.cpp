// What a plugin hands to the host's sinks, up to the use case. scripted_plugin.cpp fills the structures of the ABI from
// the input; the host accepts or refuses them, and what it accepts is posted to a store.
//
// The first byte of an input chooses the call: remittance file, deposit file, payer by id, payer search. The rest is
// the script: a step per record. A step is the kind of the record, the number of changes (0 to 3; 255: no record at
// all), and for each change a field and its value. Without changes a record is an ordinary one.
#include <algorithm>
#include <atomic>

#include "core/domain/basics/text.hpp"
#include "core/http/wire/json/json.hpp"
#include "core/http/wire/reconciliation/deposit_file_json.hpp"
#include "core/http/wire/reconciliation/deposit_json.hpp"
#include "core/http/wire/reconciliation/remittance_json.hpp"
#include "core/plugin_host/plugin_host.hpp"
#include "core/usecases/reconciliation/read_remittances.hpp"
#include "tests/fuzz/fixed_time.hpp"
#include "tests/fuzz/fresh_store.hpp"
#include "tests/fuzz/target.hpp"

namespace tideover::fuzz {
namespace {

using domain::Money;

constexpr std::size_t kLongestText = 4096;
constexpr plugin_host::FileLimits kLimits{30, 60};  // small, so that inputs reach them

/// A fault without a message; checked after each call, because an observer must not throw.
std::atomic<bool> has_silent_fault = false;

plugin_host::PluginHost& host() {
  static FixedTime time;
  static const auto made = [] {
    const auto scripted = [](const char* kind) {
      return plugin_host::PluginSpec{
          TIDEOVER_BINARY_DIR "/fuzz_plugins/scripted_" + std::string(kind) + ".so", kind, "", {}};
    };
    plugin_host::CallBudgets budgets;
    budgets.payer_fresh = std::chrono::milliseconds(0);  // an input gives the same whatever came before it
    budgets.payer_lookup = std::chrono::seconds(30);     // a busy machine is late
    auto loaded = plugin_host::PluginHost::load(
        {scripted("payer_directory"), scripted("remittance_format"), scripted("deposit_format")},
        {time, time, [](plugin_host::LogLevel, std::string_view, std::string_view) {},
         [](const plugin_host::PluginFault& fault) {
           if (fault.what.empty() || fault.message.empty()) has_silent_fault = true;
         }},
        budgets, kLimits);
    if (!loaded) throw std::runtime_error(loaded.error().message);
    return std::move(*loaded);
  }();
  return *made;
}

void refused(const domain::Error& error) {
  must(!error.message.empty(), "a refusal says why");
  must(domain::is_printable(error.message), "a refusal is printable text");
  must(!has_silent_fault, "a fault says what is wrong");
}

/// Ids, names, codes and references.
void is_label(const std::string& text) {
  must(text.size() <= kLongestText, "an accepted text is at most 4096 bytes long");
  must(domain::is_printable(text), "an accepted id, name, code or reference is printable UTF-8");
}
void is_text(const std::string& text) {
  must(text.size() <= kLongestText && domain::is_utf8(text) && text.find('\0') == std::string::npos,
       "an accepted text is UTF-8 without NUL, at most 4096 bytes long");
}
void is_amount(Money amount) {
  must(-domain::kLargestAmount <= amount && amount <= domain::kLargestAmount, "an accepted amount is within the limit");
}
void is_amount(const std::optional<Money>& amount) {
  is_amount(amount.value_or(Money{}));
}
void is_date(const std::optional<domain::Date>& date) {
  if (!date) return;
  const auto ymd = date->ymd();
  must(ymd.year >= 1900 && ymd.year <= 2199 && domain::Date::from_ymd(ymd.year, ymd.month, ymd.day) == *date,
       "an accepted date exists, in the years 1900 to 2199");
}
void is_trace(const std::string& trace) {
  is_label(trace);
  must(domain::count_characters(trace) <= domain::kMaxTraceNumberCharacters, "an accepted trace number is short");
}
void are_adjustments(const std::vector<domain::Adjustment>& adjustments) {
  for (const auto& adjustment : adjustments) {
    is_label(adjustment.group);
    is_label(adjustment.code);
    must(!adjustment.code.empty(), "an adjustment has a code");
    is_amount(adjustment.amount);
  }
}

void is_claim(const domain::RemittanceClaim& claim) {
  must(!claim.claim_identifier.empty(), "a claim has a number");
  for (const auto* text : {&claim.claim_identifier, &claim.status, &claim.payer_claim_number}) is_label(*text);
  is_amount(claim.charge_amount);
  is_amount(claim.paid_amount);
  is_amount(claim.patient_responsibility);
  is_date(claim.date_of_service);
  is_date(claim.received_date);
  are_adjustments(claim.adjustments);
  for (const auto& line : claim.lines) {
    for (const auto* text : {&line.cpt, &line.modifier, &line.units, &line.submitted_cpt, &line.submitted_modifier})
      is_label(*text);
    is_amount(line.charge_amount);
    is_amount(line.allowed_amount);
    is_amount(line.paid_amount);
    is_date(line.date_of_service);
    are_adjustments(line.adjustments);
  }
}

void is_payment(const domain::RemittanceDraft& payment) {
  is_trace(payment.trace_number);
  for (const auto* text : {&payment.payer_id, &payment.payer_name, &payment.originator_id, &payment.payment_method})
    is_label(*text);
  is_date(payment.payment_date);
  is_amount(payment.payment_amount);
  for (const auto& claim : payment.claims) is_claim(claim);
  for (const auto& adjustment : payment.provider_adjustments) {
    is_label(adjustment.code);
    is_label(adjustment.reference);
    is_amount(adjustment.amount);
  }
  for (const auto& warning : payment.warnings) must(domain::is_printable(warning), "a warning is printable");
}

/// The use case took it or refused it as it refuses a client's input.
void is_answer(const domain::Result<usecases::StoredResponse>& answer) {
  if (!answer) {
    refused(answer.error());
    must(answer.error().code != domain::ErrorCode::internal_error, "what the host accepts is no internal error");
    return;
  }
  json::Document document;
  must(static_cast<bool>(json::parse(answer->body, document)), "the answer is JSON");
}

/// The bank deposit of a payment.
void pay(FreshStore& store, const domain::RemittanceDraft& payment) {
  if (payment.payment_amount <= Money{} || payment.payer_id.empty()) return;
  domain::Deposit deposit;
  deposit.payer_id = payment.payer_id;
  deposit.amount = payment.payment_amount;
  deposit.trace_number = payment.trace_number;
  deposit.originator = payment.originator_id;
  deposit.received_date = store.clock.now().utc_date();
  usecases::PostDeposit post(*store.sql, host().payers(), store.ids);
  is_answer(post(store.context("POST /v1/deposits"), deposit, wire::encode_deposit));
}

void remittance_file(std::string_view script) {
  const auto file = host().remittances().find("scripted")->parse(script, {});
  if (!file) return refused(file.error());
  std::size_t claims = 0;
  for (const auto& payment : file->payments) {
    is_payment(payment);
    claims += payment.claims.size();
  }
  must(claims <= kLimits.remittance_claims, "a file has at most so many claims");
  for (const auto& row : file->left_out) {
    is_text(row.reason);
    must(row.line >= 1 && !row.reason.empty(), "a row that is left out has its line and a reason");
  }
  must(!file->payments.empty() || !file->left_out.empty(), "a file that is read has a payment or a reason");

  FreshStore store;
  std::vector<std::string> posted;
  usecases::PostRemittance post(*store.sql, host().payers(), host().remittances(), store.digests, store.ids);
  is_answer(post.file(store.context("POST /v1/remittances"), {"scripted", script},
                      [&](const usecases::PostedRemittanceFile& result) {
                        posted.clear();
                        for (const auto& each : result.payments) posted.push_back(each.remittance.id.text());
                        return wire::encode_remittances(result.payments, result.left_out);
                      }));
  for (const auto& id : posted) {
    const auto view = usecases::ReadRemittances(*store.sql).one(store.caller.tenant, id);
    must(static_cast<bool>(view), "what was posted can be read");
    is_payment(view->remittance.draft);
    pay(store, view->remittance.draft);
  }
  store.verify();
}

void is_statement(const domain::BankFileStatement& statement, std::size_t items) {
  is_label(statement.account);
  must(statement.line >= 1 && !statement.account.empty(), "a statement has its line and its account");
  for (const auto& line : statement.lines) {
    must(line.line >= 1, "a movement has its line");
    must(!statement.reason.empty() || line.amount > Money{}, "an accepted movement has an amount");
    must(!line.item || *line.item < items, "a movement names an item of the file");
    for (const auto& reference : line.references) is_label(reference);
    is_label(line.type_code);
    is_text(line.text);
    is_date(line.date);
  }
}

void deposit_file(std::string_view script) {
  const auto file = host().deposits().find("scripted")->parse(script);
  if (!file) return refused(file.error());
  for (const auto& statement : file->statements) is_statement(statement, file->items.size());
  for (const auto& item : file->items) {
    must(item.line >= 1, "a transaction has its line");
    is_text(item.reason);
    must(item.reason.empty() == (item.kind == domain::DepositFileItem::Kind::deposit),
         "what is no deposit has a reason, and only that");
    if (!item.reason.empty()) continue;
    is_text(item.reference);
    must(!item.reference.empty(), "a deposit has a reference");
    is_trace(item.deposit.trace_number);
    is_label(item.deposit.originator);
    is_label(item.deposit.payer_id);
    is_text(item.deposit.addenda);
    must(domain::count_characters(item.deposit.addenda) <= domain::kMaxAddendaCharacters, "addenda are shortened");
    must(item.deposit.amount > Money{}, "a deposit brings money");
    is_amount(item.deposit.amount);
    is_date(item.deposit.received_date);
    is_date(item.deposit.effective_date);
  }
  for (const auto& warning : file->warnings)
    must(warning.line >= 0 && !warning.message.empty() && domain::is_printable(warning.message),
         "a warning is printable");

  FreshStore store;
  usecases::PostDepositFile post(*store.sql, host().deposits(), store.digests, store.ids);
  Money created;
  is_answer(post(store.context("POST /v1/deposits/files"), "scripted", script,
                 [&](const usecases::PostedDepositFile& result) {
                   created = {};
                   for (const auto& item : result.items)
                     if (item.result == usecases::PostedFileItem::Result::created &&
                         item.posted->deposit.status != domain::MatchState::suspected_duplicate)
                       created += item.posted->deposit.amount;
                   return wire::encode_deposit_file(result);
                 }));
  Money booked;
  for (const auto& balance : store.seen(
           [&](const ports::Records& records) { return records.ledger().balances(store.caller.tenant, "", 100); }))
    // A statement in the file moves the money of a deposit that it confirms to the cash account.
    if (balance.account == domain::account::kDepositClearing || balance.account == domain::account::kFundingCash)
      booked += balance.posted;
  must(booked == created, "every deposit that was created is booked with its amount");
  store.verify();
}

void is_payer(const domain::Payer& payer) {
  must(!payer.payer_id.empty() && !payer.name.empty(), "a payer has an id and a name");
  for (const auto* text : {&payer.payer_id, &payer.name, &payer.short_name, &payer.status, &payer.updated_at})
    is_label(*text);
  for (const auto* texts : {&payer.aliases, &payer.ein, &payer.coverage_types, &payer.programs, &payer.states})
    for (const auto& text : *texts) is_label(text);
  for (const auto* pairs : {&payer.identifiers, &payer.transactions})
    for (const auto& [key, value] : *pairs) is_label(key + value);
  const auto& rates = payer.rates;
  for (const int share : {rates.denial_bps, rates.allowed_bps, rates.patient_share_bps})
    must(share >= 0 && share <= domain::kOneInBps, "a share is 0 to 100 %");
  must(rates.median_days_to_pay >= 1 && rates.p80_days_to_pay >= rates.median_days_to_pay &&
           rates.p80_days_to_pay <= 3650 && payer.timely_filing_days >= 1 && payer.timely_filing_days <= 3650,
       "days are 1 to 3650, and p80 is not before the median");
}

void payer(std::string_view script) {
  const auto found = host().payers().get("!" + std::string(script));
  if (!found) return refused(found.error());
  if (*found) is_payer(**found);
}

void payer_search(std::string_view script) {
  constexpr std::size_t kLimit = 3;
  const auto matches = host().payers().search("!" + std::string(script), "any", "", kLimit);
  if (!matches) return refused(matches.error());
  must(matches->found.size() <= kLimit, "a search gives as many payers as it is asked for");
  for (const auto& match : matches->found) {
    is_payer(match.payer);
    for (const auto& field : match.fields) is_label(field);
    must(match.score_bps >= 1 && match.score_bps <= domain::kOneInBps, "a score is 1 to 10000");
  }
}

void plugin_sink(std::string_view bytes) {
  if (bytes.empty()) return;
  constexpr std::array calls{remittance_file, deposit_file, payer, payer_search};
  calls[static_cast<unsigned char>(bytes.front()) % calls.size()](bytes.substr(1));
}

}  // namespace

std::vector<Target> plugin_targets() {
  return {{"plugin_sink", plugin_sink, {}, 10}};
}

}  // namespace tideover::fuzz
