#include "core/store/records/claims/number_forms.hpp"

#include <optional>
#include <set>

#include "core/domain/claims/claim_number.hpp"
#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"

namespace tideover::store {
namespace {

using Kind = sql::SqlError::Kind;

constexpr std::int64_t kPageRows = 256;
constexpr int kMostTries = 5;

struct OldSettlement {
  domain::TenantId tenant;
  std::string id, sealed_number;
};

struct OldClaim {
  domain::TenantId tenant;
  std::string remittance;
  std::int64_t position = 0;
  std::string sealed_number, sealed_payer_number;
};

/// Position of the last row of a page. Later pages start behind it, so a row that stays as it is is read once.
struct Cursor {
  std::string first, second;
  std::int64_t position = -1;
};

/// Decrypts the numbers of old rows. A fault concerns its row alone.
class OldNumbers {
 public:
  explicit OldNumbers(const EncryptedCells& cells) : cells_(cells) {}

  /// Empty for a damaged cell, which is reported. Nothing when its key is missing: the next start tries again.
  std::optional<std::string> open(const domain::TenantId& tenant, const EncryptedColumn& column, std::string_view row,
                                  const std::string& sealed) {
    try {
      return cells_.open(tenant, column, row, sealed);
    } catch (const sql::SqlError& error) {
      if (error.kind == Kind::key_missing) {
        // One report for each key: all rows of a tenant may lack it.
        if (missing_.emplace(ports::key_of_seal(sealed)).second) cells_.tell(error.what());
        return std::nullopt;
      }
      if (error.kind != Kind::unreadable) throw;
      cells_.tell(error.what());
      return std::string();
    }
  }

 private:
  const EncryptedCells& cells_;
  std::set<std::string> missing_;
};

std::optional<sql::BlobView> none_where_empty(const std::string& number, const ports::BlindIndex& form) {
  return number.empty() ? std::nullopt : std::optional<sql::BlobView>(form);
}

std::optional<Cursor> fill_settlements(sql::Session& writer, const EncryptedCells& cells, OldNumbers& numbers,
                                       const Cursor& after) {
  const auto page = all(
      writer,
      [](const sql::Row& row) {
        ColumnReader in(row);
        OldSettlement old;
        old.tenant = in.id<domain::TenantId>();
        old.id = in.text();
        old.sealed_number = in.bytes();
        return old;
      },
      "SELECT tenant, id, claim_identifier FROM settlements WHERE numbered = 0 AND (tenant > ? OR (tenant = ? AND id > "
      "?)) ORDER BY tenant, id LIMIT ?",
      after.first, after.first, after.second, kPageRows);
  for (const auto& old : page) {
    const auto number = numbers.open(old.tenant, encrypted::kSettlementIdentifier, old.id, old.sealed_number);
    if (!number) continue;
    insert_advance_numbers(writer, cells, old.tenant, old.id, *number);
    writer.run("UPDATE settlements SET numbered = 1 WHERE tenant = ? AND id = ?", old.tenant.text(), old.id);
  }
  if (page.empty()) return std::nullopt;
  return Cursor{std::string(page.back().tenant.text()), page.back().id};
}

std::optional<Cursor> fill_claims(sql::Session& writer, const EncryptedCells& cells, OldNumbers& numbers,
                                  const Cursor& after) {
  const auto page = all(
      writer,
      [](const sql::Row& row) {
        ColumnReader in(row);
        OldClaim old;
        old.tenant = in.id<domain::TenantId>();
        old.remittance = in.text();
        old.position = in.integer();
        old.sealed_number = in.bytes();
        old.sealed_payer_number = in.bytes();
        return old;
      },
      "SELECT tenant, remittance_id, position, claim_identifier, payer_claim_number FROM remittance_claims WHERE "
      "number_form IS NULL AND (remittance_id > ? OR (remittance_id = ? AND (position > ? OR (position = ? AND tenant "
      "> "
      "?)))) ORDER BY remittance_id, position, tenant LIMIT ?",
      after.first, after.first, after.position, after.position, after.second, kPageRows);
  for (const auto& old : page) {
    const auto name = row_name(old.remittance, old.position);
    const auto stated = numbers.open(old.tenant, encrypted::kRemittanceIdentifier, name, old.sealed_number);
    const auto stated_by_payer =
        numbers.open(old.tenant, encrypted::kRemittancePayerNumber, name, old.sealed_payer_number);
    if (!stated || !stated_by_payer) continue;
    const auto number = domain::normal_number(*stated), payer_number = domain::normal_number(*stated_by_payer);
    const auto payer_form = number_form(cells, old.tenant, payer_number);
    writer.run(
        "UPDATE remittance_claims SET number_form = ?, payer_number_form = ? WHERE tenant = ? AND remittance_id = ? "
        "AND position = ?",
        number_form(cells, old.tenant, number), none_where_empty(payer_number, payer_form), old.tenant.text(),
        old.remittance, old.position);
  }
  if (page.empty()) return std::nullopt;
  return Cursor{page.back().remittance, std::string(page.back().tenant.text()), page.back().position};
}

template <class Fill>
void fill_all(sql::Session& writer, Fill fill) {
  Cursor after;
  for (int tried = 1;;) {
    try {
      writer.begin();
      const std::optional<Cursor> last = fill(after);
      writer.commit();
      if (!last) return;
      after = *last;
      tried = 1;
    } catch (const sql::SqlError& error) {
      if (error.kind != Kind::conflict || tried++ == kMostTries) throw;
      writer.rollback();  // another node fills the same page
    }
  }
}

}  // namespace

void insert_advance_numbers(sql::Session& session, const EncryptedCells& cells, const domain::TenantId& tenant,
                            std::string_view settlement, std::string_view claim_identifier) {
  for (const auto& form : domain::normal_forms(claim_identifier))
    session.run({"INSERT OR IGNORE INTO advance_numbers (lookup, tenant, settlement_id) VALUES (?, ?, ?)",
                 "INSERT IGNORE INTO advance_numbers (lookup, tenant, settlement_id) VALUES (?, ?, ?)"},
                number_form(cells, tenant, form), tenant.text(), settlement);
}

void fill_number_forms(sql::Session& writer, const EncryptedCells& cells) {
  OldNumbers numbers(cells);
  fill_all(writer, [&](const Cursor& after) { return fill_settlements(writer, cells, numbers, after); });
  fill_all(writer, [&](const Cursor& after) { return fill_claims(writer, cells, numbers, after); });
}

}  // namespace tideover::store
