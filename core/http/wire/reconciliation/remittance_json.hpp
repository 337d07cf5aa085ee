// Remittances as JSON: one payment, or a file in Base64 (core/docs/contract.md#reconciliation).
#pragma once
#include <string>
#include <vector>

#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/reconciliation/post_remittance.hpp"
#include "core/usecases/reconciliation/read_remittances.hpp"

namespace tideover::wire {

/// True when the body is a file: it has `format`, and not as null, which counts as absent.
bool is_file(const json::Value& body);
/// For a remittance as JSON; checked before the body is decoded.
bool has_too_many_claims(const json::Value& body);
domain::RemittanceDraft decode_remittance(const json::Value& body, Faults& faults);
/// The fields of a payment, summed over the file, and each payment under `remittances`.
std::string encode_remittances(const std::vector<usecases::PostedRemittance>& posted,
                               const std::vector<domain::LeftOutRow>& left_out = {});

std::string encode_remittance_list(const std::vector<domain::RemittanceSummary>& remittances, const PageFrame& page);
/// With its claims and the result of each.
std::string encode_remittance_view(const usecases::RemittanceView& view, bool explain);

}  // namespace tideover::wire
