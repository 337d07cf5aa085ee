// Files of watched folders, and what became of them (packaging/docs/pickup.md).
//
// Threads: plain values and pure functions.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"

namespace tideover::domain {

/// received: being read. waiting: a later attempt follows. The other three are final.
enum class PickupStatus { received, waiting, posted, duplicate, quarantined };
inline constexpr std::array<std::string_view, 5> kPickupStatusNames{"received", "waiting", "posted", "duplicate",
                                                                    "quarantined"};
inline std::string_view name_of(PickupStatus status) {
  return kPickupStatusNames[static_cast<std::size_t>(status)];
}
inline std::optional<PickupStatus> pickup_status_named(std::string_view name) {
  for (std::size_t i = 0; i < kPickupStatusNames.size(); ++i)
    if (kPickupStatusNames[i] == name) return static_cast<PickupStatus>(i);
  return std::nullopt;
}

/// What a file has. `automatic`: its content decides.
enum class PickupKind { automatic, remittance, deposit, claims };
inline constexpr std::array<std::string_view, 4> kPickupKindNames{"auto", "remittance", "deposit", "claims"};
inline std::string_view name_of(PickupKind kind) {
  return kPickupKindNames[static_cast<std::size_t>(kind)];
}
inline std::optional<PickupKind> pickup_kind_named(std::string_view name) {
  for (std::size_t i = 0; i < kPickupKindNames.size(); ++i)
    if (kPickupKindNames[i] == name) return static_cast<PickupKind>(i);
  return std::nullopt;
}

/// What a posted file created.
struct PickupResult {
  PickupKind kind = PickupKind::automatic;
  std::string format;
  std::vector<std::string> objects;  // ids of remittances or deposits, or the id of the import
};

/// Places are relative to the folder and have the safe form of names: "inbox/june.835".
struct PickupFile {
  PickupFileId id;
  std::string folder;  // its configured name
  std::string name;    // as it arrived, in safe form
  std::string sha256;  // hex; empty for a file that is too large to read
  std::int64_t bytes = 0;
  PickupStatus status = PickupStatus::received;
  PickupResult result;
  std::optional<PickupFileId> duplicate_of;
  std::string error_code;  // of a quarantined file, or the latest failure of a waiting one
  std::string error;
  std::string place;   // where it is
  std::string target;  // where it is moved to; empty when it stays
  int attempts = 0;    // that failed
  Timestamp next_attempt;
  Timestamp received_at;
  std::optional<Timestamp> finished_at;  // when its status became final
};

/// True while the folder has work to do for this file: it is not posted or not moved yet.
inline bool is_open(const PickupFile& file) {
  return file.status == PickupStatus::received || file.status == PickupStatus::waiting || !file.target.empty();
}

/// At most one file of a tenant owns a content: the one that is posted, or will be.
inline bool owns_content(const PickupFile& file) {
  return !file.sha256.empty() && (file.status == PickupStatus::received || file.status == PickupStatus::waiting ||
                                  file.status == PickupStatus::posted);
}

}  // namespace tideover::domain
