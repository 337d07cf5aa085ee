// The audit trail: who did what, when, in which request, with what outcome. Append-only and hash-chained.
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
  domain::ClientId client;  // empty where nobody proved who they are
  std::string request_id;
  std::string operation;  // "POST /v1/claims/reviews"
  std::string object_id;  // never an identifier of a patient; those are digested first
  std::string outcome;    // "ok" or an error name
  domain::Timestamp at;
  int times = 1;  // how many equal events this row stands for
};

/// What is empty admits everything; the time reaches from `from` to before `until`.
struct AuditFilter {
  std::string_view client = {};
  std::string_view request_id = {};
  std::string_view object_id = {};
  std::string_view outcome = {};
  std::optional<domain::Timestamp> from = std::nullopt;
  std::optional<domain::Timestamp> until = std::nullopt;
};

/// A place in the trail: it is listed chain after chain, each in the order in which it was written.
struct AuditPlace {
  std::string chain;
  std::int64_t position = 0;
};

struct AuditPage {
  std::vector<AuditRow> rows;
  std::optional<AuditPlace> next;  // the trail goes on behind it; none at its end
};

class AuditRecords : public ChainReader<ChainLink> {
 public:
  /// An empty tenant stands for the service itself.
  virtual void append(const domain::TenantId& tenant, const AuditRow& row) = 0;
  /// A page may be short, even empty, before the end: nothing but the chains orders the trail, so one call looks at a
  /// bounded part of it.
  virtual AuditPage list(const domain::TenantId& tenant, const AuditFilter& filter, const AuditPlace& after,
                         std::size_t limit) const = 0;
};

}  // namespace tideover::ports
