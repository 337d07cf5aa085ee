// The plan of a query on SQLite: a session keeps the text of the last query, and a store explains it.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "core/store/encryption/encrypted_cells.hpp"
#include "tests/store/records/support/store_under_test.hpp"

namespace tideover::tests {

/// A statement without rows that only tells its text.
class RecordedStatement final : public sql::Statement {
 public:
  RecordedStatement(std::string text, std::string& recorded) : text_(std::move(text)), recorded_(recorded) {}
  std::int64_t run(std::span<const sql::Parameter>) override { return 0; }
  void open(std::span<const sql::Parameter>) override { recorded_ = text_; }
  bool next() override { return false; }
  void close() noexcept override {}
  bool is_null(int) const override { return true; }
  std::int64_t integer(int) const override { return 0; }
  std::string text(int) const override { return {}; }
  std::vector<std::uint8_t> blob(int) const override { return {}; }

 private:
  const std::string text_;
  std::string& recorded_;
};

/// A session that finds nothing and keeps what it was last asked.
class Listening final : public sql::Session {
 public:
  ~Listening() override { forget_statements(); }
  sql::Dialect dialect() const override { return sql::Dialect::sqlite; }
  bool usable() const override { return true; }
  std::string asked;

 protected:
  std::unique_ptr<sql::Statement> prepare(std::string_view sql) override {
    return std::make_unique<RecordedStatement>(std::string(sql), asked);
  }
  void execute_text(std::string_view) override {}
  void begin_transaction() override {}
  void commit_transaction() override {}
  void rollback_transaction() override {}
};

struct PlanWorld {
  StoreUnderTest store{sql::Dialect::sqlite};
  fakes::PlainCipher cipher;
  std::function<void(std::string_view)> tell = [](std::string_view) {};
  store::EncryptedCells cells{cipher, tell};
  Listening session;

  std::string plan() { return store.plan_past_the_store(session.asked); }
};

}  // namespace tideover::tests
