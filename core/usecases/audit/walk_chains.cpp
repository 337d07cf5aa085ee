#include "core/usecases/audit/walk_chains.hpp"

namespace tideover::usecases {

std::string place_of(std::string_view table, const std::string& chain, const ports::ChainLink& link) {
  return std::string(table) + " chain " + chain + ", position " + std::to_string(link.position) + " (" + link.subject +
         ")";
}

void ChainWalk::step(const ports::ChainLink& link) {
  const std::int64_t expected = last_.position + 1;
  if (link.position != expected) {
    // The hashes cannot agree over a gap; one breach is named for it.
    const std::string missing = expected == link.position - 1 ? "position " + std::to_string(expected)
                                                              : "positions " + std::to_string(expected) + " to " +
                                                                    std::to_string(link.position - 1);
    found_.add(place_of(table_, last_.chain, link), missing + " before it: missing");
  } else if (link.hash != link.computed) {
    found_.add(place_of(table_, last_.chain, link),
               "its content, or the hash before it, is not what its own hash was made of");
  }
  last_.position = link.position;
  last_.hash = link.hash;

  for (; noted_ && next_note_ < noted_->size() && (*noted_)[next_note_].position <= link.position; ++next_note_) {
    const auto& note = (*noted_)[next_note_];
    if (note.position == link.position && note.hash != link.hash)
      found_.add(place_of(table_, last_.chain, link), "differs from the checkpoint of " + format_timestamp(note.at) +
                                                          ": the chain was written anew here or before");
  }
}

void ChainWalk::end() {
  if (!noted_ || noted_->empty() || noted_->back().position <= last_.position) return;
  const auto& note = noted_->back();
  found_.add(std::string(table_) + " chain " + last_.chain,
             "ends at position " + std::to_string(last_.position) + ", but the checkpoint of " +
                 format_timestamp(note.at) + " saw position " + std::to_string(note.position) + ": its tail is gone");
}

domain::Error verification_stopped() {
  return domain::Error::of(domain::ErrorCode::shutting_down,
                           "The verification was ended before it was through; it says nothing.");
}

}  // namespace tideover::usecases
