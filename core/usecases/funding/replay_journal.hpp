// Compares the rail journal with the database. A database that was restored, or that lost acknowledged commits, lacks
// payments that are in the journal. They are found here and adopted. Nothing is ever sent.
//
// Threads: one thread at a time; is_through() from any.
#pragma once
#include <atomic>
#include <chrono>

#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

class ReplayJournal {
 public:
  enum class Finding {
    known,     // in the database; the resolver ends it if it is open
    adopted,   // the rail paid, or cannot say: posted now
    not_paid,  // the rail does not know the key, or refused it: the settlement may be confirmed again
    task,      // the settlement itself is missing: an operator decides
    undecided  // the rail does not answer, or an earlier attempt is open: try again
  };
  struct Report {
    std::uint64_t entries = 0;
    std::uint64_t adopted = 0;
    std::uint64_t not_paid = 0;
    std::uint64_t tasks = 0;
    std::uint64_t undecided = 0;
  };

  ReplayJournal(ports::Store& store, Disburse& disburse, ports::FundingRails& rails, const ports::RailJournal& journal,
                const ports::Clock& clock, ports::IdSource& ids, std::chrono::milliseconds query_timeout)
      : store_(store),
        disburse_(disburse),
        rails_(rails),
        journal_(journal),
        clock_(clock),
        ids_(ids),
        query_timeout_(query_timeout) {}

  /// Reads the journal and finds payments that the database lacks, without asking a rail. An advance, and a residual of
  /// a missing settlement, gets a task. The task blocks another settlement's advance on the claim until a rail has
  /// answered. Does nothing when it ran before.
  domain::Status read(const std::function<bool()>& stopping = [] { return false; });
  /// Calls read() if needed, then asks the rails. Later calls ask about the undecided payments only. The work is done
  /// when a report has none. `stopping` is checked between entries.
  domain::Result<Report> operator()(const std::function<bool()>& stopping = [] { return false; });
  /// True once a call has asked about all payments; undecided ones then wait for a rail or an operator.
  bool is_through() const { return is_through_; }

 private:
  domain::Result<Finding> check(const ports::JournalledSend& sent);
  domain::Status find_unknown_to_database(std::vector<ports::JournalledSend>& batch);
  /// Opens the task for an advance, or for a payment of a missing settlement.
  domain::Status hold_claim_back(const ports::JournalledSend& sent);
  domain::Result<Finding> adopt(const ports::JournalledSend& sent, const ports::RailOutcome& outcome);
  /// Closes the task: the rail has answered, or the database has the payment.
  domain::Result<Finding> close_task_of(const ports::JournalledSend& sent, Finding finding);
  domain::Result<Finding> open_task(const ports::JournalledSend& sent, const ports::RailOutcome& outcome);

  ports::Store& store_;
  Disburse& disburse_;
  ports::FundingRails& rails_;
  const ports::RailJournal& journal_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  const std::chrono::milliseconds query_timeout_;
  bool read_ = false;
  std::atomic<bool> is_through_ = false;
  std::uint64_t entries_ = 0;
  std::vector<ports::JournalledSend> left_;
};

}  // namespace tideover::usecases
