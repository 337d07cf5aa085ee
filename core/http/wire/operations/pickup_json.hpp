// Files of watched folders as JSON (packaging/docs/pickup.md).
#pragma once
#include <string>
#include <vector>

#include "core/domain/operations/pickup_file.hpp"

namespace tideover::wire {

std::string encode_pickup_file(const domain::PickupFile& file);
std::string encode_pickup_files(const std::vector<domain::PickupFile>& files, std::size_t limit);

}  // namespace tideover::wire
