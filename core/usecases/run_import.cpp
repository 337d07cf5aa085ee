#include "core/usecases/run_import.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "core/domain/claim_input.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::ImportFault;

/// The stored payload as one stream.
class PieceSource final : public ports::ByteSource {
 public:
  PieceSource(ports::Store& store, domain::ImportJobId job) : store_(store), job_(std::move(job)) {}

  domain::Result<std::size_t> read(char* into, std::size_t capacity) override {
    while (at_ == piece_.size()) {
      if (ended_) return std::size_t{0};
      std::optional<std::string> next;
      const auto read = store_.read([&](const ports::Records& records) { next = records.imports().piece(job_, number_); });
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
    ports::ImportFormat* format = host_.formats_.find(claim_.job.format);
    if (!format) return end_failed(Error::of(ErrorCode::unsupported_format, "The format " + claim_.job.format + " is no longer configured."));
    PieceSource pieces(host_.store_, claim_.job.id);
    auto decoded = host_.decoder_.decode(claim_.job.encoding, pieces);
    if (!decoded) return end_failed(decoded.error());
    auto reader = format->open(**decoded, claim_.job.mapping);
    if (!reader) return end_failed(reader.error());

    ports::ImportRow row;
    for (std::int64_t skipped = 0; skipped < claim_.rows_done; ++skipped)
      if (const auto more = (*reader)->next(row); !more || !*more) break;

    while (!stopping()) {
      std::vector<ports::ImportRow> chunk;
      std::optional<Error> broken;
      bool at_end = false;
      while (static_cast<int>(chunk.size()) < host_.options_.chunk_rows) {
        auto more = (*reader)->next(row);
        if (!more) {
          broken = more.error();
          break;
        }
        if (!*more) {
          at_end = true;
          break;
        }
        chunk.push_back(std::move(row));
        row = {};
      }
      if (auto committed = commit_chunk(chunk); !committed) return committed;
      if (broken) return end_failed(*broken);
      if (claim_.rows_done > host_.options_.max_rows)
        return end_failed(Error::of(ErrorCode::payload_too_large, "The file has more rows than one import takes; split it.")
                              .with("max_rows", std::to_string(host_.options_.max_rows)));
      if (claim_.job.abort_on_error && claim_.job.rejected_rows > 0)
        return end(domain::ImportStatus::failed, std::nullopt);
      if (at_end) return end_of_file();
    }
    return {};
  }

 private:
  struct Row {
    std::string claim_identifier;
    std::int64_t number = 0;
    std::int64_t line = 0;
    std::optional<PreparedReview> prepared;
    std::optional<Error> error;
  };

  /// An Error is no fault of the row: the file is read on later.
  domain::Result<Row> prepare(const ports::ImportRow& given, std::int64_t number) {
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
    row.claim_identifier = input.claim_identifier.value_or("");
    const auto now = host_.clock_.now();
    auto draft = domain::accept_claim(input, now.utc_date());
    if (!draft) {
      row.error = draft.error();
      return row;
    }
    auto prepared = host_.review_.prepare(caller_, now, *draft);
    if (prepared)
      row.prepared = std::move(*prepared);
    else if (prepared.error().code == ErrorCode::validation_error)
      row.error = prepared.error();
    else
      return prepared.error();
    return row;
  }

  /// One chunk is one transaction: its claims, its faults, its counters and how far the file has been read.
  domain::Status commit_chunk(const std::vector<ports::ImportRow>& chunk) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      auto row = prepare(chunk[i], claim_.rows_done + static_cast<std::int64_t>(i) + 1);
      if (!row) return row.error();
      rows.push_back(std::move(*row));
    }

    ports::ImportClaim next;
    const auto done = host_.store_.commit(
        [&](ports::Records& records) -> domain::Status {
          next = claim_;
          for (const auto& row : rows) {
            ++next.rows_done;
            ++next.job.total_rows;
            take_in(records, row, next.job);
            if (next.job.abort_on_error && next.job.rejected_rows > 0) break;
          }
          return save(records, next);
        },
        ports::Priority::background);
    if (!done) return done;
    host_.options_.on_chunk(next.job.accepted_rows - claim_.job.accepted_rows, next.job.rejected_rows - claim_.job.rejected_rows);
    claim_ = std::move(next);
    return {};
  }

  void take_in(ports::Records& records, const Row& row, domain::ImportJob& job) {
    const auto reject = [&](const Error& error) {
      if (job.rejected_rows++ < static_cast<std::int64_t>(domain::kMaxListedImportErrors))
        records.imports().add_fault(job.id, fault_of(row.number, row.line, row.claim_identifier, error));
    };
    if (row.error) return reject(*row.error);

    const auto& claim = row.prepared->claim;
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
      host_.review_.write(records, caller_, *row.prepared);
    } else if (known) {
      domain::Claim replaced = claim;
      replaced.id = known->claim.id;
      records.claims().replace(claim_.tenant, replaced, row.prepared->review.created_at);
    } else {
      ports::StoredClaim fresh;
      fresh.claim = claim;
      fresh.status.claim = claim.id;
      fresh.status.claim_identifier = claim.draft.claim_identifier;
      fresh.status.updated_at = row.prepared->review.created_at;
      records.claims().insert(claim_.tenant, fresh);
    }
  }

  domain::Status save(ports::Records& records, const ports::ImportClaim& claim) {
    const auto lease_end = host_.clock_.now().plus_ms(host_.options_.lease_s * 1000LL);
    if (records.imports().update(claim, lease_end)) return {};
    return Error::of(ErrorCode::idempotency_in_progress, "Another worker took this import over.");
  }

  domain::Status end_of_file() {
    const auto& job = claim_.job;
    if (job.total_rows == 0) return end_failed(Error::of(ErrorCode::invalid_payload, "The file has no rows."));
    const bool all_rejected = job.accepted_rows + job.duplicate_rows == 0;
    return end(all_rejected ? domain::ImportStatus::failed : domain::ImportStatus::succeeded, std::nullopt);
  }

  domain::Status end_failed(const Error& why) { return end(domain::ImportStatus::failed, why); }

  domain::Status end(domain::ImportStatus status, const std::optional<Error>& file_fault) {
    ports::ImportClaim final = claim_;
    final.job.status = status;
    final.job.finished_at = host_.clock_.now();
    const auto event = host_.ids_.next<domain::EventId>();
    return host_.store_.commit(
        [&](ports::Records& records) -> domain::Status {
          if (file_fault) records.imports().add_fault(final.job.id, fault_of(0, 0, "", *file_fault));
          if (auto saved = save(records, final); !saved) return saved;
          records.imports().remove_pieces(final.job.id);
          records.events().append(final.tenant, {event, *final.job.finished_at,
                                                 domain::ImportFinished{final.job.id, status, final.job.accepted_rows, final.job.rejected_rows}});
          return {};
        },
        ports::Priority::background);
  }

  RunImport& host_;
  ports::ImportClaim claim_;
  domain::Caller caller_;
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
