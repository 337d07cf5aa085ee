// The change of a settlement's funding, and quotes of rails (openapi.yaml: FundingChange, FundingQuote). Pure
// functions.
#pragma once
#include "core/http/wire/basics/object_reader.hpp"
#include "core/http/wire/json/writer.hpp"
#include "core/usecases/quotes/quote_funding.hpp"
#include "core/usecases/rails/change_funding.hpp"

namespace tideover::wire {

usecases::FundingChange decode_funding_change(const json::Value& body, Faults& faults);
usecases::QuoteRequest decode_quote(const json::Value& body, Faults& faults);
std::string encode_quotes(const std::vector<usecases::RailQuote>& quotes, domain::Timestamp now);

}  // namespace tideover::wire
