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

  void add(DepositFileItem item, PayerNames names) {
    if (file.items.size() == domain::kMostFileItems) {
      refusal = Error::of(ErrorCode::payload_too_large, "The file has more than 10000 transactions. Split it.");
      return;
    }
    file.items.push_back(std::move(item));
    payers.push_back(std::move(names));
  }
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
  const auto* sink = call->lend(tideover_deposit_sink{sizeof(tideover_deposit_sink), 0, call->context(shared.get()),
                                                      &take_deposit, &take_left_out, &take_warning});
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
