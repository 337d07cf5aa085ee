// The log of the watched folders, and another attempt for a quarantined file (GET /v1/pickup/files,
// POST /v1/pickup/files/{file_id}/retry; packaging/docs/pickup.md), and the answers to an import.
//
// Threads: thread-safe.
#pragma once
#include <string>
#include <vector>

#include "core/domain/operations/pickup_file.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

struct PickupQuery {
  std::string folder;                    // empty for all
  std::string status;                    // empty for all
  std::optional<domain::Date> from, to;  // received on these days (UTC), both included
  domain::ListPage page;
};

class ReadPickupFiles {
 public:
  ReadPickupFiles(ports::Store& store, ports::IdSource& ids) : store_(store), ids_(ids) {}
  domain::Result<std::vector<domain::PickupFile>> list(const domain::TenantId& tenant, const PickupQuery& query) const;
  domain::Result<domain::PickupFile> one(const domain::TenantId& tenant, const std::string& file_id) const;
  /// The next round reads the quarantined file again. Error invalid_state for any other file, and when a file with the
  /// same content is posted.
  domain::Result<StoredResponse> retry(const RequestContext& context, const std::string& file_id,
                                       const Render<domain::PickupFile>& render);
  /// Error not_found for an import without answers.
  domain::Result<domain::Acknowledgment> acknowledgment(const domain::TenantId& tenant,
                                                        const std::string& job_id) const;

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
