// The two ways in which CCD+ addenda come: in the Nacha file, or as a table of text. Both hand every entry to the sink,
// as a deposit or with the reason why it is none, and throw Fault for a file that is cut or malformed.
#pragma once
#include <cstddef>
#include <string_view>

#include "tideover/deposit_format.hpp"

namespace ccd_addenda {

/// Characters of an entry's addenda that are kept.
inline constexpr std::size_t kLongestAddenda = 2000;

bool is_nacha(std::string_view bytes);
void read_nacha(std::string_view bytes, tideover::sdk::DepositSink& sink, const tideover::sdk::Deadline& deadline);
void read_table(std::string_view bytes, tideover::sdk::DepositSink& sink, const tideover::sdk::Deadline& deadline);

}  // namespace ccd_addenda
