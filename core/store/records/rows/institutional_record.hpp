// The details of an institutional claim as one record. Private to the store; pure.
#pragma once
#include "core/domain/claims/institutional.hpp"
#include "core/store/records/rows/record_text.hpp"

namespace tideover::store {

/// The fields of the record; the caller ends it.
void write_institutional(RecordWriter& out, const domain::InstitutionalDetails& details);
domain::InstitutionalDetails institutional_of(RecordReader& in);

}  // namespace tideover::store
