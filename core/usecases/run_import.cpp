#include "core/usecases/run_import.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "core/domain/claim_input.hpp"
#include "core/domain/text.hpp"
#include "core/faults/crash_point.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::ImportFault;

/// A job that gets nowhere is given up in this round of work, some ten leases after its first.
constexpr int kMaxRounds = 10;
/// A chunk that collides with another writer is written again at once, this often.
constexpr int kConflictRounds = 4;
constexpr std::size_t kMaxIdentifierCharacters = 64;

/// Whether the client's data is to blame; anything else lies with the service and may be gone next time.
bool is_clients_fault(ErrorCode code) {
  switch (code) {
    case ErrorCode::conflict:
    case ErrorCode::idempotency_in_progress:
    case ErrorCode::rate_limited:
    case ErrorCode::request_timeout:
    case ErrorCode::internal_error:
    case ErrorCode::service_unavailable:
    case ErrorCode::rail_unavailable:
    case ErrorCode::rail_outcome_unknown:
    case ErrorCode::rules_unavailable:
    case ErrorCode::shutting_down:
      return false;
    default:
      return true;
  }
}

/// The stored payload as one stream.
class PieceSource final : public ports::ByteSource {
 public:
  PieceSource(ports::Store& store, domain::TenantId tenant, domain::ImportJobId job)
      : store_(store), tenant_(std::move(tenant)), job_(std::move(job)) {}

  domain::Result<std::size_t> read(char* into, std::size_t capacity) override {
    while (at_ == piece_.size()) {
      if (ended_) return std::size_t{0};
      std::optional<std::string> next;
      const auto read = store_.read([&](const ports::Records& records) { next = records.imports().piece(tenant_, job_, number_); });
      if (!read) return read.error();
      ended_ = !next;
      piece_ = next ? std::move(*next) : std::string();
      at_ = 0;
      ++number_;
    }
    const std::size_t n = std::min(capacity, piece_.size() - at_);
    std::memcpy(into, piece_.data() + at_, n);
    at_ += n;
    return n;
  }

 private:
  ports::Store& store_;
  domain::TenantId tenant_;
  domain::ImportJobId job_;
  std::string piece_;
  std::size_t at_ = 0;
  int number_ = 0;
  bool ended_ = false;
};

ImportFault fault_of(std::int64_t row, std::int64_t line, const std::string& claim_identifier, const Error& error) {
  ImportFault fault;
  fault.row = row;
  fault.line = line;
  fault.claim_identifier = claim_identifier;
  fault.code = error.code;
  fault.message = error.message;
  for (const auto& field : error.fields) {
    if (fault.field.empty()) fault.field = field.path;
    fault.message += (&field == &error.fields.front() ? " " : "; ") + field.path + ": " + field.problem;
  }
  return fault;
}

}  // namespace

class RunImport::Run {
 public:
  Run(RunImport& host, ports::ImportClaim claim, domain::Caller caller) : host_(host), claim_(std::move(claim)), caller_(std::move(caller)) {}

  domain::Status work(const std::function<bool()>& stopping) {
    const auto rows_before = claim_.rows_done;
    auto worked = read_file(stopping);
    if (worked || fenced_out_ || claim_.epoch < kMaxRounds || claim_.rows_done > rows_before) return worked;
    return end_failed(worked.error());
  }

 private:
  struct Row {
    std::int64_t number = 0;
    std::int64_t line = 0;
    std::string claim_identifier;  // empty unless it can be one
    std::optional<domain::ClaimDraft> draft;
    std::optional<PreparedReview> prepared;
    std::optional<Error> error;
  };

  domain::Status read_file(const std::function<bool()>& stopping) {
    ports::ImportFormat* format = host_.formats_.find(claim_.job.format);
    if (!format) return end_failed(Error::of(ErrorCode::unsupported_format, "The format " + claim_.job.format + " is no longer configured."));
    PieceSource pieces(host_.store_, claim_.tenant, claim_.job.id);
    auto decoded = host_.decoder_.decode(claim_.job.encoding, pieces);
    if (!decoded) return cannot_read(decoded.error());
    auto reader = format->open(**decoded, claim_.job.mapping);
    if (!reader) return cannot_read(reader.error());

    ports::ImportRow given;
    for (std::int64_t skipped = 0; skipped < claim_.rows_done; ++skipped)
      if (const auto more = (*reader)->next(given); !more || !*more) break;

    std::int64_t rows_read = claim_.rows_done;
    std::optional<Row> ahead;  // read, but left for the next chunk
    std::optional<Error> broken;
    bool at_end = false;
    while (!stopping()) {
      std::vector<Row> chunk;
      std::set<std::string> services;
      while (static_cast<int>(chunk.size()) < host_.options_.chunk_rows) {
        if (!ahead) {
          given = {};
          const auto more = (*reader)->next(given);
          if (!more)
            broken = more.error();
          else if (!*more)
            at_end = true;
          else
            ahead = accept(given, ++rows_read);
          if (!ahead) break;
        }
        if (ahead->draft && !services.insert(service_of(*ahead->draft)).second) break;
        chunk.push_back(std::move(*ahead));
        ahead.reset();
      }
      if (auto committed = commit_chunk(chunk); !committed) return committed;
      if (broken) return cannot_read(*broken);
      if (claim_.rows_done > host_.options_.max_rows)
        return end_failed(Error::of(ErrorCode::payload_too_large, "The file has more rows than one import takes; split it.")
                              .with("max_rows", std::to_string(host_.options_.max_rows)));
      if (claim_.job.abort_on_error && claim_.job.rejected_rows > 0)
        return end(domain::ImportStatus::failed, std::nullopt);
      if (at_end) return end_of_file();
    }
    return {};
  }

  /// Two rows of one service are never in one chunk: the second is to be reviewed when the first is on record, so that it
  /// is seen as a duplicate.
  static std::string service_of(const domain::ClaimDraft& draft) {
    return draft.chart_identifier.reveal() + '\n' + draft.billing_npi + '\n' + std::to_string(draft.submitted_amount.cents()) + '\n' +
           (draft.date_of_service ? format_date(*draft.date_of_service) : "");
  }

  Row accept(const ports::ImportRow& given, std::int64_t number) const {
    Row row;
    row.number = number;
    row.line = given.line;
    if (!given.fault.empty()) {
      row.error = Error::of(ErrorCode::validation_error, given.fault);
      return row;
    }
    domain::ClaimInput input;
    for (const auto& [path, text] : given.fields)
      if (auto* slot = input.at(path)) *slot = text;
    if (const auto& text = input.claim_identifier;
        text && domain::is_printable(*text) && domain::count_characters(*text) <= kMaxIdentifierCharacters)
      row.claim_identifier = *text;
    auto draft = domain::accept_claim(input, host_.clock_.now().utc_date());
    if (draft)
      row.draft = std::move(*draft);
    else
      row.error = draft.error();
    return row;
  }

  /// An Error is no fault of the row: it is reviewed again later.
  domain::Status review(Row& row) {
    if (!row.draft) return {};
    auto prepared = host_.review_.prepare(caller_, host_.clock_.now(), *row.draft);
    if (prepared)
      row.prepared = std::move(*prepared);
    else if (is_clients_fault(prepared.error().code))
      row.error = prepared.error();
    else
      return prepared.error();
    return {};
  }

  /// One chunk is one transaction: its claims, its faults, its counters and how far the file has been read.
  domain::Status commit_chunk(std::vector<Row>& rows) {
    for (auto& row : rows)
      if (auto reviewed = review(row); !reviewed) return reviewed;

    ports::ImportClaim next;
    const ports::Store::Unit unit = [&](ports::Records& records) -> domain::Status {
      next = claim_;
      for (auto& row : rows) {
        ++next.rows_done;
        ++next.job.total_rows;
        take_in(records, row, next.job);
        if (next.job.abort_on_error && next.job.rejected_rows > 0) break;
      }
      faults::crash_point("import.chunk_written");
      return save(records, next);
    };
    auto done = host_.store_.commit(unit, ports::Priority::background);
    for (int round = 1; round < kConflictRounds && !done && done.error().code == ErrorCode::conflict; ++round)
      done = host_.store_.commit(unit, ports::Priority::background);
    if (!done) return done;
    host_.options_.on_chunk(next.job.accepted_rows - claim_.job.accepted_rows, next.job.rejected_rows - claim_.job.rejected_rows);
    claim_ = std::move(next);
    faults::crash_point("import.chunk_committed");
    return {};
  }

  void take_in(ports::Records& records, Row& row, domain::ImportJob& job) {
    const auto reject = [&](const Error& error) {
      job.errors_truncated = ++job.rejected_rows > static_cast<std::int64_t>(domain::kMaxListedImportErrors);
      if (!job.errors_truncated) records.imports().add_fault(claim_.tenant, job.id, fault_of(row.number, row.line, row.claim_identifier, error));
    };
    if (row.error) return reject(*row.error);

    const auto& claim = row.prepared->fresh.claim;
    const auto known = records.claims().find(claim_.tenant, claim.draft.claim_identifier);
    if (known && known->claim.draft == claim.draft) {
      ++job.duplicate_rows;
      return;
    }
    if (known && known->status.status != domain::ClaimStatus::received)
      return reject(Error::of(ErrorCode::claim_locked, "A claim of this identifier and other content has already been " +
                                                           std::string(name_of(known->status.status)) + "."));
    ++job.accepted_rows;
    if (job.auto_review) {
      row.prepared->presumed_new = !known;  // also knows the rows above it
      host_.review_.write(records, caller_, *row.prepared);
    } else if (known) {
      domain::Claim replaced = claim;
      replaced.id = known->claim.id;
      records.claims().replace(claim_.tenant, replaced, row.prepared->review.created_at);
    } else {
      ports::StoredClaim fresh = row.prepared->fresh;
      fresh.status.status = domain::ClaimStatus::received;
      records.claims().insert(claim_.tenant, fresh);
    }
  }

  domain::Status save(ports::Records& records, const ports::ImportClaim& claim) {
    const auto lease_end = host_.clock_.now().plus_ms(host_.options_.lease_s * 1000LL);
    fenced_out_ = !records.imports().update(claim, lease_end);
    if (!fenced_out_) return {};
    return Error::of(ErrorCode::idempotency_in_progress, "Another worker took this import over.");
  }

  domain::Status end_of_file() {
    const auto& job = claim_.job;
    if (job.total_rows == 0) return end_failed(Error::of(ErrorCode::invalid_payload, "The file has no rows."));
    const bool all_rejected = job.accepted_rows + job.duplicate_rows == 0;
    return end(all_rejected ? domain::ImportStatus::failed : domain::ImportStatus::succeeded, std::nullopt);
  }

  /// Of a file that is at fault nothing more can be read; a service that is at fault reads on later.
  domain::Status cannot_read(const Error& why) { return is_clients_fault(why.code) ? end_failed(why) : domain::Status(why); }

  domain::Status end_failed(const Error& why) { return end(domain::ImportStatus::failed, why); }

  domain::Status end(domain::ImportStatus status, const std::optional<Error>& file_fault) {
    ports::ImportClaim final = claim_;
    final.job.status = status;
    final.job.finished_at = host_.clock_.now();
    const auto event = host_.ids_.next<domain::EventId>();
    return host_.store_.commit(
        [&](ports::Records& records) -> domain::Status {
          if (file_fault) records.imports().add_fault(final.tenant, final.job.id, fault_of(0, 0, "", *file_fault));
          if (auto saved = save(records, final); !saved) return saved;
          records.imports().remove_pieces(final.job.id);
          faults::crash_point("import.pieces_removed");
          records.events().append(final.tenant, {event, *final.job.finished_at,
                                                 domain::ImportFinished{final.job.id, status, final.job.accepted_rows, final.job.rejected_rows}});
          return {};
        },
        ports::Priority::background);
  }

  RunImport& host_;
  ports::ImportClaim claim_;
  domain::Caller caller_;
  bool fenced_out_ = false;  // another worker has the job
};

domain::Result<bool> RunImport::operator()(const std::function<bool()>& stopping) {
  std::optional<ports::ImportClaim> open;
  domain::Caller caller;
  const domain::Timestamp now = clock_.now();
  const auto read = store_.read([&](const ports::Records& records) {
    open = records.imports().next_open(now);
    if (!open) return;
    const auto tenant = records.clients().tenant(open->tenant);
    caller = {open->tenant, open->client, options_.environment, tenant ? tenant->profile : domain::ValidationProfile::lenient, {}};
  });
  if (!read) return read.error();
  if (!open) return false;

  bool taken = false;
  const auto took = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        taken = records.imports().take(open->job.id, open->epoch, now, now.plus_ms(options_.lease_s * 1000LL));
        return {};
      },
      ports::Priority::background);
  faults::crash_point("import.taken");
  if (!took) return took.error();
  if (!taken) return true;  // somebody else works on it; look for the next
  ++open->epoch;
  open->job.status = domain::ImportStatus::running;
  if (!open->job.started_at) open->job.started_at = now;

  const auto worked = Run(*this, std::move(*open), std::move(caller)).work(stopping);
  if (!worked) return worked.error();
  return true;
}

}  // namespace tideover::usecases
