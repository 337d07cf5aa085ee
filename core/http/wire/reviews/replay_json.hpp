// A review that was made again (core/docs/contract.md#explanations-and-quality).
#pragma once
#include <string>

#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/reviews/replay_review.hpp"

namespace tideover::wire {

/// The bundle to replay with; empty: the one that decided.
std::string decode_replay_bundle(const json::Value& body, Faults& faults);
/// `equal`: what a client was sent is the same byte for byte, and so are the features behind it.
bool are_equal(const usecases::ReplayedReview& both);
/// The same, but that the bundle of rules may have another name.
bool are_equal_but_for_rules(const usecases::ReplayedReview& both);
std::string encode_replay(const usecases::ReplayedReview& both);

}  // namespace tideover::wire
