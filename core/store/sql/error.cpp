#include "core/store/sql/error.hpp"

namespace tideover::sql {

std::string_view name_of(SqlError::Kind kind) {
  switch (kind) {
    case SqlError::Kind::unique_violation:
      return "unique_violation";
    case SqlError::Kind::foreign_key:
      return "foreign_key";
    case SqlError::Kind::check_violation:
      return "check_violation";
    case SqlError::Kind::conflict:
      return "conflict";
    case SqlError::Kind::connection_lost:
      return "connection_lost";
    case SqlError::Kind::commit_unknown:
      return "commit_unknown";
    case SqlError::Kind::disk_full:
      return "disk_full";
    case SqlError::Kind::read_only:
      return "read_only";
    case SqlError::Kind::no_resources:
      return "no_resources";
    case SqlError::Kind::io:
      return "io";
    case SqlError::Kind::corrupt:
      return "corrupt";
    case SqlError::Kind::unreadable:
      return "unreadable";
    case SqlError::Kind::key_missing:
      return "key_missing";
    case SqlError::Kind::in_use:
      return "in_use";
    case SqlError::Kind::misuse:
      return "misuse";
  }
  return "unknown";
}

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
