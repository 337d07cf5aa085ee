// Simulations of the sandbox in JSON (openapi.yaml: Sandbox).
#pragma once
#include <string>

#include "core/domain/funding/disbursement.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/sandbox/simulate_payments.hpp"

namespace tideover::wire {

usecases::PaymentOrder decode_payment_order(const json::Value& body, Faults& faults);
/// The reason code of a simulated return or refusal.
std::string decode_transfer_code(const json::Value& body, Faults& faults);
std::string encode_transfer(const domain::DisbursementAttempt& transfer);

}  // namespace tideover::wire
