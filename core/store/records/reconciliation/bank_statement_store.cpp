#include "core/store/records/reconciliation/bank_statement_store.hpp"

#include "core/domain/claims/claim_number.hpp"
#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"

namespace tideover::store {
namespace {

#define BANK_STATEMENT_COLUMNS                                                                            \
  "id, account, account_ending, statement_date, format, opening_cents, closing_cents, credit_sum_cents, " \
  "debit_sum_cents, credit_count, debit_count, content, version, stored_at"
#define BANK_LINE_COLUMNS \
  "number, is_debit, cents, booked_date, type_code, details, origin_id, deposit_id, transfer_id, finding"
/// Deposits whose money is in the ledger.
#define IS_BOOKED_DEPOSIT "d.status IN ('unmatched', 'partly_matched', 'matched', 'returned')"

constexpr std::size_t kMostCandidates = 10;

domain::BankStatement read_bank_statement(const sql::Row& row) {
  ColumnReader in(row);
  domain::BankStatement statement;
  statement.id = in.id<domain::BankStatementId>();
  statement.account = in.text();
  statement.account_ending = in.text();
  statement.date = in.date();
  statement.format = in.text();
  statement.opening = in.optional_money();
  statement.closing = in.optional_money();
  statement.credit_sum = in.optional_money();
  statement.debit_sum = in.optional_money();
  statement.credit_count = in.optional_integer();
  statement.debit_count = in.optional_integer();
  statement.content = in.text();
  statement.version = in.number();
  statement.stored_at = in.timestamp();
  return statement;
}

/// The references, one a line, then an empty line, then the text.
std::string details_text(const domain::BankLine& line) {
  std::string text;
  for (const auto& reference : line.references)
    if (!reference.empty()) text += reference + '\n';
  return text + '\n' + line.text;
}

void read_details(std::string_view text, domain::BankLine& line) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto reference = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (reference.empty()) break;
    line.references.emplace_back(reference);
  }
  line.text = text;
}

std::string line_row(const domain::BankStatementId& statement, int number) {
  return statement.text() + '/' + std::to_string(number);
}

std::optional<std::string> finding_text(const domain::BankLine& line) {
  return line.finding ? std::optional(std::string(domain::name_of(*line.finding))) : std::nullopt;
}

domain::ClearingCandidate read_deposit_candidate(const sql::Row& row) {
  ColumnReader in(row);
  domain::ClearingCandidate candidate;
  candidate.id = in.text();
  candidate.amount = in.money();
  candidate.is_settled = in.flag();
  return candidate;
}

domain::ClearingCandidate read_payment_candidate(const sql::Row& row) {
  auto candidate = read_deposit_candidate(row);
  candidate.kind = domain::ClearingCandidate::Kind::payment;
  return candidate;
}

ports::OffStatement read_off_statement(const sql::Row& row) {
  ColumnReader in(row);
  ports::OffStatement off;
  off.id = in.text();
  off.amount = in.money();
  off.date = in.date();
  return off;
}

}  // namespace

auto BankStatementStore::line_reader(const domain::TenantId& tenant, const domain::BankStatementId& statement) const {
  return [this, &tenant, &statement](const sql::Row& row) {
    ColumnReader in(row);
    domain::BankLine line;
    line.number = in.number();
    line.is_debit = in.flag();
    line.amount = in.money();
    line.date = in.date();
    line.type_code = in.text();
    read_details(cells_.open(tenant, encrypted::kBankLineDetails, line_row(statement, line.number), in.bytes()), line);
    line.origin = in.optional_id<domain::DepositId>();
    line.deposit = in.optional_id<domain::DepositId>();
    line.payment = in.optional_id<domain::TransferId>();
    if (const auto finding = in.optional_text()) line.finding = domain::bank_exception_kind_named(*finding);
    return line;
  };
}

void BankStatementStore::insert_lines(const domain::TenantId& tenant, const domain::BankStatementId& statement,
                                      const std::vector<domain::BankLine>& lines) {
  for (const auto& line : lines)
    insert_row<"bank_lines", "tenant, statement_id, " BANK_LINE_COLUMNS>(
        session_, tenant.text(), statement.text(), line.number, line.is_debit ? 1 : 0, line.amount.cents(),
        line.date.days(), line.type_code,
        cells_.seal(tenant, encrypted::kBankLineDetails, line_row(statement, line.number), details_text(line)),
        text(line.origin), text(line.deposit), text(line.payment), finding_text(line));
}

void BankStatementStore::insert(const domain::TenantId& tenant, const domain::BankStatement& statement,
                                const std::vector<domain::BankLine>& lines) {
  insert_row<"bank_statements", "tenant, " BANK_STATEMENT_COLUMNS>(
      session_, tenant.text(), statement.id.text(), statement.account, statement.account_ending, statement.date.days(),
      statement.format, cents(statement.opening), cents(statement.closing), cents(statement.credit_sum),
      cents(statement.debit_sum), statement.credit_count, statement.debit_count, statement.content, statement.version,
      statement.stored_at.ms());
  insert_lines(tenant, statement.id, lines);
}

void BankStatementStore::replace(const domain::TenantId& tenant, const domain::BankStatement& statement,
                                 const std::vector<domain::BankLine>& lines) {
  session_.run(
      "UPDATE bank_statements SET format = ?, opening_cents = ?, closing_cents = ?, credit_sum_cents = ?, "
      "debit_sum_cents = ?, credit_count = ?, debit_count = ?, content = ?, version = ?, stored_at = ? "
      "WHERE tenant = ? AND id = ?",
      statement.format, cents(statement.opening), cents(statement.closing), cents(statement.credit_sum),
      cents(statement.debit_sum), statement.credit_count, statement.debit_count, statement.content, statement.version,
      statement.stored_at.ms(), tenant.text(), statement.id.text());
  session_.run("DELETE FROM bank_lines WHERE tenant = ? AND statement_id = ?", tenant.text(), statement.id.text());
  insert_lines(tenant, statement.id, lines);
}

std::optional<domain::BankStatement> BankStatementStore::find(const domain::TenantId& tenant,
                                                              const domain::BankStatementId& id) const {
  return session_.first(read_bank_statement,
                        "SELECT " BANK_STATEMENT_COLUMNS " FROM bank_statements WHERE tenant = ? AND id = ?",
                        tenant.text(), id.text());
}

std::optional<domain::BankStatement> BankStatementStore::find_day(const domain::TenantId& tenant,
                                                                  std::string_view account, domain::Date date) const {
  return session_.first(read_bank_statement,
                        "SELECT " BANK_STATEMENT_COLUMNS
                        " FROM bank_statements WHERE tenant = ? AND account = ? AND statement_date = ?",
                        tenant.text(), account, date.days());
}

#define BANK_STATEMENTS                                                                                          \
  "SELECT " BANK_STATEMENT_COLUMNS                                                                               \
  " FROM bank_statements WHERE tenant = ? AND id > ? AND id < ? AND (? = '' OR account = ?) AND statement_date " \
  "BETWEEN ? AND ? ORDER BY id"

std::vector<domain::BankStatement> BankStatementStore::list(const domain::TenantId& tenant,
                                                            const ports::BankStatementFilter& filter,
                                                            const domain::ListPage& page) const {
  const auto days = filter.days.value_or(domain::DateRange{domain::Date::from_days(-1'000'000'000),  // any day
                                                           domain::Date::from_days(1'000'000'000)});
  const auto in = rows_of<domain::kind::BankStatement>(session_, tenant, page);
  return all(session_, read_bank_statement, in_order<BANK_STATEMENTS>(page.order), tenant.text(), in.above, in.below,
             filter.account, filter.account, days.from.days(), days.to.days(), rows(page.limit));
}

std::vector<domain::BankStatement> BankStatementStore::of_account(const domain::TenantId& tenant,
                                                                  std::string_view account,
                                                                  const domain::DateRange& days) const {
  return all(session_, read_bank_statement,
             "SELECT " BANK_STATEMENT_COLUMNS
             " FROM bank_statements WHERE tenant = ? AND account = ? AND statement_date BETWEEN ? AND ? "
             "ORDER BY statement_date",
             tenant.text(), account, days.from.days(), days.to.days());
}

std::optional<domain::BankStatement> BankStatementStore::latest_before(const domain::TenantId& tenant,
                                                                       std::string_view account,
                                                                       domain::Date date) const {
  return session_.first(read_bank_statement,
                        "SELECT " BANK_STATEMENT_COLUMNS
                        " FROM bank_statements WHERE tenant = ? AND account = ? AND statement_date < ? "
                        "ORDER BY statement_date DESC LIMIT 1",
                        tenant.text(), account, date.days());
}

std::optional<domain::BankStatement> BankStatementStore::first_of(const domain::TenantId& tenant,
                                                                  std::string_view account) const {
  return session_.first(read_bank_statement,
                        "SELECT " BANK_STATEMENT_COLUMNS
                        " FROM bank_statements WHERE tenant = ? AND account = ? ORDER BY statement_date LIMIT 1",
                        tenant.text(), account);
}

std::optional<std::string> BankStatementStore::next_account(const domain::TenantId& tenant,
                                                            std::string_view after) const {
  return session_.first([](const sql::Row& row) { return row.text(0); },
                        "SELECT account FROM bank_statements WHERE tenant = ? AND account > ? ORDER BY account LIMIT 1",
                        tenant.text(), after);
}

std::vector<domain::BankLine> BankStatementStore::lines(const domain::TenantId& tenant,
                                                        const domain::BankStatementId& statement, int after,
                                                        std::size_t limit) const {
  return all(session_, line_reader(tenant, statement),
             "SELECT " BANK_LINE_COLUMNS
             " FROM bank_lines WHERE tenant = ? AND statement_id = ? AND number > ? ORDER BY number LIMIT ?",
             tenant.text(), statement.text(), after, rows(limit));
}

std::vector<domain::BankLine> BankStatementStore::lines_with_finding(const domain::TenantId& tenant,
                                                                     const domain::BankStatementId& statement,
                                                                     int after, std::size_t limit) const {
  return all(session_, line_reader(tenant, statement),
             "SELECT " BANK_LINE_COLUMNS
             " FROM bank_lines WHERE tenant = ? AND statement_id = ? AND number > ? AND finding IS NOT NULL "
             "ORDER BY number LIMIT ?",
             tenant.text(), statement.text(), after, rows(limit));
}

domain::BankLineSums BankStatementStore::sums(const domain::TenantId& tenant,
                                              const domain::BankStatementId& statement) const {
  domain::BankLineSums sums;
  for (const sql::Row& row : session_.query(
           "SELECT is_debit, COUNT(*), SUM(cents), SUM(CASE WHEN deposit_id IS NULL AND transfer_id IS NULL THEN 0 "
           "ELSE cents END), SUM(CASE WHEN finding IS NULL THEN 0 ELSE 1 END) FROM bank_lines "
           "WHERE tenant = ? AND statement_id = ? GROUP BY is_debit",
           tenant.text(), statement.text())) {
    ColumnReader in(row);
    const bool is_debit = in.flag();
    (is_debit ? sums.debit_count : sums.credit_count) = in.integer();
    (is_debit ? sums.debits : sums.credits) = in.money();
    (is_debit ? sums.settled_debits : sums.settled_credits) = in.money();
    sums.findings += in.integer();
  }
  return sums;
}

void BankStatementStore::settle(const domain::TenantId& tenant, const domain::BankStatementId& statement,
                                const domain::BankLine& line) {
  session_.run(
      "UPDATE bank_lines SET origin_id = ?, deposit_id = ?, transfer_id = ?, finding = ? WHERE tenant = ? AND "
      "statement_id = ? AND "
      "number = ?",
      text(line.origin), text(line.deposit), text(line.payment), finding_text(line), tenant.text(), statement.text(),
      line.number);
}

bool BankStatementStore::is_on_statement(const domain::TenantId& tenant, const domain::DepositId& deposit,
                                         bool is_debit) const {
  return session_
      .first([](const sql::Row& row) { return row.integer(0); },
             "SELECT number FROM bank_lines WHERE tenant = ? AND deposit_id = ? AND is_debit = ?", tenant.text(),
             deposit.text(), is_debit ? 1 : 0)
      .has_value();
}

std::vector<domain::ClearingCandidate> BankStatementStore::deposits_traced(const domain::TenantId& tenant,
                                                                           std::string_view trace, bool is_debit,
                                                                           const domain::DateRange& days) const {
  return all(session_, read_deposit_candidate,
             "SELECT d.id, d.cents, CASE WHEN EXISTS (SELECT 1 FROM bank_lines l WHERE l.tenant = d.tenant AND "
             "l.deposit_id = d.id AND l.is_debit = ?) THEN 1 ELSE 0 END FROM deposits d WHERE d.tenant = ? AND "
             "d.trace_form = ? AND LENGTH(d.trace_number) > 0 AND " IS_BOOKED_DEPOSIT
             " AND (? = 0 OR d.status = 'returned') AND CASE WHEN ? = 1 THEN d.returned_date ELSE d.received_date END "
             "BETWEEN ? AND ? ORDER BY +d.id LIMIT ?",
             is_debit ? 1 : 0, tenant.text(), domain::normal_trace(trace), is_debit ? 1 : 0, is_debit ? 1 : 0,
             days.from.days(), days.to.days(), rows(kMostCandidates));
}

std::vector<domain::ClearingCandidate> BankStatementStore::payments_referenced(const domain::TenantId& tenant,
                                                                               std::string_view reference,
                                                                               bool is_debit,
                                                                               const domain::DateRange& days) const {
  // A returned payment left and came back: it is on a debit, too.
#define PAYMENT_CANDIDATE                                                                                             \
  "SELECT a.id, a.cents, CASE WHEN EXISTS (SELECT 1 FROM bank_lines l WHERE l.tenant = a.tenant AND l.transfer_id = " \
  "a.id AND l.is_debit = ?) THEN 1 ELSE 0 END FROM disbursement_attempts a WHERE a.tenant = ? AND "
#define IS_MOVED_IN_DAYS                                                                                             \
  " = ? AND (a.state = 'returned' OR (? = 1 AND a.state IN ('accepted', 'settled'))) AND +a.effective_date BETWEEN " \
  "? AND ? LIMIT ?"
  const int side = is_debit ? 1 : 0;
  auto found = all(session_, read_payment_candidate, PAYMENT_CANDIDATE "a.rail_key" IS_MOVED_IN_DAYS, side,
                   tenant.text(), reference, side, days.from.days(), days.to.days(), rows(kMostCandidates));
  for (auto& one : all(session_, read_payment_candidate, PAYMENT_CANDIDATE "a.rail_reference" IS_MOVED_IN_DAYS, side,
                       tenant.text(), reference, side, days.from.days(), days.to.days(), rows(kMostCandidates)))
    found.push_back(std::move(one));
  return found;
#undef PAYMENT_CANDIDATE
#undef IS_MOVED_IN_DAYS
}

std::vector<ports::OffStatement> BankStatementStore::deposits_off(const domain::TenantId& tenant,
                                                                  const domain::DateRange& days,
                                                                  std::size_t limit) const {
  return all(session_, read_off_statement,
             "SELECT d.id, d.cents, d.received_date FROM deposits d WHERE d.tenant = ? AND d.received_date BETWEEN ? "
             "AND ? AND " IS_BOOKED_DEPOSIT
             " AND NOT EXISTS (SELECT 1 FROM bank_lines l WHERE l.tenant = d.tenant AND l.deposit_id = d.id AND "
             "l.is_debit = 0) ORDER BY d.received_date, d.id LIMIT ?",
             tenant.text(), days.from.days(), days.to.days(), rows(limit));
}

std::vector<ports::OffStatement> BankStatementStore::returns_off(const domain::TenantId& tenant,
                                                                 const domain::DateRange& days,
                                                                 std::size_t limit) const {
  return all(session_, read_off_statement,
             "SELECT d.id, d.cents, d.returned_date FROM deposits d WHERE d.tenant = ? AND d.returned_date BETWEEN ? "
             "AND ? AND d.status = 'returned' AND NOT EXISTS (SELECT 1 FROM bank_lines l WHERE l.tenant = d.tenant AND "
             "l.deposit_id = d.id AND l.is_debit = 1) ORDER BY d.returned_date, d.id LIMIT ?",
             tenant.text(), days.from.days(), days.to.days(), rows(limit));
}

std::vector<ports::OffStatement> BankStatementStore::payments_off(const domain::TenantId& tenant,
                                                                  const domain::DateRange& days,
                                                                  std::size_t limit) const {
  return all(session_, read_off_statement,
             "SELECT a.id, a.cents, a.effective_date FROM disbursement_attempts a WHERE a.tenant = ? AND "
             "a.effective_date BETWEEN ? AND ? AND a.state IN ('accepted', 'settled', 'returned') AND NOT EXISTS "
             "(SELECT 1 FROM bank_lines l WHERE l.tenant = a.tenant AND l.transfer_id = a.id AND l.is_debit = 1) "
             "ORDER BY a.effective_date, a.id LIMIT ?",
             tenant.text(), days.from.days(), days.to.days(), rows(limit));
}

}  // namespace tideover::store
