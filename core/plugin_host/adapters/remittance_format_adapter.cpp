#include "core/plugin_host/adapters/remittance_format_adapter.hpp"

#include <cstddef>
#include <exception>

#include "core/domain/basics/text.hpp"
#include "core/domain/claims/npi.hpp"
#include "core/plugin_host/calls/lent.hpp"

namespace tideover::plugin_host {
namespace {

using domain::Adjustment;
using domain::ErrorCode;
using domain::Money;
using domain::RemittanceDraft;

constexpr CallTerms kParse{"parse",
                           false,
                           false,
                           ErrorCode::internal_error,
                           {{{TIDEOVER_FAULT_INVALID_INPUT, ErrorCode::invalid_payload},
                             {TIDEOVER_FAULT_INVALID_MAPPING, ErrorCode::validation_error},
                             {TIDEOVER_FAULT_LIMIT, ErrorCode::payload_too_large},
                             {TIDEOVER_FAULT_DEADLINE, ErrorCode::service_unavailable},
                             {TIDEOVER_FAULT_UNAVAILABLE, ErrorCode::service_unavailable}}}};
constexpr std::size_t kMostWarnings = 1000;  // of a payment
constexpr std::size_t kMostWarningsOfFile = 10'000;
constexpr std::size_t kMostLeftOut = 1000;

/// A payment in progress, and the ids that the file has for its payer.
struct Payment {
  RemittanceDraft draft;
  std::vector<std::string> payer_ids;
};

/// `payers` and `take` belong to the caller, which waits while the sinks use this.
struct Collector {
  const FileLimits limits;
  ports::PayerDirectory& payers;
  const ports::RemittanceFormat::Take& take;
  std::optional<Payment> payment = std::nullopt;  // the payment in progress
  std::vector<domain::LeftOutRow> left_out = {};
  std::size_t payments = 0;
  std::size_t claims = 0;
  std::size_t details = 0;
  std::size_t warnings = 0;
  std::optional<domain::Error> refusal = std::nullopt;  // refuses the file; later items are ignored
  std::exception_ptr thrown = nullptr;  // an exception of the payer look-up or of the caller, not a fault of the plugin

  /// Counts a payment, line or adjustment; sets the refusal and returns false above the limit.
  bool has_capacity() {
    if (++details <= limits.remittance_details) return true;
    refusal = domain::Error::of(ErrorCode::payload_too_large,
                                "The file has more than 250000 payments, service lines and adjustments. Split it.");
    return false;
  }
  RemittanceDraft* draft() { return payment ? &payment->draft : nullptr; }
  /// The payment is complete: looks up its payer and passes it to the caller.
  void hand_over() {
    if (!payment || refusal || thrown) return;
    auto whole = std::move(*payment);
    payment.reset();
    auto names = std::move(whole.payer_ids);
    if (const auto ein = ein_of(whole.draft.originator_id)) names.push_back(*ein);
    whole.draft.payer_said = whole.draft.payer_name;
    for (const auto& name : names) whole.draft.payer_said += '\n' + name;
    try {
      for (const auto& name : names) {
        const auto payer = payers.get(name);
        if (!payer) {
          refusal = payer.error();
          return;
        }
        if (!*payer) continue;
        whole.draft.payer_id = (*payer)->payer_id;
        break;
      }
      if (auto taken = take(std::move(whole.draft)); !taken) refusal = taken.error();
    } catch (...) {
      thrown = std::current_exception();
    }
  }
  domain::RemittanceClaim* claim() { return draft() && !draft()->claims.empty() ? &draft()->claims.back() : nullptr; }
  domain::RemittanceLine* line() { return claim() && !claim()->lines.empty() ? &claim()->lines.back() : nullptr; }
};

/// Runs `body(collector, lent)` for a struct of at least the size in ABI 1.0, unless the file was refused.
template <class Lent, class Body>
void collect(void* ctx, const Lent* lent, Body&& body, std::size_t least_size = sizeof(Lent)) noexcept {
  in_call<Collector>(ctx, [&](Collector& collector, PluginCall& call) {
    if (collector.refusal || collector.thrown) return;
    if (!lent || lent->size < least_size) return call.nonsense("gave a record that is too small");
    if (!body(collector, *lent)) call.nonsense("gave an invalid record, or one out of order");
  });
}

/// nullopt = invalid; an inner nullopt = absent.
std::optional<std::optional<Money>> take_optional_money(std::int64_t cents) {
  if (cents == TIDEOVER_NO_AMOUNT) return std::optional<Money>();
  const auto money = take_money(cents);
  if (!money) return std::nullopt;
  return money;
}

/// A field that older plugins do not have.
template <class Lent>
std::optional<std::string> take_later(const Lent& lent, bool has, tideover_str Lent::*field) {
  return has ? take_label(lent.*field) : std::string();
}

/// An NPI that the file may have; a number of another kind counts as none. nullopt = invalid.
std::optional<std::string> take_npi(tideover_str lent) {
  auto npi = take_label(lent);
  if (npi && !domain::has_npi_format(*npi)) npi->clear();
  return npi;
}

void take_payment(void* ctx, const tideover_payment* lent) noexcept {
  constexpr std::size_t kSizeIn10 = offsetof(tideover_payment, is_test);
  const auto take = [](Collector& collector, const tideover_payment& p) {
    auto name = take_label(p.payer_name), trace = take_label(p.trace_number), originator = take_label(p.originator_id);
    auto method = take_label(p.payment_method), currency = take_label(p.currency);
    auto ids = take_labels(p.payer_ids);
    const auto date = take_date(p.payment_date), produced = take_date(p.production_date);
    const auto amount = take_money(p.payment_amount);
    auto payee = TIDEOVER_HAS(tideover_payment, &p, payee_npi) ? take_npi(p.payee_npi) : std::string();
    auto tax_id = take_later(p, TIDEOVER_HAS(tideover_payment, &p, payee_tax_id), &tideover_payment::payee_tax_id);
    auto assigned =
        take_later(p, TIDEOVER_HAS(tideover_payment, &p, payee_assigned_id), &tideover_payment::payee_assigned_id);
    if (!name || !trace || !originator || !method || !currency || !ids || !date || !produced || !amount || !payee ||
        !tax_id || !assigned)
      return false;
    if (*currency != domain::kCurrency) {
      collector.refusal = domain::Error::of(ErrorCode::invalid_payload,
                                            "Payment " + std::to_string(collector.payments + 1) +
                                                " of the file is not in US dollars. Only US dollars are accepted.");
      return true;
    }
    if (domain::count_characters(*trace) > domain::kMaxTraceNumberCharacters) {
      collector.refusal = domain::Error::of(ErrorCode::invalid_payload,
                                            "A trace number (TRN02) in the file is longer than 50 characters.");
      return true;
    }
    if (!collector.has_capacity()) return true;
    collector.hand_over();
    ++collector.payments;
    Payment payment;
    payment.draft.payer_name = std::move(*name);
    payment.draft.trace_number = std::move(*trace);
    payment.draft.originator_id = std::move(*originator);
    payment.draft.payment_date = date->date ? date->date : produced->date;
    payment.draft.payment_amount = *amount;
    payment.draft.payment_method = std::move(*method);
    payment.draft.is_test = TIDEOVER_HAS(tideover_payment, &p, is_test) && p.is_test != 0;
    payment.draft.payee_npi = std::move(*payee);
    payment.draft.payee_tax_id = std::move(*tax_id);
    payment.draft.payee_assigned_id = std::move(*assigned);
    payment.payer_ids = std::move(*ids);
    collector.payment = std::move(payment);
    return true;
  };
  collect(ctx, lent, take, kSizeIn10);
}

void take_claim(void* ctx, const tideover_remittance_claim* lent) noexcept {
  constexpr std::size_t kSizeIn10 = offsetof(tideover_remittance_claim, billing_npi);
  const auto take = [](Collector& collector, const tideover_remittance_claim& c) {
    auto id = take_label(c.claim_identifier), status = take_label(c.status), number = take_label(c.payer_claim_number);
    const auto charge = take_money(c.charge_amount), paid = take_money(c.paid_amount);
    const auto patient = take_optional_money(c.patient_responsibility);
    const auto service = take_date(c.date_of_service), received = take_date(c.received_date);
    auto npi = TIDEOVER_HAS(tideover_remittance_claim, &c, billing_npi) ? take_npi(c.billing_npi) : std::string();
    if (!collector.draft() || !id || id->empty() || !status || !number || !charge || !paid || !patient || !service ||
        !received || !npi)
      return false;
    if (++collector.claims > collector.limits.remittance_claims) {
      collector.refusal =
          domain::Error::of(ErrorCode::payload_too_large, "The file has more than 10000 claims. Split it.");
      return true;
    }
    domain::RemittanceClaim claim;
    claim.claim_identifier = std::move(*id);
    claim.status = std::move(*status);
    claim.charge_amount = *charge;
    claim.paid_amount = *paid;
    claim.patient_responsibility = *patient;
    claim.payer_claim_number = std::move(*number);
    claim.date_of_service = service->date;
    claim.received_date = received->date;
    claim.billing_npi = std::move(*npi);
    collector.draft()->claims.push_back(std::move(claim));
    return true;
  };
  collect(ctx, lent, take, kSizeIn10);
}

void take_line(void* ctx, const tideover_remittance_line* lent) noexcept {
  constexpr std::size_t kSizeIn10 = offsetof(tideover_remittance_line, submitted_cpt);
  const auto take = [](Collector& collector, const tideover_remittance_line& l) {
    auto cpt = take_label(l.cpt), modifier = take_label(l.modifier), units = take_label(l.units);
    const bool has_submitted = l.size >= sizeof l;
    auto submitted_cpt = has_submitted ? take_label(l.submitted_cpt) : std::string();
    auto submitted_modifier = has_submitted ? take_label(l.submitted_modifier) : std::string();
    const auto charge = take_money(l.charge_amount), paid = take_money(l.paid_amount);
    const auto allowed = take_optional_money(l.allowed_amount);
    const auto service = take_date(l.date_of_service);
    if (!collector.claim() || !cpt || !modifier || !units || !submitted_cpt || !submitted_modifier || !charge ||
        !paid || !allowed || !service)
      return false;
    if (!collector.has_capacity()) return true;
    collector.claim()->lines.push_back({std::move(*cpt),
                                        std::move(*modifier),
                                        std::move(*units),
                                        std::move(*submitted_cpt),
                                        std::move(*submitted_modifier),
                                        *charge,
                                        *allowed,
                                        *paid,
                                        service->date,
                                        {}});
    return true;
  };
  collect(ctx, lent, take, kSizeIn10);
}

std::optional<Adjustment> adjustment_of(const tideover_adjustment& lent) {
  auto group = take_label(lent.group), code = take_label(lent.code);
  const auto amount = take_money(lent.amount);
  if (!group || !code || code->empty() || !amount) return std::nullopt;
  return Adjustment{std::move(*group), std::move(*code), *amount};
}

void take_claim_adjustment(void* ctx, const tideover_adjustment* lent) noexcept {
  collect(ctx, lent, [](Collector& collector, const tideover_adjustment& a) {
    auto adjustment = adjustment_of(a);
    if (!collector.claim() || !adjustment) return false;
    if (!collector.has_capacity()) return true;
    collector.claim()->adjustments.push_back(std::move(*adjustment));
    return true;
  });
}

void take_line_adjustment(void* ctx, const tideover_adjustment* lent) noexcept {
  collect(ctx, lent, [](Collector& collector, const tideover_adjustment& a) {
    auto adjustment = adjustment_of(a);
    if (!collector.line() || !adjustment) return false;
    if (!collector.has_capacity()) return true;
    collector.line()->adjustments.push_back(std::move(*adjustment));
    return true;
  });
}

void take_provider_adjustment(void* ctx, const tideover_provider_adjustment* lent) noexcept {
  constexpr std::size_t kSizeIn10 = offsetof(tideover_provider_adjustment, npi);
  const auto take = [](Collector& collector, const tideover_provider_adjustment& a) {
    auto code = take_label(a.code), reference = take_label(a.reference);
    auto npi = TIDEOVER_HAS(tideover_provider_adjustment, &a, npi) ? take_npi(a.npi) : std::string();
    auto provider_id = take_later(a, TIDEOVER_HAS(tideover_provider_adjustment, &a, provider_id),
                                  &tideover_provider_adjustment::provider_id);
    const auto amount = take_money(a.amount);
    if (!collector.draft() || !code || !reference || !amount || !npi || !provider_id) return false;
    if (!collector.has_capacity()) return true;
    collector.draft()->provider_adjustments.push_back(
        {std::move(*code), std::move(*reference), *amount, std::move(*npi), std::move(*provider_id)});
    return true;
  };
  collect(ctx, lent, take, kSizeIn10);
}

void take_warning(void* ctx, tideover_str lent) noexcept {
  in_call<Collector>(ctx, [&](Collector& collector, PluginCall& call) {
    auto warning = take_message(lent);
    if (collector.refusal || collector.thrown) return;
    if (!collector.draft()) return call.nonsense("gave a warning before a payment");
    auto& warnings = collector.draft()->warnings;
    if (warnings.size() >= kMostWarnings || collector.warnings >= kMostWarningsOfFile) return;
    ++collector.warnings;
    const bool is_last = warnings.size() + 1 == kMostWarnings || collector.warnings == kMostWarningsOfFile;
    warnings.push_back(is_last ? "further warnings were omitted" : std::move(warning));
  });
}

void take_left_out(void* ctx, const tideover_left_out* lent) noexcept {
  collect(ctx, lent, [](Collector& collector, const tideover_left_out& l) {
    auto reason = take_text(l.reason);
    if (l.line < 1 || !reason || reason->empty()) return false;
    if (collector.left_out.size() < kMostLeftOut) collector.left_out.push_back({l.line, std::move(*reason)});
    return true;
  });
}

}  // namespace

domain::Result<std::vector<domain::LeftOutRow>> RemittanceFormatAdapter::read(std::string_view bytes,
                                                                              const Mapping& mapping,
                                                                              const Take& take) {
  const auto& functions = plugin_->functions<tideover_remittance_format>();
  const bool takes_mapping =
      TIDEOVER_HAS(tideover_remittance_format, &functions, parse_mapped) && functions.parse_mapped;
  if (!takes_mapping && !mapping.empty()) {
    auto refusal = domain::Error::of(ErrorCode::validation_error, "This format has no headers. Remove mapping.");
    refusal.fields.push_back({"mapping", "must be absent with this format"});
    return refusal;
  }
  const FilePlace place(*files_);
  if (!place) return FilePlace::refusal();
  struct Input {
    Input(std::string_view given, std::chrono::milliseconds budget, const Mapping& wanted)
        : file(given, budget), mapping(wanted) {
      for (const auto& [field, header] : mapping) pairs.push_back({lend(field), lend(header)});
    }
    const LentFile file;
    const Mapping mapping;
    std::vector<tideover_pair> pairs;
  };
  const auto input = std::make_shared<Input>(bytes, budget_, mapping);
  const auto call = std::make_shared<PluginCall>(plugin_, kParse, input->file.budget());
  const auto shared = std::make_shared<Collector>(Collector{limits_, payers_, take});
  const auto* sink = call->lend(tideover_remittance_sink{sizeof(tideover_remittance_sink), 0,
                                                         call->context(shared.get()), &take_payment, &take_claim,
                                                         &take_claim_adjustment, &take_line, &take_line_adjustment,
                                                         &take_provider_adjustment, &take_warning, &take_left_out});
  const auto status = call->run([plugin = plugin_, input, shared, sink, takes_mapping](const tideover_call* lent) {
    const auto& parser = plugin->functions<tideover_remittance_format>();
    return takes_mapping ? parser.parse_mapped(plugin->instance, lent, lend(input->file.bytes()),
                                               {input->pairs.data(), input->pairs.size()}, sink)
                         : parser.parse(plugin->instance, lent, lend(input->file.bytes()), sink);
  });
  auto& collector = *shared;
  if (collector.thrown) std::rethrow_exception(collector.thrown);
  if (status != TIDEOVER_OK) return call->error();
  collector.hand_over();
  if (collector.thrown) std::rethrow_exception(collector.thrown);
  if (collector.refusal) return *collector.refusal;
  if (collector.payments == 0 && collector.left_out.empty())
    return domain::Error::of(
        ErrorCode::invalid_payload,
        "The file has no payment. Check that it is a complete remittance file of the format " + plugin_->id + ".");
  return std::move(collector.left_out);
}

ports::RemittanceFormat* RemittanceFormatsAdapter::find(std::string_view name) {
  for (const auto& format : formats_)
    if (format->name() == name) return format.get();
  return nullptr;
}

std::vector<std::string> RemittanceFormatsAdapter::names() const {
  std::vector<std::string> names;
  for (const auto& format : formats_) names.emplace_back(format->name());
  return names;
}

}  // namespace tideover::plugin_host
