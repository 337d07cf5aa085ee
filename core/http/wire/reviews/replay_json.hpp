// The replay of a review (core/docs/contract.md#explanations-and-quality). Pure functions.
#pragma once
#include <string>

#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/reviews/replay_review.hpp"

namespace tideover::wire {

/// The bundle for the replay; empty means the bundle that decided.
std::string decode_replay_bundle(const json::Value& body, Faults& faults);
/// `equal`: the response and the features behind it are the same, byte for byte.
bool are_equal(const usecases::ReplayedReview& both);
/// As equal, but the bundle of rules may have another name.
bool are_equal_but_for_rules(const usecases::ReplayedReview& both);
std::string encode_replay(const usecases::ReplayedReview& both);

}  // namespace tideover::wire
