#include "core/usecases/imports/read_imports.hpp"

#include <algorithm>

namespace tideover::usecases {
namespace {

domain::Error no_such_job() {
  return domain::Error::of(domain::ErrorCode::not_found, "Import job not found.");
}

template <class Item>
ImportPage<Item> page_of(std::vector<Item> items, std::size_t limit) {
  ImportPage<Item> page{std::move(items), false};
  page.has_more = page.items.size() > limit;
  if (page.has_more) page.items.erase(page.items.begin() + static_cast<std::ptrdiff_t>(limit), page.items.end());
  return page;
}

/// Claim and review are read per row, so the page is cut first.
void complete(const ports::Records& records, const domain::TenantId& tenant, const domain::ImportedRow& row,
              ImportResult& result) {
  if (row.claim)
    if (auto known = records.claims().find(tenant, row.claim->text())) result.claim = std::move(known->claim);
  if (row.authorization) result.review = records.reviews().find(tenant, *row.authorization);
}

}  // namespace

domain::Result<domain::ImportJob> ReadImports::one(const domain::TenantId& tenant, const std::string& job_id) const {
  const auto id = domain::ImportJobId::parse(job_id);
  if (!id) return no_such_job();
  return fetch(store_, no_such_job(),
               [&](const ports::Records& records) { return records.imports().find(tenant, *id); });
}

domain::Result<std::vector<domain::ImportJob>> ReadImports::list(const domain::TenantId& tenant,
                                                                 const domain::ListPage& page) const {
  return fetch_one(store_, [&](const ports::Records& records) { return records.imports().list(tenant, page); });
}

domain::Result<ImportPage<ImportResult>> ReadImports::results(const domain::TenantId& tenant, const std::string& job_id,
                                                              std::int64_t after, std::size_t limit) const {
  const auto id = domain::ImportJobId::parse(job_id);
  if (!id) return no_such_job();
  return fetch(store_, no_such_job(), [&](const ports::Records& records) -> std::optional<ImportPage<ImportResult>> {
    if (!records.imports().is_known(tenant, *id)) return std::nullopt;
    const auto rows = records.imports().rows(tenant, *id, after, limit + 1);
    const auto faults = records.imports().faults(tenant, *id, std::max<std::int64_t>(after, 0), limit + 1);
    std::vector<ImportResult> merged;
    auto row = rows.begin();
    auto fault = faults.begin();
    while (merged.size() <= limit && (row != rows.end() || fault != faults.end())) {
      ImportResult& result = merged.emplace_back();
      if (fault == faults.end() || (row != rows.end() && row->row < fault->row)) {
        result = {row->row, row->line, row->outcome, {}, {}, {}};
        if (merged.size() <= limit) complete(records, tenant, *row, result);
        ++row;
      } else {
        result = {fault->row, fault->line, domain::RowOutcome::rejected, {}, {}, *fault};
        ++fault;
      }
    }
    return page_of(std::move(merged), limit);
  });
}

domain::Result<ImportPage<domain::ImportFault>> ReadImports::errors(const domain::TenantId& tenant,
                                                                    const std::string& job_id, std::int64_t after,
                                                                    std::size_t limit) const {
  const auto id = domain::ImportJobId::parse(job_id);
  if (!id) return no_such_job();
  using Page = ImportPage<domain::ImportFault>;
  return fetch(store_, no_such_job(), [&](const ports::Records& records) -> std::optional<Page> {
    if (!records.imports().is_known(tenant, *id)) return std::nullopt;
    return page_of(records.imports().faults(tenant, *id, after, limit + 1), limit);
  });
}

}  // namespace tideover::usecases
