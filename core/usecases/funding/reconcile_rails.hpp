// Three books held against each other: the database's attempts, the rail journal, and each rail's own statement
// (core/docs/reliability.md#protocol-steps, step 7; invariants I1-I3, I16). What the protocol allows is adopted, by the
// same steps as ever; everything else opens a task, one for each finding, however often and on however many nodes it is
// found. Nothing is ever sent. Thread-safe.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

enum class Disagreement {
  paid_not_booked,      // the rail has paid, the database does not say so
  refused_not_booked,   // the rail has refused it for good
  settled_not_booked,   // it has arrived
  returned_not_booked,  // it came back
  booked_not_paid,      // the database says paid, the rail's statement does not have it
  amount_differs,
  paid_twice,       // two payments under one key
  journal_missing,  // an attempt that was shown to the rail without its witness
  unknown_to_all,   // a payment that neither database nor journal knows
};
std::string_view name_of(Disagreement disagreement);

struct RailFinding {
  Disagreement what = Disagreement::unknown_to_all;
  std::string rail;
  std::optional<domain::TenantId> tenant;  // none where nobody knows whose it is
  std::optional<domain::SettlementId> settlement;
  std::string key;        // under which the rail knows the payment; may be empty
  std::string reference;  // the rail's own
  std::optional<domain::Money> booked;
  std::optional<domain::Money> paid;  // as the rail says
  bool adopted = false;               // the books say the same now
};

struct RailReport {
  domain::Timestamp from;
  domain::Timestamp to;
  std::uint64_t attempts = 0;         // of the database, in this time
  std::uint64_t journal_entries = 0;  // in this time
  std::uint64_t statement_lines = 0;
  std::vector<std::string> without_statement;  // rails compared with the journal only
  std::vector<std::string> unreadable;         // rails whose statement failed, and why
  std::vector<RailFinding> findings;
  /// Nothing that only an operator can explain.
  bool agrees() const;
};

struct ReconcileRailsOptions {
  std::chrono::milliseconds statement_timeout{60'000};
  /// As whom this node sends: what others sent is in their journals.
  std::string node = {};
};

/// How much is compared. Of the nodes that share a database one compares everything; only each node itself can look
/// into its journal.
enum class Reach { everything, own_journal };

class ReconcileRails {
 public:
  ReconcileRails(ports::Store& store, Disburse& disburse, ports::FundingRails& rails, const ports::RailJournal& journal,
                 const ports::Clock& clock, ports::IdSource& ids, ReconcileRailsOptions options)
      : store_(store),
        disburse_(disburse),
        rails_(rails),
        journal_(journal),
        clock_(clock),
        ids_(ids),
        options_(std::move(options)) {}

  /// Payments from `from` (inclusive) to `to` (exclusive). Error when the database or the journal cannot be read; a
  /// rail whose statement cannot is named in the report.
  domain::Result<RailReport> operator()(domain::Timestamp from, domain::Timestamp to, Reach reach = Reach::everything);

 private:
  struct Books;

  domain::Status compare(ports::FundingRail& rail, const Books& books, Reach reach, RailReport& report);
  domain::Result<std::optional<RailFinding>> compare_line(const ports::FundingRail& rail,
                                                          const ports::StatementLine& line, const Books& books);
  domain::Result<RailFinding> paid_twice(const ports::StatementLine& line);
  domain::Result<bool> adopt(const ports::FundingRail& rail, const ports::StatementLine& line, const Books& books,
                             RailFinding& finding);
  domain::Status tell_a_person(const RailFinding& finding);

  ports::Store& store_;
  Disburse& disburse_;
  ports::FundingRails& rails_;
  const ports::RailJournal& journal_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  const ReconcileRailsOptions options_;
};

}  // namespace tideover::usecases
