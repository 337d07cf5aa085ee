#include "core/http/wire/import_json.hpp"

#include "core/crypto/encoding.hpp"
#include "core/http/wire/json/writer.hpp"

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

}  // namespace

usecases::ImportRequest decode_import(const json::Value& body, Faults& faults) {
  usecases::ImportRequest request;
  ObjectReader in(body, "", faults);
  request.format = in.required(in.text("format"), "format");
  request.encoding = in.text("encoding").value_or("none");
  if (request.encoding != "gzip" && request.encoding != "none") in.fault("encoding", "must be gzip or none");
  if (const auto payload = in.text("payload")) {
    if (const auto bytes = crypto::base64_decode(*payload))
      request.payload.assign(bytes->begin(), bytes->end());
    else
      in.fault("payload", "must be Base64 (RFC 4648 section 4, padded, without line breaks)");
  } else {
    in.require("payload");
  }
  if (auto mapping = in.object("mapping"))
    for (const auto& member : mapping->value().members()) {
      if (auto header = mapping->text(member.key))
        request.mapping.emplace_back(std::string(member.key), std::move(*header));
      else if (member.value.is_null())
        mapping->fault(member.key, "must be a string");
    }
  if (const auto on_error = in.text("on_error")) {
    request.abort_on_error = *on_error == "abort";
    if (*on_error != "abort" && *on_error != "continue") in.fault("on_error", "must be continue or abort");
  }
  request.auto_review = in.boolean("auto_review").value_or(true);
  if (in.boolean("dry_run").value_or(false)) in.fault("dry_run", "must be false: trial runs are not offered");
  in.finish();
  return request;
}

std::string encode_import(const domain::ImportJob& job) {
  std::string body;
  json::Writer out(body);
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
  out.key("total_rows").number(job.total_rows);
  out.key("accepted_rows").number(job.accepted_rows);
  out.key("rejected_rows").number(job.rejected_rows);
  out.key("duplicate_rows").number(job.duplicate_rows);
  put_time(out, "started_at", job.started_at);
  put_time(out, "finished_at", job.finished_at);
  out.end_object();
  return body;
}

}  // namespace tideover::wire
