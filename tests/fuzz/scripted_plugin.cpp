// A plugin against the bare ABI that gives the host what its input says: the bytes of a call are a script of records
// whose fields are ordinary until the script changes them. It breaks every rule about values and sizes, and no rule
// about memory: every text, list and record is a block of exactly its length, so that the address sanitizer reports a
// host that reads more. SCRIPTED_KIND chooses the kind. The script is described in plugin_targets.cpp.
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tests/fuzz/choices.hpp"
#include "tideover/plugin.h"

namespace {

constexpr std::int64_t kLargestAmount = 9'999'999'999;
constexpr int kMostSteps = 200;

/// A field of a record that a script can change.
using Field =
    std::variant<std::int32_t*, std::int64_t*, tideover_str*, tideover_str_list*, tideover_pair_list*, tideover_date*>;

class Script {
 public:
  explicit Script(tideover_str text) : choices_({text.ptr, text.len}) {}

  /// False at the end of the script.
  bool goes_on() { return choices_.any() && ++steps_ <= kMostSteps; }
  unsigned byte() { return choices_.byte(); }
  std::int32_t number() {
    return choices_.one_of(std::array<std::int32_t, 9>{0, 1, 2, -1, 9'999, 10'000, 10'001, INT32_MAX, INT32_MIN});
  }
  std::int64_t amount() {
    const unsigned kind = byte();
    if (kind < 200)
      return std::array<std::int64_t, 13>{0,
                                          1,
                                          -1,
                                          79'000,
                                          -79'000,
                                          kLargestAmount,
                                          -kLargestAmount,
                                          kLargestAmount + 1,
                                          -kLargestAmount - 1,
                                          INT64_MAX,
                                          INT64_MIN,
                                          INT64_MIN + 1,
                                          100'000}[kind % 13];
    std::int64_t cents = 0;
    for (int i = 0; i < 5; ++i) cents = cents * 256 + byte();
    return cents;
  }
  tideover_date date() {
    return choices_.one_of(std::array<tideover_date, 16>{{{0, 0, 0},
                                                          {2026, 11, 20},
                                                          {2026, 11, 21},
                                                          {2026, 11, 22},
                                                          {1900, 1, 1},
                                                          {2199, 12, 31},
                                                          {1899, 12, 31},
                                                          {2200, 1, 1},
                                                          {2026, 2, 29},
                                                          {2028, 2, 29},
                                                          {2026, 0, 20},
                                                          {2026, 13, 20},
                                                          {2026, 11, 0},
                                                          {2026, 11, 31},
                                                          {0, 1, 1},
                                                          {INT32_MAX, INT32_MIN, INT32_MAX}}});
  }
  tideover_str text() {
    const unsigned kind = byte() % 28;
    if (kind == 0) return {nullptr, 0};
    if (kind == 1) return {nullptr, 5};
    if (kind == 2) return {kept("x").ptr, 0};
    if (kind == 3) return kept(std::string(50, 'x'));
    if (kind == 4) return kept(std::string(51, 'x'));
    if (kind == 5) return kept(std::string(4096, 'x'));
    if (kind == 6) return kept(std::string(4097, 'x'));
    if (kind == 7) return kept(std::string(70'000, 'x'));
    if (kind == 8 || kind == 9) {  // characters of two bytes
      std::string text;
      for (unsigned i = 0; i < 42 + kind; ++i) text += "\xc3\xa9";
      return kept(text);
    }
    if (kind == 10) return kept(std::string("a\0b", 3));
    if (kind >= 24) return kept((kind == 24 ? "!" : "") + std::string(choices_.bytes(byte() % 48)));
    // Texts that mean something, controls, and what is not UTF-8: overlong, a surrogate, above U+10FFFF, cut.
    return kept(std::array<const char*, 13>{"PAYER", "A1", "T1", "T2", "EUR", "22", "4", "a\nb\x1b[31m", "\x7f",
                                            "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}[kind - 11]);
  }
  tideover_str_list texts() {
    switch (byte() % 6) {
      case 0:
        return {nullptr, 0};
      case 1:
        return {nullptr, 3};
      case 2:
        return {kept_list<tideover_str>({kept("x")}), 0};
      case 3:
        return {kept_list(std::vector<tideover_str>(20'001, kept("x"))), 20'001};
      default: {
        std::vector<tideover_str> items(1 + byte() % 4);
        for (auto& item : items) item = text();
        return {kept_list(items), items.size()};
      }
    }
  }
  tideover_pair_list pairs() {
    switch (byte() % 4) {
      case 0:
        return {nullptr, 0};
      case 1:
        return {nullptr, 3};
      default: {
        std::vector<tideover_pair> items(1 + byte() % 3);
        for (auto& item : items) item = {text(), text()};
        return {kept_list(items), items.size()};
      }
    }
  }
  /// A copy of `record` after the changes of the script; sometimes none, too short or too long.
  template <class Record>
  const Record* changed(Record& record, std::initializer_list<Field> fields) {
    const unsigned changes = byte();
    if (changes == 255) return nullptr;
    std::size_t size = sizeof record;
    for (unsigned left = changes % 4; left > 0; --left) {
      const std::size_t which = byte() % (fields.size() + 1);
      if (which == fields.size())
        size = size_near(sizeof record);
      else
        std::visit([this](auto* field) { this->change(*field); }, fields.begin()[which]);
    }
    record.size = static_cast<std::uint32_t>(size);
    auto& block = blocks_.emplace_back(new char[std::max(size, sizeof record.size)]);
    std::memset(block.get(), 0xab, size);
    std::memcpy(block.get(), &record, std::max(std::min(size, sizeof record), sizeof record.size));
    return reinterpret_cast<const Record*>(block.get());
  }
  /// A text in a block of its own.
  tideover_str kept(std::string_view text) {
    auto& block = blocks_.emplace_back(new char[text.size()]);
    std::memcpy(block.get(), text.data(), text.size());
    return {block.get(), text.size()};
  }
  template <class Item>
  const Item* kept_list(const std::vector<Item>& items) {
    auto& block = blocks_.emplace_back(new char[items.size() * sizeof(Item)]);
    std::memcpy(block.get(), items.data(), items.size() * sizeof(Item));
    return reinterpret_cast<const Item*>(block.get());
  }

 private:
  void change(std::int32_t& field) { field = number(); }
  void change(std::int64_t& field) { field = amount(); }
  void change(tideover_str& field) { field = text(); }
  void change(tideover_str_list& field) { field = texts(); }
  void change(tideover_pair_list& field) { field = pairs(); }
  void change(tideover_date& field) { field = date(); }
  /// Every fourth size from 0 to beyond the record.
  std::size_t size_near(std::size_t right) { return byte() * 4 % (right + 64); }

  tideover::fuzz::Choices choices_;
  int steps_ = 0;
  std::vector<std::unique_ptr<char[]>> blocks_;
};

/// How a call ends: as its script says, else as the host expects it.
class Ending {
 public:
  Ending(Script& script, const tideover_call* call) : script_(script), call_(call) {}
  void report() {
    tideover_fault fault{};
    fault.code = TIDEOVER_FAULT_INVALID_INPUT;
    fault.message = script_.kept("The file is not what this plugin reads.");
    fault.byte = -1;
    call_->report(call_->ctx, script_.changed(fault, {&fault.code, &fault.message, &fault.line, &fault.segment,
                                                      &fault.byte, &fault.details}));
    status_ = TIDEOVER_FAILED;
  }
  void choose() {
    const unsigned chosen = script_.byte();
    status_ = chosen < 5 ? static_cast<tideover_status>(chosen) : script_.number();
  }
  tideover_status status(tideover_status expected) const { return status_ == kAsExpected ? expected : status_; }

 private:
  static constexpr tideover_status kAsExpected = -4711;
  Script& script_;
  const tideover_call* call_;
  tideover_status status_ = kAsExpected;
};

template <class Sink>
void leave_out(Script& script, const Sink* sink) {
  tideover_left_out row{};
  row.line = 2;
  row.reason = script.kept("The amount of this row is missing.");
  sink->left_out(sink->ctx, script.changed(row, {&row.refused, &row.line, &row.reason}));
}

#if SCRIPTED_KIND == 1

tideover_payer payer_of(Script& script) {
  tideover_payer payer{};
  payer.supports_advance = 1;
  payer.payer_id = script.kept("PAYER");
  payer.name = script.kept("The Payer");
  payer.status = script.kept("active");
  payer.timely_filing_days = 90;
  payer.allowed_bps = 8000;
  payer.median_days_to_pay = 20;
  payer.p80_days_to_pay = 30;
  return payer;
}

void give(Script& script, const tideover_payer_sink* sink) {
  auto payer = payer_of(script);
  tideover_payer_match match{};
  match.score_bps = 9000;
  match.payer = script.changed(
      payer, {&payer.supports_advance, &payer.payer_id, &payer.name, &payer.short_name, &payer.aliases,
              &payer.identifiers, &payer.ein, &payer.coverage_types, &payer.programs, &payer.states,
              &payer.transactions, &payer.status, &payer.updated_at, &payer.timely_filing_days, &payer.denial_bps,
              &payer.allowed_bps, &payer.patient_share_bps, &payer.median_days_to_pay, &payer.p80_days_to_pay});
  sink->match(sink->ctx, script.changed(match, {&match.score_bps, &match.fields}));
}

/// A text that begins with '!' is a script; PAYER and its name are known, other texts are not.
tideover_status find(const tideover_call* call, tideover_str text, const tideover_payer_sink* sink, bool lists) {
  const std::string_view asked(text.ptr, text.len);
  if (!asked.starts_with('!')) {
    Script ordinary({"", 0});
    if (asked != "PAYER" && asked != "The Payer") return lists ? TIDEOVER_OK : TIDEOVER_NOT_FOUND;
    give(ordinary, sink);
    return TIDEOVER_OK;
  }
  Script script({text.ptr + 1, text.len - 1});
  Ending ending(script, call);
  bool found = false;
  while (script.goes_on()) switch (script.byte() % 4) {
      case 0:
        ending.choose();
        break;
      case 1:
        ending.report();
        break;
      default:
        give(script, sink);
        found = true;
    }
  return ending.status(found || lists ? TIDEOVER_OK : TIDEOVER_NOT_FOUND);
}

tideover_status get(void*, const tideover_call* call, tideover_str payer_id, const tideover_payer_sink* sink) {
  return find(call, payer_id, sink, false);
}

tideover_status search(void*, const tideover_call* call, const tideover_payer_query* query,
                       const tideover_payer_sink* sink) {
  return find(call, query->text, sink, true);
}

tideover_status systems(void*, const tideover_call*, const tideover_str_sink*) {
  return TIDEOVER_OK;
}

const tideover_payer_directory functions = {sizeof functions, 0, &get, &search, &systems};

#elif SCRIPTED_KIND == 4

void give_payment(Script& script, const tideover_remittance_sink* sink) {
  tideover_payment payment{};
  payment.payer_name = script.kept("The Payer");
  payment.payer_ids = {script.kept_list<tideover_str>({script.kept("PAYER")}), 1};
  payment.trace_number = script.kept("T1");
  payment.originator_id = script.kept("1234567890");
  payment.payment_date = {2026, 11, 20};
  payment.payment_method = script.kept("ACH");
  payment.payment_amount = 79'000;
  payment.currency = script.kept("USD");
  sink->payment(
      sink->ctx,
      script.changed(payment, {&payment.payer_name, &payment.payer_ids, &payment.trace_number, &payment.originator_id,
                               &payment.payment_date, &payment.production_date, &payment.payment_method,
                               &payment.payment_amount, &payment.currency, &payment.is_test, &payment.reserved,
                               &payment.payee_npi, &payment.payee_tax_id, &payment.payee_assigned_id}));
}

void give_claim(Script& script, const tideover_remittance_sink* sink) {
  tideover_remittance_claim claim{};
  claim.claim_identifier = script.kept("A1");
  claim.status = script.kept("1");
  claim.charge_amount = 100'000;
  claim.paid_amount = 79'000;
  claim.patient_responsibility = TIDEOVER_NO_AMOUNT;
  claim.payer_claim_number = script.kept("ICN-1");
  claim.date_of_service = {2026, 11, 18};
  sink->claim(sink->ctx,
              script.changed(claim, {&claim.claim_identifier, &claim.status, &claim.charge_amount, &claim.paid_amount,
                                     &claim.patient_responsibility, &claim.payer_claim_number, &claim.date_of_service,
                                     &claim.received_date, &claim.billing_npi}));
}

void give_line(Script& script, const tideover_remittance_sink* sink) {
  tideover_remittance_line line{};
  line.cpt = script.kept("99213");
  line.units = script.kept("1");
  line.charge_amount = 100'000;
  line.allowed_amount = TIDEOVER_NO_AMOUNT;
  line.paid_amount = 79'000;
  sink->line(sink->ctx, script.changed(line, {&line.cpt, &line.modifier, &line.units, &line.charge_amount,
                                              &line.allowed_amount, &line.paid_amount, &line.date_of_service,
                                              &line.submitted_cpt, &line.submitted_modifier}));
}

const tideover_adjustment* adjustment(Script& script) {
  tideover_adjustment adjustment{};
  adjustment.group = script.kept("CO");
  adjustment.code = script.kept("45");
  adjustment.amount = 21'000;
  return script.changed(adjustment, {&adjustment.group, &adjustment.code, &adjustment.amount});
}

const tideover_provider_adjustment* provider_adjustment(Script& script) {
  tideover_provider_adjustment adjustment{};
  adjustment.code = script.kept("WO");
  adjustment.reference = script.kept("ICN-1");
  return script.changed(adjustment, {&adjustment.code, &adjustment.reference, &adjustment.amount, &adjustment.npi,
                                     &adjustment.provider_id});
}

tideover_status parse(void*, const tideover_call* call, tideover_str bytes, const tideover_remittance_sink* sink) {
  Script script(bytes);
  Ending ending(script, call);
  while (script.goes_on()) switch (script.byte() % 10) {
      case 0:
        give_payment(script, sink);
        break;
      case 1:
        give_claim(script, sink);
        break;
      case 2:
        give_line(script, sink);
        break;
      case 3:
        sink->claim_adjustment(sink->ctx, adjustment(script));
        break;
      case 4:
        sink->line_adjustment(sink->ctx, adjustment(script));
        break;
      case 5:
        sink->provider_adjustment(sink->ctx, provider_adjustment(script));
        break;
      case 6:
        sink->warning(sink->ctx, script.text());
        break;
      case 7:
        leave_out(script, sink);
        break;
      case 8:
        ending.report();
        break;
      default:
        ending.choose();
    }
  return ending.status(TIDEOVER_OK);
}

const tideover_remittance_format functions = {sizeof functions, 0, &parse, nullptr};

#elif SCRIPTED_KIND == 5

void give_deposit(Script& script, const tideover_deposit_sink* sink) {
  tideover_deposit deposit{};
  deposit.line = 1;
  deposit.reference = script.kept("REF-1");
  deposit.amount = 79'000;
  deposit.currency = script.kept("USD");
  deposit.received_date = {2026, 11, 20};
  deposit.trace_number = script.kept("T1");
  deposit.originator = script.kept("1234567890");
  deposit.payer_ids = {script.kept_list<tideover_str>({script.kept("PAYER")}), 1};
  deposit.payer_name = script.kept("The Payer");
  sink->deposit(sink->ctx, script.changed(deposit, {&deposit.line, &deposit.reference, &deposit.amount,
                                                    &deposit.currency, &deposit.received_date, &deposit.effective_date,
                                                    &deposit.trace_number, &deposit.originator, &deposit.payer_ids,
                                                    &deposit.payer_name, &deposit.addenda}));
}

void give_statement(Script& script, const tideover_deposit_sink* sink) {
  tideover_bank_statement statement{};
  statement.line = 1;
  statement.account = script.kept("0001234567");
  statement.currency = script.kept("USD");
  statement.date = {2026, 11, 20};
  statement.opening = 0;
  statement.closing = 79'000;
  statement.credit_sum = statement.debit_sum = TIDEOVER_NO_AMOUNT;
  statement.credit_count = statement.debit_count = -1;
  sink->statement(sink->ctx,
                  script.changed(statement, {&statement.line, &statement.account, &statement.currency, &statement.date,
                                             &statement.opening, &statement.closing, &statement.credit_sum,
                                             &statement.debit_sum, &statement.credit_count, &statement.debit_count}));
}

void give_entry(Script& script, const tideover_deposit_sink* sink) {
  tideover_bank_entry entry{};
  entry.line = 1;
  entry.amount = 79'000;
  entry.references = {script.kept_list<tideover_str>({script.kept("T1")}), 1};
  entry.type_code = script.kept("142");
  entry.text = script.kept("a text");
  sink->entry(sink->ctx, script.changed(entry, {&entry.is_debit, &entry.line, &entry.amount, &entry.date,
                                                &entry.references, &entry.type_code, &entry.text}));
}

tideover_status parse(void*, const tideover_call* call, tideover_str bytes, const tideover_deposit_sink* sink) {
  Script script(bytes);
  Ending ending(script, call);
  while (script.goes_on()) switch (script.byte() % 8) {
      case 1:
        give_statement(script, sink);
        break;
      case 2:
        give_entry(script, sink);
        break;
      case 3:
        leave_out(script, sink);
        break;
      case 4: {
        const auto line = script.number();
        sink->warning(sink->ctx, line, script.text());
        break;
      }
      case 5:
        ending.report();
        break;
      case 6:
        ending.choose();
        break;
      default:
        give_deposit(script, sink);
    }
  return ending.status(TIDEOVER_OK);
}

const tideover_deposit_format functions = {sizeof functions, 0, &parse};

#endif

tideover_status create(const tideover_host*, const tideover_config*, const tideover_call*, void** instance) {
  static char only = 0;
  *instance = &only;
  return TIDEOVER_OK;
}

void destroy(void*) {}

}  // namespace

extern "C" TIDEOVER_EXPORT const tideover_plugin_descriptor tideover_plugin = {TIDEOVER_MAGIC,
                                                                               TIDEOVER_ABI_MAJOR,
                                                                               TIDEOVER_ABI_MINOR,
                                                                               sizeof(tideover_plugin_descriptor),
                                                                               SCRIPTED_KIND,
                                                                               TIDEOVER_STR("scripted"),
                                                                               TIDEOVER_STR("Scripted"),
                                                                               TIDEOVER_STR("1.0.0"),
                                                                               TIDEOVER_STR("0.1.0"),
                                                                               nullptr,
                                                                               0,
                                                                               &create,
                                                                               &destroy,
                                                                               &functions};
