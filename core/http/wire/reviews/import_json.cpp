#include "core/http/wire/reviews/import_json.hpp"

#include <algorithm>

#include "core/domain/basics/content_coding.hpp"
#include "core/http/wire/basics/file_json.hpp"
#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/json/writer.hpp"
#include "core/http/wire/reviews/review_json.hpp"

namespace tideover::wire {
namespace {

void put_fault(json::Writer& out, const domain::ImportFault& fault) {
  out.begin_object();
  out.key("error").string(domain::name_of(fault.code));
  out.key("message").string(fault.message);
  out.key("details").begin_object();
  if (fault.row > 0) out.key("row").number(fault.row);
  if (fault.line > 0) out.key("line").number(fault.line);
  if (!fault.field.empty()) out.key("field").string(fault.field);
  if (!fault.claim_identifier.empty()) out.key("claim_identifier").string(fault.claim_identifier);
  out.end_object();
  out.end_object();
}

void put_time(json::Writer& out, const char* name, const std::optional<domain::Timestamp>& at) {
  if (at) out.key(name).string(format_timestamp(*at));
}

/// In ten-thousandths of the payload.
std::int64_t progress_of(const domain::ImportJob& job) {
  constexpr std::int64_t kWhole = 10'000;
  if (job.status == domain::ImportStatus::succeeded) return kWhole;
  return job.payload_bytes > 0 ? std::min(job.bytes_read * kWhole / job.payload_bytes, kWhole) : 0;
}

void put_job(json::Writer& out, const domain::ImportJob& job) {
  out.begin_object();
  out.key("job_id").string(job.id.text());
  out.key("status").string(name_of(job.status));
  out.key("submitted_at").string(format_timestamp(job.submitted_at));
  out.key("errors").begin_array();
  for (const auto& fault : job.errors) put_fault(out, fault);
  out.end_array();
  out.key("errors_truncated").boolean(job.errors_truncated);
  out.key("format").string(job.format);
  out.key("encoding").string(job.encoding);
  out.key("auto_review").boolean(job.auto_review);
  out.key("dry_run").boolean(job.dry_run);
  if (!job.external_id.empty()) out.key("external_id").string(job.external_id);
  out.key("progress").decimal4(progress_of(job));
  out.key("total_rows").number(job.total_rows);
  out.key("accepted_rows").number(job.accepted_rows);
  out.key("rejected_rows").number(job.rejected_rows);
  out.key("duplicate_rows").number(job.duplicate_rows);
  put_time(out, "started_at", job.started_at);
  put_time(out, "finished_at", job.finished_at);
  put_time(out, "canceled_at", job.canceled_at);
  out.end_object();
}

void put_result(json::Writer& out, const usecases::ImportResult& result) {
  out.begin_object();
  out.key("row").number(result.row);
  out.key("line").number(result.line);
  out.key("outcome").string(name_of(result.outcome));
  if (result.claim) {
    out.key("claim_identifier").string(result.claim->draft.claim_identifier);
    out.key("claim_id").string(result.claim->id.text());
  }
  if (result.review) put_review(out.key("review"), *result.review);
  if (result.fault) {
    if (!result.fault->claim_identifier.empty()) out.key("claim_identifier").string(result.fault->claim_identifier);
    put_fault(out.key("error"), *result.fault);
  }
  out.end_object();
}

/// NDJSON.
template <class Item, class Put>
std::string encode_lines(const std::vector<Item>& items, Put put) {
  std::string lines;
  for (const auto& item : items) {
    json::Writer out(lines);
    put(out, item);
    lines += '\n';
  }
  return lines;
}

}  // namespace

usecases::ImportRequest decode_import(const json::Value& body, Faults& faults) {
  usecases::ImportRequest request;
  ObjectReader in(body, "", faults);
  request.format = in.required(in.text("format"), "format");
  request.encoding = in.text("encoding").value_or("none");
  if (!domain::is_content_coding(request.encoding)) in.fault("encoding", "must be gzip, zstd or none");
  request.payload = in.required(in.bytes("payload"), "payload");
  request.mapping = decode_mapping(in);
  if (const auto on_error = in.text("on_error")) {
    request.abort_on_error = *on_error == "abort";
    if (*on_error != "abort" && *on_error != "continue") in.fault("on_error", "must be continue or abort");
  }
  request.auto_review = in.boolean("auto_review").value_or(true);
  request.dry_run = in.boolean("dry_run").value_or(false);
  request.external_id = in.short_text("external_id", 128).value_or("");
  in.finish();
  return request;
}

std::string encode_import(const domain::ImportJob& job) {
  std::string body;
  json::Writer out(body);
  put_job(out, job);
  return body;
}

std::string encode_imports(const std::vector<domain::ImportJob>& jobs, const PageFrame& page) {
  return encode_list(jobs, page, put_job, [](const domain::ImportJob& job) { return job.id.text(); });
}

std::string encode_import_results(const std::vector<usecases::ImportResult>& results) {
  return encode_lines(results, put_result);
}

std::string encode_import_errors(const std::vector<domain::ImportFault>& faults) {
  return encode_lines(faults, put_fault);
}

}  // namespace tideover::wire
