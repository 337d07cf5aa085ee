// The learning journals of the tenants, and the editions of payers' records that reviews used.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/reviews/learning.hpp"

namespace tideover::ports {

/// The end of a tenant's journal; seq 0: it is empty.
struct LearningHead {
  domain::TenantId tenant;
  std::int64_t seq = 0;
  std::int64_t set_aside = 0;  // entries that are not learned from
};

class LearningRecords {
 public:
  virtual ~LearningRecords() = default;
  /// For every tenant.
  virtual std::vector<LearningHead> heads() const = 0;
  /// The batches after `after`, in order. `damaged` entries make a batch unreadable: std::runtime_error.
  virtual std::vector<domain::LearningBatch> behind(const domain::TenantId& tenant, std::int64_t after,
                                                    std::size_t limit) const = 0;
  /// Those before `before`, newest first.
  virtual std::vector<domain::LearningBatch> before(const domain::TenantId& tenant, std::int64_t before,
                                                    std::size_t limit) const = 0;
  /// Writes `batch` after the one with number seq - 1, and computes its sha256. A repeated number is a unique
  /// violation.
  virtual void append(const domain::TenantId& tenant, const domain::LearningBatch& batch) = 0;

  /// The entries that were set aside in the batches after `after`, up to and including `until`, in order.
  virtual std::vector<domain::SetAside> set_aside(const domain::TenantId& tenant, std::int64_t after,
                                                  std::int64_t until) const = 0;
  /// False: set aside before.
  virtual bool put_aside(const domain::TenantId& tenant, const domain::SetAside& entry, domain::Timestamp at) = 0;

  /// Stores a payer's record under the name of its edition, unless it is stored.
  virtual void file_payer(std::string_view edition, std::string_view record) = 0;
  virtual std::optional<std::string> payer(std::string_view edition) const = 0;
};

}  // namespace tideover::ports
