#include "tests/store/records/support/store_under_test.hpp"

namespace tideover::tests {

StoreUnderTest::StoreUnderTest(sql::Dialect engine, const store::CommitterOptions& committer) {
  options_.committer = committer;
  options_.on_failure = [this](std::string_view what) {
    const std::lock_guard guard(mutex_);
    failures_.append(what) += '\n';
  };
  if (engine == sql::Dialect::sqlite) {
    options_.sqlite_path = folder_ / "data" / "tideover.db";
  } else {
    static int number = 0;
    options_.driver = store::StoreOptions::Driver::mysql;
    options_.mysql = mariadb().create_database("records" + std::to_string(++number));
  }
  reopen();
}

void StoreUnderTest::reopen() {
  store_.reset();
  auto opened = store::SqlStore::open(options_, encoder_, cipher_);
  if (!opened) BOOST_FAIL(opened.error().message);
  store_ = std::move(*opened);
}

void StoreUnderTest::write(const std::function<void(ports::Records&)>& change) {
  const auto code = try_to_write(change);
  if (code) BOOST_FAIL("writing failed: " << *code << ": " << failures());
}

std::optional<domain::ErrorCode> StoreUnderTest::try_to_write(const std::function<void(ports::Records&)>& change) {
  const auto status = store_->commit([&](ports::Records& records) -> domain::Status {
    change(records);
    return {};
  });
  return status ? std::nullopt : std::optional(status.error().code);
}

std::string StoreUnderTest::failures() {
  const std::lock_guard guard(mutex_);
  return failures_;
}

std::unique_ptr<sql::Database> StoreUnderTest::database_past_the_store() {
  store_.reset();
  sql::DatabaseOptions database;
  if (options_.driver == store::StoreOptions::Driver::sqlite) {
    database.engine = sql::SqliteOptions{options_.sqlite_path};
  } else {
    database.engine = options_.mysql;
  }
  return sql::Database::open(database);
}

void StoreUnderTest::run_past_the_store(sql::Sql statement) {
  const auto database = database_past_the_store();
  const auto session = database->writer();
  session->begin();
  session->run(statement);
  session->commit();
}

void StoreUnderTest::execute_past_the_store(sql::Sql statement) {
  const auto database = database_past_the_store();
  database->writer()->execute(statement);
}

}  // namespace tideover::tests
