// The adjudication request, the Adjudication and the result of a confirmation (openapi.yaml;
// core/docs/contract.md#settlements). Pure functions.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/http/wire/json/writer.hpp"
#include "core/usecases/claims/get_settlement.hpp"
#include "core/usecases/funding/confirm_settlement.hpp"
#include "core/usecases/funding/create_adjudication.hpp"

namespace tideover::wire {

usecases::AdjudicationRequest decode_adjudication(const json::Value& body, Faults& faults);
/// The member `terms`.
void put_advance_terms(json::Writer& out, const domain::Terms& terms);
/// `is_simulated`: its rail does not move money. `explanation`: only with ?explain=true, else null.
void put_adjudication(json::Writer& out, const usecases::SettlementView& view, bool is_simulated,
                      const usecases::TermsExplanation* explanation = nullptr);
std::string encode_adjudication(const usecases::SettlementView& view, bool is_simulated,
                                const usecases::TermsExplanation* explanation = nullptr);
/// `is_simulated(rail)`: the rail does not move money.
std::string encode_settlements(const std::vector<usecases::SettlementView>& views, const PageFrame& page,
                               const std::function<bool(const std::string& rail)>& is_simulated);
/// Only members that do not change while the configured rails stay the same, so that a repeated answer has the same
/// bytes.
std::string encode_confirmation(const usecases::Confirmation& confirmation, bool is_simulated);

}  // namespace tideover::wire
