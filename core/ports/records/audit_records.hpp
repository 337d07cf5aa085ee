// The audit trail: who did what and when, in which request, with which outcome. Append-only and hash-chained.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/ports/records/hash_chain.hpp"

namespace tideover::ports {

struct AuditRow {
  domain::AuditId id;
  domain::ClientId client;  // empty for an unauthenticated request
  std::string request_id;
  std::string operation;  // "POST /v1/claims/reviews"
  std::string object_id;  // never an identifier of a patient; those are stored as digests
  std::string outcome;    // "ok" or an error name
  domain::Timestamp at;
  int times = 1;  // the number of equal events in this row
};

/// Empty members match everything. The time is from `from` to before `until`.
struct AuditFilter {
  std::string_view client = {};
  std::string_view request_id = {};
  std::string_view object_id = {};
  std::string_view outcome = {};
  std::optional<domain::Timestamp> from = std::nullopt;
  std::optional<domain::Timestamp> until = std::nullopt;
};

/// A position in the trail, which is listed chain by chain in the order of writing.
struct AuditPlace {
  std::string chain;
  std::int64_t position = 0;
};

struct AuditPage {
  std::vector<AuditRow> rows;
  std::optional<AuditPlace> next;  // the position to continue from; none at the end
};

class AuditRecords : public ChainReader<ChainLink> {
 public:
  /// An empty tenant is the service itself.
  virtual void append(const domain::TenantId& tenant, const AuditRow& row) = 0;
  /// A page may be short, even empty, before the end: the trail is ordered only by its chains, so one call reads a
  /// limited part of it.
  virtual AuditPage list(const domain::TenantId& tenant, const AuditFilter& filter, const AuditPlace& after,
                         std::size_t limit) const = 0;
};

}  // namespace tideover::ports
