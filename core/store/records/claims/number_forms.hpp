// Digests of claim numbers in normal form. They are written with each settlement and each claim of a remittance, and
// added to the rows of older databases.
#pragma once
#include "core/store/encryption/encrypted_cells.hpp"

namespace tideover::store {

/// Finds the rows with a claim number of this normal form, of one tenant.
inline ports::BlindIndex number_form(const EncryptedCells& cells, const domain::TenantId& tenant,
                                     std::string_view normal_number) {
  return cells.cipher().blind_index(tenant.text(), "claim-number-form-v1", normal_number);
}

/// For a new settlement: every form in which a payer may write its claim number.
void insert_advance_numbers(sql::Session& session, const EncryptedCells& cells, const domain::TenantId& tenant,
                            std::string_view settlement, std::string_view claim_identifier);

/// Adds missing digests to old rows, page by page in separate transactions. Costs two look-ups when none are missing.
/// Any number of nodes may run it at the same time. A damaged cell is reported and has no digest. A row whose key
/// is missing is reported and stays as it is until a start that has the key.
void fill_number_forms(sql::Session& writer, const EncryptedCells& cells);

}  // namespace tideover::store
