// The reason-code catalogue (core/docs/contract.md#lists-and-metadata), one YAML list. Reports all faults together,
// each with file:line:col.
#pragma once
#include <filesystem>
#include <string_view>
#include <variant>
#include <vector>

#include "core/domain/claims/reason_code.hpp"
#include "core/settings/settings_error.hpp"

namespace tideover::settings {

using ReasonCodesResult = std::variant<std::vector<domain::ReasonCode>, std::vector<SettingsError>>;

/// In order of the file. Codes are unique; `maps_to` of a SERVICE code names a CARC of the same file.
ReasonCodesResult load_reason_codes(const std::filesystem::path& file);

}  // namespace tideover::settings
