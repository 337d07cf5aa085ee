// Import jobs as their tenant sees them: the job, what became of each row, and the rows that were refused
// (core/docs/contract.md#imports).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/store.hpp"

namespace tideover::usecases {

/// One row of a file: taken in, with its claim and its review as it was made, or refused.
struct ImportResult {
  std::int64_t row = 0;
  std::int64_t line = 0;
  domain::RowOutcome outcome = domain::RowOutcome::accepted;
  std::optional<domain::Claim> claim;
  std::optional<domain::Review> review;
  std::optional<domain::ImportFault> fault;  // where it was rejected
};

/// The rows behind a page are asked for with the last row of this one.
template <class Item>
struct ImportPage {
  std::vector<Item> items;
  bool has_more = false;
};

class ReadImports {
 public:
  explicit ReadImports(ports::Store& store) : store_(store) {}
  domain::Result<domain::ImportJob> one(const domain::TenantId& tenant, const std::string& job_id) const;
  /// Without their faults.
  domain::Result<std::vector<domain::ImportJob>> list(const domain::TenantId& tenant, std::string_view after,
                                                      std::size_t limit) const;
  /// Every row that is done, in the order of the file, behind the row `after`.
  domain::Result<ImportPage<ImportResult>> results(const domain::TenantId& tenant, const std::string& job_id,
                                                   std::int64_t after, std::size_t limit) const;
  /// Row 0, behind -1, is a fault of the whole file.
  domain::Result<ImportPage<domain::ImportFault>> errors(const domain::TenantId& tenant, const std::string& job_id,
                                                         std::int64_t after, std::size_t limit) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
