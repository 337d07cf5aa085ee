// Whether a disk has room again, by writing and not by asking: what the system counts as free need not be ours to use.
#pragma once
#include <cstddef>
#include <filesystem>

namespace tideover::store {

/// Writes so many bytes beside the file, makes them durable and takes them away again; false when that fails. After a
/// commit that found no space, a smaller one would fit into what the failed one had taken already, and the next one
/// would fail again.
bool has_room_beside(const std::filesystem::path& file, std::size_t bytes) noexcept;

}  // namespace tideover::store
