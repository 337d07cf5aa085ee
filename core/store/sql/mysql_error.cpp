#include "core/store/sql/mysql_error.hpp"

namespace tideover::sql {

SqlError::Kind kind_of_mysql_error(int code) {
  using Kind = SqlError::Kind;
  switch (code) {
    case 1062:  // ER_DUP_ENTRY
    case 1586:  // ER_DUP_ENTRY_WITH_KEY_NAME
      return Kind::unique_violation;
    case 1216:  // ER_NO_REFERENCED_ROW
    case 1217:  // ER_ROW_IS_REFERENCED
    case 1451:  // ER_ROW_IS_REFERENCED_2
    case 1452:  // ER_NO_REFERENCED_ROW_2
      return Kind::foreign_key;
    case 1048:  // ER_BAD_NULL_ERROR
    case 1264:  // ER_WARN_DATA_OUT_OF_RANGE
    case 1364:  // ER_NO_DEFAULT_FOR_FIELD
    case 1366:  // ER_TRUNCATED_WRONG_VALUE_FOR_FIELD
    case 1406:  // ER_DATA_TOO_LONG
    case 4025:  // ER_CONSTRAINT_FAILED
      return Kind::check_violation;
    case 1020:  // ER_CHECKREAD: the row changed since this snapshot
    case 1180:  // ER_ERROR_DURING_COMMIT; in COMMIT itself the session treats it as unknown
    case 1205:  // ER_LOCK_WAIT_TIMEOUT
    case 1213:  // ER_LOCK_DEADLOCK, also Galera's certification failure
    case 1305:  // ER_SP_DOES_NOT_EXIST, of a savepoint: its transaction was rolled back without an error
    case 1615:  // ER_NEED_REPREPARE
      return Kind::conflict;
    case 1040:  // ER_CON_COUNT_ERROR
    case 1047:  // WSREP has not yet prepared node for application use: another node may serve
    case 1053:  // ER_SERVER_SHUTDOWN
    case 1158:  // ER_NET_READ_ERROR
    case 1159:  // ER_NET_READ_INTERRUPTED
    case 1160:  // ER_NET_ERROR_ON_WRITE
    case 1161:  // ER_NET_WRITE_INTERRUPTED
    case 1203:  // ER_TOO_MANY_USER_CONNECTIONS
    case 1226:  // ER_USER_LIMIT_REACHED
    case 1290:  // ER_OPTION_PREVENTS_STATEMENT: the node is read-only
    case 1836:  // ER_READ_ONLY_MODE
    case 1927:  // ER_CONNECTION_KILLED
    case 2002:  // CR_CONNECTION_ERROR
    case 2003:  // CR_CONN_HOST_ERROR
    case 2005:  // CR_UNKNOWN_HOST: name services fail during fail-overs too
    case 2006:  // CR_SERVER_GONE_ERROR
    case 2012:  // CR_SERVER_HANDSHAKE_ERR
    case 2013:  // CR_SERVER_LOST
    case 2014:  // CR_COMMANDS_OUT_OF_SYNC: answers and requests no longer match
    case 2027:  // CR_MALFORMED_PACKET
    case 2055:  // CR_SERVER_LOST_EXTENDED
      return Kind::connection_lost;
    case 1021:  // ER_DISK_FULL
    case 1041:  // ER_OUT_OF_RESOURCES
    case 1114:  // ER_RECORD_FILE_FULL
      return Kind::disk_full;
    case 1015:  // ER_CANT_LOCK
    case 1023:  // ER_ERROR_ON_CLOSE
    case 1024:  // ER_ERROR_ON_READ
    case 1026:  // ER_ERROR_ON_WRITE
    case 1030:  // ER_GET_ERRNO
    case 1317:  // ER_QUERY_INTERRUPTED
      return Kind::io;
    case 1034:  // ER_NOT_KEYFILE
    case 1194:  // ER_CRASHED_ON_USAGE
    case 1712:  // ER_INDEX_CORRUPT
      return Kind::corrupt;
    default:
      return Kind::misuse;
  }
}

std::string without_values(std::string_view server_message) {
  // The apostrophe of "Can't connect" is not a quotation mark. A value does not start within a word.
  std::size_t first = server_message.find('\'');
  while (first != std::string_view::npos && first > 0 && server_message.substr(first - 1).starts_with("n't "))
    first = server_message.find('\'', first + 1);
  const std::size_t last = server_message.rfind('\'');
  if (first == std::string_view::npos || first == last) return std::string(server_message);
  std::string safe = std::string(server_message.substr(0, first)) + "'…'";
  constexpr std::string_view kKey = "' for key '";
  const std::size_t key = server_message.rfind(kKey);
  if (key != std::string_view::npos && key > first) {
    safe += std::string(server_message.substr(key + 1));
  } else {
    safe += std::string(server_message.substr(last + 1));
  }
  return safe;
}

}  // namespace tideover::sql
