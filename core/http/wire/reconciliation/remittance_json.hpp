// Remittances on the wire: one payment as JSON, or a file in Base64 (core/docs/contract.md#reconciliation). Pure
// functions.
#pragma once
#include <string>
#include <vector>

#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/reconciliation/post_remittance.hpp"
#include "core/usecases/reconciliation/read_remittances.hpp"

namespace tideover::wire {

/// A body with the member `format` is a file.
bool is_file(const json::Value& body);
/// Whether a remittance as JSON has too many claims; checked before it is decoded.
bool has_too_many_claims(const json::Value& body);
domain::RemittanceDraft decode_remittance(const json::Value& body, Faults& faults);
/// The fields of one payment, summed over the file, and each payment under `remittances`.
std::string encode_remittances(const std::vector<usecases::PostedRemittance>& posted,
                               const std::vector<domain::LeftOutRow>& left_out = {});

std::string encode_remittance_list(const std::vector<domain::RemittanceSummary>& remittances, std::size_t limit);
/// With its claims and the result of each.
std::string encode_remittance_view(const usecases::RemittanceView& view, bool explain);

}  // namespace tideover::wire
