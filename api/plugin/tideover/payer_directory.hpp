// Derive from PayerDirectory to provide payers. get and search run on many threads at the same time.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdk.hpp"

namespace tideover::sdk {

/// The payer record of plugin.h, field by field. Rates are basis points.
struct Payer {
  std::string payer_id, name, short_name;
  std::vector<std::string> aliases;
  Pairs identifiers;
  std::vector<std::string> ein, coverage_types, programs, states;
  Pairs transactions;
  std::string status = "active", updated_at;
  bool supports_advance = true;
  int timely_filing_days = 365;
  int denial_bps = 800, allowed_bps = 6500, patient_share_bps = 1500;
  int median_days_to_pay = 21, p80_days_to_pay = 30;
};

struct PayerMatch {
  const Payer* payer = nullptr;  // must live until the call has returned
  int score_bps = 0;             // 1 to 10 000; 10 000: exact identifier
  std::vector<std::string> fields;
};

struct PayerQuery {
  std::string_view text, system, after;
  std::size_t limit;
};

class PayerDirectory {
 public:
  virtual ~PayerDirectory() = default;
  /// Finds a payer by id, alias or identifier of another system, case-insensitive. nullptr: not found. The payer must
  /// live until this thread's next call.
  virtual const Payer* get(std::string_view payer_id, const Deadline& deadline) = 0;
  virtual std::vector<PayerMatch> search(const PayerQuery& query, const Deadline& deadline) = 0;
  virtual std::vector<std::string> systems() = 0;

  static constexpr tideover_kind kKind = TIDEOVER_KIND_PAYER_DIRECTORY;
  static const tideover_payer_directory kFunctions;
};

namespace abi {

inline void emit(const PayerMatch& match, const tideover_payer_sink* sink) {
  const Payer& p = *match.payer;
  const LentList aliases(p.aliases), ein(p.ein), coverage(p.coverage_types), programs(p.programs), states(p.states);
  const LentPairs identifiers(p.identifiers), transactions(p.transactions);
  const LentList fields(match.fields);
  tideover_payer payer{};
  payer.size = sizeof payer;
  payer.supports_advance = p.supports_advance ? 1 : 0;
  payer.payer_id = lend(p.payer_id);
  payer.name = lend(p.name);
  payer.short_name = lend(p.short_name);
  payer.aliases = aliases.list();
  payer.identifiers = identifiers.list();
  payer.ein = ein.list();
  payer.coverage_types = coverage.list();
  payer.programs = programs.list();
  payer.states = states.list();
  payer.transactions = transactions.list();
  payer.status = lend(p.status);
  payer.updated_at = lend(p.updated_at);
  payer.timely_filing_days = p.timely_filing_days;
  payer.denial_bps = p.denial_bps;
  payer.allowed_bps = p.allowed_bps;
  payer.patient_share_bps = p.patient_share_bps;
  payer.median_days_to_pay = p.median_days_to_pay;
  payer.p80_days_to_pay = p.p80_days_to_pay;
  const tideover_payer_match lent{sizeof lent, match.score_bps, &payer, fields.list()};
  sink->match(sink->ctx, &lent);
}

inline tideover_status get_payer(void* instance, const tideover_call* call, tideover_str id,
                                 const tideover_payer_sink* sink) noexcept {
  return guard(call, [&]() -> tideover_status {
    const Payer* payer = static_cast<PayerDirectory*>(instance)->get(view(id), Deadline(call));
    if (!payer) return TIDEOVER_NOT_FOUND;
    emit({payer, 10'000, {}}, sink);
    return TIDEOVER_OK;
  });
}

inline tideover_status search_payers(void* instance, const tideover_call* call, const tideover_payer_query* query,
                                     const tideover_payer_sink* sink) noexcept {
  return guard(call, [&]() -> tideover_status {
    const PayerQuery asked{view(query->text), view(query->system), view(query->after),
                           static_cast<std::size_t>(query->limit)};
    for (const auto& match : static_cast<PayerDirectory*>(instance)->search(asked, Deadline(call))) emit(match, sink);
    return TIDEOVER_OK;
  });
}

inline tideover_status payer_systems(void* instance, const tideover_call* call,
                                     const tideover_str_sink* sink) noexcept {
  return guard(call, [&]() -> tideover_status {
    for (const auto& system : static_cast<PayerDirectory*>(instance)->systems()) sink->item(sink->ctx, lend(system));
    return TIDEOVER_OK;
  });
}

}  // namespace abi

inline constexpr tideover_payer_directory PayerDirectory::kFunctions = {
    sizeof(tideover_payer_directory), 0, &abi::get_payer, &abi::search_payers, &abi::payer_systems};

}  // namespace tideover::sdk
