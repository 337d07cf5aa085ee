#include "core/store/sql/mysql_session.hpp"

#include <cppconn/connection.h>
#include <cppconn/datatype.h>
#include <cppconn/driver.h>
#include <cppconn/exception.h>
#include <cppconn/parameter_metadata.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/resultset_metadata.h>
#include <cppconn/statement.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include "core/store/sql/mysql_error.hpp"

namespace tideover::sql {

namespace {

using Kind = SqlError::Kind;

// Error numbers of the client library itself: whether the server answered is unknown.
constexpr int kFirstClientError = 2000;
constexpr int kLastClientError = 2999;
constexpr std::string_view kWaitForCluster = "SET SESSION wsrep_sync_wait = 1";

/// The client library has state per thread; this object creates and ends it.
class ThreadAttachment {
 public:
  ThreadAttachment() { ::get_driver_instance()->threadInit(); }
  ThreadAttachment(const ThreadAttachment&) = delete;
  ThreadAttachment& operator=(const ThreadAttachment&) = delete;
  ~ThreadAttachment() { ::get_driver_instance()->threadEnd(); }
};

void attach_thread() {
  static thread_local const ThreadAttachment attachment;
}

/// Shared by a session and its statements: whether the connection is usable.
struct Health {
  bool usable = true;
};

[[noreturn]] void fail(const ::sql::SQLException& error, std::string_view doing, Health& health) {
  const int code = error.getErrorCode();
  const Kind kind = kind_of_mysql_error(code);
  if (kind == Kind::connection_lost) health.usable = false;
  throw SqlError(
      kind, code,
      "MariaDB: " + without_values(error.what()) + " (error " + std::to_string(code) + ") in: " + std::string(doing));
}

/// Calls the Connector and converts its exceptions.
template <typename Call>
auto guarded(std::string_view doing, Health& health, Call&& call) -> decltype(call()) {
  attach_thread();
  try {
    return call();
  } catch (const ::sql::SQLException& error) {
    fail(error, doing, health);
  }
}

bool only_reads(std::string_view sql) {
  const std::size_t start = sql.find_first_not_of(" \t\r\n(");
  if (start == std::string_view::npos) return false;
  const std::string_view text = sql.substr(start);
  for (const std::string_view verb : {"SELECT", "WITH", "SHOW", "EXPLAIN", "CHECK"}) {
    const bool begins =
        text.size() >= verb.size() && std::equal(verb.begin(), verb.end(), text.begin(), [](char upper, char actual) {
          return upper == (actual >= 'a' && actual <= 'z' ? actual - 'a' + 'A' : actual);
        });
    if (begins) return true;
  }
  return false;
}

class MySqlStatement final : public Statement {
 public:
  MySqlStatement(::sql::Connection& connection, std::string_view sql, Health& health)
      : connection_(connection), sql_(sql), reads_(only_reads(sql)), health_(health) {
    prepare();
    parameter_count_ = guarded(sql_, health_, [&] { return statement_->getParameterMetaData()->getParameterCount(); });
  }

  std::int64_t run(std::span<const Parameter> parameters) override {
    if (reads_) throw misuse("run() is for statements without a result; use query() for");
    return executed([&] {
      bind(parameters);
      return static_cast<std::int64_t>(statement_->executeUpdate());
    });
  }

  void open(std::span<const Parameter> parameters) override {
    if (!reads_) throw misuse("query() only reads; use run() for");
    executed([&] {
      bind(parameters);
      result_.reset(statement_->executeQuery());
      columns_ = result_->getMetaData();
      column_count_ = columns_->getColumnCount();
    });
  }

  bool next() override {
    on_row_ = guarded(sql_, health_, [&] { return result_->next(); });
    return on_row_;
  }

  void close() noexcept override {
    on_row_ = false;
    columns_ = nullptr;
    result_.reset();
    blobs_.clear();
  }

  bool is_null(int column) const override {
    check(column);
    return guarded(sql_, health_, [&] { return result_->isNull(position(column)); });
  }

  std::int64_t integer(int column) const override {
    if (is_null(column)) throw wrong_type(column, "an integer");
    return guarded(sql_, health_, [&] {
      switch (columns_->getColumnType(position(column))) {
        case ::sql::DataType::TINYINT:
        case ::sql::DataType::SMALLINT:
        case ::sql::DataType::MEDIUMINT:
        case ::sql::DataType::INTEGER:
        case ::sql::DataType::BIGINT:
          return static_cast<std::int64_t>(result_->getInt64(position(column)));
        case ::sql::DataType::DECIMAL:
        case ::sql::DataType::NUMERIC:
          return whole_number(column);  // SUM of integers is a DECIMAL
        default:
          throw wrong_type(column, "an integer");
      }
    });
  }

  std::string text(int column) const override {
    if (is_null(column)) throw wrong_type(column, "text");
    return guarded(sql_, health_, [&] {
      if (!holds_bytes(column)) throw wrong_type(column, "text");
      return result_->getString(position(column)).asStdString();
    });
  }

  std::vector<std::uint8_t> blob(int column) const override {
    if (is_null(column)) throw wrong_type(column, "a blob");
    return guarded(sql_, health_, [&] {
      if (!holds_bytes(column)) throw wrong_type(column, "a blob");
      const ::sql::SQLString bytes = result_->getString(position(column));
      const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.c_str());
      return std::vector<std::uint8_t>(begin, begin + bytes.length());
    });
  }

 private:
  struct Binder {
    MySqlStatement& self;
    unsigned position;
    void operator()(std::monostate) const { self.statement_->setNull(position, ::sql::DataType::VARCHAR); }
    void operator()(std::int64_t value) const { self.statement_->setInt64(position, value); }
    void operator()(std::string_view text) const {
      self.statement_->setString(position, ::sql::SQLString(text.data() == nullptr ? "" : text.data(), text.size()));
    }
    void operator()(BlobView bytes) const {
      // setString would send the bytes as UTF-8 text. The stream must live until execution.
      auto& stream = self.blobs_.emplace_back(
          std::make_unique<std::istringstream>(std::string(bytes.begin(), bytes.end()), std::ios::binary));
      self.statement_->setBlob(position, stream.get());
    }
  };

  void prepare() {
    // The default result type is scrollable. TYPE_FORWARD_ONLY reads beyond its buffers in Connector 1.1.12.
    statement_ = guarded(sql_, health_,
                         [&] { return std::unique_ptr<::sql::PreparedStatement>(connection_.prepareStatement(sql_)); });
  }

  /// Blobs are sent before an execution. When the server refuses an execution without reading them, for example after a
  /// conflict between two nodes, they stay, and the blobs of the next execution would be appended. The statement is
  /// therefore prepared again. The old one is closed at once, while its transaction is lost anyway: a close has no
  /// answer, and a Galera node that rolls back a transaction at that moment (MariaDB 10.11) does not report it.
  template <typename Call>
  auto executed(Call&& call) -> decltype(call()) {
    try {
      return guarded(sql_, health_, std::forward<Call>(call));
    } catch (const SqlError& error) {
      if (dooms_transaction(error.kind)) {
        result_.reset();
        statement_.reset();
      }
      throw;
    }
  }

  void bind(std::span<const Parameter> parameters) {
    if (!statement_) prepare();
    if (parameters.size() != static_cast<std::size_t>(parameter_count_)) {
      throw misuse("wrong number of arguments (" + std::to_string(parameters.size()) + ") for");
    }
    unsigned at = 1;
    for (const Parameter& parameter : parameters) std::visit(Binder{*this, at++}, parameter.value());
  }

  bool holds_bytes(int column) const {
    switch (columns_->getColumnType(position(column))) {
      case ::sql::DataType::CHAR:
      case ::sql::DataType::VARCHAR:
      case ::sql::DataType::LONGVARCHAR:
      case ::sql::DataType::BINARY:
      case ::sql::DataType::VARBINARY:
      case ::sql::DataType::LONGVARBINARY:
        return true;
      default:
        return false;
    }
  }

  std::int64_t whole_number(int column) const {
    const std::string digits = result_->getString(position(column)).asStdString();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) throw wrong_type(column, "a 64-bit integer");
    return value;
  }

  void check(int column) const {
    if (!on_row_ || column < 0 || static_cast<unsigned>(column) >= column_count_) {
      throw misuse("there is no current row or no column " + std::to_string(column) + " in");
    }
  }

  static unsigned position(int column) { return static_cast<unsigned>(column) + 1; }
  SqlError wrong_type(int column, const char* wanted) const {
    return misuse("column " + std::to_string(column) + " is not " + wanted + " (it may be NULL) in");
  }
  SqlError misuse(const std::string& what) const { return {Kind::misuse, 0, what + ": " + sql_}; }

  ::sql::Connection& connection_;
  const std::string sql_;
  const bool reads_;
  Health& health_;
  int parameter_count_ = 0;
  std::unique_ptr<::sql::PreparedStatement> statement_;
  std::vector<std::unique_ptr<std::istringstream>> blobs_;
  std::unique_ptr<::sql::ResultSet> result_;
  ::sql::ResultSetMetaData* columns_ = nullptr;
  unsigned column_count_ = 0;
  bool on_row_ = false;
};

class MySqlSession final : public Session {
 public:
  MySqlSession(const MySqlOptions& options, MySqlRole role) : role_(role) {
    const std::string server = options.host + ":" + std::to_string(options.port);
    connection_ = guarded("connect to " + server, health_, [&] {
      ::sql::ConnectOptionsMap properties = connect_properties(options);
      return std::unique_ptr<::sql::Connection>(::get_driver_instance()->connect(properties));
    });
    if (wants_tls(options.tls)) require_encryption(server);
    configure(options);
  }

  ~MySqlSession() override {
    attach_thread();
    forget_statements();
  }

  Dialect dialect() const override { return Dialect::mysql; }
  bool usable() const override { return health_.usable; }

  bool catch_up() override {
    if (!in_cluster_) return false;
    try {
      execute_text(kWaitForCluster);
      execute_text("START TRANSACTION");  // waits
      execute_text("COMMIT");
      execute_text("SET SESSION wsrep_sync_wait = 0");
    } catch (const SqlError& error) {
      health_.usable = false;
      throw SqlError(Kind::connection_lost, error.code, error.what());  // a node that does not catch up cannot be used
    }
    return true;
  }

 protected:
  std::unique_ptr<Statement> prepare(std::string_view sql) override {
    return std::make_unique<MySqlStatement>(*connection_, sql, health_);
  }

  void execute_text(std::string_view sql) override {
    guarded(sql, health_, [&] {
      const std::unique_ptr<::sql::Statement> statement(connection_->createStatement());
      statement->execute(std::string(sql));
    });
  }

  /// A Galera node rolls a transaction back when another node's wins, and its next answer says so. MariaDB 10.11 omits
  /// this when a statement is prepared or closed at that moment. Later statements must then neither be committed alone,
  /// hence no autocommit, nor count as the whole transaction, hence the savepoint that a commit checks.
  void begin_transaction() override {
    if (role_ == MySqlRole::reader) return execute_text("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
    set_autocommit(false);
    execute_text("SAVEPOINT whole");
  }

  void outside_transaction() override { set_autocommit(true); }

  void commit_transaction() override {
    if (role_ == MySqlRole::writer) execute_text("RELEASE SAVEPOINT whole");
    try {
      execute_text("COMMIT");
    } catch (const SqlError& error) {
      const bool answered = error.code < kFirstClientError || error.code > kLastClientError;
      // Galera also sends 1180 when the node lost its cluster during the commit: the others may have the transaction.
      constexpr int kErrorDuringCommit = 1180;
      const bool definite =
          error.kind != Kind::connection_lost && error.kind != Kind::io && error.code != kErrorDuringCommit;
      if (answered && definite) throw;
      health_.usable = false;
      throw SqlError(Kind::commit_unknown, error.code, error.what());
    }
  }

  bool gains_by_gathering() const override { return true; }

  void rollback_transaction() override {
    if (!health_.usable) return;
    try {
      execute_text("ROLLBACK");
    } catch (const SqlError& error) {
      if (error.kind != Kind::conflict) throw;
      execute_text("ROLLBACK");  // the first answer may be the overdue error, which is ignored here
    }
  }

 private:
  static bool wants_tls(const MySqlTls& tls) { return tls.required || tls.verify_server; }

  static ::sql::ConnectOptionsMap connect_properties(const MySqlOptions& options) {
    ::sql::ConnectOptionsMap properties;
    properties["hostName"] = ::sql::SQLString("tcp://" + options.host + ":" + std::to_string(options.port));
    properties["userName"] = ::sql::SQLString(options.user);
    properties["password"] = ::sql::SQLString(options.password);
    if (!options.database.empty()) properties["schema"] = ::sql::SQLString(options.database);
    properties["OPT_CONNECT_TIMEOUT"] = options.connect_timeout_s;
    properties["OPT_READ_TIMEOUT"] = options.read_timeout_s;
    properties["OPT_WRITE_TIMEOUT"] = options.write_timeout_s;
    properties["OPT_RECONNECT"] = false;
    properties["OPT_CHARSET_NAME"] = ::sql::SQLString("utf8mb4");
    properties["CLIENT_FOUND_ROWS"] = true;  // affected rows are matched rows, as in SQLite
    // Not OPT_SSL_MODE: Connector 1.1.12 sets the connect timeout with it and does not encrypt. With sslEnforce alone
    // the client library still accepts a server without TLS; only sslVerify refuses it (see require_encryption).
    if (wants_tls(options.tls)) properties["sslEnforce"] = true;
    if (options.tls.verify_server) properties["sslVerify"] = true;
    if (!options.tls.ca_file.empty()) properties["sslCA"] = ::sql::SQLString(options.tls.ca_file);
    if (!options.tls.certificate_file.empty()) properties["sslCert"] = ::sql::SQLString(options.tls.certificate_file);
    if (!options.tls.key_file.empty()) properties["sslKey"] = ::sql::SQLString(options.tls.key_file);
    return properties;
  }

  /// Detects a server without TLS. Only verify_server protects against an attacker in between.
  void require_encryption(const std::string& server) {
    Rows status = query("SHOW SESSION STATUS LIKE 'Ssl_cipher'");
    if (!status.next() || status.text(1).empty()) {
      throw SqlError(
          Kind::misuse, 0,
          "the connection to " + server + " is not encrypted though tls is required; enable TLS on the server");
    }
  }

  void configure(const MySqlOptions& options) {
    // Not SET NAMES … COLLATE: the results would have a collation that the Connector does not support.
    execute_text(
        "SET SESSION collation_connection = utf8mb4_nopad_bin, time_zone = '+00:00', autocommit = 1, sql_mode = "
        "'STRICT_ALL_TABLES,ONLY_FULL_GROUP_BY,"
        "NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,"
        "PIPES_AS_CONCAT,ANSI_QUOTES,NO_BACKSLASH_ESCAPES'");
    execute_text(role_ == MySqlRole::writer ? "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED"
                                            : "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    // A row that stays locked this long belongs to a transaction whose client has gone; the default is 50 s.
    execute_text("SET SESSION innodb_lock_wait_timeout = 5");
    // Without it Galera loses updates at every level below SERIALIZABLE (error 1020 instead). Older servers do not have
    // it.
    set_if_known("SET SESSION innodb_snapshot_isolation = ON");
    if (!options.wait_for_cluster) return;
    in_cluster_ = is_in_cluster();
    if (!in_cluster_) return;
    // A reader waits before each transaction. A writer waits when requested: now, because it may come from a node that
    // failed, and before a missing row is relied on.
    role_ == MySqlRole::writer ? static_cast<void>(catch_up()) : execute_text(kWaitForCluster);
  }

  bool is_in_cluster() {
    Rows answer = query("SHOW SESSION VARIABLES LIKE 'wsrep_on'");
    return answer.next() && answer.text(1) == "ON";
  }

  void set_autocommit(bool on) {
    if (on == autocommit_) return;
    execute_text(on ? "SET SESSION autocommit = 1" : "SET SESSION autocommit = 0");
    autocommit_ = on;
  }

  void set_if_known(std::string_view setting) {
    constexpr int kUnknownVariable = 1193;
    try {
      execute_text(setting);
    } catch (const SqlError& error) {
      if (error.code != kUnknownVariable) throw;
    }
  }

  const MySqlRole role_;
  bool autocommit_ = true;
  bool in_cluster_ = false;
  Health health_;
  std::unique_ptr<::sql::Connection> connection_;
};

}  // namespace

std::unique_ptr<Session> open_mysql_session(const MySqlOptions& options, MySqlRole role) {
  return std::make_unique<MySqlSession>(options, role);
}

void prepare_mysql_driver() {
  ::get_driver_instance();
}

}  // namespace tideover::sql
