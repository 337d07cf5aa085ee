// Takes in remittances, from a file with one or more payments or from JSON with one, and matches them (POST
// /v1/remittances; core/docs/contract.md#reconciliation).
//
// Threads: thread-safe.
#pragma once
#include "core/ports/keyed_digest.hpp"
#include "core/ports/plugins/payer_directory.hpp"
#include "core/ports/plugins/remittance_format.hpp"
#include "core/usecases/matching/post_in_chunks.hpp"
#include "core/usecases/request/request_context.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

struct PostedRemittance {
  domain::Remittance remittance;
  bool seen_before = false;  // the same remittance came before; nothing changed
  std::vector<domain::ReconciliationRecord> records;
  bool is_posting = false;                      // its money came, and not all of its claims are posted yet
  std::vector<domain::RemittanceId> started{};  // long remittances that its arrival matched, itself or others
};

struct FileToPost {
  std::string format;
  std::string_view bytes;
  std::vector<std::pair<std::string, std::string>> mapping{};  // field -> header in the file
};

struct PostedRemittanceFile {
  const std::vector<PostedRemittance>& payments;
  const std::vector<domain::LeftOutRow>& left_out;
};

class PostRemittance {
 public:
  PostRemittance(ports::Store& store, ports::PayerDirectory& payers, ports::RemittanceFormats& formats,
                 const ports::KeyedDigest& digests, ports::IdSource& ids, ports::RulePolicy* rules = nullptr,
                 const domain::PostingSizes& sizes = {})
      : store_(store),
        payers_(payers),
        formats_(formats),
        digests_(digests),
        ids_(ids),
        rules_(rules),
        post_in_chunks_(store, ids, rules, sizes) {}

  /// Error unsupported_format when this service has no such format.
  domain::Status check_format(const std::string& format) const;
  /// Error invalid_payload with the refused rows when the file has no payment that can be accepted.
  domain::Result<StoredResponse> file(const RequestContext& context, const FileToPost& file,
                                      const Render<PostedRemittanceFile>& render);
  /// One transaction takes all payments of a call; those with many claims are posted in further transactions. In
  /// production, one payment of a test file refuses all. For a tenant
  /// that posts on remittances, a remittance without a deposit and without a task makes its own deposit.
  domain::Result<StoredResponse> operator()(const RequestContext& context, std::vector<domain::RemittanceDraft> drafts,
                                            const Render<std::vector<PostedRemittance>>& render);

 private:
  struct Arriving {
    domain::Remittance remittance;
    bool is_known = false;                   // a directory has its payer
    std::vector<std::string> unknown_ids{};  // otherwise the ids by which the sender names it
  };
  /// The remittance as it is stored: with its known payer, its digests and the records of its claims.
  domain::Result<Arriving> identified(const RequestContext& context, domain::RemittanceDraft draft);
  /// Posts a remittance that did not come before. The trace of the response is the audit row of the first one.
  domain::Result<PostedRemittance> post_new(ports::Records& records, const RequestContext& context,
                                            const domain::Remittance& given, bool is_first);
  /// Posts a remittance that came before, as `known`: posts only if it names its payer for the first time.
  domain::Result<PostedRemittance> post_repeat(ports::Records& records, const RequestContext& context,
                                               const domain::Remittance& given, domain::Remittance known,
                                               bool is_first);
  /// For a tenant without a bank feed, the remittance makes its own deposit.
  domain::Status make_deposit(ports::Records& records, const RequestContext& context, PostedRemittance& posted);
  /// As PostDeposit::finish().
  void finish(const RequestContext& context, std::vector<PostedRemittance> results,
              const Render<std::vector<PostedRemittance>>& render, std::string& body);

  ports::Store& store_;
  ports::PayerDirectory& payers_;
  ports::RemittanceFormats& formats_;
  const ports::KeyedDigest& digests_;
  ports::IdSource& ids_;
  ports::RulePolicy* const rules_;
  PostInChunks post_in_chunks_;
};

}  // namespace tideover::usecases
