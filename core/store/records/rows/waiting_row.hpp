// The columns created_at, id, tenant of a row that waits for its counterpart.
#pragma once
#include "core/ports/records/waiting.hpp"
#include "core/store/records/rows/columns.hpp"

namespace tideover::store {

inline ports::Waiting waiting_of(const sql::Row& row) {
  ColumnReader in(row);
  ports::Waiting waiting;
  waiting.since = in.timestamp();
  waiting.id = in.text();
  waiting.tenant = in.id<domain::TenantId>();
  return waiting;
}

}  // namespace tideover::store
