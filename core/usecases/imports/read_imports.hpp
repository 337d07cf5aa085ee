// Reads the import jobs of a tenant: the job, the result of each row, and the refused rows
// (core/docs/contract.md#imports).
//
// Threads: thread-safe; read-only.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/store.hpp"

namespace tideover::usecases {

/// One row of a file: accepted with its claim and review, or refused.
struct ImportResult {
  std::int64_t row = 0;
  std::int64_t line = 0;
  domain::RowOutcome outcome = domain::RowOutcome::accepted;
  std::optional<domain::Claim> claim;
  std::optional<domain::Review> review;
  std::optional<domain::ImportFault> fault;  // for a rejected row
};

/// A page of rows; its last row is the cursor of the next page.
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
  domain::Result<std::vector<domain::ImportJob>> list(const domain::TenantId& tenant,
                                                      const domain::ListPage& page) const;
  /// The finished rows after the row `after`, in file order.
  domain::Result<ImportPage<ImportResult>> results(const domain::TenantId& tenant, const std::string& job_id,
                                                   std::int64_t after, std::size_t limit) const;
  /// Row 0, after -1, is a fault of the whole file.
  domain::Result<ImportPage<domain::ImportFault>> errors(const domain::TenantId& tenant, const std::string& job_id,
                                                         std::int64_t after, std::size_t limit) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
