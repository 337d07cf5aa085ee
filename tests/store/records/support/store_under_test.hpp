// A SqlStore on an empty database of the engine that a test asks for, with short ways to write and to look.
#pragma once
#include <functional>
#include <mutex>
#include <string>

#include "core/store/sql_store.hpp"
#include "tests/fakes/plain_cipher.hpp"
#include "tests/store/records/support/samples.hpp"
#include "tests/store/records/support/shown.hpp"
#include "tests/store/sql/test_database.hpp"

namespace tideover::domain {

inline std::ostream& operator<<(std::ostream& out, ErrorCode code) {
  return out << name_of(code);
}
inline std::ostream& operator<<(std::ostream& out, const Status& status) {
  return status ? out << "success" : out << status.error().code << ": " << status.error().message;
}

}  // namespace tideover::domain

namespace tideover::tests {

namespace bdata = boost::unit_test::data;

class KindEncoder final : public ports::EventEncoder {
 public:
  std::string encode_data(const domain::EventData& data) const override {
    return "{\"of\":\"" + std::string(domain::kind_of(data)) + "\"}";
  }
};

class StoreUnderTest {
 public:
  explicit StoreUnderTest(sql::Dialect engine, const store::CommitterOptions& committer = {});

  store::SqlStore* operator->() { return store_.get(); }

  /// Commits `change`; its failure fails the test.
  void write(const std::function<void(ports::Records&)>& change);
  /// Commits `change` and says what became of it; nullopt = success.
  std::optional<domain::ErrorCode> try_to_write(const std::function<void(ports::Records&)>& change);
  /// What `change` returns, committed.
  template <class Change>
  auto written(Change change) {
    std::invoke_result_t<Change, ports::Records&> value{};
    write([&](ports::Records& records) { value = change(records); });
    return value;
  }
  /// What `look` returns, read.
  template <class Look>
  auto seen(Look look) {
    std::invoke_result_t<Look, const ports::Records&> value{};
    const auto status = store_->read([&](const ports::Records& records) { value = look(records); });
    if (!status) BOOST_FAIL("reading failed: " << failures());
    return value;
  }

  /// What the store reported to the operator.
  std::string failures();
  const store::StoreOptions& options() const { return options_; }
  /// Ends the store and opens it again on the same database.
  void reopen();
  /// What an intruder with the database's password could do. The store is shut and stays shut until reopen().
  void run_past_the_store(sql::Sql statement);
  /// The same for what changes the schema.
  void execute_past_the_store(sql::Sql statement);
  template <class... Arguments>
  std::int64_t count_past_the_store(sql::Sql counting_query, const Arguments&... arguments) {
    const auto database = database_past_the_store();
    const auto reader = database->reader();
    return *reader->first([](const sql::Row& row) { return row.integer(0); }, counting_query, arguments...);
  }

  /// How SQLite would go about the query: its plan, one step a line.
  std::string plan_past_the_store(const std::string& query) {
    const auto database = database_past_the_store();
    const auto reader = database->reader();
    const std::string explained = "EXPLAIN QUERY PLAN " + query;
    const std::vector<sql::Parameter> none(static_cast<std::size_t>(std::count(query.begin(), query.end(), '?')),
                                           sql::Parameter(std::nullopt));
    std::string plan;
    for (const auto& row : reader->query_bound(sql::Sql::composed(explained), none)) plan += row.text(3) + '\n';
    return plan;
  }

 private:
  std::unique_ptr<sql::Database> database_past_the_store();

  TemporaryFolder folder_;
  KindEncoder encoder_;
  fakes::PlainCipher cipher_;
  std::mutex mutex_;
  std::string failures_;
  store::StoreOptions options_;
  std::unique_ptr<store::SqlStore> store_;
};

}  // namespace tideover::tests
