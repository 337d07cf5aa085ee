// The parts of a payer's texts that a search found (openapi.yaml: Payer, match.highlights). Pure.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/claims/payer.hpp"

namespace tideover::domain {

struct PayerHighlight {
  struct Part {
    std::size_t start = 0;  // in characters
    std::size_t length = 0;
  };
  std::string field;
  std::string text;  // a value of the field
  std::vector<Part> parts;
};

/// The values of the matched fields with a word that begins as a word of `query`, without regard to case. A payer that
/// is found by similar spelling, or by another name of a program or state, may have none.
std::vector<PayerHighlight> highlights_of(const PayerMatch& match, std::string_view query);

}  // namespace tideover::domain
