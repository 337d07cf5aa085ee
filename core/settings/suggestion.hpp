// Wording shared by all messages about a configuration.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tideover::settings {

/// The text in quotes, shortened and without control characters, so that any input can be shown in a message.
std::string shown(std::string_view text);

/// "; did you mean 'port'?" when a candidate is similar enough, else an empty text.
std::string did_you_mean(std::string_view text, const std::vector<std::string_view>& candidates);

}  // namespace tideover::settings
