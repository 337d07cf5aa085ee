// Text fragments for all errors of a configuration. Pure functions.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tideover::settings {

/// The text in quotes, shortened and without control characters, so that a message can show any input.
std::string shown(std::string_view text);

/// "; did you mean 'port'?" if one candidate is close enough to be a typing error, else "".
std::string did_you_mean(std::string_view text, const std::vector<std::string_view>& candidates);

}  // namespace tideover::settings
