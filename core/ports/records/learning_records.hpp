// The journal of what is learned, tenant by tenant, and the editions of payers' records that reviews were made with.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/reviews/learning.hpp"

namespace tideover::ports {

/// How far a tenant's journal goes; seq 0: there is none yet.
struct LearningHead {
  domain::TenantId tenant;
  std::int64_t seq = 0;
  std::int64_t set_aside = 0;  // entries that are not learned from
};

class LearningRecords {
 public:
  virtual ~LearningRecords() = default;
  /// Of every tenant.
  virtual std::vector<LearningHead> heads() const = 0;
  /// The batches behind `after`, in order; `damaged` entries make a batch unreadable: std::runtime_error.
  virtual std::vector<domain::LearningBatch> behind(const domain::TenantId& tenant, std::int64_t after,
                                                    std::size_t limit) const = 0;
  /// Those before `before`, the latest first.
  virtual std::vector<domain::LearningBatch> before(const domain::TenantId& tenant, std::int64_t before,
                                                    std::size_t limit) const = 0;
  /// Writes `batch` behind the one of number seq - 1; its sha256 is made here. A number that is taken is a unique
  /// violation.
  virtual void append(const domain::TenantId& tenant, const domain::LearningBatch& batch) = 0;

  /// What was set aside of the batches behind `after` up to and with `until`, in order.
  virtual std::vector<domain::SetAside> set_aside(const domain::TenantId& tenant, std::int64_t after,
                                                  std::int64_t until) const = 0;
  /// False: it is set aside already.
  virtual bool put_aside(const domain::TenantId& tenant, const domain::SetAside& entry, domain::Timestamp at) = 0;

  /// Keeps a payer's record under the name of its edition, where it is not kept yet.
  virtual void file_payer(std::string_view edition, std::string_view record) = 0;
  virtual std::optional<std::string> payer(std::string_view edition) const = 0;
};

}  // namespace tideover::ports
