#include "core/plugin_host/adapters/deposit_format_adapter.hpp"

#include <map>
#include <tuple>

#include "core/domain/basics/text.hpp"
#include "core/plugin_host/calls/lent.hpp"

namespace tideover::plugin_host {
namespace {

using domain::DepositFileItem;
using domain::Error;
using domain::ErrorCode;

constexpr CallTerms kParse{"parse",
                           false,
                           false,
                           ErrorCode::internal_error,
                           {{{TIDEOVER_FAULT_INVALID_INPUT, ErrorCode::invalid_payload},
                             {TIDEOVER_FAULT_LIMIT, ErrorCode::payload_too_large},
                             {TIDEOVER_FAULT_DEADLINE, ErrorCode::service_unavailable},
                             {TIDEOVER_FAULT_UNAVAILABLE, ErrorCode::service_unavailable}}}};
constexpr std::size_t kMostWarnings = 1000;
/// Banks shorten a company's name to this length (Nacha batch header).
constexpr std::size_t kCompanyNameCharacters = 16;
constexpr std::size_t kNameCandidates = 5;

/// The names that the file has for the payer of one item.
struct PayerNames {
  std::vector<std::string> ids;
  std::string name;
  bool operator<(const PayerNames& other) const { return std::tie(ids, name) < std::tie(other.ids, other.name); }
};

struct Collector {
  domain::DepositFile file = {};
  std::vector<PayerNames> payers = {};  // one entry per item
  std::optional<Error> refusal = {};    // refuses the file; later items are ignored
  std::size_t entries = 0;              // of all statements
  bool expects_item = false;            // the latest entry has no item yet
  std::int64_t entry_cents = 0;         // of the latest entry, as the plugin gave it

  void refuse() {
    refusal = Error::of(ErrorCode::payload_too_large, "The file has more than 10000 transactions. Split it.");
  }
  void add(DepositFileItem item, PayerNames names) {
    if (file.items.size() == domain::kMostFileItems) return refuse();
    if (is_of_entry(item.line)) file.statements.back().lines.back().item = file.items.size();
    expects_item = false;
    file.items.push_back(std::move(item));
    payers.push_back(std::move(names));
  }
  /// Whether an item on this line is about the latest entry.
  bool is_of_entry(std::int64_t line) const { return expects_item && file.statements.back().lines.back().line == line; }
};

/// Runs `body(collector, lent)` for a struct of the size that this host expects, unless the file was refused.
template <class Lent, class Body>
void collect(void* ctx, const Lent* lent, Body&& body) noexcept {
  in_call<Collector>(ctx, [&](Collector& collector, PluginCall& call) {
    if (collector.refusal) return;
    if (!lent || lent->size < sizeof(Lent)) return call.nonsense("gave a record that is too small");
    if (!body(collector, *lent)) call.nonsense("gave an invalid record");
  });
}

/// Why the service refuses the deposit of the file; empty when it accepts it.
std::string reason_against(const domain::Deposit& deposit, const std::string& currency, bool has_date) {
  if (currency != domain::kCurrency) return "The amount is not in US dollars. Only US dollars are accepted.";
  if (!has_date) return "The deposit has no date in the file. Create it with POST /v1/deposits.";
  if (domain::count_characters(deposit.trace_number) > domain::kMaxTraceNumberCharacters)
    return "The trace number (TRN02) is longer than 50 characters.";
  return "";
}

/// Shortened to the stored length, at a character boundary.
std::string beginning_of(std::string text) {
  std::size_t end = 0;
  for (std::size_t characters = 0; characters < domain::kMaxAddendaCharacters && end < text.size(); ++characters)
    end += domain::utf8_length(std::string_view(text).substr(end));
  text.resize(end);
  return text;
}

void take_deposit(void* ctx, const tideover_deposit* lent) noexcept {
  collect(ctx, lent, [](Collector& collector, const tideover_deposit& d) {
    auto currency = take_label(d.currency), trace = take_label(d.trace_number), originator = take_label(d.originator);
    auto name = take_label(d.payer_name), reference = take_text(d.reference), addenda = take_text(d.addenda);
    auto ids = take_labels(d.payer_ids);
    const auto received = take_date(d.received_date), effective = take_date(d.effective_date);
    const bool is_of_entry = collector.is_of_entry(d.line);
    if (is_of_entry && (d.amount != collector.entry_cents || collector.file.statements.back().lines.back().is_debit))
      return false;
    if (d.line < 1 || d.amount <= 0 || !reference || reference->empty() || !currency || !trace || !originator ||
        !name || !addenda || !ids || !received || !effective)
      return false;
    DepositFileItem item;
    item.line = d.line;
    item.reference = std::move(*reference);
    item.deposit.trace_number = std::move(*trace);
    item.deposit.originator = std::move(*originator);
    item.deposit.addenda = beginning_of(std::move(*addenda));
    item.deposit.effective_date = effective->date;
    if (received->date) item.deposit.received_date = *received->date;
    item.reason = reason_against(item.deposit, *currency, received->date.has_value());
    if (const auto amount = take_money(d.amount))
      item.deposit.amount = *amount;
    else
      item.reason = "The amount is above 99 999 999.99. Ask the bank whether the file is correct.";
    if (!item.reason.empty()) item.kind = DepositFileItem::Kind::refused;
    collector.add(std::move(item), {std::move(*ids), std::move(*name)});
    return true;
  });
}

void take_left_out(void* ctx, const tideover_left_out* lent) noexcept {
  collect(ctx, lent, [](Collector& collector, const tideover_left_out& l) {
    auto reason = take_text(l.reason);
    if (l.line < 1 || !reason || reason->empty()) return false;
    DepositFileItem item;
    item.line = l.line;
    item.kind = l.refused != 0 ? DepositFileItem::Kind::refused : DepositFileItem::Kind::ignored;
    item.reason = std::move(*reason);
    collector.add(std::move(item), {});
    return true;
  });
}

/// Balances may be larger than any payment.
constexpr std::int64_t kLargestBalanceCents = 1'000'000'000'000'000;
constexpr std::size_t kLongestAccount = 100;
constexpr std::size_t kMostReferences = 20;
constexpr std::size_t kLongestTypeCode = 64;

/// An amount that may be absent; nullopt in the outer optional: invalid.
std::optional<std::optional<domain::Money>> take_balance(std::int64_t cents, std::int64_t least) {
  if (cents == TIDEOVER_NO_AMOUNT) return std::optional<domain::Money>();
  if (cents < least || cents > kLargestBalanceCents) return std::nullopt;
  return std::optional(domain::Money::cents(cents));
}

std::optional<std::optional<std::int64_t>> take_count(std::int64_t count) {
  if (count < -1) return std::nullopt;
  return count < 0 ? std::optional<std::int64_t>() : std::optional(count);
}

void take_statement(void* ctx, const tideover_bank_statement* lent) noexcept {
  collect(ctx, lent, [](Collector& collector, const tideover_bank_statement& s) {
    auto account = take_label(s.account, kLongestAccount), currency = take_label(s.currency);
    const auto date = take_date(s.date);
    const auto opening = take_balance(s.opening, -kLargestBalanceCents);
    const auto closing = take_balance(s.closing, -kLargestBalanceCents);
    const auto credit_sum = take_balance(s.credit_sum, 0), debit_sum = take_balance(s.debit_sum, 0);
    const auto credit_count = take_count(s.credit_count), debit_count = take_count(s.debit_count);
    if (s.line < 1 || !account || account->empty() || !currency || !date || !opening || !closing || !credit_sum ||
        !debit_sum || !credit_count || !debit_count)
      return false;
    collector.expects_item = false;
    if (collector.file.statements.size() == domain::kMostFileStatements) {
      collector.refusal =
          Error::of(ErrorCode::payload_too_large, "The file has more than 1000 account statements. Split it.");
      return true;
    }
    domain::BankFileStatement statement;
    statement.line = s.line;
    if (*currency != domain::kCurrency) statement.reason = "The account is not in US dollars.";
    if (!date->date) statement.reason = "The statement has no date in the file.";
    statement.account = std::move(*account);
    statement.date = date->date.value_or(domain::Date{});
    statement.opening = *opening;
    statement.closing = *closing;
    statement.credit_sum = *credit_sum;
    statement.debit_sum = *debit_sum;
    statement.credit_count = *credit_count;
    statement.debit_count = *debit_count;
    collector.file.statements.push_back(std::move(statement));
    return true;
  });
}

void take_entry(void* ctx, const tideover_bank_entry* lent) noexcept {
  collect(ctx, lent, [](Collector& collector, const tideover_bank_entry& e) {
    auto references = take_labels(e.references);
    auto type_code = take_label(e.type_code, kLongestTypeCode), text = take_text(e.text);
    const auto date = take_date(e.date);
    if (collector.file.statements.empty() || e.line < 1 || e.amount <= 0 || !references ||
        references->size() > kMostReferences || !type_code || !text || !date)
      return false;
    if (collector.entries++ == domain::kMostFileItems) {
      collector.refuse();
      return true;
    }
    auto& statement = collector.file.statements.back();
    domain::BankFileLine line;
    line.line = e.line;
    line.is_debit = e.is_debit != 0;
    if (const auto amount = take_money(e.amount))
      line.amount = *amount;
    else
      statement.reason = "The statement has an amount above 99 999 999.99. Ask the bank whether it is correct.";
    line.date = date->date.value_or(statement.date);
    line.references = std::move(*references);
    line.type_code = std::move(*type_code);
    line.text = beginning_of(std::move(*text));
    statement.lines.push_back(std::move(line));
    collector.expects_item = true;
    collector.entry_cents = e.amount;
    return true;
  });
}

void take_warning(void* ctx, std::int64_t line, tideover_str lent) noexcept {
  in_call<Collector>(ctx, [&](Collector& collector, PluginCall& call) {
    auto warning = take_message(lent);
    if (collector.refusal) return;
    if (warning.empty() || line < 0) return call.nonsense("gave a warning without text");
    if (collector.file.warnings.size() < kMostWarnings) collector.file.warnings.push_back({line, std::move(warning)});
  });
}

/// Only letters and digits, so that "Sample Payer, Inc." equals "SAMPLE PAYER INC".
std::string bare_name(std::string_view name) {
  std::string bare;
  for (const char c : name) {
    if (c >= 'a' && c <= 'z')
      bare += static_cast<char>(c - 'a' + 'A');
    else if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80)
      bare += c;
  }
  return bare;
}

/// True for the whole name, or for its beginning when the bank shortened it; the last character may have been a blank.
bool is_name_of(const std::string& name, const std::string& known) {
  const auto bare = bare_name(name);
  if (bare.empty()) return false;
  return bare == bare_name(known) ||
         ((name.size() == kCompanyNameCharacters || name.size() + 1 == kCompanyNameCharacters) &&
          bare_name(known).compare(0, bare.size(), bare) == 0);
}

bool goes_by(const domain::Payer& payer, const std::string& name) {
  if (is_name_of(name, payer.name) || is_name_of(name, payer.short_name)) return true;
  for (const auto& alias : payer.aliases)
    if (is_name_of(name, alias)) return true;
  return false;
}

/// Our payer_id; empty when the directory has no such payer, or several.
domain::Result<std::string> find_payer(ports::PayerDirectory& payers, const PayerNames& names) {
  for (const auto& id : names.ids)
    for (const auto& known_as : {std::optional(id), ein_of(id)}) {
      if (!known_as || known_as->empty()) continue;
      const auto payer = payers.get(*known_as);
      if (!payer) return payer.error();
      if (*payer) return (*payer)->payer_id;
    }
  if (names.name.empty()) return std::string();
  const auto matches = payers.search(names.name, "internal", "", kNameCandidates);
  if (!matches) return matches.error();
  // Another payer may have the same name: an incomplete answer must not decide where money belongs.
  if (!matches->warnings.empty())
    return Error::of(ErrorCode::service_unavailable, matches->warnings.front() + " Retry later.");
  std::string found;
  for (const auto& match : matches->found) {
    if (!goes_by(match.payer, names.name)) continue;
    if (!found.empty()) return std::string();
    found = match.payer.payer_id;
  }
  return found;
}

}  // namespace

domain::Result<domain::DepositFile> DepositFormatAdapter::parse(std::string_view bytes) {
  const FilePlace place(*files_);
  if (!place) return FilePlace::refusal();
  const auto file = std::make_shared<const LentFile>(bytes, budget_);
  const auto call = std::make_shared<PluginCall>(plugin_, kParse, file->budget());
  const auto shared = std::make_shared<Collector>();
  const auto* sink =
      call->lend(tideover_deposit_sink{sizeof(tideover_deposit_sink), 0, call->context(shared.get()), &take_deposit,
                                       &take_left_out, &take_warning, &take_statement, &take_entry});
  const auto status = call->run([plugin = plugin_, shared, sink, file](const tideover_call* lent) {
    return plugin->functions<tideover_deposit_format>().parse(plugin->instance, lent, lend(file->bytes()), sink);
  });
  if (status != TIDEOVER_OK) return call->error();
  auto& collector = *shared;
  if (collector.refusal) return *collector.refusal;

  std::map<PayerNames, std::string> known;
  for (std::size_t i = 0; i < collector.file.items.size(); ++i) {
    auto& item = collector.file.items[i];
    if (item.kind != DepositFileItem::Kind::deposit) continue;
    const auto& names = collector.payers[i];
    auto at = known.find(names);
    if (at == known.end()) {
      auto payer = find_payer(payers_, names);
      if (!payer) return payer.error();
      at = known.emplace(names, std::move(*payer)).first;
    }
    item.deposit.payer_id = at->second;
    item.deposit.payer_said = names.name;
    for (const auto& id : names.ids) item.deposit.payer_said += '\n' + id;
  }
  return std::move(collector.file);
}

ports::DepositFormat* DepositFormatsAdapter::find(std::string_view name) {
  for (const auto& format : formats_)
    if (format->name() == name) return format.get();
  return nullptr;
}

std::vector<std::string> DepositFormatsAdapter::names() const {
  std::vector<std::string> names;
  for (const auto& format : formats_) names.emplace_back(format->name());
  return names;
}

}  // namespace tideover::plugin_host
