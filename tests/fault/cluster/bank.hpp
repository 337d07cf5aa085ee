// The bank of these tests.
#pragma once

#include <filesystem>

#include "tests/fault/rail/bank_book.hpp"
#include "tests/support/service/service_folder.hpp"

namespace tideover::test {

/// Points a service at the bank whose book lies in `folder_of_bank`: the rail FAULT, which remembers keys.
inline void use_bank(ServiceFolder& service, const std::filesystem::path& folder_of_bank) {
  service.use_plugin("funding_rail", "fault", TIDEOVER_FAULT_RAIL,
                     {{"folder", folder_of_bank.string()}, {"recall", "dedup"}, {"final_on_accept", "1"}});
}

}  // namespace tideover::test
