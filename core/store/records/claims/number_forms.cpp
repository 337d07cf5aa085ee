#include "core/store/records/claims/number_forms.hpp"

#include <optional>

#include "core/domain/claims/claim_number.hpp"
#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"

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

/// Empty when the cell is damaged: the other rows must still be found.
std::string opened(const EncryptedCells& cells, const domain::TenantId& tenant, const EncryptedColumn& column,
                   std::string_view row, const std::string& sealed) {
  try {
    return cells.open(tenant, column, row, sealed);
  } catch (const sql::SqlError& error) {
    if (error.kind != Kind::unreadable) throw;
    cells.tell(error.what());
    return {};
  }
}

std::optional<sql::BlobView> none_where_empty(const std::string& number, const ports::BlindIndex& form) {
  return number.empty() ? std::nullopt : std::optional<sql::BlobView>(form);
}

bool fill_settlements(sql::Session& writer, const EncryptedCells& cells) {
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
      "SELECT tenant, id, claim_identifier FROM settlements WHERE numbered = 0 ORDER BY tenant, id LIMIT ?", kPageRows);
  for (const auto& old : page) {
    insert_advance_numbers(writer, cells, old.tenant, old.id,
                           opened(cells, old.tenant, encrypted::kSettlementIdentifier, old.id, old.sealed_number));
    writer.run("UPDATE settlements SET numbered = 1 WHERE tenant = ? AND id = ?", old.tenant.text(), old.id);
  }
  return !page.empty();
}

bool fill_claims(sql::Session& writer, const EncryptedCells& cells) {
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
      "number_form IS NULL "
      "ORDER BY remittance_id LIMIT ?",
      kPageRows);
  for (const auto& old : page) {
    const auto name = row_name(old.remittance, old.position);
    const auto number =
        domain::normal_number(opened(cells, old.tenant, encrypted::kRemittanceIdentifier, name, old.sealed_number));
    const auto payer_number = domain::normal_number(
        opened(cells, old.tenant, encrypted::kRemittancePayerNumber, name, old.sealed_payer_number));
    const auto payer_form = number_form(cells, old.tenant, payer_number);
    writer.run(
        "UPDATE remittance_claims SET number_form = ?, payer_number_form = ? WHERE tenant = ? AND remittance_id = ? "
        "AND position = ?",
        number_form(cells, old.tenant, number), none_where_empty(payer_number, payer_form), old.tenant.text(),
        old.remittance, old.position);
  }
  return !page.empty();
}

template <class Fill>
void fill_all(sql::Session& writer, Fill fill) {
  for (int tried = 1;;) {
    try {
      writer.begin();
      const bool found = fill();
      writer.commit();
      if (!found) return;
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
    insert_row_if_new<"advance_numbers", "lookup, tenant, settlement_id">(session, number_form(cells, tenant, form),
                                                                          tenant.text(), settlement);
}

void fill_number_forms(sql::Session& writer, const EncryptedCells& cells) {
  try {
    fill_all(writer, [&] { return fill_settlements(writer, cells); });
    fill_all(writer, [&] { return fill_claims(writer, cells); });
  } catch (const sql::SqlError& error) {
    if (error.kind != Kind::key_missing) throw;
    writer.rollback();
    cells.tell(error.what());
  }
}

}  // namespace tideover::store
