// Stores the bank statements of a file, then settles their lines (core/docs/contract.md#bank-statements).
//
// Threads: thread-safe.
#pragma once
#include <string>
#include <vector>

#include "core/domain/reconciliation/deposit_file.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/usecases/request/request_context.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

/// A statement of a file and its result.
struct PostedStatement {
  enum class Result {
    stored,
    unchanged,  // the same content was stored before
    replaced,   // other content was stored for this account and day
    refused
  };
  std::int64_t line = 0;
  Result result = Result::stored;
  std::string reason{};             // of a refusal
  domain::BankStatement statement;  // of a refusal: without id
  std::int64_t exceptions = 0;      // lines that settle nothing
};
std::string_view name_of(PostedStatement::Result result);

class StoreStatements {
 public:
  StoreStatements(ports::Store& store, const ports::KeyedDigest& digests, ports::IdSource& ids)
      : store_(store), digests_(digests), ids_(ids) {}

  /// One unit stores a statement with all lines and its audit row. Further units settle a hundred lines each, and try
  /// open lines of the days before again. `deposits`: the deposit of each transaction of the file, or none.
  domain::Result<std::vector<PostedStatement>> operator()(
      const RequestContext& context, const std::string& format,
      const std::vector<domain::BankFileStatement>& statements,
      const std::vector<std::optional<domain::DepositId>>& deposits);

 private:
  PostedStatement described(const RequestContext& context, const std::string& format,
                            const domain::BankFileStatement& given) const;
  domain::Status keep(const RequestContext& context, PostedStatement& posted, std::vector<domain::BankLine>& lines);
  domain::Status clear(const RequestContext& context, const domain::BankStatementId& statement, int most_units);
  domain::Status clear_around(const RequestContext& context, PostedStatement& posted);

  ports::Store& store_;
  const ports::KeyedDigest& digests_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
