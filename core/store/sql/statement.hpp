// One prepared statement, implemented by a driver. Stores use Session, Rows and Row; only drivers use this. Used by one
// session and one thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/store/sql/parameter.hpp"

namespace tideover::sql {

class Statement {
 public:
  Statement() = default;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  virtual ~Statement() = default;

  /// Executes a writing statement; returns the number of matched and written rows.
  virtual std::int64_t run(std::span<const Parameter> parameters) = 0;

  /// Executes a reading statement; next() then moves to its first row.
  virtual void open(std::span<const Parameter> parameters) = 0;
  virtual bool next() = 0;

  /// Ends the execution and drops the bound values. The statement can be executed again, also after an error.
  virtual void close() noexcept = 0;

  // The current row; columns count from 0. A wrong type is an error, not converted.
  virtual bool is_null(int column) const = 0;
  virtual std::int64_t integer(int column) const = 0;
  virtual std::string text(int column) const = 0;
  virtual std::vector<std::uint8_t> blob(int column) const = 0;

  bool in_use = false;  // a live Rows reads from it
};

}  // namespace tideover::sql
