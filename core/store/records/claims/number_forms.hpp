// Digests of claim numbers in normal form: written with each settlement and each claim of a remittance, and filled in
// where a database is older than they are.
#pragma once
#include "core/store/encryption/encrypted_cells.hpp"

namespace tideover::store {

/// Finds what has a claim number of this normal form, of one tenant.
inline ports::BlindIndex number_form(const EncryptedCells& cells, const domain::TenantId& tenant,
                                     std::string_view normal_number) {
  return cells.cipher().blind_index(tenant.text(), "claim-number-form-v1", normal_number);
}

/// Of a new settlement: every form under which a payer may name its claim.
void insert_advance_numbers(sql::Session& session, const EncryptedCells& cells, const domain::TenantId& tenant,
                            std::string_view settlement, std::string_view claim_identifier);

/// Adds the digests to rows that lack them, page by page in transactions of their own. Costs two look-ups when
/// none lacks them. Several nodes may do so at once. A cell that does not open is reported and skipped; a
/// missing key stops it until the next start.
void fill_number_forms(sql::Session& writer, const EncryptedCells& cells);

}  // namespace tideover::store
