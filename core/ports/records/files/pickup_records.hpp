// Files of watched folders, the acknowledgments of imports, and the control numbers of the answers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/domain/basics/tenant.hpp"
#include "core/domain/operations/acknowledgment.hpp"
#include "core/domain/operations/pickup_file.hpp"

namespace tideover::ports {

struct PickupFilter {
  std::string_view folder;                     // empty for all
  std::optional<domain::PickupStatus> status;  // nullopt for all
  std::optional<domain::Timestamp> from, to;   // when it was received; `to` is excluded
};

class PickupRecords {
 public:
  virtual ~PickupRecords() = default;
  /// A second owner of a content is a unique violation, also in `update`.
  virtual void insert(const domain::TenantId& tenant, const domain::PickupFile& file) = 0;
  /// All members but id, folder, name, sha256, bytes and received_at.
  virtual void update(const domain::TenantId& tenant, const domain::PickupFile& file) = 0;
  virtual std::optional<domain::PickupFile> find(const domain::TenantId& tenant,
                                                 const domain::PickupFileId& id) const = 0;
  /// The file that owns this content.
  virtual std::optional<domain::PickupFile> owner(const domain::TenantId& tenant, std::string_view sha256) const = 0;
  /// The open files of a folder, oldest first.
  virtual std::vector<domain::PickupFile> open_files(const domain::TenantId& tenant, std::string_view folder,
                                                     std::size_t limit) const = 0;
  /// Without the bounds of `page`: `filter` has them.
  virtual std::vector<domain::PickupFile> list(const domain::TenantId& tenant, const PickupFilter& filter,
                                               const domain::ListPage& page) const = 0;

  virtual void insert_acknowledgment(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                     const domain::Acknowledgment& acknowledgment) = 0;
  virtual std::optional<domain::Acknowledgment> acknowledgment(const domain::TenantId& tenant,
                                                               const domain::ImportJobId& job) const = 0;
  /// The last control number that an answer of this tenant used; 0 for none.
  virtual std::int64_t last_control_number(const domain::TenantId& tenant) const = 0;
  /// False when `last` is not the last number any more.
  virtual bool use_control_numbers(const domain::TenantId& tenant, std::int64_t last, std::int64_t new_last) = 0;
};

}  // namespace tideover::ports
