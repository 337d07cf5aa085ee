// Checks by writing whether a disk has space again: space that the system reports as free need not be usable.
#pragma once
#include <cstddef>
#include <filesystem>

namespace tideover::store {

/// Writes this many bytes next to the file, syncs and removes them; false when that fails. After a commit that found no
/// space, a smaller commit could fit into the space of the failed one, and the next would fail again.
bool has_space_beside(const std::filesystem::path& file, std::size_t bytes) noexcept;

}  // namespace tideover::store
