#include "core/usecases/funding/reconcile_rails.hpp"

#include <algorithm>
#include <map>

#include "core/usecases/nodes/own_journal.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptState;
using domain::DisbursementAttempt;
using domain::ErrorCode;
using ports::JournalledSend;
using ports::RailOutcome;
using ports::StatementLine;
using Kind = RailOutcome::Kind;

constexpr std::size_t kAttemptsAtOnce = 1000;
/// The tenant of the service's operator, for tasks about payments of an unknown tenant.
constexpr const char* kOperator = "default";
/// The rail's clock may differ from ours, and a payment may be made long after it was claimed.
constexpr int kSlack_days = 1;

RailOutcome outcome_of(const StatementLine& line) {
  RailOutcome outcome;
  outcome.kind = line.kind;
  outcome.reference = line.reference;
  outcome.reason_code = line.reason_code;
  outcome.reason = line.reason;
  return outcome;
}

/// The difference between a statement line and an attempt in this state; nullopt when they agree, or will agree without
/// help.
std::optional<Disagreement> disagreement(Kind line, AttemptState state) {
  if (is_in_flight(state)) return std::nullopt;  // the resolver ends it
  switch (line) {
    case Kind::accepted:
    case Kind::settled:
      if (!is_paid(state)) return Disagreement::paid_not_booked;
      return line == Kind::settled && state == AttemptState::accepted ? std::optional(Disagreement::settled_not_booked)
                                                                      : std::nullopt;
    case Kind::rejected:
      return is_paid(state) || is_unclear(state) ? std::optional(Disagreement::refused_not_booked) : std::nullopt;
    case Kind::returned:
      return is_paid(state) || is_unclear(state) ? std::optional(Disagreement::returned_not_booked) : std::nullopt;
    case Kind::not_found:
    case Kind::unknown:
      break;
  }
  return std::nullopt;
}

std::string sentence(const RailFinding& finding) {
  std::string text = "The statement of the rail " + finding.rail +
                     " and the ledger of this service differ: " + std::string(name_of(finding.what));
  if (finding.booked) text += ", booked " + format_money(*finding.booked);
  if (finding.paid) text += ", on the statement " + format_money(*finding.paid);
  if (!finding.reference.empty()) text += ", rail reference " + finding.reference;
  return text + '.';
}

/// The same name each time the difference is found, on every node: it prevents a second task.
std::string name_of(const RailFinding& finding) {
  constexpr std::size_t kMost = 255;
  std::string name = std::string(name_of(finding.what)) + ' ' + finding.rail + ' ' +
                     (finding.key.empty() ? finding.reference : finding.key);
  if (finding.key.empty() && finding.reference.empty() && finding.paid) name += format_money(*finding.paid);
  return name.substr(0, kMost);
}

}  // namespace

std::string_view name_of(Disagreement disagreement) {
  switch (disagreement) {
    case Disagreement::paid_not_booked:
      return "paid_not_booked";
    case Disagreement::refused_not_booked:
      return "refused_not_booked";
    case Disagreement::settled_not_booked:
      return "settled_not_booked";
    case Disagreement::returned_not_booked:
      return "returned_not_booked";
    case Disagreement::booked_not_paid:
      return "booked_not_paid";
    case Disagreement::amount_differs:
      return "amount_differs";
    case Disagreement::paid_twice:
      return "paid_twice";
    case Disagreement::journal_missing:
      return "journal_missing";
    case Disagreement::unknown_to_all:
      return "unknown_to_all";
  }
  return "unknown_to_all";
}

bool RailReport::agrees() const {
  return unreadable.empty() &&
         std::all_of(findings.begin(), findings.end(), [](const auto& finding) { return finding.adopted; });
}

/// The contents of database and journal when the comparison began.
struct ReconcileRails::Books {
  domain::Timestamp from;
  domain::Timestamp to;
  domain::Timestamp now;
  std::vector<std::pair<domain::TenantId, DisbursementAttempt>> attempts;  // claimed in this period
  std::map<std::string, JournalledSend> journal;  // by key; including the days before and after
};

// Read the database before the rail: a payment that the database has must then be on the later statement.
domain::Result<RailReport> ReconcileRails::operator()(domain::Timestamp from, domain::Timestamp to, Reach reach) {
  Books books{from, to, clock_.now(), {}, {}};
  RailReport report;
  report.from = from;
  report.to = to;
  for (std::string after;;) {
    auto page = fetch(store_, [&](const ports::Records& records) {
      return records.settlements().attempts_between(from, to, after, kAttemptsAtOnce);
    });
    if (!page) return page.error();
    // In pages, so that no read lasts long.
    if (!page->empty()) after = page->back().second.id.text();
    const bool last = page->size() < kAttemptsAtOnce;
    std::move(page->begin(), page->end(), std::back_inserter(books.attempts));
    if (last) break;
  }
  report.attempts = books.attempts.size();
  const auto read = journal_.visit([&](const JournalledSend& sent) {
    if (sent.at >= from.plus_days(-kSlack_days)) books.journal.insert_or_assign(sent.key, sent);
    report.journal_entries += from <= sent.at && sent.at < to;
    return true;
  });
  if (!read) return read.error();
  for (auto* rail : rails_.all())
    if (auto compared = compare(*rail, books, reach, report); !compared) return compared.error();
  std::map<std::string, int> unknown;
  for (const auto& [tenant, attempt] : books.attempts)
    if (reach == Reach::everything && rails_.find(attempt.rail) == nullptr) ++unknown[attempt.rail];
  for (const auto& [rail, payments] : unknown)
    report.unreadable.push_back(rail +
                                " is not configured; payments that were not compared: " + std::to_string(payments));
  return report;
}

domain::Status ReconcileRails::compare(ports::FundingRail& rail, const Books& books, Reach reach, RailReport& report) {
  const auto& name = rail.describe().rail;
  const auto found = [&](RailFinding finding) -> domain::Status {
    finding.rail = name;
    if (finding.tenant && is_moved(*finding.tenant)) return {};
    if (!finding.adopted)
      if (auto opened = open_task(finding); !opened) return opened;
    report.findings.push_back(std::move(finding));
    return {};
  };

  // Lines are grouped by key: a second payment under a key is found by counting.
  std::map<std::string, std::vector<StatementLine>> lines;  // by key
  bool has_lines = reach == Reach::everything && rail.describe().has_statement;
  if (reach == Reach::everything && !has_lines) report.without_statement.push_back(name);
  if (has_lines) {
    auto statement =
        rail.statement(books.from.plus_days(-kSlack_days), std::max(books.to, clock_.now()).plus_days(kSlack_days),
                       options_.statement_timeout);
    if (!statement) {
      report.unreadable.push_back(name + ": " + statement.error().message);
      has_lines = false;
    } else {
      for (auto& line : *statement) {
        report.statement_lines += books.from <= line.at && line.at < books.to;
        lines[line.key].push_back(std::move(line));
      }
    }
  }

  for (const auto& [key, same] : lines) {
    const bool in_time = std::any_of(same.begin(), same.end(),
                                     [&](const auto& line) { return books.from <= line.at && line.at < books.to; });
    if (!in_time) continue;
    for (const auto& line : same) {
      auto finding = compare_line(rail, line, books);
      if (!finding) return finding.error();
      if (*finding)
        if (auto noted = found(std::move(**finding)); !noted) return noted;
    }
    const auto moved =
        // A refused line moved no money, so it does not count as a payment.
        std::count_if(same.begin(), same.end(), [](const auto& line) { return line.kind != Kind::rejected; });
    if (key.empty() || moved < 2) continue;
    auto twice = paid_twice(same.back());
    if (!twice) return twice.error();
    if (auto noted = found(std::move(*twice)); !noted) return noted;
  }

  for (const auto& [tenant, attempt] : books.attempts) {
    if (attempt.rail != name || is_in_flight(attempt.state)) continue;
    RailFinding finding;
    finding.tenant = tenant;
    finding.subject = attempt.subject.text();
    finding.key = attempt.rail_key;
    finding.reference = attempt.rail_reference;
    finding.booked = attempt.amount;
    // Each paid attempt needs a journal entry: without it, a restored database could send the payment again.
    if (lacks_witness(attempt, journal_, options_.node, books.now)) {
      finding.what = Disagreement::journal_missing;
      if (auto noted = found(finding); !noted) return noted;
    }
    if (!has_lines || !is_paid(attempt.state) || lines.contains(attempt.rail_key)) continue;
    // A paid attempt that the rail does not list may be money that never left: only an operator can find out.
    finding.what = Disagreement::booked_not_paid;
    if (auto noted = found(finding); !noted) return noted;
  }
  return {};
}

domain::Result<std::optional<std::pair<domain::TenantId, DisbursementAttempt>>> ReconcileRails::attempt_of(
    const StatementLine& line) const {
  return fetch(store_, [&](const ports::Records& records) { return records.settlements().find_attempt(line.key); });
}

domain::Result<RailFinding> ReconcileRails::paid_twice(const StatementLine& line) {
  RailFinding finding;
  finding.what = Disagreement::paid_twice;
  finding.key = line.key;
  finding.reference = line.reference;
  finding.paid = line.amount;
  // Name the settlement, so that the operator finds the advance that was paid twice.
  const auto known = attempt_of(line);
  if (!known) return known.error();
  if (!*known) return finding;
  finding.tenant = (*known)->first;
  finding.subject = (*known)->second.subject.text();
  finding.booked = (*known)->second.amount;
  return finding;
}

domain::Result<std::optional<RailFinding>> ReconcileRails::compare_line(const ports::FundingRail& rail,
                                                                        const StatementLine& line, const Books& books) {
  RailFinding finding;
  finding.rail = rail.describe().rail;
  finding.key = line.key;
  finding.reference = line.reference;
  finding.paid = line.amount;
  const auto read = attempt_of(line);
  if (!read) return read.error();
  const auto& known = *read;
  if (!known) {
    // A refused payment that the database does not know moved no money.
    if (line.kind == Kind::rejected) return std::optional<RailFinding>();
    const auto sent = books.journal.find(line.key);
    finding.what = sent == books.journal.end() ? Disagreement::unknown_to_all : Disagreement::paid_not_booked;
    if (sent != books.journal.end()) {
      finding.tenant = sent->second.tenant;
      if (is_moved(*finding.tenant)) return std::optional<RailFinding>();
      finding.subject = sent->second.subject.text();
      // Sent with one amount and paid with another: an operator has to find out which is right. So does the payment of
      // a rail that the key was not sent to: that rail may have paid as well.
      if (sent->second.amount != line.amount) {
        finding.booked = sent->second.amount;
        finding.what = Disagreement::amount_differs;
      } else if (sent->second.rail == finding.rail) {
        // The journal proves that this service sent the payment with this amount: adopt it.
        const auto adopted = disburse_.adopt(sent->second, outcome_of(line));
        // A conflict means that the database has the payment by now.
        const bool in_books = adopted || adopted.error().code == ErrorCode::conflict;
        const bool needs_operator = !adopted && (adopted.error().code == ErrorCode::settlement_not_found ||
                                                 adopted.error().code == ErrorCode::idempotency_in_progress);
        if (!in_books && !needs_operator) return adopted.error();
        finding.adopted = in_books;
      }
    }
    return std::optional(std::move(finding));
  }

  const auto& [tenant, attempt] = *known;
  const bool is_simulated = rail.describe().simulated && attempt.reason == domain::kSimulatedByRequest;
  if (is_moved(tenant) || is_simulated) return std::optional<RailFinding>();
  finding.tenant = tenant;
  finding.subject = attempt.subject.text();
  finding.booked = attempt.amount;
  // The key went over another rail. What this rail paid under it is a payment of its own, whatever the attempt says.
  if (attempt.rail != finding.rail) {
    finding.what = is_paid(attempt.state) ? Disagreement::paid_twice : Disagreement::paid_not_booked;
    return line.kind == Kind::rejected ? std::optional<RailFinding>() : std::optional(std::move(finding));
  }
  // A different amount cannot be adopted: no step of an attempt changes its amount.
  if (attempt.amount != line.amount && line.kind != Kind::rejected) {
    finding.what = Disagreement::amount_differs;
    return std::optional(std::move(finding));
  }
  const auto differs = disagreement(line.kind, attempt.state);
  if (!differs) return std::optional<RailFinding>();
  finding.what = *differs;
  const auto adopted = adopt(rail, line, books, finding);
  if (!adopted) return adopted.error();
  return *adopted ? std::optional<RailFinding>(std::move(finding)) : std::optional<RailFinding>();
}

// Returns false when the database changed in the meantime, so that the difference is gone.
domain::Result<bool> ReconcileRails::adopt(const ports::FundingRail& rail, const StatementLine& line,
                                           const Books& books, RailFinding& finding) {
  const RailOutcome outcome = outcome_of(line);
  // A payment that was returned while its outcome was unknown is posted in two steps: paid, then returned.
  for (int step = 0; step < 2; ++step) {
    const auto read = attempt_of(line);
    if (!read) return read.error();
    const auto& known = *read;
    if (!known || known->second.rail != finding.rail || !disagreement(line.kind, known->second.state))
      return finding.adopted || step > 0;
    const auto& [tenant, attempt] = *known;
    // The attempt ended after the statement was made: the database is newer.
    if (!is_paid(attempt.state) && !is_unclear(attempt.state) && attempt.updated_at >= books.now) return false;
    const auto event = event_of(outcome, attempt.state, rail.describe().final_on_accept);
    if (!event || !next_state(attempt.state, *event))
      return true;  // refused here, paid at the rail: an operator decides
    const auto recorded = disburse_.record(tenant, attempt, *event, outcome,
                                           [&, &of = tenant](ports::Records& records, const domain::Settlement*,
                                                             const DisbursementAttempt& stands) -> domain::Status {
                                             audit_rail_answer({records, of, clock_.now(), ids_}, "reconcile", stands);
                                             return {};
                                           });
    if (!recorded && recorded.error().code == ErrorCode::idempotency_in_progress)
      return false;  // another worker has it
    if (!recorded) return recorded.error();
    finding.adopted = true;
    if (!disagreement(line.kind, recorded->state)) return true;
  }
  return true;
}

domain::Status ReconcileRails::open_task(const RailFinding& finding) {
  const auto opened = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        const auto now = clock_.now();
        auto tenant = finding.tenant;
        if (!tenant) {
          auto ours = records.clients().find_tenant(kOperator);
          if (!ours) {
            // The tasks need a tenant even when the service has no client of the operator yet.
            ours = domain::Tenant{ids_.next<domain::TenantId>(), kOperator, domain::ValidationProfile::strict,
                                  domain::PostOn::deposit};
            records.clients().insert_tenant(*ours, now);
          }
          tenant = ours->id;
        }
        open_task_about({records, *tenant, now, ids_},
                        {domain::kRailDisagreement, finding.subject.empty() ? finding.rail : finding.subject,
                         sentence(finding), std::nullopt, name_of(finding)});
        return {};
      },
      ports::Priority::background);
  // Another node opened the task at the same time.
  return !opened && opened.error().code == ErrorCode::conflict ? domain::Status() : opened;
}

}  // namespace tideover::usecases
