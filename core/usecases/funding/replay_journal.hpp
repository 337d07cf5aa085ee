// Holds the rail journal against the database. A database that was restored, or lost commits it had acknowledged, does
// not know payments that the journal witnessed: they are found here and taken up. Nothing is ever sent.
#pragma once
#include <chrono>

#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

class ReplayJournal {
 public:
  enum class Finding {
    known,     // the database has it; where it is open, the resolver finishes it
    adopted,   // the rail has paid (or cannot tell): it is in the books now
    not_paid,  // the rail does not know the key, or refused it: a new confirm may come
    task,      // the settlement itself is lost: an operator decides
    undecided  // the rail does not answer, or an earlier attempt is not at its end: try again
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

  /// Reads the journal and finds what the database does not know; asks no rail. A payment of a settlement that is lost,
  /// or has ended, gets a task, which holds its claim back until a rail has answered. Nothing where that was done
  /// already.
  domain::Status read(const std::function<bool()>& stopping = [] { return false; });
  /// Reads the journal unless read() did; then asks the rails, in later passes about what was left undecided. The work
  /// is done when a report leaves nothing. One thread at a time; `stopping` is asked between entries.
  domain::Result<Report> operator()(const std::function<bool()>& stopping = [] { return false; });

 private:
  domain::Result<Finding> look_at(const ports::JournalledSend& sent);
  domain::Status find_unknown_to_database(std::vector<ports::JournalledSend>& batch);
  /// Opens the task of a payment whose claim no live settlement holds back.
  domain::Status hold_claim_back(const ports::JournalledSend& sent);
  domain::Result<Finding> take_up(const ports::JournalledSend& sent, const ports::RailOutcome& told);
  /// The rail has answered, or the database knows the payment by now: no reviewer is needed.
  domain::Result<Finding> close_task_of(const ports::JournalledSend& sent, Finding finding);
  domain::Result<Finding> tell_of(const ports::JournalledSend& sent, const ports::RailOutcome& told);

  ports::Store& store_;
  Disburse& disburse_;
  ports::FundingRails& rails_;
  const ports::RailJournal& journal_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  const std::chrono::milliseconds query_timeout_;
  bool read_ = false;
  std::uint64_t entries_ = 0;
  std::vector<ports::JournalledSend> left_;
};

}  // namespace tideover::usecases
