#include "core/usecases/banking/store_statement.hpp"

#include <set>

#include "core/domain/basics/text.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/banking/clear_statement.hpp"

namespace tideover::usecases {
namespace {

using domain::BankLine;
using domain::BankStatement;
using StatementResult = PostedStatement::Result;

/// A statement of a later day is not closed yet. A bank east of UTC may be one day ahead.
constexpr int kStatementDaysAhead = 1;
/// Open lines of so many days before are tried again with each statement, at most so many units of each.
constexpr int kDaysTriedAgain = 7;
constexpr int kUnitsTriedAgain = 1;
constexpr std::size_t kEndingCharacters = 4;
constexpr std::size_t kEveryLine = domain::kMostFileItems * 2;

std::string amount_text(const std::optional<domain::Money>& amount) {
  return '|' + (amount ? std::to_string(amount->cents()) : std::string("-"));
}

std::string count_text(const std::optional<std::int64_t>& count) {
  return '|' + (count ? std::to_string(*count) : std::string("-"));
}

/// All that the bank states, and nothing that the service decides.
std::string stated_content_of(const BankStatement& statement, const std::vector<BankLine>& lines) {
  std::string text = amount_text(statement.opening) + amount_text(statement.closing) +
                     amount_text(statement.credit_sum) + amount_text(statement.debit_sum) +
                     count_text(statement.credit_count) + count_text(statement.debit_count);
  for (const auto& line : lines) text += '\n' + domain::movement_of(line);
  return text;
}

std::vector<BankLine> lines_of(const domain::BankFileStatement& given,
                               const std::vector<std::optional<domain::DepositId>>& deposits) {
  std::vector<BankLine> lines;
  lines.reserve(given.lines.size());
  for (const auto& one : given.lines) {
    BankLine line;
    line.number = static_cast<int>(lines.size()) + 1;
    line.is_debit = one.is_debit;
    line.amount = one.amount;
    line.date = one.date;
    line.references = one.references;
    line.type_code = one.type_code;
    line.text = one.text;
    if (one.item && !one.is_debit) line.origin = deposits[*one.item];
    line.finding = one.is_debit ? domain::BankExceptionKind::debit_without_payment
                                : domain::BankExceptionKind::credit_without_deposit;
    lines.push_back(std::move(line));
  }
  return lines;
}

/// The account number in one form: banks write it with blanks or hyphens, or without.
std::string plain_account(std::string_view number) {
  std::string plain;
  for (const char c : number)
    if (c >= 'a' && c <= 'z')
      plain += static_cast<char>(c - 'a' + 'A');
    else if (c != ' ' && c != '-')
      plain += c;
  return plain;
}

std::string ending_of(const std::string& number) {
  if (number.size() <= 2 * kEndingCharacters) return "";  // the ending would be most of the number
  auto from = number.size() - kEndingCharacters;
  while (from < number.size() && (static_cast<unsigned char>(number[from]) & 0xC0U) == 0x80U) ++from;
  return number.substr(from);
}

/// The deposits that this file reported and the earlier one did not.
void complete_origins(const UnitOfWork& unit, const BankStatement& known, const std::vector<BankLine>& lines) {
  auto& records = unit.records.bank_statements();
  for (auto& before : records.lines_with_finding(unit.tenant, known.id, 0, kEveryLine)) {
    const auto& now = lines[static_cast<std::size_t>(before.number) - 1];
    if (before.origin || !now.origin) continue;
    before.origin = now.origin;
    records.settle(unit.tenant, known.id, before);
  }
}

}  // namespace

std::string_view name_of(PostedStatement::Result result) {
  switch (result) {
    case StatementResult::stored:
      return "stored";
    case StatementResult::unchanged:
      return "unchanged";
    case StatementResult::replaced:
      return "replaced";
    case StatementResult::refused:
      return "refused";
  }
  return "";
}

PostedStatement StoreStatements::described(const RequestContext& context, const std::string& format,
                                           const domain::BankFileStatement& given) const {
  const auto number = plain_account(given.account);
  PostedStatement posted;
  posted.line = given.line;
  posted.reason = given.reason;
  auto& statement = posted.statement;
  statement.account = "bac_" + digests_.digest("bank-account-v1", context.caller.tenant.text() + ':' + number);
  statement.account_ending = ending_of(number);
  statement.date = given.date;
  statement.format = format;
  statement.opening = given.opening;
  statement.closing = given.closing;
  statement.credit_sum = given.credit_sum;
  statement.debit_sum = given.debit_sum;
  statement.credit_count = given.credit_count;
  statement.debit_count = given.debit_count;
  statement.stored_at = context.now;
  if (posted.reason.empty() && given.date > context.now.utc_date().plus(kStatementDaysAhead))
    posted.reason = "Its date is in the future. Send the file again on that day.";
  if (!posted.reason.empty()) posted.result = StatementResult::refused;
  return posted;
}

domain::Result<std::vector<PostedStatement>> StoreStatements::operator()(
    const RequestContext& context, const std::string& format, const std::vector<domain::BankFileStatement>& statements,
    const std::vector<std::optional<domain::DepositId>>& deposits) {
  std::vector<PostedStatement> results;
  std::set<std::pair<std::string, domain::Date>> seen;
  for (const auto& given : statements) {
    auto posted = described(context, format, given);
    if (posted.result != StatementResult::refused && !seen.emplace(posted.statement.account, given.date).second) {
      posted.result = StatementResult::refused;
      posted.reason = "The file has an earlier statement of this account and day. Send them as one statement.";
    }
    if (posted.result != StatementResult::refused) {
      auto lines = lines_of(given, deposits);
      posted.statement.content = digests_.digest("bank-statement-v1", stated_content_of(posted.statement, lines));
      if (auto kept = keep(context, posted, lines); !kept) return kept.error();
    }
    if (posted.result != StatementResult::refused)
      if (auto cleared = clear_around(context, posted); !cleared) return cleared.error();
    results.push_back(std::move(posted));
  }
  return results;
}

domain::Status StoreStatements::keep(const RequestContext& context, PostedStatement& posted,
                                     std::vector<BankLine>& lines) {
  const auto& tenant = context.caller.tenant;
  const auto described = posted;
  const auto fresh = lines;
  const auto id = ids_.next<domain::BankStatementId>();
  const auto done = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        records.clients().guard_matching(tenant);
        posted = described;  // the unit may run more than once
        lines = fresh;
        auto& statement = posted.statement;
        const auto known = records.bank_statements().find_day(tenant, statement.account, statement.date);
        if (!known) {
          statement.id = id;
          records.bank_statements().insert(tenant, statement, lines);
        } else if (known->content == statement.content) {
          posted.result = StatementResult::unchanged;
          statement = *known;
          complete_origins({records, tenant, context.now, ids_}, *known, lines);
          return {};
        } else {
          statement.id = known->id;
          statement.version = known->version + 1;
          const auto earlier = records.bank_statements().lines(tenant, known->id, 0, kEveryLine);
          if (const auto lost = domain::carry_settlements(earlier, lines)) {
            posted.result = StatementResult::refused;
            posted.reason = "Another statement of this account and day has a " +
                            std::string(lost->is_debit ? "debit" : "credit") + " of " + format_money(lost->amount) +
                            " that was settled, and this one has not. Ask the bank which is right.";
            return {};
          }
          posted.result = StatementResult::replaced;
          records.bank_statements().replace(tenant, statement, lines);
        }
        leave_audit_row(records, context, ids_, statement.id.text(), "ok");
        return {};
      },
      ports::Priority::bulk);
  faults::crash_point("bank_statement.stored");
  return done;
}

domain::Status StoreStatements::clear(const RequestContext& context, const domain::BankStatementId& statement,
                                      int most_units) {
  const auto& tenant = context.caller.tenant;
  int after = 0;
  for (int units = 0; units == 0 || (after > 0 && units < most_units); ++units) {
    int last = 0;
    const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
      records.clients().guard_matching(tenant);
      last = clear_lines({records, tenant, context.now, ids_}, statement, after);
      return {};
    });
    if (!done) return done;
    faults::crash_point("bank_statement.cleared");
    after = last;
  }
  return {};
}

domain::Status StoreStatements::clear_around(const RequestContext& context, PostedStatement& posted) {
  const auto& tenant = context.caller.tenant;
  const auto& statement = posted.statement;
  constexpr int kAllUnits = static_cast<int>(kEveryLine / kLinesPerUnit) + 1;
  if (auto cleared = clear(context, statement.id, kAllUnits); !cleared) return cleared;
  const auto around = fetch(store_, [&](const ports::Records& records) {
    return records.bank_statements().of_account(tenant, statement.account,
                                                {statement.date.plus(-kDaysTriedAgain), statement.date.plus(-1)});
  });
  if (!around) return around.error();
  for (const auto& earlier : *around)
    if (auto cleared = clear(context, earlier.id, kUnitsTriedAgain); !cleared) return cleared;
  const auto sums = fetch(
      store_, [&](const ports::Records& records) { return records.bank_statements().sums(tenant, statement.id); });
  if (!sums) return sums.error();
  posted.exceptions = sums->findings;
  return {};
}

}  // namespace tideover::usecases
