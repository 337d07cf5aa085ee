// Cached data of an open transaction beside its rows, such as the heads of hash chains. It has the lifetime of the
// transaction: a commit keeps it for the next transaction of the session, a rollback discards it. One type per session.
// One thread at a time.
#pragma once

#include <any>
#include <utility>

namespace tideover::sql {

class TransactionMemory {
 public:
  /// Inside a transaction. Created when the session has none.
  template <typename T>
  T& of() {
    if (T* known = std::any_cast<T>(&current_)) return *known;
    return current_.emplace<T>();
  }

  void begin() { current_ = committed_; }
  void savepoint() { saved_ = current_; }
  void roll_back_to_savepoint() { current_ = saved_; }
  void commit() { committed_ = std::move(current_); }
  void roll_back() { current_.reset(); }

  /// For a contradiction in the database: discards the data after this transaction too.
  void forget() {
    committed_.reset();
    saved_.reset();
    current_.reset();
  }

 private:
  std::any committed_;
  std::any saved_;
  std::any current_;
};

}  // namespace tideover::sql
