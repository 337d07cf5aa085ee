#include "core/domain/banking/bank_day.hpp"

#include "core/domain/basics/bank_calendar.hpp"

namespace tideover::domain {
namespace {

BankException does_not_close(std::string message, std::optional<Money> amount = std::nullopt) {
  return {BankExceptionKind::statement_does_not_close, std::move(message), std::nullopt, {}, amount};
}

void check_sum(std::vector<BankException>& reasons, const char* what, const std::optional<Money>& stated,
               Money counted) {
  if (!stated || *stated == counted) return;
  reasons.push_back(does_not_close(std::string("The bank states ") + what + " of " + format_money(*stated) +
                                       "; the lines add up to " + format_money(counted) + '.',
                                   *stated - counted));
}

void check_count(std::vector<BankException>& reasons, const char* what, const std::optional<std::int64_t>& stated,
                 std::int64_t counted) {
  if (!stated || *stated == counted) return;
  reasons.push_back(does_not_close("The bank states " + std::to_string(*stated) + ' ' + what + "; the statement has " +
                                   std::to_string(counted) + '.'));
}

bool has_banking_day_between(Date from, Date to) {
  return next_banking_day(from) < to;
}

}  // namespace

std::vector<BankException> reasons_against_closing(const BankStatement& statement, const BankLineSums& sums,
                                                   const std::optional<EarlierBalance>& before) {
  std::vector<BankException> reasons;
  if (!statement.opening) reasons.push_back(does_not_close("The statement has no opening balance."));
  if (!statement.closing) reasons.push_back(does_not_close("The statement has no closing balance."));
  if (statement.opening && statement.closing) {
    const auto result = *statement.opening + sums.credits - sums.debits;
    if (result != *statement.closing)
      reasons.push_back(does_not_close("Opening " + format_money(*statement.opening) + " plus credits " +
                                           format_money(sums.credits) + " less debits " + format_money(sums.debits) +
                                           " is " + format_money(result) + "; the closing balance is " +
                                           format_money(*statement.closing) + '.',
                                       *statement.closing - result));
  }
  check_sum(reasons, "credits", statement.credit_sum, sums.credits);
  check_sum(reasons, "debits", statement.debit_sum, sums.debits);
  check_count(reasons, "credits", statement.credit_count, sums.credit_count);
  check_count(reasons, "debits", statement.debit_count, sums.debit_count);
  // With a missing statement between the two, the balances may differ.
  if (before && before->closing && statement.opening && *before->closing != *statement.opening &&
      !has_banking_day_between(before->date, statement.date))
    reasons.push_back(does_not_close("The opening balance is " + format_money(*statement.opening) +
                                         "; the statement of " + format_date(before->date) + " closed with " +
                                         format_money(*before->closing) + '.',
                                     *statement.opening - *before->closing));
  return reasons;
}

BankException exception_of(const BankLine& line) {
  const auto kind = line.finding.value_or(BankExceptionKind::credit_without_deposit);
  const auto amount = (line.is_debit ? "The debit of " : "The credit of ") + format_money(line.amount);
  std::string message = amount;
  switch (kind) {
    case BankExceptionKind::credit_held:
      message += " reports a deposit that is held as a suspected duplicate: decide its task.";
      break;
    case BankExceptionKind::ambiguous_credit:
      message += " fits several deposits.";
      break;
    case BankExceptionKind::ambiguous_debit:
      message += " fits several payments or returned deposits.";
      break;
    case BankExceptionKind::amount_differs:
      message += line.is_debit ? " has the reference of a payment or returned deposit of another amount."
                               : " has the reference of a deposit or payment of another amount.";
      break;
    case BankExceptionKind::debit_without_payment:
      message += " fits no payment and no returned deposit.";
      break;
    default:
      message += " fits no deposit.";
      break;
  }
  return {kind, std::move(message), line.number, line.origin ? line.origin->text() : std::string(), line.amount};
}

std::vector<BankDay> days_of_account(const std::string& account, const std::vector<BankStatement>& statements,
                                     DateRange days, Date first, Date last_due) {
  std::vector<BankDay> found;
  auto next = statements.begin();
  for (auto day = days.from; day <= days.to; day = day.plus(1)) {
    if (next != statements.end() && next->date == day)
      found.push_back({day, account, *next++});
    else if (day >= first && day <= last_due && is_banking_day(day))
      found.push_back({day, account, std::nullopt});
  }
  return found;
}

BankException missing_statement(Date day) {
  return {BankExceptionKind::statement_missing,
          "There is no statement of " + format_date(day) + ", a banking day.",
          std::nullopt,
          {},
          std::nullopt};
}

Date due_on_statement(Date day) {
  for (int i = 0; i < kDaysUntilOnStatement; ++i) day = next_banking_day(day);
  return day;
}

Date last_day_due(Date latest) {
  auto day = latest;
  while (due_on_statement(day) > latest) day = day.plus(-1);
  return day;
}

}  // namespace tideover::domain
