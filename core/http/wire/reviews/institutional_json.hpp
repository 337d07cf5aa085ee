// The fields of institutional claims as JSON.
#pragma once
#include "core/domain/claims/institutional_input.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

/// The texts of an array, for the domain to check. Reads one more than `most`, so that the domain reports that there
/// are too many. `may_be_null`: null is an element without text; otherwise it is a fault.
std::vector<domain::InputText> read_codes(ObjectReader& in, std::string_view name, std::size_t most, Faults& faults,
                                          bool may_be_null = false);
domain::InstitutionalInput decode_institutional(ObjectReader& in, Faults& faults);
/// The members of a claim; without those that the client did not give.
void put_institutional(json::Writer& out, const domain::InstitutionalDetails& details);

}  // namespace tideover::wire
