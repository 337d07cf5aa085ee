#include "core/admin/commands/verification_text.hpp"

#include <fmt/core.h>

namespace tideover::admin {
namespace {

std::string summary(std::string_view what, const usecases::Verification& found) {
  std::string text = fmt::format("{}: {} rows in {} chains", what, found.rows, found.chains);
  if (found.rules > 0) text += fmt::format(", {} rules", found.rules);
  text += fmt::format(", {} checkpoints", found.checkpoints);
  if (found.newest_checkpoint) text += " up to " + format_timestamp(*found.newest_checkpoint);
  if (found.restored)
    text += fmt::format(" (restored at {}: older checkpoints are void)", format_timestamp(*found.restored));
  return text;
}

}  // namespace

AdminReply reply_of(std::string_view what, const domain::Result<usecases::Verification>& result,
                    domain::Timestamp now) {
  if (!result) return {1, "", fmt::format("{}: could not be verified: {}\n", what, result.error().message)};
  AdminReply reply;
  if (result->holds()) {
    reply.out = summary(what, *result) + ": all holds\n";
    constexpr std::int64_t kStaleMs = std::int64_t{10} * 60'000;
    if (result->rows > 0 && (!result->newest_checkpoint || now.ms() - result->newest_checkpoint->ms() > kStaleMs))
      reply.err = "No recent checkpoint: rows removed from the end since then would not be detected.\n";
    return reply;
  }
  reply.exit_code = 1;
  reply.out = summary(what, *result) + fmt::format(": {} BROKEN\n", result->breaches);
  for (const auto& breach : result->first_breaches) reply.out += fmt::format("  {}: {}\n", breach.where, breach.what);
  if (const auto named = static_cast<std::int64_t>(result->first_breaches.size()); named < result->breaches)
    reply.out += fmt::format("  and {} more\n", result->breaches - named);
  return reply;
}

}  // namespace tideover::admin
