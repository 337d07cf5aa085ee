#include "core/usecases/start_import.hpp"

#include <vector>

#include "core/faults/crash_point.hpp"
#include "core/ports/memory_source.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

/// Pieces fit a default max_allowed_packet with room to spare.
constexpr std::size_t kPieceBytes = 1 << 20;

}  // namespace

domain::Status StartImport::check(const ImportRequest& request) {
  ports::ImportFormat* format = formats_.find(request.format);
  if (!format) {
    Error error = Error::of(ErrorCode::unsupported_format, "There is no import format of this name.").with_list("allowed", formats_.names());
    error.fields.push_back({"format", "is not one of the allowed formats"});
    return error;
  }
  if (request.payload.empty()) return Error::of(ErrorCode::invalid_payload, "The payload is empty.");

  ports::MemorySource header_bytes(request.payload);
  auto decoded = decoder_.decode(request.encoding, header_bytes);
  if (!decoded) return decoded.error();
  if (auto reader = format->open(**decoded, request.mapping); !reader) return reader.error();

  // A second pass to the end proves the coding whole (gzip's CRC stands last) and within its limits.
  ports::MemorySource all_bytes(request.payload);
  decoded = decoder_.decode(request.encoding, all_bytes);
  if (!decoded) return decoded.error();
  std::vector<char> sink(64 * 1024);
  while (true) {
    const auto n = (*decoded)->read(sink.data(), sink.size());
    if (!n) return n.error();
    if (*n == 0) return {};
  }
}

domain::Result<Answer> StartImport::operator()(const Act& act, const ImportRequest& request, const Render<domain::ImportJob>& render) {
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
  job.submitted_at = act.now;
  const std::string body = render(job);
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    records.imports().insert(act.caller.tenant, act.caller.client, job);
    const std::string_view payload = request.payload;
    int number = 0;
    for (std::size_t at = 0; at < payload.size(); at += kPieceBytes)
      records.imports().insert_piece(act.caller.tenant, job.id, number++, payload.substr(at, kPieceBytes));
    faults::crash_point("import.spooled");
    leave_trace(records, act, ids_, job.id.text(), body);
    return {};
  });
  faults::crash_point("import.queued");
  if (!done) return done.error();
  return Answer{body};
}

}  // namespace tideover::usecases
