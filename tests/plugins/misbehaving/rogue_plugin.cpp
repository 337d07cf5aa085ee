// A plugin that breaks one rule on command, written against the bare ABI. The setting `does` names a function and what
// it does wrong: "search:hang". What it does while its library is loaded is said by the environment variable
// ROGUE_LOAD. A call that hangs ends when the file of the setting `release_path` exists. ROGUE_KIND chooses the kind.
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tideover/plugin.h"

namespace {

struct Rogue {
  const tideover_host* host = nullptr;
  std::string function;  // of `does`
  std::string deed;
  std::string release_path;
  std::string destroyed_path;
};
Rogue rogue;

tideover_str text(const std::string& given) {
  return {given.data(), given.size()};
}

tideover_status report(const tideover_call* call, tideover_fault_code code, const std::string& message) {
  tideover_fault fault{};
  fault.size = sizeof fault;
  fault.code = code;
  fault.message = text(message);
  fault.byte = -1;
  call->report(call->ctx, &fault);
  return TIDEOVER_FAILED;
}

void hang() {
  while (!std::ifstream(rogue.release_path)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

int recurse(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : recurse(depth + 1) + frame[0];
}

/// What ends a thread, a call or the process.
void misbehave(const std::string& deed) {
  if (deed == "hang") hang();
  if (deed == "throw") throw std::runtime_error("out of cheese");
  if (deed == "throw_int") throw 1;
  if (deed == "segv") *reinterpret_cast<volatile int*>(8) = 1;
  if (deed == "overflow") recurse(0);
  if (deed == "abort") std::abort();
  if (deed == "exit") std::exit(0);
  if (deed == "_exit") ::_exit(0);
  if (deed == "quick_exit") std::quick_exit(0);
  if (deed == "pthread_exit") ::pthread_exit(nullptr);
  if (deed == "own_thread") {
    std::thread([] { throw std::runtime_error("in my own thread"); }).detach();
    ::pause();
  }
  if (deed == "own_thread_exit") {
    std::thread([] { ::_exit(0); }).detach();
    ::pause();
  }
}

/// Runs the deed when it is this function's; false when there is none.
bool is_wanted(const char* function) {
  if (rogue.function != function) return false;
  misbehave(rogue.deed);
  return true;
}

/// Faults that any function can report.
tideover_status faulty(const tideover_call* call) {
  const auto& deed = rogue.deed;
  if (deed == "fault_4711") return report(call, 4711, "the patient 078-05-1120");
  if (deed == "fault_unavailable") return report(call, TIDEOVER_FAULT_UNAVAILABLE, "the host 10.1.2.3 is down");
  if (deed == "fault_config") return report(call, TIDEOVER_FAULT_INVALID_CONFIG, "a setting of yesterday");
  if (deed == "fault_input") return report(call, TIDEOVER_FAULT_INVALID_INPUT, "your text\nis \x1b[31mwrong");
  if (deed == "fault_long")
    return report(call, TIDEOVER_FAULT_INVALID_INPUT, "it begins well " + std::string(6000, 'x'));
  if (deed == "fault_twice") {
    report(call, TIDEOVER_FAULT_INVALID_INPUT, "one");
    return report(call, TIDEOVER_FAULT_INVALID_INPUT, "two");
  }
  if (deed == "fault_then_ok") {
    report(call, TIDEOVER_FAULT_INVALID_INPUT, "one");
    return TIDEOVER_OK;
  }
  return deed == "end" ? TIDEOVER_END : TIDEOVER_OK;
}

struct AtLoad {
  AtLoad() {
    const char* deed = std::getenv("ROGUE_LOAD");
    if (deed && std::strcmp(deed, "hang") == 0)
      for (;;) ::pause();
    if (deed) misbehave(deed);
  }
} at_load;

tideover_status create(const tideover_host* host, const tideover_config* config, const tideover_call*,
                       void** instance) {
  rogue = {};
  rogue.host = host;
  for (std::size_t i = 0; i < config->settings.count; ++i) {
    const auto& pair = config->settings.items[i];
    const std::string key(pair.key.ptr, pair.key.len), value(pair.value.ptr, pair.value.len);
    if (key == "release_path") rogue.release_path = value;
    if (key == "destroyed_path") rogue.destroyed_path = value;
    if (key == "does") {
      rogue.function = value.substr(0, value.find(':'));
      rogue.deed = value.substr(value.find(':') + 1);
    }
  }
  is_wanted("create");
  *instance = &rogue;
  return TIDEOVER_OK;
}

void destroy(void*) {
  is_wanted("destroy");
  if (!rogue.destroyed_path.empty()) std::ofstream(rogue.destroyed_path, std::ios::app) << ROGUE_ID "\n";
}

#if ROGUE_KIND == 1

// What a call kept of what it was lent.
const tideover_payer_sink* kept_sink = nullptr;
const tideover_call* kept_call = nullptr;

tideover_status give(const tideover_payer_sink* sink, const std::string& id, const std::string& name) {
  tideover_payer payer{};
  payer.size = sizeof payer;
  payer.payer_id = text(id);
  payer.name = text(name);
  const std::string active = "active";
  payer.status = text(active);
  payer.allowed_bps = 5000;
  payer.median_days_to_pay = payer.p80_days_to_pay = 20;
  payer.timely_filing_days = 90;
  const tideover_payer_match match{sizeof match, 9000, &payer, {nullptr, 0}};
  sink->match(sink->ctx, &match);
  return TIDEOVER_OK;
}

tideover_status get(void*, const tideover_call* call, tideover_str, const tideover_payer_sink* sink) {
  if (kept_sink) {  // of a call that has ended
    give(kept_sink, "LATE", "Late");
    report(kept_call, TIDEOVER_FAULT_INVALID_INPUT, "late");
    kept_sink = nullptr;
  }
  if (!is_wanted("get")) return TIDEOVER_NOT_FOUND;
  if (rogue.deed == "control") return give(sink, "A\nB\x1b[31m", "Payer");
  if (rogue.deed == "control_name") return give(sink, "A", "Pay\ner");
  if (rogue.deed == "wild") {  // a text at an address that is not mapped
    tideover_payer payer{};
    payer.size = sizeof payer;
    payer.payer_id = {reinterpret_cast<const char*>(0x1234), 12};
    const tideover_payer_match match{sizeof match, 9000, &payer, {nullptr, 0}};
    sink->match(sink->ctx, &match);
  }
  return faulty(call);
}

tideover_status search(void*, const tideover_call* call, const tideover_payer_query*, const tideover_payer_sink* sink) {
  if (!is_wanted("search")) return TIDEOVER_OK;
  if (rogue.deed == "keep") {
    kept_sink = sink;
    kept_call = call;
    return TIDEOVER_OK;
  }
  if (rogue.deed == "hang") return give(sink, "LATE", "Late");
  if (rogue.deed == "foreign") return give(sink, "SAMPLE-80", "Hijacked"), give(sink, "OWN", "Own payer");
  if (rogue.deed == "foreign_alias") return give(sink, "uhc", "Hijacked");
  if (rogue.deed == "log") {
    for (int i = 0; i < 2000; ++i) rogue.host->log(rogue.host->ctx, TIDEOVER_LOG_INFO, TIDEOVER_STR("again"));
    return TIDEOVER_OK;
  }
  if (rogue.deed == "log_long") {
    const std::string line = "it begins well " + std::string(200'000, 'x');
    rogue.host->log(rogue.host->ctx, TIDEOVER_LOG_INFO, text(line));
    return TIDEOVER_OK;
  }
  if (rogue.deed == "instants") {  // must not overflow anything
    for (const std::int64_t at : {INT64_MAX, INT64_MIN, INT64_MAX / 1000}) {
      rogue.host->local_date(rogue.host->ctx, at);
      rogue.host->local_minute(rogue.host->ctx, at);
    }
    const tideover_date day{2026, 11, 25};
    for (const std::int32_t minute : {INT32_MAX, INT32_MIN, 1440, -1})
      rogue.host->instant_ms(rogue.host->ctx, day, minute);
    return TIDEOVER_OK;
  }
  return faulty(call);
}

tideover_status systems(void*, const tideover_call* call, const tideover_str_sink* sink) {
  if (!is_wanted("systems")) return TIDEOVER_OK;
  if (rogue.deed == "blank" || rogue.deed == "newline" || rogue.deed == "any") {
    const std::string name = rogue.deed == "blank" ? "Any System" : rogue.deed == "newline" ? "any\n" : "any";
    sink->item(sink->ctx, text(name));
    return TIDEOVER_OK;
  }
  return faulty(call);
}

const tideover_payer_directory functions = {sizeof functions, 0, &get, &search, &systems};

#elif ROGUE_KIND == 3

struct Reader {
  const tideover_byte_source* source;
  int rows = 0;
};

tideover_status open(void*, const tideover_call* call, const tideover_byte_source* source, tideover_pair_list,
                     void** reader) {
  *reader = new Reader{source};
  if (is_wanted("open")) return faulty(call);
  return TIDEOVER_OK;
}

tideover_status next(void* reader, const tideover_call* call, const tideover_record_sink* sink) {
  auto& own = *static_cast<Reader*>(reader);
  if (own.rows == 3) {
    if (!is_wanted("next")) return TIDEOVER_END;
    char byte = 0;
    if (rogue.deed == "hang" && own.source->read(own.source->ctx, &byte, 1) != -1)
      std::abort();  // its host has gone on
    return faulty(call);
  }
  ++own.rows;
  tideover_record record{};
  record.size = sizeof record;
  record.line = own.rows;
  record.byte = -1;
  sink->record(sink->ctx, &record);
  return TIDEOVER_OK;
}

void close(void* reader) {
  const std::unique_ptr<Reader> own(static_cast<Reader*>(reader));
  is_wanted("close");
  if (!rogue.destroyed_path.empty()) std::ofstream(rogue.destroyed_path, std::ios::app) << "reader\n";
}

const tideover_import_format functions = {sizeof functions, 0, &open, &next, &close, nullptr};

#elif ROGUE_KIND == 4

tideover_status parse(void*, const tideover_call* call, tideover_str bytes, const tideover_remittance_sink* sink) {
  if (!is_wanted("parse") || rogue.deed == "nothing") return TIDEOVER_OK;
  if (rogue.deed == "control") {
    tideover_payment payment{};
    payment.size = sizeof payment;
    payment.payer_name = TIDEOVER_STR("Pay\ner");
    payment.currency = TIDEOVER_STR("USD");
    sink->payment(sink->ctx, &payment);
    return TIDEOVER_OK;
  }
  if (rogue.deed == "hang") {  // and has read its bytes, and tells of a payment, when it is too late
    const std::string first(bytes.ptr, bytes.len);
    tideover_payment payment{};
    payment.size = sizeof payment;
    payment.trace_number = text(first);
    payment.currency = TIDEOVER_STR("USD");
    sink->payment(sink->ctx, &payment);
  }
  return faulty(call);
}

const tideover_remittance_format functions = {sizeof functions, 0, &parse, nullptr};

#elif ROGUE_KIND == 5

/// A statement with one credit and its deposit, of which the deed breaks one rule.
void give_statement(const std::string& deed, const tideover_deposit_sink* sink) {
  tideover_bank_statement statement{};
  statement.size = sizeof statement;
  statement.line = 1;
  statement.account = TIDEOVER_STR("0001234567");
  statement.currency = TIDEOVER_STR("USD");
  statement.date = {2026, 11, 20};
  statement.opening = 0;
  statement.closing = 100;
  statement.credit_sum = statement.debit_sum = TIDEOVER_NO_AMOUNT;
  statement.credit_count = statement.debit_count = -1;
  const std::string long_account(101, '1');
  if (deed == "statement_small") statement.size -= 8;
  if (deed == "statement_line") statement.line = 0;
  if (deed == "statement_account") statement.account = TIDEOVER_STR("12\n34");
  if (deed == "statement_no_account") statement.account = TIDEOVER_STR("");
  if (deed == "statement_long_account") statement.account = text(long_account);
  if (deed == "statement_date") statement.date = {2026, 2, 30};
  if (deed == "statement_balance") statement.closing = INT64_MAX;
  if (deed == "statement_sum") statement.credit_sum = -1;
  if (deed == "statement_count") statement.debit_count = -2;
  std::vector<tideover_str> references(1, tideover_str TIDEOVER_STR("R1"));
  tideover_bank_entry entry{};
  entry.size = sizeof entry;
  entry.line = 2;
  entry.amount = 100;
  entry.date = {2026, 11, 20};
  entry.type_code = TIDEOVER_STR("142");
  const std::string long_code(65, '1'), long_text(5000, 'x');
  if (deed == "entry_small") entry.size -= 8;
  if (deed == "entry_amount") entry.amount = 0;
  if (deed == "entry_reference") references[0] = tideover_str TIDEOVER_STR("R\x01");
  if (deed == "entry_references") references.resize(21, references[0]);
  if (deed == "entry_code") entry.type_code = text(long_code);
  if (deed == "entry_text") entry.text = text(long_text);
  if (deed == "entry_of_deposit") entry.amount = 101;
  if (deed == "entry_debit") entry.is_debit = 1;
  entry.references = {references.data(), references.size()};
  tideover_deposit deposit{};
  deposit.size = sizeof deposit;
  deposit.line = 2;
  deposit.amount = 100;
  deposit.reference = TIDEOVER_STR("R1");
  deposit.currency = TIDEOVER_STR("USD");
  deposit.received_date = {2026, 11, 20};
  if (deed == "entry_first") sink->entry(sink->ctx, &entry);
  sink->statement(sink->ctx, &statement);
  sink->entry(sink->ctx, &entry);
  sink->deposit(sink->ctx, &deposit);
  if (deed == "statements_many")
    for (int i = 0; i < 1000; ++i) sink->statement(sink->ctx, &statement);
  if (deed == "entries_many")
    for (int i = 0; i < 10'000; ++i) sink->entry(sink->ctx, &entry);
}

tideover_status parse(void*, const tideover_call* call, tideover_str, const tideover_deposit_sink* sink) {
  if (!is_wanted("parse")) return TIDEOVER_OK;
  if (rogue.deed == "control") {
    tideover_deposit deposit{};
    deposit.size = sizeof deposit;
    deposit.line = deposit.amount = 1;
    deposit.reference = TIDEOVER_STR("R1");
    deposit.currency = TIDEOVER_STR("USD");
    deposit.received_date = {2026, 11, 20};
    deposit.payer_name = TIDEOVER_STR("Pay\ner");
    sink->deposit(sink->ctx, &deposit);
    return TIDEOVER_OK;
  }
  if (rogue.deed.compare(0, 9, "statement") == 0 || rogue.deed.compare(0, 3, "ent") == 0) {
    give_statement(rogue.deed, sink);
    return TIDEOVER_OK;
  }
  return faulty(call);
}

const tideover_deposit_format functions = {sizeof functions, 0, &parse};

#endif

constexpr tideover_config_key kKeys[] = {
    {TIDEOVER_STR("does"), TIDEOVER_STR("function:deed"), 0},
    {TIDEOVER_STR("release_path"), TIDEOVER_STR("a hanging call ends when this file exists"), 0},
    {TIDEOVER_STR("destroyed_path"), TIDEOVER_STR("a line is added when it is destroyed"), 0}};

}  // namespace

extern "C" TIDEOVER_EXPORT const tideover_plugin_descriptor tideover_plugin = {TIDEOVER_MAGIC,
                                                                               TIDEOVER_ABI_MAJOR,
                                                                               TIDEOVER_ABI_MINOR,
                                                                               sizeof(tideover_plugin_descriptor),
                                                                               ROGUE_KIND,
                                                                               TIDEOVER_STR(ROGUE_ID),
                                                                               TIDEOVER_STR("Rogue"),
                                                                               TIDEOVER_STR("1.0.0"),
                                                                               TIDEOVER_STR("0.1.0"),
                                                                               kKeys,
                                                                               3,
                                                                               &create,
                                                                               &destroy,
                                                                               &functions};
