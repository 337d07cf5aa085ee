#include "core/usecases/audit/walk_chains.hpp"

namespace tideover::usecases {

std::string row_name(std::string_view table, const std::string& chain, const ports::ChainLink& link) {
  return std::string(table) + " chain " + chain + ", position " + std::to_string(link.position) + " (" + link.subject +
         ")";
}

void ChainWalk::step(const ports::ChainLink& link) {
  const std::int64_t expected = last_.position + 1;
  if (link.position != expected) {
    // The hashes cannot match across a gap: report one fault for it.
    const std::string missing = expected == link.position - 1 ? "position " + std::to_string(expected)
                                                              : "positions " + std::to_string(expected) + " to " +
                                                                    std::to_string(link.position - 1);
    found_.add(row_name(table_, last_.chain, link), missing + " before it: missing");
  } else if (link.hash != link.computed) {
    found_.add(row_name(table_, last_.chain, link), "its hash does not match its content and the previous hash");
  }
  last_.position = link.position;
  last_.hash = link.hash;

  for (; noted_ && next_note_ < noted_->size() && (*noted_)[next_note_].position <= link.position; ++next_note_) {
    const auto& note = (*noted_)[next_note_];
    if (note.position == link.position && note.hash != link.hash)
      found_.add(row_name(table_, last_.chain, link), "differs from the checkpoint of " + format_timestamp(note.at) +
                                                          ": the chain was rewritten at or before this position");
  }
}

void ChainWalk::end() {
  if (!noted_ || noted_->empty() || noted_->back().position <= last_.position) return;
  const auto& note = noted_->back();
  found_.add(std::string(table_) + " chain " + last_.chain,
             "ends at position " + std::to_string(last_.position) + ", but the checkpoint of " +
                 format_timestamp(note.at) + " has position " + std::to_string(note.position) + ": its end is missing");
}

domain::Error verification_stopped() {
  return domain::Error::of(domain::ErrorCode::shutting_down,
                           "The verification was stopped before its end and has no result. Run it again.");
}

}  // namespace tideover::usecases
