// Compares three ledgers: the attempts in the database, the rail journal, and each rail's own statement
// (core/docs/reliability.md#protocol-steps, step 7; invariants I1-I3, I16). Differences that the protocol allows are
// adopted by the usual steps. Each other finding opens one task, however often and on however many nodes it is found.
// Nothing is ever sent.
//
// Threads: thread-safe.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

enum class Disagreement {
  paid_not_booked,      // the rail paid; the database has no payment
  refused_not_booked,   // the rail refused it for good
  settled_not_booked,   // the payment arrived
  returned_not_booked,  // the payment was returned
  booked_not_paid,      // the database has a payment that the rail's statement lacks
  amount_differs,
  paid_twice,       // the rail made two payments under one key
  journal_missing,  // an attempt that was sent without a journal entry
  unknown_to_all,   // a payment that is in neither the database nor the journal
};
std::string_view name_of(Disagreement disagreement);

struct RailFinding {
  Disagreement what = Disagreement::unknown_to_all;
  std::string rail;
  std::optional<domain::TenantId> tenant;  // none when the tenant is unknown
  std::string subject;                     // the settlement or the NPI of the practice; empty: not known
  std::string key;                         // the payment's key at the rail; may be empty
  std::string reference;                   // the rail's reference
  std::optional<domain::Money> booked;
  std::optional<domain::Money> paid;  // the amount on the statement
  bool adopted = false;               // the database agrees now
};

struct RailReport {
  domain::Timestamp from;
  domain::Timestamp to;
  std::uint64_t attempts = 0;         // attempts in the database, in this period
  std::uint64_t journal_entries = 0;  // in this period
  std::uint64_t statement_lines = 0;
  std::vector<std::string> without_statement;  // rails compared with the journal only
  std::vector<std::string> unreadable;         // rails whose statement failed, and why
  std::vector<RailFinding> findings;
  /// Whether no finding is left for an operator.
  bool agrees() const;
};

struct ReconcileRailsOptions {
  std::chrono::milliseconds statement_timeout{60'000};
  /// The name of this node. Payments of other nodes are in their journals.
  std::string node = {};
};

/// How much is compared. One of the nodes that share a database compares everything. A journal can be read only by its
/// own node.
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

  /// Compares the payments from `from` (inclusive) to `to` (exclusive). Error when the database or the journal cannot
  /// be read. A rail whose statement cannot be read is listed in the report.
  domain::Result<RailReport> operator()(domain::Timestamp from, domain::Timestamp to, Reach reach = Reach::everything);

 private:
  struct Books;

  domain::Status compare(ports::FundingRail& rail, const Books& books, Reach reach, RailReport& report);
  domain::Result<std::optional<RailFinding>> compare_line(const ports::FundingRail& rail,
                                                          const ports::StatementLine& line, const Books& books);
  domain::Result<std::optional<std::pair<domain::TenantId, domain::DisbursementAttempt>>> attempt_of(
      const ports::StatementLine& line) const;
  domain::Result<RailFinding> paid_twice(const ports::StatementLine& line);
  domain::Result<bool> adopt(const ports::FundingRail& rail, const ports::StatementLine& line, const Books& books,
                             RailFinding& finding);
  domain::Status open_task(const RailFinding& finding);
  /// The statement has the real time, so it differs from a tenant whose clock was moved.
  bool is_moved(const domain::TenantId& tenant) const { return clock_.shift_of(tenant) != 0; }

  ports::Store& store_;
  Disburse& disburse_;
  ports::FundingRails& rails_;
  const ports::RailJournal& journal_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  const ReconcileRailsOptions options_;
};

}  // namespace tideover::usecases
