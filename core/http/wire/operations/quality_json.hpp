// Quality of the predictions as JSON (core/docs/contract.md#explanations-and-quality).
#pragma once
#include <string>

#include "core/usecases/learning/read_quality.hpp"

namespace tideover::wire {

std::string encode_calibration(const usecases::Quality& quality);
std::string encode_payer_grades(const usecases::Quality& quality);
std::string encode_rule_grades(const usecases::Quality& quality);
std::string encode_advance_grades(const usecases::Quality& quality);

}  // namespace tideover::wire
