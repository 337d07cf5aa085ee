// Takes remittances in - a file of one or more payments, or one payment as JSON - and matches them
// (POST /v1/remittances; core/docs/contract.md#reconciliation).
#pragma once
#include "core/ports/keyed_digest.hpp"
#include "core/ports/plugins/payer_directory.hpp"
#include "core/ports/plugins/remittance_format.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

struct PostedRemittance {
  domain::Remittance remittance;
  bool seen_before = false;  // the same remittance again changed nothing
  std::vector<domain::ReconciliationRecord> records;
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
                 const ports::KeyedDigest& digests, ports::IdSource& ids)
      : store_(store), payers_(payers), formats_(formats), digests_(digests), ids_(ids) {}

  /// A file without a payment that can be taken is an invalid_payload that names its rows.
  domain::Result<StoredResponse> file(const RequestContext& context, const FileToPost& file,
                                      const Render<PostedRemittanceFile>& render);
  /// All payments of one call are taken in by one transaction. In production a payment of a test file refuses them all.
  /// Of a tenant that posts on remittances, one that no money has come for and that nobody is asked about brings its
  /// deposit along.
  domain::Result<StoredResponse> operator()(const RequestContext& context, std::vector<domain::RemittanceDraft> drafts,
                                            const Render<std::vector<PostedRemittance>>& render);

 private:
  ports::Store& store_;
  ports::PayerDirectory& payers_;
  ports::RemittanceFormats& formats_;
  const ports::KeyedDigest& digests_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
