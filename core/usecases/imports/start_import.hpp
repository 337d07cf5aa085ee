// Accepts a bulk file of claims and queues it (openapi.yaml: POST /v1/imports/claims; core/docs/contract.md#imports).
// Faults of the whole file are refused at once: a broken encoding, an unmapped column, a decompression bomb, too many
// rows. The worker checks the rows.
//
// Threads: thread-safe.
#pragma once
#include "core/ports/keyed_digest.hpp"
#include "core/ports/plugins/import_format.hpp"
#include "core/ports/plugins/payload_decoder.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

struct ImportRequest {
  std::string format;
  std::string encoding = "none";
  std::string payload;  // Base64 already decoded
  std::vector<std::pair<std::string, std::string>> mapping;
  bool abort_on_error = false;
  bool auto_review = true;
  bool dry_run = false;
  std::string external_id{};  // the client's own key; empty for none
};

class StartImport {
 public:
  StartImport(ports::Store& store, ports::ImportFormats& formats, ports::PayloadDecoder& decoder,
              const ports::KeyedDigest& digests, ports::IdSource& ids, std::int64_t max_rows)
      : store_(store), formats_(formats), decoder_(decoder), digests_(digests), ids_(ids), max_rows_(max_rows) {}
  /// Error unsupported_format when this service has no such format.
  domain::Status check_format(const std::string& format) const;
  /// The same external_id returns the first job when the content agrees. Otherwise the request is refused.
  domain::Result<StoredResponse> operator()(const RequestContext& context, const ImportRequest& request,
                                            const Render<domain::ImportJob>& render);

 private:
  domain::Status check(const ImportRequest& request);
  domain::Status count_rows(const ImportRequest& request, ports::ImportFormat& format);
  /// The answers to an X12 file, with the control numbers after the last one of the tenant.
  domain::Result<std::optional<ports::FileAnswer>> answer_to(const RequestContext& context,
                                                             const ImportRequest& request, std::int64_t last_number);
  /// Error conflict when another import used the control numbers of `answer` since `last_number`.
  domain::Result<StoredResponse> store_job(const RequestContext& context, const ImportRequest& request,
                                           const domain::ImportJob& job, const std::optional<ports::FileAnswer>& answer,
                                           std::int64_t last_number, const Render<domain::ImportJob>& render);
  std::string content_of(const RequestContext& context, const ImportRequest& request) const;

  ports::Store& store_;
  ports::ImportFormats& formats_;
  ports::PayloadDecoder& decoder_;
  const ports::KeyedDigest& digests_;
  ports::IdSource& ids_;
  const std::int64_t max_rows_;
};

}  // namespace tideover::usecases
