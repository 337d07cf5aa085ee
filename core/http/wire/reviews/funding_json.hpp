// The change of a settlement's funding (openapi.yaml: FundingChange). Pure functions.
#pragma once
#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/rails/change_funding.hpp"

namespace tideover::wire {

usecases::FundingChange decode_funding_change(const json::Value& body, Faults& faults);

}  // namespace tideover::wire
