// A replayed review as JSON (core/docs/contract.md#explanations-and-quality).
#pragma once
#include <string>

#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/reviews/replay_review.hpp"

namespace tideover::wire {

/// The bundle for the replay; empty: the bundle of the review.
std::string decode_replay_bundle(const json::Value& body, Faults& faults);
/// `equal`: the review that the client got is the same byte for byte, and so are its features.
bool are_equal(const usecases::ReplayedReview& both);
/// `equal` as above, except that the name of the rule bundle may differ.
bool are_equal_but_for_rules(const usecases::ReplayedReview& both);
std::string encode_replay(const usecases::ReplayedReview& both);

}  // namespace tideover::wire
