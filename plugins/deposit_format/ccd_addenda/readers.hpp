// The two forms of CCD+ addenda: in a Nacha file, or as a text table. Both readers pass every entry to the sink, as a
// deposit or with the reason why it is not one, and throw Fault for a truncated or malformed file.
#pragma once
#include <cstddef>
#include <string_view>

#include "tideover/deposit_format.hpp"

namespace ccd_addenda {

/// Stored characters of an entry's addenda.
inline constexpr std::size_t kLongestAddenda = 2000;

bool is_nacha(std::string_view bytes);
void read_nacha(std::string_view bytes, tideover::sdk::DepositSink& sink, const tideover::sdk::Deadline& deadline);
void read_table(std::string_view bytes, tideover::sdk::DepositSink& sink, const tideover::sdk::Deadline& deadline);

}  // namespace ccd_addenda
