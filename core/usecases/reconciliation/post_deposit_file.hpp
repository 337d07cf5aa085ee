// Takes in a bank's file: each credit of a payer becomes a deposit, each statement with balances is stored and settled
// (POST /v1/deposits/files; core/docs/contract.md#reconciliation).
//
// Threads: thread-safe.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/keyed_digest.hpp"
#include "core/ports/plugins/deposit_format.hpp"
#include "core/usecases/banking/store_statement.hpp"
#include "core/usecases/reconciliation/post_deposit.hpp"

namespace tideover::usecases {

/// One transaction of the file and its result.
struct PostedFileItem {
  enum class Result { created, duplicate, ignored, refused };
  std::int64_t line = 0;
  Result result = Result::created;
  std::string reason;                   // for `ignored` and `refused`
  std::optional<PostedDeposit> posted;  // for `created` and `duplicate`
};
std::string_view name_of(PostedFileItem::Result result);

struct PostedDepositFile {
  std::string format;
  std::vector<PostedFileItem> items;  // in file order
  std::vector<domain::DepositFileWarning> warnings;
  std::vector<PostedStatement> statements{};  // in file order
};

class PostDepositFile {
 public:
  PostDepositFile(ports::Store& store, ports::DepositFormats& formats, const ports::KeyedDigest& digests,
                  ports::IdSource& ids, ports::RulePolicy* rules = nullptr, const domain::PostingSizes& sizes = {})
      : store_(store),
        formats_(formats),
        digests_(digests),
        ids_(ids),
        rules_(rules),
        statements_(store, digests, ids),
        post_in_chunks_(store, ids, rules, sizes) {}

  /// Error unsupported_format when this service has no such format.
  domain::Status check_format(const std::string& format) const;
  /// Reads the whole file first. Then a unit takes a hundred transactions. Then the statements are stored and settled.
  /// The last unit stores the response; a long remittance that it matched is posted after it. The same credit again (a
  /// file sent twice, sent again after an interruption, or another file of the same bank) is a `duplicate` and changes
  /// nothing. Error invalid_payload when every deposit of the file is refused.
  domain::Result<StoredResponse> operator()(const RequestContext& context, const std::string& format,
                                            std::string_view bytes, const Render<PostedDepositFile>& render);

 private:
  domain::Result<PostedFileItem> take_item(const UnitOfWork& unit, const domain::DepositFileItem& item);
  void name_deposits(domain::DepositFile& file, const RequestContext& context, const std::string& format);
  /// Posts the long remittances that the items from this one on matched, and reads these items again. Returns whether
  /// there were any. What fails is left to PostInChunks::resume().
  bool post_long(const RequestContext& context, PostedDepositFile& posted, std::size_t from);
  void finish(ports::Records& records, const RequestContext& context, const PostedDepositFile& posted,
              std::string_view changed, const Render<PostedDepositFile>& render, std::string& body);
  domain::Status take_statements(const RequestContext& context, const domain::DepositFile& file,
                                 PostedDepositFile& posted, const Render<PostedDepositFile>& render, std::string& body);

  ports::Store& store_;
  ports::DepositFormats& formats_;
  const ports::KeyedDigest& digests_;
  ports::IdSource& ids_;
  ports::RulePolicy* const rules_;
  StoreStatements statements_;
  PostInChunks post_in_chunks_;
};

}  // namespace tideover::usecases
