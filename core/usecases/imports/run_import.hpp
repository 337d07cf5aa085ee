// Runs one queued import: reads rows, reviews each, and commits in chunks together with the position. While one chunk
// is written, the next is read and reviewed. After a crash any node continues after the last committed row; nothing is
// done twice. Faults of the client's data become faults of the row or file. Faults of the service end the round, and
// the job after ten rounds without progress.
//
// Threads: thread-safe; a job has one worker at a time.
#pragma once
#include <functional>

#include "core/ports/clock.hpp"
#include "core/ports/plugins/import_format.hpp"
#include "core/ports/plugins/payload_decoder.hpp"
#include "core/usecases/reviews/review_claim.hpp"

namespace tideover::usecases {

struct RunImportOptions {
  domain::Environment environment = domain::Environment::sandbox;
  int chunk_rows = 200;
  std::int64_t max_rows = 500'000;
  int lease_s = 60;
  /// Called after each committed chunk; must not throw.
  std::function<void(std::int64_t accepted, std::int64_t rejected)> on_chunk = [](std::int64_t, std::int64_t) {};
};

class RunImport {
 public:
  RunImport(ports::Store& store, ReviewClaim& review, ports::ImportFormats& formats, ports::PayloadDecoder& decoder,
            const ports::Clock& clock, ports::IdSource& ids, RunImportOptions options)
      : store_(store),
        review_(review),
        formats_(formats),
        decoder_(decoder),
        clock_(clock),
        ids_(ids),
        options_(std::move(options)) {}

  /// Takes the oldest open job and works on it until it ends or `stopping` returns true. False when there was none.
  domain::Result<bool> operator()(const std::function<bool()>& stopping);
  /// The same for one job and the bytes of its file from the beginning. Returns the job; nothing when another worker
  /// has it.
  domain::Result<std::optional<domain::ImportJob>> work_on(ports::ImportClaim claim, ports::ByteSource& bytes,
                                                           const std::function<bool()>& stopping);

 private:
  class Run;
  ports::Store& store_;
  ReviewClaim& review_;
  ports::ImportFormats& formats_;
  ports::PayloadDecoder& decoder_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  RunImportOptions options_;
};

}  // namespace tideover::usecases
