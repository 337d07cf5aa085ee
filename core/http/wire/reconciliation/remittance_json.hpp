// Remittances on the wire: one payment as JSON, or a file in Base64 (core/docs/contract.md#reconciliation).
#pragma once
#include <string>
#include <vector>

#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/reconciliation/post_remittance.hpp"
#include "core/usecases/reconciliation/read_remittances.hpp"

namespace tideover::wire {

/// A body with `format` is a file.
bool is_file(const json::Value& body);
/// Of a remittance as JSON; asked before it is decoded.
bool has_too_many_claims(const json::Value& body);
domain::RemittanceDraft decode_remittance(const json::Value& body, Faults& faults);
/// The fields of one payment, summed over the file, and each payment under `remittances`.
std::string encode_remittances(const std::vector<usecases::PostedRemittance>& posted,
                               const std::vector<domain::LeftOutRow>& left_out = {});

std::string encode_remittance_list(const std::vector<domain::RemittanceSummary>& remittances, std::size_t limit);
/// With its claims and what became of each.
std::string encode_remittance_view(const usecases::RemittanceView& view, bool explain);

}  // namespace tideover::wire
