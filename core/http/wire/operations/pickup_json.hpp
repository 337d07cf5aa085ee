// Files of watched folders as JSON (packaging/docs/pickup.md).
#pragma once
#include <string>
#include <vector>

#include "core/domain/operations/pickup_file.hpp"
#include "core/http/wire/basics/cursor.hpp"

namespace tideover::wire {

std::string encode_pickup_file(const domain::PickupFile& file);
std::string encode_pickup_files(const std::vector<domain::PickupFile>& files, const PageFrame& page);

}  // namespace tideover::wire
