// Checks whether a disk has free space again, by a write: the free space that the system reports need not be usable.
#pragma once
#include <cstddef>
#include <filesystem>

namespace tideover::store {

/// Writes this many bytes beside the file, syncs them and removes them; false on failure. After a commit without space,
/// a smaller commit could fit into what the failed one had allocated, and the next one would fail again.
bool has_space_beside(const std::filesystem::path& file, std::size_t bytes) noexcept;

}  // namespace tideover::store
