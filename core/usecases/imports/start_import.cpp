#include "core/usecases/imports/start_import.hpp"

#include <algorithm>
#include <vector>

#include "core/faults/crash_point.hpp"
#include "core/ports/plugins/memory_source.hpp"
#include "core/usecases/request/external_id.hpp"
#include "core/usecases/request/file_format.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

/// Pieces are well below the default max_allowed_packet.
constexpr std::size_t kPieceBytes = 1 << 20;

/// Usually a row has at least one line. X12 may have no line ends, or a few; there each row begins with this segment.
constexpr std::int64_t kLongLine = 1024, kShortestRow = 50;
constexpr std::string_view kClaimSegment = "CLM";

/// How often answers are made again when another import used their control numbers.
constexpr int kNumberRounds = 5;

}  // namespace

domain::Status StartImport::check_format(const std::string& format) const {
  return check_format_of(formats_, format);
}

domain::Status StartImport::check(const ImportRequest& request) {
  if (auto known = check_format(request.format); !known) return known.error();
  if (request.payload.empty()) return Error::of(ErrorCode::invalid_payload, "The payload is empty.");

  ports::MemorySource header_bytes(request.payload);
  auto decoded = decoder_.decode(request.encoding, header_bytes);
  if (!decoded) return decoded.error();
  ports::ImportFormat& format = *formats_.find(request.format);
  if (auto reader = format.open(**decoded, request.mapping); !reader) return reader.error();

  // A second pass to the end checks the whole encoding (gzip has its CRC last) and its limits.
  ports::MemorySource all_bytes(request.payload);
  decoded = decoder_.decode(request.encoding, all_bytes);
  if (!decoded) return decoded.error();
  std::vector<char> sink(std::size_t{64} * 1024);
  std::int64_t most_rows = 0, line_bytes = 0, claims = 0;
  const bool has_segments = request.format.starts_with("x12");
  std::size_t matched = 0;  // characters of kClaimSegment; no proper prefix occurs inside it
  const auto end_line = [&] {
    most_rows += line_bytes <= kLongLine ? 1 : line_bytes / kShortestRow;
    line_bytes = 0;
  };
  while (true) {
    const auto n = (*decoded)->read(sink.data(), sink.size());
    if (!n) return n.error();
    if (*n == 0) break;
    for (std::size_t i = 0; i < *n; ++i) {
      ++line_bytes;
      if (has_segments)
        matched = sink[i] == kClaimSegment[matched] ? matched + 1 : sink[i] == kClaimSegment.front() ? 1 : 0;
      if (matched == kClaimSegment.size()) {
        ++claims;
        matched = 0;
      }
      if (sink[i] == '\n' || sink[i] == '\r') end_line();
    }
  }
  if (line_bytes > 0) end_line();
  return std::max(most_rows, claims) <= max_rows_ ? domain::Status() : count_rows(request, format);
}

/// The worker counts again. Here the client gets the answer at once.
domain::Status StartImport::count_rows(const ImportRequest& request, ports::ImportFormat& format) {
  ports::MemorySource bytes(request.payload);
  auto decoded = decoder_.decode(request.encoding, bytes);
  if (!decoded) return decoded.error();
  auto reader = format.open(**decoded, request.mapping);
  if (!reader) return reader.error();
  ports::ImportRow row;
  for (std::int64_t rows = 0;; ++rows) {
    if (rows > max_rows_)
      return Error::of(ErrorCode::payload_too_large, "The file has more rows than one import accepts. Split it.")
          .with("max_rows", std::to_string(max_rows_));
    const auto more = (*reader)->next(row);
    if (!more || !*more) return {};  // an unreadable row becomes an error of the job
  }
}

/// Everything that makes two requests equal.
std::string StartImport::content_of(const RequestContext& context, const ImportRequest& request) const {
  std::string text = context.caller.tenant.text() + '\n' + request.format + '\n' + request.encoding + '\n' +
                     (request.abort_on_error ? "abort" : "") + '\n' + (request.auto_review ? "review" : "") + '\n' +
                     (request.dry_run ? "dry" : "") + '\n';
  for (const auto& [field, header] : request.mapping)
    text += std::to_string(field.size()) + ':' + field + std::to_string(header.size()) + ':' + header;
  return digests_.digest("import-content-v1", text + '\n' + request.payload);
}

domain::Result<StoredResponse> StartImport::operator()(const RequestContext& context, const ImportRequest& request,
                                                       const Render<domain::ImportJob>& render) {
  if (auto fit = check(request); !fit) return fit.error();

  domain::ImportJob job;
  job.id = ids_.next<domain::ImportJobId>();
  job.format = request.format;
  job.encoding = request.encoding;
  job.mapping = request.mapping;
  job.abort_on_error = request.abort_on_error;
  job.auto_review = request.auto_review;
  job.dry_run = request.dry_run;
  job.payload_bytes = static_cast<std::int64_t>(request.payload.size());
  job.submitted_at = context.now;
  job.external_id = request.external_id;
  if (!job.external_id.empty()) job.content_digest = content_of(context, request);
  // Two imports at the same time would use the same control numbers: the second one takes the next.
  for (int round = 1;; ++round) {
    const auto last = fetch_one(store_, [&](const ports::Records& records) {
      return records.pickups().last_control_number(context.caller.tenant);
    });
    if (!last) return last.error();
    const auto answer = answer_to(context, request, *last);
    if (!answer) return answer.error();
    auto stored = store_job(context, request, job, *answer, *last, render);
    if (stored || !*answer || stored.error().code != ErrorCode::conflict || round == kNumberRounds) return stored;
  }
}

domain::Result<std::optional<ports::FileAnswer>> StartImport::answer_to(const RequestContext& context,
                                                                        const ImportRequest& request,
                                                                        std::int64_t last_number) {
  if (request.dry_run || !request.format.starts_with("x12")) return std::optional<ports::FileAnswer>();
  ports::MemorySource raw(request.payload);
  auto decoded = decoder_.decode(request.encoding, raw);
  if (!decoded) return decoded.error();
  std::string bytes;
  std::vector<char> buffer(std::size_t{64} * 1024);
  while (true) {
    const auto n = (*decoded)->read(buffer.data(), buffer.size());
    if (!n) return n.error();
    if (*n == 0) break;
    // A larger file is imported without answers: they need the whole file in memory.
    constexpr std::size_t kMostAnswered = std::size_t{8} * 1024 * 1024;
    if (bytes.size() + *n > kMostAnswered) return std::optional<ports::FileAnswer>();
    bytes.append(buffer.data(), *n);
  }
  return formats_.find(request.format)->acknowledge(bytes, {context.now, last_number});
}

domain::Result<StoredResponse> StartImport::store_job(const RequestContext& context, const ImportRequest& request,
                                                      const domain::ImportJob& job,
                                                      const std::optional<ports::FileAnswer>& answer,
                                                      std::int64_t last_number,
                                                      const Render<domain::ImportJob>& render) {
  const auto& tenant = context.caller.tenant;
  StoredResponse response;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    if (!job.external_id.empty())
      if (const auto known = records.imports().find_external(tenant, job.external_id)) {
        if (known->content_digest != job.content_digest)
          return external_id_in_use("import", "job_id", known->id.text());
        response = {render(*known), true};
        return {};
      }
    response = {render(job)};
    records.imports().insert(tenant, context.caller.client, job);
    const std::string_view payload = request.payload;
    int number = 0;
    for (std::size_t at = 0; at < payload.size(); at += kPieceBytes)
      records.imports().insert_piece(tenant, job.id, number++, payload.substr(at, kPieceBytes));
    if (answer) {
      if (!records.pickups().use_control_numbers(tenant, last_number, answer->last_control_number))
        return Error::of(ErrorCode::conflict, "Another import used the same control numbers. Send the request again.");
      records.pickups().insert_acknowledgment(tenant, job.id, answer->acknowledgment);
    }
    faults::crash_point("import.spooled");
    leave_trace(records, context, ids_, job.id.text(), response.body);
    return {};
  });
  faults::crash_point("import.queued");
  if (!done) return done.error();
  return response;
}

}  // namespace tideover::usecases
