#include "tests/fault/rail/mutations.hpp"

#include <cstddef>
#include <limits>
#include <string_view>

namespace tideover::fault {
namespace {

tideover_str lend(std::string_view text) {
  return {text.data(), text.size()};
}

const std::string kWithNul("re\0f", 4);

/// An answer of another size or kind: mutations 13 to 22.
void distort_frame(int mutation, tideover_outcome& outcome) {
  switch (mutation) {
    // Sizes that cannot be.
    case 13:
      outcome.size = 0;
      break;
    case 14:
      outcome.size = 4;
      break;
    case 15:
      outcome.size = offsetof(tideover_outcome, reason);
      break;
    // Kinds that are none, or none here.
    case 16:
      outcome.kind = 0;
      break;
    case 17:
      outcome.kind = -1;
      break;
    case 18:
      outcome.kind = 7;
      break;
    case 19:
      outcome.kind = std::numeric_limits<std::int32_t>::max();
      break;
    case 20:
      outcome.kind = std::numeric_limits<std::int32_t>::min();
      break;
    case 21:
      outcome.kind = TIDEOVER_OUTCOME_NOT_FOUND;
      break;
    case 22:
      outcome.kind = TIDEOVER_OUTCOME_UNKNOWN;
      break;
    default:
      break;
  }
}

/// An answer with texts that are none: mutations 23 to 33.
void distort_texts(int mutation, tideover_outcome& outcome) {
  static const std::string too_long(201, 'r'), long_code(41, 'R'), long_reason(5000, 'x');
  switch (mutation) {
    // Texts that are none.
    case 23:
      outcome.reference = {nullptr, 7};
      break;
    case 24:
      outcome.reference = {nullptr, 0};
      break;
    case 25:
      outcome.reference = lend("\xff\xfe");
      break;
    case 26:
      outcome.reference = lend(kWithNul);
      break;
    case 27:
      outcome.reference = lend(too_long);
      break;
    case 28:
      outcome.reference = {outcome.reference.ptr, std::numeric_limits<std::size_t>::max()};
      break;
    case 29:
      outcome.reason_code = lend(long_code);
      break;
    case 30:
      outcome.reason = lend(long_reason);
      break;
    case 31:
      outcome.reason = {nullptr, 1};
      break;
    // A no without its reason.
    case 32:
      outcome.kind = TIDEOVER_OUTCOME_REJECTED;
      outcome.reference = {nullptr, 0};
      break;
    case 33:
      outcome.kind = TIDEOVER_OUTCOME_RETURNED;
      break;
    default:
      break;
  }
}

/// An answer about another payment: mutations from 34 on.
void distort_payment(int mutation, std::int64_t amount, std::string_view other_key, tideover_outcome& outcome) {
  static const std::string long_key(65, 'k');
  switch (mutation) {
    // Of another payment.
    case 34:
      outcome.key = lend(other_key);
      break;
    case 35:
      outcome.key = lend(long_key);
      break;
    case 36:
      outcome.key = lend(kWithNul);
      break;
    case 37:
      outcome.amount = amount - 1;
      break;
    case 38:
      outcome.amount = 0;
      break;
    default:
      outcome.amount = std::numeric_limits<std::int64_t>::max();
      break;
  }
}

}  // namespace

tideover_status answer_wrongly(int mutation, const std::string& key, std::int64_t amount,
                               const tideover_outcome_sink* sink) noexcept {
  const std::string other_key = key + "x";
  tideover_outcome outcome{sizeof outcome, TIDEOVER_OUTCOME_SETTLED, lend("bank-1"), {nullptr, 0}, {nullptr, 0},
                           {nullptr, 0},   TIDEOVER_NO_AMOUNT};
  const auto give = [&] { sink->outcome(sink->ctx, &outcome); };
  switch (mutation) {
    // No answer, or half of one.
    case 0:
      return TIDEOVER_OK;
    case 1:
      return TIDEOVER_NOT_FOUND;
    case 2:
      return TIDEOVER_END;
    case 3:
      return TIDEOVER_FAILED;
    case 4:
      return 0;
    case 5:
      return 99;
    case 6:
      return -1;
    case 7:
      sink->outcome(sink->ctx, nullptr);
      return TIDEOVER_OK;
    // An answer, and the call fails all the same.
    case 8:
      give();
      return TIDEOVER_FAILED;
    case 9:
      give();
      return TIDEOVER_NOT_FOUND;
    case 10:
      give();
      return 99;
    // Two.
    case 11:
      give();
      give();
      return TIDEOVER_OK;
    case 12:
      give();
      outcome.kind = TIDEOVER_OUTCOME_REJECTED;
      outcome.reason_code = lend("R03");
      give();
      return TIDEOVER_OK;
    default:
      break;
  }
  if (mutation <= 22)
    distort_frame(mutation, outcome);
  else if (mutation <= 33)
    distort_texts(mutation, outcome);
  else
    distort_payment(mutation, amount, other_key, outcome);
  give();
  return TIDEOVER_OK;
}

}  // namespace tideover::fault
