// One prepared statement as a driver implements it. Stores use Session, Rows and Row; only drivers see this.
// Belongs to one session and one thread at a time.
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

  /// Executes a writing statement; returns the rows it matched and wrote.
  virtual std::int64_t run(std::span<const Parameter> parameters) = 0;

  /// Executes a reading statement; next() then moves to its first row.
  virtual void open(std::span<const Parameter> parameters) = 0;
  virtual bool next() = 0;

  /// Ends execution and drops the bound values. The statement can be executed again, also after an error.
  virtual void close() noexcept = 0;

  // The current row; columns count from 0. A type that does not fit is an error, not a conversion.
  virtual bool is_null(int column) const = 0;
  virtual std::int64_t integer(int column) const = 0;
  virtual std::string text(int column) const = 0;
  virtual std::vector<std::uint8_t> blob(int column) const = 0;

  bool in_use = false;  // a live Rows reads from it
};

}  // namespace tideover::sql
