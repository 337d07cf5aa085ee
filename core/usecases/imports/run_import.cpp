#include "core/usecases/imports/run_import.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <future>
#include <iterator>
#include <set>

#include "core/domain/basics/text.hpp"
#include "core/domain/claims/claim_input.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/imports/payload_sources.hpp"
#include "core/usecases/imports/trial_rows.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::ImportFault;

/// A job fails after this many rounds without progress, about ten leases.
constexpr int kMaxRounds = 10;
/// How often a chunk that collides with another writer is written again immediately.
constexpr int kConflictRounds = 4;
constexpr std::size_t kMaxIdentifierCharacters = 64;
constexpr std::size_t kRowsAtOnce = 1000;

/// Whether the client's data is at fault. Other errors are the service's and may be gone next time.
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

ImportFault fault_of(std::int64_t row, std::int64_t line, const std::string& claim_identifier, const Error& error) {
  ImportFault fault;
  fault.row = row;
  fault.line = line;
  fault.claim_identifier = claim_identifier;
  fault.code = error.code;
  // Name each faulty field here: the message as a whole refers to `details.fields` of a response.
  fault.message = error.fields.empty() ? error.message : "";
  for (const auto& field : error.fields) {
    if (fault.field.empty()) fault.field = field.path;
    fault.message += (fault.message.empty() ? "" : "; ") + field.path + ": " + field.problem;
  }
  return fault;
}

}  // namespace

class RunImport::Run {
 public:
  Run(RunImport& host, ports::ImportClaim claim, domain::Caller caller)
      : host_(host), claim_(std::move(claim)), caller_(std::move(caller)) {}

  domain::Status work(ports::ByteSource& bytes, const std::function<bool()>& stopping) {
    auto worked = read_file(bytes, stopping);
    if (auto landed = land(); worked && !landed) worked = landed;  // the progress is known only now
    if (fenced_out_) return {};                                    // canceled, or taken over
    if (worked && claim_.job.status == domain::ImportStatus::running) return give_back();
    if (worked || claim_.epoch - claim_.advanced_epoch < kMaxRounds) return worked;
    return end_failed(worked.error());
  }

  const domain::ImportJob& job() const { return claim_.job; }

 private:
  struct Row {
    std::int64_t number = 0;
    std::int64_t line = 0;
    std::string claim_identifier;  // empty unless it is valid
    std::optional<domain::ClaimDraft> draft;
    std::optional<PreparedReview> prepared;
    std::optional<Error> error;
    TrialRows::Hash content = 0;  // in a trial run
  };

  struct Chunk {
    std::vector<Row> rows;
    std::set<std::string> names;  // of its claims and their services
    std::int64_t bytes_read = 0;  // of the file, up to the last row
  };

  /// A chunk that is being written while the next one is read and reviewed.
  struct Flight {
    Chunk chunk;
    ports::ImportClaim after;  // the job after the chunk is committed
    std::vector<const PreparedReview*> written;
    std::vector<const Row*> tried;  // in a trial run: rows that a real run would accept
    std::future<domain::Status> landed;
    ~Flight() {
      if (landed.valid()) landed.wait();  // the store still uses the rows
    }
  };

  domain::Status read_file(ports::ByteSource& bytes, const std::function<bool()>& stopping) {
    ports::ImportFormat* format = host_.formats_.find(claim_.job.format);
    CountedSource counted(bytes);
    if (!format)
      return end_failed(
          Error::of(ErrorCode::unsupported_format, "The format " + claim_.job.format + " is no longer configured."));
    auto decoded = host_.decoder_.decode(claim_.job.encoding, counted);
    if (!decoded) return cannot_read(decoded.error());
    ReadPosition position(counted, **decoded);
    auto reader = format->open(position.decoded(), claim_.job.mapping);
    if (!reader) return cannot_read(reader.error());

    ports::ImportRow given;
    std::vector<domain::ImportedRow> earlier;  // from the earlier worker, in order, without faulty rows
    std::size_t at = 0;
    bool are_all_read = false;
    for (std::int64_t number = 1; number <= claim_.rows_done && !stopping(); ++number) {
      if (const auto more = (*reader)->next(given); !more || !*more) break;
      if (!claim_.job.dry_run) continue;
      if (at == earlier.size() && !are_all_read) {
        at = 0;
        auto rows = fetch(host_.store_, [&](const ports::Records& records) {
          return records.imports().rows(claim_.tenant, claim_.job.id, number - 1, kRowsAtOnce);
        });
        if (!rows) return rows.error();
        earlier = std::move(*rows);
        are_all_read = earlier.size() < kRowsAtOnce;
      }
      if (at == earlier.size() || earlier[at].row != number) continue;
      if (earlier[at++].outcome == domain::RowOutcome::accepted) {
        const Row row = accept(given, number);
        trial_.note(row.claim_identifier, row.content);
      }
    }

    rows_read_ = claim_.rows_done;
    bytes_read_ = claim_.job.bytes_read;
    while (!stopping() && !at_end_ && !broken_ && !is_over()) {
      Chunk chunk = read_chunk(**reader);
      bytes_read_ = std::max(bytes_read_, position.of(at_end_ ? std::nullopt : std::optional(row_byte_)));
      chunk.bytes_read = bytes_read_;
      if (flight_ && share_a_name(chunk, flight_->chunk))
        if (auto landed = land(); !landed) return landed;
      for (auto& row : chunk.rows)
        if (auto reviewed = review(row); !reviewed) return reviewed;
      if (auto landed = land(); !landed) return landed;
      if (!is_over()) launch(std::move(chunk));
    }
    if (auto landed = land(); !landed) return landed;
    if (is_over()) return end_over();
    if (broken_) return cannot_read(*broken_);
    return at_end_ ? end_of_file() : domain::Status{};
  }

  Chunk read_chunk(ports::ImportReader& reader) {
    Chunk chunk;
    ports::ImportRow given;
    while (static_cast<int>(chunk.rows.size()) < host_.options_.chunk_rows) {
      if (!ahead_) {
        given = {};
        const auto more = reader.next(given);
        if (!more)
          broken_ = more.error();
        else if (!*more)
          at_end_ = true;
        else
          ahead_ = accept(given, ++rows_read_);
        if (!ahead_) break;
        row_byte_ = given.byte;
      }
      if (ahead_->draft) {
        auto names = names_of(*ahead_->draft);
        if (std::any_of(names.begin(), names.end(), [&](const auto& name) { return chunk.names.contains(name); }))
          break;
        chunk.names.insert(std::make_move_iterator(names.begin()), std::make_move_iterator(names.end()));
      }
      chunk.rows.push_back(std::move(*ahead_));
      ahead_.reset();
    }
    return chunk;
  }

  static bool share_a_name(const Chunk& one, const Chunk& other) {
    return std::any_of(one.names.begin(), one.names.end(),
                       [&](const auto& name) { return other.names.contains(name); });
  }

  /// Whether the committed rows forbid further ones.
  bool is_over() const {
    return claim_.rows_done > host_.options_.max_rows || (claim_.job.abort_on_error && claim_.job.rejected_rows > 0);
  }
  domain::Status end_over() {
    if (claim_.rows_done > host_.options_.max_rows)
      return end_failed(
          Error::of(ErrorCode::payload_too_large, "The file has more rows than one import accepts. Split it.")
              .with("max_rows", std::to_string(host_.options_.max_rows)));
    return end(domain::ImportStatus::failed, std::nullopt);
  }

  /// Two rows of one claim or one service are never in the same chunk or in two chunks at the same time: the second
  /// must see the first as a stored duplicate.
  static std::array<std::string, 2> names_of(const domain::ClaimDraft& draft) {
    return {"claim\n" + draft.claim_identifier, "service\n" + draft.chart_identifier.reveal() + '\n' +
                                                    draft.billing_npi + '\n' +
                                                    std::to_string(draft.submitted_amount.cents()) + '\n' +
                                                    (draft.date_of_service ? format_date(*draft.date_of_service) : "")};
  }

  Row accept(const ports::ImportRow& given, std::int64_t number) const {
    Row row;
    row.number = number;
    row.line = given.line;
    domain::ClaimInput input;
    for (const auto& [path, text] : given.fields)
      if (auto* slot = input.at(path)) *slot = text;
    if (const auto& text = input.claim_identifier;
        text && domain::is_printable(*text) && domain::count_characters(*text) <= kMaxIdentifierCharacters)
      row.claim_identifier = *text;
    if (!given.fault.empty()) {
      row.error = Error::of(ErrorCode::validation_error, given.fault);
      return row;
    }
    auto draft = domain::accept_claim(input, now_of(host_.clock_, caller_.tenant).utc_date());
    if (draft)
      row.draft = std::move(*draft);
    else
      row.error = draft.error();
    if (draft && claim_.job.dry_run) row.content = TrialRows::content_of(given);
    return row;
  }

  /// An Error is no fault of the row: the row is reviewed again later.
  domain::Status review(Row& row) {
    if (!row.draft) return {};
    auto prepared = host_.review_.prepare(caller_, now_of(host_.clock_, caller_.tenant), *row.draft);
    if (prepared)
      row.prepared = std::move(*prepared);
    else if (is_clients_fault(prepared.error().code))
      row.error = prepared.error();
    else
      return prepared.error();
    return {};
  }

  /// One chunk is one transaction: claims, faults, counters and the position in the file.
  domain::Status write(ports::Records& records, Flight& flight) {
    auto& after = flight.after = claim_;
    after.advanced_epoch = after.epoch;
    after.job.bytes_read = flight.chunk.bytes_read;
    flight.written.clear();
    flight.tried.clear();
    for (const auto& row : flight.chunk.rows) {
      ++after.rows_done;
      ++after.job.total_rows;
      if (auto taken = take_in(records, row, flight); !taken) return taken;
      if (after.job.abort_on_error && after.job.rejected_rows > 0) break;
    }
    faults::crash_point("import.chunk_written");
    return save(records, after);
  }

  void launch(Chunk chunk) {
    flight_ = std::make_unique<Flight>();
    flight_->chunk = std::move(chunk);
    const auto answer = std::make_shared<std::promise<domain::Status>>();
    flight_->landed = answer->get_future();
    host_.store_.commit_async(
        [this, flight = flight_.get()](ports::Records& records) { return write(records, *flight); },
        ports::Priority::bulk, [answer](const domain::Status& status) { answer->set_value(status); });
  }

  /// Waits for the chunk that is being written, if any: the next one needs its counters.
  domain::Status land() {
    if (!flight_) return {};
    auto done = flight_->landed.get();
    for (int round = 1; round < kConflictRounds && !done && done.error().code == ErrorCode::conflict && !fenced_out_;
         ++round) {
      for (auto& row : flight_->chunk.rows)
        if (row.prepared) row.prepared->presumed_new = false;  // another request added one of them
      done =
          host_.store_.commit([&](ports::Records& records) { return write(records, *flight_); }, ports::Priority::bulk);
    }
    if (done) {
      const auto& after = flight_->after;
      for (const auto* prepared : flight_->written) host_.review_.is_durable(*prepared);
      host_.options_.on_chunk(after.job.accepted_rows - claim_.job.accepted_rows,
                              after.job.rejected_rows - claim_.job.rejected_rows);
      claim_ = after;
      if (claim_.job.dry_run)
        for (const auto* row : flight_->tried) trial_.note(row->claim_identifier, row->content);
      faults::crash_point("import.chunk_committed");
    }
    flight_.reset();
    return done;
  }

  domain::Status take_in(ports::Records& records, const Row& row, Flight& flight) {
    auto& job = flight.after.job;
    const auto reject = [&](const Error& error) {
      job.errors_truncated = ++job.rejected_rows > static_cast<std::int64_t>(domain::kMaxListedImportErrors);
      records.imports().add_fault(claim_.tenant, job.id, fault_of(row.number, row.line, row.claim_identifier, error));
      return domain::Status();
    };
    if (row.error) return reject(*row.error);

    const auto& claim = row.prepared->fresh.claim;
    const auto known = host_.review_.known_as(records, caller_, *row.prepared);
    const bool is_locked = known && known->status.status != domain::ClaimStatus::received;
    const auto* tried =
        job.dry_run && !is_locked ? trial_.find(row.claim_identifier) : nullptr;  // the state after the earlier rows
    domain::ImportedRow done{row.number, row.line, domain::RowOutcome::accepted, {}, {}};
    const auto locked_as = [&](domain::ClaimStatus status) {
      return reject(Error::of(ErrorCode::claim_locked, "A claim with this identifier and other content is " +
                                                           std::string(name_of(status)) + "."));
    };
    if (tried ? *tried == row.content : known && known->claim.draft == claim.draft) {
      ++job.duplicate_rows;
      done.outcome = domain::RowOutcome::duplicate;
      if (known && !tried) done.claim = known->claim.id;
    } else if (tried && job.auto_review) {
      return locked_as(domain::ClaimStatus::reviewed);
    } else if (is_locked) {
      return locked_as(known->status.status);
    } else {
      ++job.accepted_rows;
      if (job.dry_run) {
        flight.tried.push_back(&row);
      } else if (auto kept = keep(records, *row.prepared, known, done); !kept) {
        return kept;
      } else if (job.auto_review) {
        flight.written.push_back(&*row.prepared);
      }
    }
    records.imports().add_row(claim_.tenant, job.id, done);
    return {};
  }

  domain::Status keep(ports::Records& records, const PreparedReview& prepared,
                      const std::optional<ports::StoredClaim>& known, domain::ImportedRow& done) {
    const auto& claim = prepared.fresh.claim;
    if (claim_.job.auto_review) {
      auto written = host_.review_.write(records, caller_, prepared, known);
      if (!written) return written.error();
      done.claim = std::move(*written);
      done.authorization = prepared.review.authorization_id;
      return {};
    }
    done.claim = known ? known->claim.id : claim.id;
    if (known) {
      if (!records.claims().replace(claim_.tenant, *known, claim, prepared.review.created_at))
        return Error::of(ErrorCode::conflict, "The claim changed at the same time. Send the request again.");
    } else {
      ports::StoredClaim fresh = prepared.fresh;
      fresh.status.status = domain::ClaimStatus::received;
      records.claims().insert(claim_.tenant, fresh);
    }
    return {};
  }

  domain::Status save(ports::Records& records, const ports::ImportClaim& claim) {
    const auto lease_end = host_.clock_.now().plus_ms(host_.options_.lease_s * 1000LL);
    fenced_out_ = !records.imports().update(claim, lease_end);
    if (!fenced_out_) return {};
    return Error::of(ErrorCode::idempotency_in_progress, "The import was canceled, or another worker took it over.");
  }

  /// An orderly stop: the next worker (this process after a restart, or another node) need not wait for the lease.
  domain::Status give_back() {
    const auto done = host_.store_.commit(
        [&](ports::Records& records) -> domain::Status {
          (void)records.imports().update(claim_, domain::Timestamp{});  // free at any time, whatever the clocks say
          return {};
        },
        ports::Priority::background);
    return done;
  }

  domain::Status end_of_file() {
    const auto& job = claim_.job;
    if (job.total_rows == 0) return end_failed(Error::of(ErrorCode::invalid_payload, "The file has no rows."));
    const bool all_rejected = job.accepted_rows + job.duplicate_rows == 0;
    return end(all_rejected ? domain::ImportStatus::failed : domain::ImportStatus::succeeded, std::nullopt);
  }

  /// A faulty file ends the job. After a fault of the service, reading continues later.
  domain::Status cannot_read(const Error& why) {
    return is_clients_fault(why.code) ? end_failed(why) : domain::Status(why);
  }

  domain::Status end_failed(const Error& why) { return end(domain::ImportStatus::failed, why); }

  domain::Status end(domain::ImportStatus status, const std::optional<Error>& file_fault) {
    ports::ImportClaim final = claim_;
    final.job.status = status;
    final.job.finished_at = now_of(host_.clock_, caller_.tenant);
    const auto event = host_.ids_.next<domain::EventId>();
    auto ended = host_.store_.commit(
        [&](ports::Records& records) -> domain::Status {
          if (file_fault) records.imports().add_fault(final.tenant, final.job.id, fault_of(0, 0, "", *file_fault));
          if (auto saved = save(records, final); !saved) return saved;
          records.imports().remove_pieces(final.job.id);
          faults::crash_point("import.pieces_removed");
          records.events().append(final.tenant, {event, *final.job.finished_at,
                                                 domain::ImportFinished{final.job.id, status, final.job.accepted_rows,
                                                                        final.job.rejected_rows}});
          return {};
        },
        ports::Priority::background);
    if (ended) claim_ = final;
    return ended;
  }

  RunImport& host_;
  ports::ImportClaim claim_;
  domain::Caller caller_;
  std::atomic<bool> fenced_out_ = false;  // another worker has the job
  std::int64_t rows_read_ = 0;
  std::int64_t row_byte_ = -1;   // offset of the last of them
  std::int64_t bytes_read_ = 0;  // of the payload
  std::optional<Row> ahead_;     // read, but kept for the next chunk
  std::optional<Error> broken_;
  bool at_end_ = false;
  TrialRows trial_;
  std::unique_ptr<Flight> flight_;
};

domain::Result<bool> RunImport::operator()(const std::function<bool()>& stopping) {
  auto open = fetch(store_, [&](const ports::Records& records) { return records.imports().next_open(clock_.now()); });
  if (!open) return open.error();
  if (!*open) return false;
  PieceSource pieces(store_, (*open)->tenant, (*open)->job.id);
  if (const auto worked = work_on(std::move(**open), pieces, stopping); !worked) return worked.error();
  return true;
}

domain::Result<std::optional<domain::ImportJob>> RunImport::work_on(ports::ImportClaim claim, ports::ByteSource& bytes,
                                                                    const std::function<bool()>& stopping) {
  const domain::Timestamp now = clock_.now(), started_at = now_of(clock_, claim.tenant);
  auto caller = fetch(store_, [&](const ports::Records& records) {
    const auto tenant = records.clients().tenant(claim.tenant);
    return domain::Caller{claim.tenant,
                          claim.client,
                          options_.environment,
                          tenant ? tenant->profile : domain::ValidationProfile::lenient,
                          {}};
  });
  if (!caller) return caller.error();
  bool taken = false;
  const auto took = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        taken =
            records.imports().take(claim.job.id, claim.epoch, now, now.plus_ms(options_.lease_s * 1000LL), started_at);
        return {};
      },
      ports::Priority::background);
  faults::crash_point("import.taken");
  if (!took) return took.error();
  if (!taken) return std::optional<domain::ImportJob>();
  ++claim.epoch;
  claim.job.status = domain::ImportStatus::running;
  if (!claim.job.started_at) claim.job.started_at = started_at;

  Run run(*this, std::move(claim), std::move(*caller));
  if (const auto worked = run.work(bytes, stopping); !worked) return worked.error();
  return std::optional(run.job());
}

}  // namespace tideover::usecases
