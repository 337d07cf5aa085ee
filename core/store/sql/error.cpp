#include "core/store/sql/error.hpp"

namespace tideover::sql {

bool dooms_transaction(SqlError::Kind kind) {
  switch (kind) {
    case SqlError::Kind::conflict:
    case SqlError::Kind::connection_lost:
    case SqlError::Kind::commit_unknown:
    case SqlError::Kind::disk_full:
    case SqlError::Kind::read_only:
    case SqlError::Kind::no_resources:
    case SqlError::Kind::io:
    case SqlError::Kind::corrupt:
      return true;
    case SqlError::Kind::unique_violation:
    case SqlError::Kind::foreign_key:
    case SqlError::Kind::check_violation:
    case SqlError::Kind::unreadable:
    case SqlError::Kind::key_missing:
    case SqlError::Kind::in_use:
    case SqlError::Kind::misuse:
      return false;
  }
  return true;
}

}  // namespace tideover::sql
