#include "core/usecases/imports/cancel_import.hpp"

namespace tideover::usecases {

using domain::Error;
using domain::ErrorCode;

domain::Result<StoredResponse> CancelImport::operator()(const RequestContext& context, const std::string& job_id,
                                                        const Render<domain::ImportJob>& render) {
  const Error unknown = Error::of(ErrorCode::not_found, "Import job not found.");
  const auto id = domain::ImportJobId::parse(job_id);
  if (!id) return unknown;
  const auto& tenant = context.caller.tenant;
  const auto event = ids_.next<domain::EventId>();
  std::string body;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    // The job's epoch separates this update from the worker's chunks, so the counters that are read after it are final.
    const bool ended_here = records.imports().cancel(tenant, *id, context.now);
    const auto job = records.imports().find(tenant, *id);
    if (!job) return unknown;
    if (!ended_here && !job->canceled_at)
      return Error::of(ErrorCode::invalid_state, "The import has ended. There is nothing to cancel.")
          .with("status", std::string(name_of(job->status)));
    body = render(*job);
    if (ended_here) {
      records.imports().remove_pieces(*id);
      records.events().append(
          tenant,
          {event, context.now, domain::ImportFinished{*id, job->status, job->accepted_rows, job->rejected_rows}});
    }
    leave_trace(records, context, ids_, id->text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

}  // namespace tideover::usecases
