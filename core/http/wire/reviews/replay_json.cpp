#include "core/http/wire/reviews/replay_json.hpp"

#include "core/http/wire/reviews/review_json.hpp"

namespace tideover::wire {
namespace {

constexpr std::size_t kDigestDigits = 64;

}  // namespace

std::string decode_replay_bundle(const json::Value& body, Faults& faults) {
  ObjectReader in(body, "", faults);
  auto bundle = in.short_text("bundle", kDigestDigits);
  in.finish();
  return bundle.value_or("");
}

bool are_equal(const usecases::ReplayedReview& both) {
  return both.differences.empty() && encode_review(both.recorded) == encode_review(both.replayed);
}

bool are_equal_but_for_rules(const usecases::ReplayedReview& both) {
  auto renamed = both;
  renamed.replayed.rules = both.recorded.rules;
  return are_equal(renamed);
}

std::string encode_replay(const usecases::ReplayedReview& both) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("review_id").string(both.recorded.id.text());
  out.key("equal").boolean(are_equal(both));
  out.key("snapshot").string(both.recorded.basis.snapshot);
  out.key("differences").begin_array();
  for (const auto& difference : both.differences) {
    out.begin_object();
    out.key("field").string(difference.field);
    out.key("recorded").string(difference.recorded);
    out.key("replayed").string(difference.replayed);
    out.end_object();
  }
  out.end_array();
  out.key("recorded");
  put_review(out, both.recorded);
  out.key("replayed");
  put_review(out, both.replayed);
  out.end_object();
  return body;
}

}  // namespace tideover::wire
